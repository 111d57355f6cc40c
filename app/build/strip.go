package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Go's linker keeps, in every program, tables that turn an instruction's address into a file and a line,
// for panics and log messages. No switch leaves them out, and as noise they compress badly: they are a
// tenth of the app's download, for something that players never see. stripLines blanks them in the
// finished program, and with them the names of libraries' functions. Nothing moves and no size changes;
// a panic still names our functions and the runtime's, with "?" for the lines. What the runtime needs to run, above all the tables for the garbage collector, stays.
//
// The format is the toolchain's own and may change with it, so everything is checked on the way, and
// what is not recognised is an error, never a guess. See runtime/symtab.go and internal/abi/symtab.go.

// Offsets in the tables' header and in the record of a function, of the format with lineTableMagic.
const (
	lineTableHeader = 72
	headerFuncs     = 8  // how many functions there are
	headerNames     = 32 // where the functions' names begin, after the header's start
	headerUnits     = 40 // and end
	headerPCs       = 56 // where the tables by address begin, after the header's start
	headerRecords   = 64 // where the functions' records begin
	recordSP        = 16
	recordFile      = 20
	recordLine      = 24
	recordTables    = 28 // how many more tables the record names
	recordSize      = 44

	// Of these tables, two serve what does not happen here: stopping a goroutine at any instruction,
	// which WebAssembly cannot, and telling live arguments in a trace.
	tableUnsafePoints  = 0
	tableLiveArguments = 3
)

// lineTableMagic begins the tables: version, minimal instruction size 1, pointer size 8.
var lineTableMagic = []byte{0xf1, 0xff, 0xff, 0xff, 0x00, 0x00, 0x01, 0x08}

var errTables = errors.New("the tables of functions are not in the known form")

// stripLines returns the program without its tables of files and lines.
func stripLines(program []byte) ([]byte, error) {
	out := bytes.Clone(program)
	m, err := newImage(out)
	if err != nil {
		return nil, err
	}
	start := bytes.Index(m.bytes, lineTableMagic)
	if start < 0 || start+lineTableHeader > len(m.bytes) {
		return nil, errTables
	}
	count := int(m.word(start + headerFuncs))
	pcs, records := start+int(m.word(start+headerPCs)), start+int(m.word(start+headerRecords))
	if pcs <= start || records <= pcs || count <= 0 || records+8*count > len(m.bytes) {
		return nil, errTables
	}
	tables := lineTables{bytes: m.bytes[pcs:records], needed: make([]bool, records-pcs), lines: make([]bool, records-pcs)}
	for n := range count {
		record := records + int(m.half(records+8*n+4))
		if record+recordSize > len(m.bytes) {
			return nil, errTables
		}
		if err := tables.use(m, record); err != nil {
			return nil, err
		}
		m.blank(record+recordFile, 8)
	}
	if err := m.blankNames(start+int(m.word(start+headerNames)), start+int(m.word(start+headerUnits))); err != nil {
		return nil, err
	}
	for n, isLine := range tables.lines {
		if isLine && !tables.needed[n] {
			m.blank(pcs+n, 1)
		}
	}
	return out, m.err
}

// lineTables marks which bytes of the tables by address are for what: equal tables are kept only once,
// whatever they are for.
type lineTables struct {
	bytes         []byte
	needed, lines []bool // lines: what is left out
}

func (t *lineTables) use(m *image, record int) error {
	err := errors.Join(
		t.mark(t.lines, m.half(record+recordFile)), t.mark(t.lines, m.half(record+recordLine)),
		t.mark(t.needed, m.half(record+recordSP)))
	more := int(m.half(record + recordTables))
	if more > 64 || record+recordSize+4*more > len(m.bytes) {
		return errTables
	}
	for n := range more {
		at := record + recordSize + 4*n
		if n == tableUnsafePoints || n == tableLiveArguments {
			err = errors.Join(err, t.mark(t.lines, m.half(at)))
			m.blank(at, 4)
			continue
		}
		err = errors.Join(err, t.mark(t.needed, m.half(at)))
	}
	return err
}

// mark marks a table: pairs of numbers that end with a first number of 0, which the first pair may have.
func (t *lineTables) mark(as []bool, offset uint32) error {
	if offset == 0 {
		return nil // no table
	}
	at := int(offset)
	for first := true; ; first = false {
		value, n := uvarint(t.bytes, at)
		if n <= 0 {
			return errTables
		}
		size := n
		if value != 0 || first {
			_, n = uvarint(t.bytes, at+size)
			if n <= 0 {
				return errTables
			}
			size += n
		}
		for i := range size {
			as[at+i] = true
		}
		at += size
		if value == 0 && !first {
			return nil
		}
	}
}

func uvarint(b []byte, at int) (uint64, int) {
	if at >= len(b) {
		return 0, 0
	}
	return binary.Uvarint(b[at:])
}

// image is the memory that a WebAssembly program starts with, and where in the file each byte of it is.
type image struct {
	file  []byte
	bytes []byte
	place []int32 // in file; -1 for what is zero and in no segment
	err   error
}

func (m *image) half(at int) uint32 { return binary.LittleEndian.Uint32(m.bytes[at:]) }
func (m *image) word(at int) uint64 { return binary.LittleEndian.Uint64(m.bytes[at:]) }

// blank sets bytes to zero in the file.
func (m *image) blank(at, n int) {
	for i := at; i < at+n; i++ {
		if p := m.place[i]; p >= 0 {
			m.file[p] = 0
		} else if m.bytes[i] != 0 {
			m.err = errTables
		}
	}
}

// keptNames begin the names that stay: ours, and the runtime's, which knows some functions by name.
var keptNames = []string{"peernomic/", "main.", "runtime.", "reflect.", "internal/", "sync.", "syscall/", "type:"}

// blankNames makes the other names empty; each ends with a zero.
func (m *image) blankNames(at, end int) error {
	if at <= 0 || end > len(m.bytes) || at > end {
		return errTables
	}
	for at < end {
		size := bytes.IndexByte(m.bytes[at:end], 0)
		if size < 0 {
			return errTables
		}
		name := string(m.bytes[at : at+size])
		if !slices.ContainsFunc(keptNames, func(kept string) bool { return strings.HasPrefix(name, kept) }) {
			m.blank(at, size)
		}
		at += size + 1
	}
	return nil
}

// maxImage bounds what a program may start with.
const maxImage = 256 << 20

// newImage reads the data section of a program.
func newImage(file []byte) (*image, error) {
	m := &image{file: file}
	if !bytes.HasPrefix(file, []byte("\x00asm\x01\x00\x00\x00")) {
		return nil, errors.New("not a WebAssembly program")
	}
	const dataSection = 11
	for at := 8; at < len(file); {
		kind := file[at]
		size, n := uvarint(file, at+1)
		begin := at + 1 + n
		if n <= 0 || size > uint64(len(file)-begin) {
			return nil, fmt.Errorf("the program is cut off at byte %d", at)
		}
		at = begin + int(size)
		if kind != dataSection {
			continue
		}
		if err := m.read(begin, at); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// read takes the segments in: each a flag 0, an address as a constant expression, a length, and bytes.
func (m *image) read(at, end int) error {
	count, n := uvarint(m.file, at)
	if n <= 0 {
		return errTables
	}
	at += n
	for range count {
		if at+2 > end || m.file[at] != 0 || m.file[at+1] != 0x41 {
			return errTables
		}
		address, n := signed(m.file[at+2 : end])
		at += 2 + n
		if n <= 0 || at >= end || m.file[at] != 0x0b || address < 0 {
			return errTables
		}
		length, n := uvarint(m.file, at+1)
		at += 1 + n
		if n <= 0 || length > uint64(end-at) || address+int64(length) > maxImage {
			return errTables
		}
		m.grow(int(address) + int(length))
		copy(m.bytes[address:], m.file[at:at+int(length)])
		for i := range int(length) {
			m.place[int(address)+i] = int32(at + i)
		}
		at += int(length)
	}
	return nil
}

func (m *image) grow(size int) {
	before := len(m.bytes)
	if size <= before {
		return
	}
	m.bytes = append(m.bytes, make([]byte, size-before)...)
	m.place = append(m.place, make([]int32, size-before)...)
	for i := before; i < size; i++ {
		m.place[i] = -1
	}
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
