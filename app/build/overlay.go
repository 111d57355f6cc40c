package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// overlay tells the compiler which files of the standard library to replace by edited copies.
const overlay = "bin/overlay.json"

// standardEdits are made in files of the standard library, named from its root.
//
//   - crypto/ecdh, wanted for X25519, brings a table of the curve P-256 along, 88 KB that do not compress
//     and are set up at every start though nothing uses the curve. Nothing refers to the table when its
//     init has another name, and the linker leaves it out. Should something begin to use the curve, it
//     would fail at once, at nil.
//   - crypto can run in the mode of FIPS 140, which WebAssembly does not support, and for that brings tests of itself,
//     another source of random numbers with AES, and, for one test, the curve P-256 itself. That the mode is never on
//     is told to the compiler, and nothing refers to the tests when they are no init. HMAC asks, for a report in
//     that mode, whether its hash is SHA-3, which nothing here uses.
//   - net/netip keeps the zones of addresses each once in a table of package unique, which nothing else here needs; an
//     address holds its zone itself instead.
//   - internal/godebug can have a setting hold in some calls only, to search for faults of the toolchain.
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
	{"crypto/internal/fips140/fips140.go", "var Enabled bool\n", "const Enabled = false\n"},
	{
		"crypto/internal/fips140/fips140.go",
		"\tcase \"on\", \"only\":\n\t\tEnabled = true\n\tcase \"debug\":\n\t\tEnabled = true\n\t\tdebug = true\n", "",
	},
	withoutSelfTest("aes"), withoutSelfTest("aes/gcm"), withoutSelfTest("drbg"), withoutSelfTest("hkdf"), withoutSelfTest("hmac"),
	withoutSelfTest("pbkdf2"), withoutSelfTest("sha256"), withoutSelfTest("sha512"),
	{"crypto/internal/fips140/ecdh/cast.go", "ecdh(P256(), k, peer)", "append(k.d, peer.q...), error(nil)"},
	{"crypto/internal/fips140/hmac/hmac.go", "\t\"crypto/internal/fips140/sha3\"\n", ""},
	{"crypto/internal/fips140/hmac/hmac.go", ", *sha3.Digest:", ":"},
	{"crypto/internal/fips140hash/hash.go", "\tfsha3 \"crypto/internal/fips140/sha3\"\n\t\"crypto/sha3\"\n", ""},
	{"crypto/internal/fips140hash/hash.go", "//go:linkname sha3Unwrap\nfunc sha3Unwrap(*sha3.SHA3) *fsha3.Digest\n", ""},
	{"crypto/internal/fips140hash/hash.go", "\tif sha3, ok := h.(*sha3.SHA3); ok {\n\t\treturn sha3Unwrap(sha3)\n\t}\n", ""},
	{"net/netip/netip.go", "\t\"unique\"\n", ""},
	{"net/netip/netip.go", "\tz unique.Handle[addrDetail]\n", "\tz zone\n"},
	{
		"net/netip/netip.go",
		"\tz0    unique.Handle[addrDetail]\n\tz4    = unique.Make(addrDetail{})\n\tz6noz = unique.Make(addrDetail{isV6: true})\n",
		"\tz0    zone\n\tz4    = zone{set: true}\n\tz6noz = zone{true, addrDetail{isV6: true}}\n",
	},
	{"net/netip/netip.go", "ip.z.Value().zoneV6", "ip.z.zoneV6"},
	{"net/netip/netip.go", "unique.Make(addrDetail{isV6: true, zoneV6: zone})", "zoned(zone)"},
	{
		"net/netip/netip.go",
		"type addrDetail struct {",
		"type zone struct {\n\tset bool\n\taddrDetail\n}\n\nfunc zoned(name string) zone { return zone{true, addrDetail{isV6: true, zoneV6: name}} }\n\ntype addrDetail struct {",
	},
	{"internal/godebug/godebug.go", "\tif v.bisect != nil && !v.bisect.Stack(&stderr) {\n\t\treturn \"\"\n\t}\n", ""},
	{"internal/godebug/godebug.go", "\t\t\t\t\t\t\tv.bisect, _ = bisect.New(arg[j+1:])\n", ""},
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

// withoutSelfTest keeps a package of FIPS 140 from testing itself when the program starts.
func withoutSelfTest(of string) edit {
	return edit{"crypto/internal/fips140/" + of + "/cast.go", "func init() {", "func selfTest() {"}
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
		replace[path] = filepath.Join(folder, strings.TrimPrefix(path, filepath.Join(root, "src")))
		err = errors.Join(err, writeIfChanged(replace[path], content))
	}
	list, encoding := json.Marshal(map[string]map[string]string{"Replace": replace})
	return errors.Join(err, encoding, writeIfChanged(overlay, list))
}
