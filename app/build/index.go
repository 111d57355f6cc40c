package main

import (
	"bytes"
	"encoding/binary"
)

// Three of the linker's tables say where functions are. In WebAssembly a function's address is its number
// times 64 KB, so they hold nothing but the sizes of the functions' records, and the records tell that
// too. But Brotli knows no arithmetic, and takes 0.1 MB for them. The runtime as overlay.go edits it makes
// two of them when it starts, and does without the third.

// What follows the pointer to the lines' tables, in what the linker tells the runtime of the program
// (runtime.moduledata), in words.
const (
	moduleNames     = 1
	moduleRecords   = 13 // begins with the index
	moduleIndex     = 16
	moduleBuckets   = 19
	moduleFirst     = 20 // address of the first function
	moduleLast      = 21 // and of the last one's end
	moduleTablesEnd = 41
	moduleSize      = 42

	addresses    = 1 << 16 // of a function
	bucket       = 4096    // addresses, of which a table says where to look
	partOfBucket = bucket / 16
)

// stripIndex blanks the tables, if they are what the runtime will make of the rest.
func (m memory) stripIndex() error {
	module, err := m.module()
	if err != nil {
		return err
	}
	word := func(n int) int { return int(m.word(module + 8*n)) }
	records, count, first := word(moduleRecords), word(moduleIndex+1)-1, word(moduleFirst)/addresses
	end := records + word(moduleRecords+1)
	record := 8 * (count + 1)
	if word(moduleIndex) != records || records < 0 || end > len(m) || record > end-records || count <= 0 {
		return errTables
	}
	for n := range count {
		entry, at := records+8*n, records+record
		if at+recordSize > end || m.half(entry) != uint32(first+n) || m.half(entry+4) != uint32(record) || m.half(at) != uint32(first+n) {
			return errTables
		}
		record += recordSize + 4*int(m.half(at+recordTables)) + 4*int(m[at+recordSize-1])
		record += -record & 7
		m.blank(at, 4)
	}
	if last := records + 8*count; m.half(last) != uint32(first+count) || m.half(last+4) != 0 {
		return errTables
	}
	m.blank(records, 8*(count+1))

	buckets, size := word(moduleBuckets), word(moduleLast)-word(moduleFirst)
	if end := buckets + 4*((size+bucket-1)/bucket) + (size+partOfBucket-1)/partOfBucket; buckets < 0 || end > len(m) || end != word(moduleTablesEnd) {
		return errTables
	}
	m.blank(buckets, word(moduleTablesEnd)-buckets)
	return nil
}

// module finds what the linker tells the runtime, by its first two words.
func (m memory) module() (int, error) {
	start, err := m.lineTables()
	if err != nil {
		return 0, err
	}
	words := binary.LittleEndian.AppendUint64(nil, uint64(start))
	words = binary.LittleEndian.AppendUint64(words, uint64(start)+m.word(start+headerNames))
	at := bytes.Index(m, words)
	if at < 0 || at+8*moduleSize > len(m) {
		return 0, errTables
	}
	return at, nil
}
