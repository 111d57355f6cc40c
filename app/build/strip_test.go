package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

// sampleProgram collects garbage, recovers from a panic, and ends in one.
const sampleProgram = `package main

import (
	"fmt"
	"runtime"
)

func fail(n int) int { return []int{1}[n] }

func main() {
	var kept []string
	for i := range 10000 {
		kept = append(kept, fmt.Sprint(i))
	}
	runtime.GC()
	func() {
		defer func() { fmt.Println("recovered:", recover()) }()
		fail(3)
	}()
	fmt.Println(len(kept), kept[9999])
	fail(7)
}
`

// atRoot goes where this command is run, and takes the toolchain that it takes.
func atRoot(t *testing.T) {
	t.Helper()
	t.Chdir("../..")
	if err := pinToolchain(); err != nil {
		t.Fatal(err)
	}
}

func compileSample(t *testing.T) []byte {
	t.Helper()
	folder := t.TempDir()
	source, program := filepath.Join(folder, "main.go"), filepath.Join(folder, "main.wasm")
	if err := os.WriteFile(source, []byte(sampleProgram), 0o644); err != nil {
		t.Fatal(err)
	}
	atRoot(t)
	if err := writeOverlay(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "build", "-overlay", overlay, "-ldflags", "-s -w", "-o", program, source)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	file, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// A program without its lines does what it did, and a panic in it names its functions.
func TestStrippedProgramRuns(t *testing.T) {
	whole := compileSample(t)
	stripped, err := strip(whole)
	if err != nil {
		t.Fatal(err)
	}
	if before, after := compressed(t, whole), compressed(t, stripped); after > before*9/10 {
		t.Errorf("compressed it takes %d bytes instead of %d, which is hardly less", after, before)
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("Node is missing: the program cannot be run here")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "stripped.wasm")
	if err := os.WriteFile(path, stripped, 0o644); err != nil {
		t.Fatal(err)
	}
	out, _ := exec.Command("node", filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec_node.js"), path).CombinedOutput()
	for _, want := range []string{
		"recovered: runtime error: index out of range [3] with length 1",
		"10000 9999",
		"panic: runtime error: index out of range [7] with length 1",
		"main.fail(",
	} {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("the program did not say %q; it said\n%s", want, out)
		}
	}
}

func compressed(t *testing.T, program []byte) int {
	t.Helper()
	var b bytes.Buffer
	w := brotli.NewWriterLevel(&b, 5)
	if _, err := w.Write(program); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}

// The memory that a program starts with is the same however it is divided.
func TestMemoryIsWrittenAsItWasRead(t *testing.T) {
	whole := compileSample(t)
	first, err := readImage(whole)
	if err != nil {
		t.Fatal(err)
	}
	again, err := readImage(first.program())
	if err != nil {
		t.Fatal(err)
	}
	end := len(again.memory) // zeros at the end are in no segment
	if !bytes.Equal(first.memory[:end], again.memory) || len(bytes.Trim(first.memory[end:], "\x00")) > 0 {
		t.Error("the memory changed")
	}
	if !bytes.Equal(first.before, again.before) || !bytes.Equal(first.after, again.after) {
		t.Error("the other sections changed")
	}
	if !bytes.Equal(first.program(), again.program()) {
		t.Error("written twice, it differs")
	}
}

// What is not such a program is an error: a wrong guess would break the app in ways nobody can see.
func TestUnknownProgramIsNotStripped(t *testing.T) {
	whole := compileSample(t)
	other := bytes.Replace(whole, lineTableMagic, []byte{0xf9, 0xff, 0xff, 0xff, 0, 0, 1, 8}, 1)
	for name, file := range map[string][]byte{
		"nothing": {}, "text": []byte("not a program"), "half": whole[:len(whole)/2], "another format": other,
		"counted segments": append(bytes.Clone(whole), dataCountSection, 1, 0), "cut off": whole[:len(whole)-1],
	} {
		if _, err := strip(file); err == nil {
			t.Errorf("%s was stripped", name)
		}
	}
}

// The runtime makes the index that is left out again, so it has to be just as that would be.
func TestOtherIndexIsNotLeftOut(t *testing.T) {
	whole := compileSample(t)
	for name, change := range map[string]func(m memory, module int){
		"a gap between functions":  func(m memory, module int) { m[m.word(module+8*moduleRecords)+8*5]++ },
		"a gap between records":    func(m memory, module int) { m[m.word(module+8*moduleRecords)+8*5+4] += 8 },
		"another size of a bucket": func(m memory, module int) { m[module+8*moduleBuckets]-- },
	} {
		image, err := readImage(whole)
		if err != nil {
			t.Fatal(err)
		}
		module, err := image.memory.module()
		if err != nil {
			t.Fatal(err)
		}
		change(image.memory, module)
		if image.memory.stripIndex() == nil {
			t.Errorf("with %s it was left out", name)
		}
	}
}
