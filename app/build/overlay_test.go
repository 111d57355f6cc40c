package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// sortingProgram sorts slices with many equal values, of lengths for which the algorithm takes all its
// ways, and prints the orders and how often it compared.
const sortingProgram = `package main

import (
	"fmt"
	"slices"
)

type pair struct{ key, place int }

func main() {
	compared := 0
	compare := func(a, b pair) int { compared++; return a.key - b.key }
	for _, n := range []int{0, 1, 2, 11, 12, 13, 49, 50, 51, 100, 999, 5000} {
		for _, kinds := range []int{2, 7, 1 << 30} {
			for shape := range 4 {
				var list []pair
				seed := uint32(n + kinds)
				for i := range n {
					seed = seed*1664525 + 1013904223
					key := []int{int(seed>>2) % kinds, i, -i, i * (n - i)}[shape]
					list = append(list, pair{key, i})
				}
				var keys []int
				for _, p := range list {
					keys = append(keys, p.key)
				}
				stable := slices.Clone(list)
				slices.SortStableFunc(stable, compare)
				slices.SortFunc(list, compare)
				slices.Sort(keys)
				sum := 0
				for i := range n {
					sum = sum*31 + list[i].place + 7*stable[i].place + 3*keys[i]
				}
				fmt.Println(n, kinds, shape, compared, uint32(sum))
			}
		}
	}
}
`

// The engine's games depend on orders, which have to be the same in every program.
func TestSortsLikeTheStandardLibrary(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("Node is missing: the program cannot be run here")
	}
	source := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(source, []byte(sortingProgram), 0o644); err != nil {
		t.Fatal(err)
	}
	atRoot(t)
	if err := writeOverlay(); err != nil {
		t.Fatal(err)
	}
	root, err := ask("env", "GOROOT")
	if err != nil {
		t.Fatal(err)
	}
	run := func(env []string, args ...string) []byte {
		cmd := exec.Command("go", append(append([]string{"run"}, args...), source)...)
		cmd.Env, cmd.Stderr = append(os.Environ(), env...), os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	want := run(nil)
	got := run([]string{"GOOS=js", "GOARCH=wasm"}, "-overlay", overlay, "-exec", filepath.Join(root, "lib", "wasm", "go_js_wasm_exec"))
	if lines := bytes.Count(want, []byte("\n")); lines != 144 {
		t.Fatalf("it sorted %d slices", lines)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the browser's program sorts otherwise:\n%s\ninstead of\n%s", got, want)
	}
}
