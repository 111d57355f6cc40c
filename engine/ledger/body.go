package ledger

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"

	"peernomic/engine/wire"
)

// HashPart names a part by its content.
func HashPart(content []byte) PartID {
	return PartID(wire.Digest("peernomic/part/v1", content))
}

// SplitBody lays out a body for an action: a short one stays inline, a long one travels
// compressed in parts. The error is a [*Refusal] if the body is longer than [MaxBody].
func SplitBody(body []byte) (inline []byte, parts [][]byte, err error) {
	if len(body) <= MaxInline {
		return body, nil, nil
	}
	parts, err = deflate(body)
	return nil, parts, err
}

// deflate compresses data and cuts it into parts. What would expand beyond [MaxExpansion] is
// stored instead.
func deflate(data []byte) ([][]byte, error) {
	if len(data) > MaxBody {
		return nil, refuse(CodeBody, fmt.Sprintf("a body has at most %d bytes", MaxBody))
	}
	packed, err := deflateAt(flate.BestCompression, data)
	if err != nil {
		return nil, err
	}
	if len(data) > MaxExpansion*len(packed) {
		if packed, err = deflateAt(flate.NoCompression, data); err != nil {
			return nil, err
		}
	}
	var parts [][]byte
	for len(packed) > 0 {
		n := min(len(packed), MaxPart)
		parts = append(parts, packed[:n:n])
		packed = packed[n:]
	}
	return parts, nil
}

func deflateAt(level int, data []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, level)
	if err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	if _, err := w.Write(data); err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	return b.Bytes(), nil
}

// joinBody returns the whole body: what is inline, then what the parts expand to. It stops
// at the limits, so a small action cannot cost much memory. The error is a [*Refusal].
func joinBody(inline []byte, parts [][]byte) ([]byte, error) {
	if len(parts) == 0 {
		return inline, nil
	}
	packed := bytes.Join(parts, nil)
	in := bytes.NewReader(packed)
	limit := min(MaxBody, MaxExpansion*len(packed))
	body, err := io.ReadAll(io.LimitReader(flate.NewReader(in), int64(limit)+1))
	switch {
	case err != nil:
		return nil, refuseFor(CodeBody, "the body's parts do not expand", err)
	case len(body) > limit:
		return nil, refuse(CodeBody, fmt.Sprintf("the body expands to more than %d bytes", limit))
	case in.Len() > 0:
		return nil, refuse(CodeBody, "the body's parts go on after their end")
	}
	return append(inline[:len(inline):len(inline)], body...), nil
}
