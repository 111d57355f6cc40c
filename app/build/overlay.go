package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// overlay tells the compiler which files of the standard library to replace by edited copies.
const overlay = "bin/overlay.json"

// standardEdits are made in files of the standard library, named from its root.
//
//   - crypto/ecdh, wanted for X25519, brings a table of the curve P-256 along, 88 KB that do not compress
//     and are set up at every start though nothing uses the curve. Nothing refers to the table when its
//     init has another name, and the linker leaves it out. Should something begin to use the curve, it
//     would fail at once, at nil.
//   - runtime finds an address's function with tables that index.go leaves out: a table that says of each
//     4 KB of addresses where to begin looking, where in WebAssembly every function has 64 KB of them; and
//     a table of functions, which it sets up when it starts.
//   - runtime can trace itself and keeps metrics, which nobody asks for: with the tracer never on and no
//     metric registered, the linker leaves both out.
//   - slices sorts with a copy of the same thousand lines for every type. One copy for all that swaps by a
//     function, that of package sort, comes from the same template: it compares and swaps alike.
var standardEdits = []edit{
	{
		"crypto/internal/fips140/nistec/p256.go",
		"func init() {\n\tp256GeneratorTablesPtr", "func setUp() {\n\tp256GeneratorTablesPtr",
	},
	{
		"slices/sort.go",
		"\tpdqsortOrdered(x, 0, n, bits.Len(uint(n)))\n",
		"\tpdqsort_func(byLess(x, cmp.Less[E]), 0, n, bits.Len(uint(n)))\n",
	},
	{
		"slices/sort.go",
		"\tpdqsortCmpFunc(x, 0, n, bits.Len(uint(n)), cmp)\n",
		"\tpdqsort_func(byCompare(x, cmp), 0, n, bits.Len(uint(n)))\n",
	},
	{
		"slices/sort.go",
		"\tstableCmpFunc(x, len(x), cmp)\n",
		"\tstable_func(byCompare(x, cmp), len(x))\n",
	},
	{"runtime/metrics.go", "\tmetricsLock()\n\tinitMetrics()\n\td, ok :=", "\treturn\n\td, ok :="},
	{"runtime/traceruntime.go", "return trace.enabled\n", "return false\n"},
	{"runtime/traceruntime.go", "return trace.enabledWithAllocFree\n", "return false\n"},
	{"runtime/traceruntime.go", "return trace.shutdown.Load()\n", "return false\n"},
	{
		"runtime/symtab.go",
		"\tx := uintptr(pcOff) + datap.text",
		`	if i := pcOff - datap.ftab[0].entryoff; i < uint32(len(datap.ftab)-1) {
		return funcInfo{(*_func)(unsafe.Pointer(&datap.pclntable[datap.ftab[i].funcoff])), datap}
	}
	x := uintptr(pcOff) + datap.text`,
	},
	{
		"runtime/symtab.go",
		"\tnftab := len(datap.ftab) - 1\n",
		`	nftab := len(datap.ftab) - 1
	record := unsafe.Sizeof(functab{}) * uintptr(len(datap.ftab))
	for i := range datap.ftab {
		entry := uint32(datap.minpc>>16) + uint32(i)
		datap.ftab[i] = functab{entryoff: entry}
		if i < nftab {
			datap.ftab[i].funcoff = uint32(record)
			f := (*_func)(unsafe.Pointer(&datap.pclntable[record]))
			f.entryOff = entry
			record = alignUp(record+unsafe.Sizeof(*f)+4*uintptr(f.npcdata)+4*uintptr(f.nfuncdata), goarch.PtrSize)
		}
	}
`,
	},
}

// sortOnce is added to slices, with sort's algorithm behind it.
const sortOnce = `
type lessSwap struct {
	Less func(i, j int) bool
	Swap func(i, j int)
}

func byLess[S ~[]E, E any](x S, less func(a, b E) bool) lessSwap {
	return lessSwap{func(i, j int) bool { return less(x[i], x[j]) }, func(i, j int) { x[i], x[j] = x[j], x[i] }}
}

func byCompare[S ~[]E, E any](x S, cmp func(a, b E) int) lessSwap {
	return lessSwap{func(i, j int) bool { return cmp(x[i], x[j]) < 0 }, func(i, j int) { x[i], x[j] = x[j], x[i] }}
}
`

// writeOverlay writes the edited copies and the list of them.
func writeOverlay() error {
	root, err := ask("env", "GOROOT")
	if err != nil {
		return err
	}
	// The folder's name keeps it out of ./...
	folder, err := filepath.Abs("bin/_standard")
	if err != nil {
		return err
	}
	copies := map[string][]byte{}
	for _, e := range standardEdits {
		path := filepath.Join(root, "src", e.file)
		if copies[path] == nil {
			if copies[path], err = os.ReadFile(path); err != nil {
				return err
			}
		}
		if copies[path], err = e.apply(copies[path]); err != nil {
			return fmt.Errorf("the standard library: %w", err)
		}
	}
	sorting, err := os.ReadFile(filepath.Join(root, "src", "sort/zsortfunc.go"))
	if err != nil {
		return err
	}
	_, algorithm, found := bytes.Cut(sorting, []byte("package sort\n"))
	if !found || bytes.Contains(algorithm, []byte("import")) {
		return errors.New("the standard library: sort/zsortfunc.go is not as it was when slices was given it")
	}
	sorter := filepath.Join(root, "src", "slices/sort.go")
	copies[sorter] = slices.Concat(copies[sorter], []byte(sortOnce), algorithm)

	replace := map[string]string{}
	for path, content := range copies {
		replace[path] = filepath.Join(folder, filepath.Base(path))
		err = errors.Join(err, writeIfChanged(replace[path], content))
	}
	list, encoding := json.Marshal(map[string]map[string]string{"Replace": replace})
	return errors.Join(err, encoding, writeIfChanged(overlay, list))
}
