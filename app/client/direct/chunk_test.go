package direct

import (
	"bytes"
	"errors"
	"testing"

	"peernomic/engine/wire"
)

func TestChunksJoinToTheFrame(t *testing.T) {
	var j joiner
	for number, size := range []int{1, chunkBody - 1, chunkBody, chunkBody + 1, 5*chunkBody + 7, wire.MaxFrame} {
		want := bytes.Repeat([]byte{byte(number + 1)}, size)
		chunks, err := split(uint32(number), want)
		if err != nil {
			t.Fatal(err)
		}
		var got []byte
		for i, c := range chunks {
			if len(c) > chunkSize {
				t.Fatalf("chunk of %d bytes", len(c))
			}
			if got, err = j.add(c); err != nil {
				t.Fatal(err)
			}
			if (got != nil) != (i == len(chunks)-1) {
				t.Fatalf("frame of %d bytes: chunk %d of %d completed it: %v", size, i, len(chunks), got != nil)
			}
		}
		if !bytes.Equal(got, want) {
			t.Errorf("frame of %d bytes came out as %d bytes", size, len(got))
		}
	}
}

func TestFrameSizes(t *testing.T) {
	for _, size := range []int{0, wire.MaxFrame + 1} {
		if _, err := split(0, make([]byte, size)); !errors.Is(err, ErrChunk) {
			t.Errorf("%d bytes: got %v", size, err)
		}
	}
}

func TestHostileChunks(t *testing.T) {
	full := make([]byte, chunkBody)
	chunk := func(number byte, place, count uint16, body []byte) []byte {
		return append([]byte{0, 0, 0, number, byte(place >> 8), byte(place), byte(count >> 8), byte(count)}, body...)
	}
	for name, chunks := range map[string][][]byte{
		"empty":             {{}},
		"only a header":     {chunk(0, 0, 1, nil)},
		"too long":          {chunk(0, 0, 1, make([]byte, chunkBody+1))},
		"no chunks":         {chunk(0, 0, 0, full)},
		"too many chunks":   {chunk(0, 0, maxChunks+1, full)},
		"begins late":       {chunk(0, 1, 2, full)},
		"leaves one out":    {chunk(0, 0, 3, full), chunk(0, 2, 3, full)},
		"repeats":           {chunk(0, 0, 3, full), chunk(0, 0, 3, full)},
		"changes the count": {chunk(0, 0, 3, full), chunk(0, 1, 2, full)},
		"short in between":  {chunk(0, 0, 3, full[1:])},
		"another frame":     {chunk(0, 0, 2, full), chunk(1, 1, 2, full)},
		"skips a frame":     {chunk(0, 0, 1, full), chunk(2, 0, 1, full)},
		"frame again":       {chunk(0, 0, 1, full), chunk(0, 0, 1, full)},
	} {
		var j joiner
		var err error
		for _, c := range chunks {
			_, err = j.add(c)
		}
		if !errors.Is(err, ErrChunk) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func FuzzJoiner(f *testing.F) {
	one, _ := split(0, []byte("frame"))
	two, _ := split(0, make([]byte, chunkBody+1))
	f.Add(one[0], []byte{})
	f.Add(two[0], two[1])
	f.Fuzz(func(t *testing.T, a, b []byte) {
		var j joiner
		if _, err := j.add(a); err != nil {
			return
		}
		frame, err := j.add(b)
		if err == nil && len(frame) > wire.MaxFrame {
			t.Errorf("frame of %d bytes", len(frame))
		}
	})
}
