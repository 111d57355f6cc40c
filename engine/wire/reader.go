package wire

import "math"

// Reader takes canonical CBOR apart without reflection, for what a game has tens of thousands of. It
// accepts what [Decode] does with a type that has the same elements: shortest heads, definite lengths, no
// tags, nothing behind the end. Its methods are called in the order of the elements; after
// the first that does not fit, all return zero values. Whether there was one is what [Reader.End] says.
type Reader struct {
	rest []byte
	bad  bool
}

// NewReader returns a reader of b, which it shares memory with.
func NewReader(b []byte) Reader { return Reader{rest: b} }

// CBOR's major types (RFC 8949, section 3.1).
const (
	majorUint  = 0
	majorNint  = 1
	majorBytes = 2
	majorText  = 3
	majorArray = 4
)

// head takes the head of an element and returns its major type and argument.
func (r *Reader) head() (major byte, n uint64) {
	if r.bad || len(r.rest) == 0 {
		r.bad = true
		return 0, 0
	}
	first := r.rest[0]
	major, n = first>>5, uint64(first&31)
	r.rest = r.rest[1:]
	if n < 24 {
		return major, n
	}
	size := 1 << (n - 24)
	if n > 27 || len(r.rest) < size {
		r.bad = true
		return 0, 0
	}
	n = 0
	for _, b := range r.rest[:size] {
		n = n<<8 | uint64(b)
	}
	r.rest = r.rest[size:]
	if size == 1 && n < 24 || size > 1 && n>>(4*size) == 0 {
		r.bad = true // it fits a shorter head
	}
	return major, n
}

func (r *Reader) expect(want byte) uint64 {
	major, n := r.head()
	if r.bad || major != want {
		r.bad = true
		return 0
	}
	return n
}

// Array takes the beginning of an array of n elements, which are taken next.
func (r *Reader) Array(n int) { r.bad = r.List() != n || r.bad }

// List takes the beginning of an array and returns how many elements it has.
func (r *Reader) List() int {
	n := r.expect(majorArray)
	if n > MaxElements || n > uint64(len(r.rest)) {
		r.bad = true
	}
	if r.bad {
		return 0
	}
	return int(n)
}

// Uint takes a number from 0 to max.
func (r *Reader) Uint(max uint64) uint64 {
	n := r.expect(majorUint)
	if n > max {
		r.bad = true
		return 0
	}
	return n
}

// Int takes a number.
func (r *Reader) Int() int64 {
	major, n := r.head()
	if r.bad || major > majorNint || n > math.MaxInt64 {
		r.bad = true
		return 0
	}
	if major == majorNint {
		return -1 - int64(n)
	}
	return int64(n)
}

// Bytes takes a byte string, which shares memory with what is read.
func (r *Reader) Bytes() []byte {
	n := r.expect(majorBytes)
	if r.bad || n > uint64(len(r.rest)) {
		r.bad = true
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

// Hash takes a byte string of 32 bytes.
func (r *Reader) Hash() (h [32]byte) {
	b := r.Bytes()
	if len(b) != len(h) {
		r.bad = true
		return h
	}
	return [32]byte(b)
}

// End fails with [ErrNotCanonical] if an element did not fit, or something is left.
func (r *Reader) End() error {
	if r.bad || len(r.rest) > 0 {
		return ErrNotCanonical
	}
	return nil
}

// AtMost reports whether canonical CBOR without floating point holds at most max values, each key of a map one. It tells, without
// reading them, what reading them would cost: in memory one byte can become 64.
func AtMost(b []byte, max int) bool {
	r := NewReader(b)
	for n := 0; len(r.rest) > 0; n++ {
		major, length := r.head()
		if major == majorBytes || major == majorText {
			if length > uint64(len(r.rest)) {
				return false
			}
			r.rest = r.rest[length:]
		}
		if r.bad || n >= max {
			return false
		}
	}
	return true
}

// appendHead appends the head of an element.
func appendHead(b []byte, major byte, n uint64) []byte {
	size := 0 // of the argument behind the first byte, as a power of two
	switch {
	case n < 24:
		return append(b, major<<5|byte(n))
	case n > math.MaxUint32:
		size = 3
	case n > math.MaxUint16:
		size = 2
	case n > math.MaxUint8:
		size = 1
	}
	b = append(b, major<<5|byte(24+size))
	for i := 1<<size - 1; i >= 0; i-- {
		b = append(b, byte(n>>(8*i)))
	}
	return b
}

func appendBytes(b, content []byte) []byte {
	return append(appendHead(b, majorBytes, uint64(len(content))), content...)
}
