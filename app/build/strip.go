package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
)

// Go's linker keeps, in every program, tables that turn an instruction's address into a file and a line,
// for panics and log messages. No switch leaves them out, and as noise they compress badly: they are a
// tenth of the app's download, for something that players never see. stripLines blanks them in the
// finished program, and with them the names of libraries' functions. No address changes; a panic still
// names our functions and the runtime's, with "?" for the lines. What the runtime needs to run, above all
// the tables for the garbage collector, stays.
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
	headerFiles     = 48 // where the files' names begin, after the table of units
	recordName      = 4
	recordSP        = 16
	recordFile      = 20
	recordLine      = 24
	recordTables    = 28 // how many more tables the record names
	recordUnit      = 32 // where the file's name is found
	recordStart     = 36 // the function's first line
	recordData      = 43 // how many descriptions follow the tables
	recordSize      = 44

	// Of these tables, two serve what does not happen here: stopping a goroutine at any instruction,
	// which WebAssembly cannot, and telling live arguments in a trace.
	tableUnsafePoints  = 0
	tableLiveArguments = 3

	// Of the descriptions, one serves to print arguments in a trace.
	dataArguments = 5
	noData        = 1<<32 - 1
)

// lineTableMagic begins the tables: version, minimal instruction size 1, pointer size 8.
var lineTableMagic = []byte{0xf1, 0xff, 0xff, 0xff, 0x00, 0x00, 0x01, 0x08}

var errTables = errors.New("the tables of functions are not in the known form")

// strip returns the program without its tables of files and lines, and without those that it can make
// itself.
func strip(program []byte) ([]byte, error) {
	m, err := readImage(program)
	if err != nil {
		return nil, err
	}
	if err := m.memory.stripLines(); err != nil {
		return nil, err
	}
	if err := m.memory.stripIndex(); err != nil {
		return nil, err
	}
	return m.program(), nil
}

// memory is what a program starts with.
type memory []byte

func (m memory) half(at int) uint32 { return binary.LittleEndian.Uint32(m[at:]) }
func (m memory) word(at int) uint64 { return binary.LittleEndian.Uint64(m[at:]) }
func (m memory) blank(at, n int)    { clear(m[at : at+n]) }

// lineTables finds the tables' header.
func (m memory) lineTables() (int, error) {
	start := bytes.Index(m, lineTableMagic)
	if start < 0 || start+lineTableHeader > len(m) {
		return 0, errTables
	}
	return start, nil
}

func (m memory) stripLines() error {
	start, err := m.lineTables()
	if err != nil {
		return err
	}
	count, part := int(m.word(start+headerFuncs)), func(header int) int { return start + int(m.word(start+header)) }
	names, units, files, pcs, records := part(headerNames), part(headerUnits), part(headerFiles), part(headerPCs), part(headerRecords)
	if !slices.IsSorted([]int{start, names, units, files, pcs, records, records + 8*count, len(m)}) || count <= 0 {
		return errTables
	}
	tables := lineTables{bytes: m[pcs:records], needed: make([]bool, records-pcs), lines: make([]bool, records-pcs)}
	for n := range count {
		record := records + int(m.half(records+8*n+4))
		if record+recordSize > len(m) {
			return errTables
		}
		if err := tables.use(m, record); err != nil {
			return err
		}
		m.blank(record+recordFile, 8)
		m.blank(record+recordUnit, 8)
		name := names + int(m.half(record+recordName))
		if name >= units {
			return errTables
		}
		if !m.keeps(name) {
			m.blank(record+recordName, 4)
		}
	}
	if err := m.blankNames(names, units); err != nil {
		return err
	}
	m.blank(units, pcs-units)
	for n, isLine := range tables.lines {
		if isLine && !tables.needed[n] {
			m.blank(pcs+n, 1)
		}
	}
	return nil
}

// lineTables marks which bytes of the tables by address are for what: equal tables are kept only once,
// whatever they are for.
type lineTables struct {
	bytes         []byte
	needed, lines []bool // lines: what is left out
}

func (t *lineTables) use(m memory, record int) error {
	err := errors.Join(
		t.mark(t.lines, m.half(record+recordFile)), t.mark(t.lines, m.half(record+recordLine)),
		t.mark(t.needed, m.half(record+recordSP)))
	more := int(m.half(record + recordTables))
	if more > 64 || record+recordSize+4*more > len(m) {
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
	if data := record + recordSize + 4*more; m[record+recordData] > dataArguments {
		at := data + 4*dataArguments
		if at+4 > len(m) {
			return errTables
		}
		binary.LittleEndian.PutUint32(m[at:], noData)
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

// keptNames begin the names that stay: ours, and the runtime's, which knows some functions by name.
var keptNames = []string{"peernomic/", "main.", "runtime.", "reflect."}

// keeps reports whether the name that begins there stays.
func (m memory) keeps(at int) bool {
	return slices.ContainsFunc(keptNames, func(kept string) bool { return bytes.HasPrefix(m[at:], []byte(kept)) })
}

// blankNames makes the other names empty; each ends with a zero. The first has to be one of them:
// functions without a name point to it.
func (m memory) blankNames(at, end int) error {
	if m.keeps(at) {
		return errTables
	}
	for at < end {
		size := bytes.IndexByte(m[at:end], 0)
		if size < 0 {
			return errTables
		}
		if !m.keeps(at) {
			m.blank(at, size)
		}
		at += size + 1
	}
	return nil
}
