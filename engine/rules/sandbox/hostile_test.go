package sandbox

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"go.starlark.net/starlark"
)

var rewriteGolden = flag.Bool("rewrite", false, "write the verdicts of the hostile scripts anew")

// maxGrowth is how much memory a hostile script may make the heap grow by, in bytes.
const maxGrowth = 256 << 20

// TestHostileScripts runs scripts that try to take more than their share. Each must end in
// the verdict that its first line names. The golden file holds what was left of the budget
// as well, so that the same run on another platform shows that it counts alike.
func TestHostileScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/hostile/*.star")
	if err != nil || len(files) < 120 {
		t.Fatalf("found %d scripts: %v", len(files), err)
	}
	var verdicts bytes.Buffer
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".star")
		t.Run(name, func(t *testing.T) {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			first, _, _ := strings.Cut(string(source), "\n")
			want := Code(strings.TrimPrefix(first, "# expect: "))
			before := footprint()
			start := time.Now()
			m := NewMeter(ActBudget)
			_, err = evaluate(m, string(source))
			took := time.Since(start)
			grown := held() - before
			if err == nil {
				t.Fatalf("it ended well, want %s", want)
			}
			f := Error(err)
			if f.Code != want {
				t.Errorf("verdict %s (%s), want %s", f.Code, f.Message, want)
			}
			if grown > maxGrowth {
				t.Errorf("the heap grew by %d MB", grown>>20)
			}
			t.Logf("%-8s %8.1f ms, heap %4d MB, left %+v: %s", f.Code, float64(took.Microseconds())/1000, grown>>20, m.Left(), f.Message)
			fmt.Fprintf(&verdicts, "%s: %s at %d:%d, left %d steps and %d bytes\n", name, f.Code, f.Position.Line, f.Position.Col, m.Left().Steps, m.Left().Memory)
		})
	}
	const golden = "testdata/verdicts.txt"
	if *rewriteGolden {
		if err := os.WriteFile(golden, verdicts.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	got, wanted := strings.Split(verdicts.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(got), len(wanted)) {
		if i >= len(got) || i >= len(wanted) || got[i] != wanted[i] {
			t.Fatalf("verdict %d differs from %s:\n got %q\nwant %q", i+1, golden, at(got, i), at(wanted, i))
		}
	}
}

// footprint gives back what the heap does not need and returns what it holds, in bytes.
func footprint() int64 {
	debug.FreeOSMemory()
	return held()
}

// held returns how much memory the heap holds. It hardly shrinks while a script runs, so
// that after it this is the most that there was.
func held() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapSys - m.HeapReleased)
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

func evaluate(m *Meter, source string) (starlark.StringDict, error) {
	env := Universe()
	p, err := Compile("test", source, env.Has)
	if err != nil {
		return nil, err
	}
	return p.Init(NewThread("test", m), env)
}
