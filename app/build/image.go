package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// image is a WebAssembly program, taken apart around the memory that it starts with.
//
// Go's linker writes that memory in a hundred thousand segments, each with its address, to leave out
// short runs of zeros. Compressed, the addresses cost far more than the zeros would, a twentieth of the
// download, so program writes the same memory in a few.
type image struct {
	before, after []byte // the sections around the memory's
	memory        memory
}

const (
	dataSection      = 11
	dataCountSection = 12 // would have to say how many segments there are; Go's linker writes none

	// leftOut is how many zeros in a row divide two segments.
	leftOut = 1024

	// maxMemory bounds what a program may start with.
	maxMemory = 256 << 20
)

var errImage = errors.New("the program's memory is not in the known form")

// readImage finds the program's one data section and carries it out.
func readImage(file []byte) (*image, error) {
	if !bytes.HasPrefix(file, []byte("\x00asm\x01\x00\x00\x00")) {
		return nil, errors.New("not a WebAssembly program")
	}
	var m *image
	for at := 8; at < len(file); {
		kind := file[at]
		size, n := uvarint(file, at+1)
		begin := at + 1 + n
		if n <= 0 || size > uint64(len(file)-begin) {
			return nil, fmt.Errorf("the program is cut off at byte %d", at)
		}
		end := begin + int(size)
		switch {
		case kind == dataCountSection, kind == dataSection && m != nil:
			return nil, errImage
		case kind == dataSection:
			m = &image{before: file[:at], after: file[end:]}
			if err := m.fill(file[begin:end]); err != nil {
				return nil, err
			}
		}
		at = end
	}
	if m == nil {
		return nil, errImage
	}
	return m, nil
}

// fill takes the segments in: each a flag 0, an address as a constant expression, a length, and bytes.
func (m *image) fill(section []byte) error {
	count, at := uvarint(section, 0)
	if at <= 0 {
		return errImage
	}
	for range count {
		if at+2 > len(section) || section[at] != 0 || section[at+1] != 0x41 {
			return errImage
		}
		address, n := signed(section[at+2:])
		at += 2 + n
		if n <= 0 || at >= len(section) || section[at] != 0x0b || address < 0 {
			return errImage
		}
		length, n := uvarint(section, at+1)
		at += 1 + n
		if n <= 0 || length > uint64(len(section)-at) || address+int64(length) > maxMemory {
			return errImage
		}
		if end := int(address) + int(length); end > len(m.memory) {
			m.memory = append(m.memory, make([]byte, end-len(m.memory))...)
		}
		copy(m.memory[address:], section[at:at+int(length)])
		at += int(length)
	}
	if at != len(section) {
		return errImage
	}
	return nil
}

// program is the program with its memory as it is now.
func (m *image) program() []byte {
	var segments []byte
	count := 0
	zeros := make([]byte, leftOut)
	for address, rest := 0, []byte(m.memory); len(rest) > 0; {
		if rest[0] == 0 {
			address, rest = address+1, rest[1:]
			continue
		}
		size := bytes.Index(rest, zeros)
		if size < 0 {
			size = len(rest)
		}
		segments = append(segments, 0, 0x41)
		segments = appendSigned(segments, int64(address))
		segments = append(segments, 0x0b)
		segments = binary.AppendUvarint(segments, uint64(size))
		segments = append(segments, rest[:size]...)
		address, rest = address+size, rest[size:]
		count++
	}
	number := binary.AppendUvarint(nil, uint64(count))
	head := binary.AppendUvarint([]byte{dataSection}, uint64(len(number)+len(segments)))
	return slices.Concat(m.before, head, number, segments, m.after)
}

func uvarint(b []byte, at int) (uint64, int) {
	if at >= len(b) {
		return 0, 0
	}
	return binary.Uvarint(b[at:])
}

// signed reads a signed LEB128 number and how many bytes it takes; 0 if there is none.
func signed(b []byte) (value int64, n int) {
	for shift := uint(0); n < len(b) && shift < 64; {
		c := b[n]
		n++
		value |= int64(c&0x7f) << shift
		shift += 7
		if c&0x80 == 0 {
			if shift < 64 && c&0x40 != 0 {
				value |= -1 << shift
			}
			return value, n
		}
	}
	return 0, 0
}

// appendSigned writes a number that is not negative as signed LEB128.
func appendSigned(b []byte, value int64) []byte {
	for value >= 0x40 {
		b = append(b, byte(value)|0x80)
		value >>= 7
	}
	return append(b, byte(value))
}
