package signal

import (
	"fmt"

	"peernomic/engine/wire"
	"peernomic/signal/store"
)

// read returns frames with the seals from number on and their envelopes, about a chunk of
// them, and the number of the seal after them. It returns no frames if the log ends before.
func (r *room) read(number uint64) (frames [][]byte, next uint64, err error) {
	r.mu.Lock()
	head := r.state.Head.Number
	if number > head {
		r.mu.Unlock()
		return nil, number, nil
	}
	if len(r.recent) > 0 && number >= r.recent[0].number {
		s := r.recent[number-r.recent[0].number]
		r.mu.Unlock()
		return s.frames, number + 1, nil
	}
	r.mu.Unlock()
	return r.readStored(number, head)
}

func (r *room) readStored(number, head uint64) (frames [][]byte, next uint64, err error) {
	var w frameWriter
	next = number
	err = r.server.store.Read(r.id, number, func(seal []byte, envelopes [][]byte) bool {
		w.add(seal, envelopes)
		next++
		return next <= head && w.bytes < chunk && len(w.seals) < wire.MaxBatch
	})
	if err == nil && next == number {
		err = fmt.Errorf("seal %d is missing", number)
	}
	if err == nil {
		frames, err = w.finish()
	}
	return frames, next, err
}

// publish makes what was stored visible, and wakes the connections that follow the log.
func (r *room) publish(a store.Append) error {
	if len(a.Seals) == 0 {
		return nil
	}
	entries := make([]sealed, 0, len(a.Seals))
	envelopes := a.Envelopes
	for _, s := range a.Seals {
		var w frameWriter
		var own [][]byte
		for range s.Envelopes {
			own = append(own, envelopes[0].Bytes)
			envelopes = envelopes[1:]
		}
		w.add(s.Bytes, own)
		frames, err := w.finish()
		if err != nil {
			return err
		}
		entries = append(entries, sealed{number: s.Number, frames: frames, bytes: w.bytes})
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state = a.Next
	if len(r.members) == 0 || r.server.recent.Load() > maxRecentTotal {
		r.forgetRecent(len(r.recent)) // recent must have no gaps
		entries = nil                 // members read them from the disk
	}
	for _, e := range entries {
		r.recent = append(r.recent, e)
		r.recentBytes += e.bytes
		r.server.recent.Add(int64(e.bytes))
	}
	for len(r.recent) > 0 && r.recentBytes > maxRecent {
		r.forgetRecent(1)
	}
	for _, m := range r.members {
		m.wakeUp()
	}
	return nil
}

// forgetRecent forgets the oldest of the seals that are kept in memory; mu must be held.
func (r *room) forgetRecent(n int) {
	for i := range n {
		r.recentBytes -= r.recent[i].bytes
		r.server.recent.Add(-int64(r.recent[i].bytes))
		r.recent[i] = sealed{} // or the array would keep its frames
	}
	r.recent = r.recent[n:]
}

// frameWriter packs seals and their envelopes into messages: envelopes always
// before the seals that order them, no message much longer than a chunk.
type frameWriter struct {
	frames        [][]byte
	envelopes     [][]byte
	envelopeBytes int
	seals         [][]byte
	bytes         int
	err           error
}

func (w *frameWriter) add(seal []byte, envelopes [][]byte) {
	for _, e := range envelopes {
		if len(w.envelopes) == wire.MaxBatch || w.envelopeBytes+len(e) > chunk {
			w.flush()
		}
		w.envelopes = append(w.envelopes, e)
		w.envelopeBytes += len(e)
		w.bytes += len(e)
	}
	w.seals = append(w.seals, seal)
	w.bytes += len(seal)
}

func (w *frameWriter) flush() {
	if len(w.envelopes) > 0 {
		w.encode(wire.Envelopes{Envelopes: w.envelopes})
	}
	w.envelopes, w.envelopeBytes = nil, 0
}

func (w *frameWriter) encode(m wire.Message) {
	frame, err := wire.EncodeMessage(m)
	if err != nil {
		w.err = err
		return
	}
	w.frames = append(w.frames, frame)
}

func (w *frameWriter) finish() ([][]byte, error) {
	w.flush()
	w.encode(wire.Seals{Seals: w.seals})
	return w.frames, w.err
}
