package direct

import (
	"encoding/binary"
	"errors"
	"fmt"

	"peernomic/engine/wire"
)

const (
	// chunkSize is the largest message that every browser sends and receives.
	chunkSize   = 16 << 10
	chunkHeader = 8
	chunkBody   = chunkSize - chunkHeader
	maxChunks   = (wire.MaxFrame + chunkBody - 1) / chunkBody
)

// ErrChunk reports chunks that do not make up a frame. The link is of no use
// afterwards.
var ErrChunk = errors.New("not the next chunk of a frame")

// split cuts a frame into chunks. Each begins with the frame's number (4 bytes),
// the chunk's place and the number of chunks (2 bytes each), big endian. The
// numbers are redundant on an ordered channel; they are there to notice when a
// browser's callbacks come out of order.
func split(number uint32, frame []byte) ([][]byte, error) {
	if len(frame) == 0 || len(frame) > wire.MaxFrame {
		return nil, fmt.Errorf("%w: frame of %d bytes", ErrChunk, len(frame))
	}
	count := (len(frame) + chunkBody - 1) / chunkBody
	chunks := make([][]byte, 0, count)
	for i := range count {
		body := frame[i*chunkBody : min((i+1)*chunkBody, len(frame))]
		chunk := make([]byte, 0, chunkHeader+len(body))
		chunk = binary.BigEndian.AppendUint32(chunk, number)
		chunk = binary.BigEndian.AppendUint16(chunk, uint16(i))
		chunk = binary.BigEndian.AppendUint16(chunk, uint16(count))
		chunks = append(chunks, append(chunk, body...))
	}
	return chunks, nil
}

// joiner puts chunks together. The zero value waits for chunk 0 of frame 0.
type joiner struct {
	number uint32
	next   uint16
	count  uint16
	frame  []byte
}

// add takes the next chunk and returns the frame that it completes, or nil.
func (j *joiner) add(chunk []byte) ([]byte, error) {
	if len(chunk) <= chunkHeader || len(chunk) > chunkSize {
		return nil, fmt.Errorf("%w: %d bytes", ErrChunk, len(chunk))
	}
	number := binary.BigEndian.Uint32(chunk)
	place, count := binary.BigEndian.Uint16(chunk[4:]), binary.BigEndian.Uint16(chunk[6:])
	if j.next == 0 {
		j.count = count
	}
	body := chunk[chunkHeader:]
	switch {
	case number != j.number || place != j.next || count != j.count:
		return nil, fmt.Errorf("%w: frame %d chunk %d of %d, expected frame %d chunk %d", ErrChunk, number, place, count, j.number, j.next)
	case count == 0 || count > maxChunks:
		return nil, fmt.Errorf("%w: frame of %d chunks", ErrChunk, count)
	case place+1 < count && len(body) != chunkBody:
		return nil, fmt.Errorf("%w: short chunk", ErrChunk)
	case len(j.frame)+len(body) > wire.MaxFrame:
		return nil, fmt.Errorf("%w: frame too long", ErrChunk)
	}
	j.frame = append(j.frame, body...)
	j.next++
	if j.next < j.count {
		return nil, nil
	}
	frame := j.frame
	*j = joiner{number: j.number + 1}
	return frame, nil
}
