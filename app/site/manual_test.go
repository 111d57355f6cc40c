package site

import (
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
)

// The pages for authors of rules are served as they stand in docs, and kept by the worker.
func TestManualIsServedAndKept(t *testing.T) {
	s := mustNew(t, built(t))
	worker, err := io.ReadAll(get(s, pathWorker).Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"first-rule.md", "reference.md"} {
		r := get(s, pathManual+name)
		got, err := io.ReadAll(r.Body)
		if err != nil || r.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s, %v", name, r.Status, err)
		}
		want, err := os.ReadFile("../../docs/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("%s is not what stands in docs", name)
		}
		if !strings.Contains(string(worker), pathManual+name) {
			t.Errorf("the worker does not keep %s", name)
		}
	}
}
