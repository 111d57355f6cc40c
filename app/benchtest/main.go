// Command benchtest writes the table of docs/performance.md from what the benchmarks printed, one file for each
// platform: benchtest PLATFORM=FILE...
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"
)

func main() {
	if err := write(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "benchtest:", err)
		os.Exit(1)
	}
}

// measure is one figure of a benchmark, such as its time for one operation.
type measure struct{ pkg, name, unit string }

func write(w io.Writer, args []string) error {
	if len(args) == 0 {
		return errors.New("name what the benchmarks printed, as PLATFORM=FILE")
	}
	var (
		order     []measure
		figures   = map[measure][]string{} // one for each platform
		platforms []string
		cpu       string
	)
	for i, arg := range args {
		platform, file, _ := strings.Cut(arg, "=")
		platforms = append(platforms, platform)
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		defer f.Close()
		results := benchfmt.NewReader(f, file)
		for results.Scan() {
			r, ok := results.Result().(*benchfmt.Result)
			if !ok {
				continue // a line of something else
			}
			if cpu == "" {
				cpu = r.GetConfig("cpu")
			}
			for _, v := range r.Values {
				if v.Unit == "B/op" || v.Unit == "allocs/op" {
					continue
				}
				m := measure{strings.TrimPrefix(r.GetConfig("pkg"), "peernomic/"), withoutCores(r.Name.String()), v.Unit}
				if figures[m] == nil {
					order = append(order, m)
					figures[m] = make([]string, len(args))
				}
				figures[m][i] = benchunit.Scale(v.Value, benchunit.ClassOf(v.Unit))
			}
		}
		if err := results.Err(); err != nil {
			return err
		}
	}
	slices.SortStableFunc(order, func(a, b measure) int { return strings.Compare(a.pkg, b.pkg) })

	fmt.Fprintf(w, "# Performance\n\nMade by `make bench` on %s: %s, %d cores, %s%s. A busy machine makes every figure worse.\n", time.Now().UTC().Format(time.DateOnly), cpu, runtime.NumCPU(), runtime.Version(), load())
	fmt.Fprintf(w, "\n| package | benchmark | unit | %s |\n| --- | --- | --- |%s\n", strings.Join(platforms, " | "), strings.Repeat(" ---: |", len(platforms)))
	for _, m := range order {
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", m.pkg, m.name, m.unit, strings.Join(figures[m], " | "))
	}
	return nil
}

// withoutCores leaves out the number of cores that Go puts behind a benchmark's name.
func withoutCores(name string) string {
	return strings.TrimSuffix(name, fmt.Sprint("-", runtime.NumCPU()))
}

// load tells how busy the machine was of late, where the system says that.
func load() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	minutes := strings.Fields(string(b))
	return ", load " + minutes[2] + " over the last 15 minutes"
}
