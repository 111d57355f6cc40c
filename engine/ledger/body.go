package ledger

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"peernomic/engine/wire"
)

// HashPart names a part by its content.
func HashPart(content []byte) PartID {
	return PartID(wire.Digest("peernomic/part/v1", content))
}

// mark returns the bytes with which part i of an action begins, counted from 0. A genesis has none. The mark binds a
// part to one number of one device's feed. Several actions may name the part, but only one of them counts. So
// bodies cannot grow out of proportion to the stored bytes.
func (a Action) mark(i int) []byte {
	if a.Kind == KindGenesis {
		return nil
	}
	place := binary.BigEndian.AppendUint64(nil, a.Seq)
	d := wire.Digest("peernomic/parts/v1", a.Device[:], binary.BigEndian.AppendUint32(place, uint32(i)))
	return d[:]
}

// pack compresses data and cuts it into the parts of an action. The error is a [*Refusal] if there is more than
// [MaxBody].
func (a Action) pack(data []byte) ([][]byte, error) {
	if len(data) > MaxBody {
		return nil, refuse(CodeBody, fmt.Sprintf("a body has at most %d bytes", MaxBody))
	}
	packed, err := deflate(data, 0)
	if err == nil && len(data) > MaxExpansion*len(packed) {
		packed, err = deflate(data, (len(data)+MaxExpansion-1)/MaxExpansion)
	}
	if err != nil {
		return nil, err
	}
	var parts [][]byte
	for len(packed) > 0 {
		mark := a.mark(len(parts))
		n := min(len(packed), MaxPart-len(mark))
		parts = append(parts, slices.Concat(mark, packed[:n]))
		packed = packed[n:]
	}
	return parts, nil
}

// deflate compresses data, and pads the result with empty blocks to a least length.
func deflate(data []byte, least int) ([]byte, error) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	_, err = w.Write(data)
	for err == nil && b.Len() < least {
		err = w.Flush()
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	return b.Bytes(), nil
}

// joinBody returns an action's whole body, given its parts in their order: the inline beginning, then
// the expanded parts. The error is a [*Refusal].
func joinBody(a Action, parts [][]byte) ([]byte, error) {
	if len(parts) == 0 {
		return a.Body, nil
	}
	body := bytes.NewBuffer(slices.Clone(a.Body))
	if err := a.expand(body, parts); err != nil {
		return nil, err
	}
	return body.Bytes(), nil
}

// expand writes the expanded parts of an action. It stops at the limits, so that a small action cannot
// use much memory. The error is a [*Refusal].
func (a Action) expand(to io.Writer, parts [][]byte) error {
	var packed []byte
	for i, p := range parts {
		rest, ok := bytes.CutPrefix(p, a.mark(i))
		if !ok {
			return refuse(CodeBody, "a part of the body was made for another place")
		}
		packed = append(packed, rest...)
	}
	in := bytes.NewReader(packed)
	limit := min(MaxBody, MaxExpansion*len(packed))
	n, err := io.Copy(to, io.LimitReader(flate.NewReader(in), int64(limit)+1))
	switch {
	case err != nil:
		return refuseFor(CodeBody, "the body's parts do not expand", err)
	case n > int64(limit):
		return refuse(CodeBody, fmt.Sprintf("the body expands to more than %d bytes", limit))
	case in.Len() > 0:
		return refuse(CodeBody, "the body's parts go on after their end")
	}
	return nil
}
