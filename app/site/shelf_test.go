package site

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"peernomic/app/shelf"
)

// What a page fetches is what the native program has.
func TestPageGetsTheRulesets(t *testing.T) {
	s, ctx := mustNew(t, built(t)), context.Background()
	remote := shelf.Remote{Index: s.address(pathIndex), Get: func(_ context.Context, address string) ([]byte, error) {
		r := get(s, address)
		if r.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("the server answered %s", r.Status)
		}
		return io.ReadAll(r.Body)
	}}
	sets, err := remote.Sets(ctx)
	if err != nil {
		t.Fatal(err)
	}
	want, err := shelf.Embedded{}.Sets(ctx)
	if err != nil || len(want) == 0 {
		t.Fatal(len(want), err)
	}
	for n, set := range sets {
		if set.File == "" || len(set.Options) == 0 || set.Summary == "" {
			t.Errorf("%+v is incomplete", set)
		}
		sets[n].File = ""
		docs, err := remote.Documents(ctx, set.Name)
		if err != nil {
			t.Fatal(err)
		}
		if own, err := (shelf.Embedded{}).Documents(ctx, set.Name); err != nil || !reflect.DeepEqual(docs, own) {
			t.Errorf("the documents of %s are not the program's: %v", set.Name, err)
		}
	}
	if !reflect.DeepEqual(sets, want) {
		t.Errorf("the index is\n%+v, not\n%+v", sets, want)
	}
	if _, err := remote.Documents(ctx, "bridge"); err == nil {
		t.Error("a ruleset that does not exist was fetched")
	}
	remote.Index = pathIndex + "?h=0123456789abcdef"
	if _, err := remote.Sets(ctx); err == nil {
		t.Error("another version's index was answered with this one's")
	}
}

// The worker keeps the rulesets, so that games can be founded offline.
func TestWorkerKeepsTheRulesets(t *testing.T) {
	s := mustNew(t, built(t))
	worker := body(t, get(s, pathWorker))
	for _, path := range s.Paths() {
		if strings.HasPrefix(path, pathShelf) && !strings.Contains(worker, s.address(path)) {
			t.Errorf("the worker does not keep %s", path)
		}
	}
	if !strings.Contains(body(t, get(s, pathPage)), s.address(pathIndex)) {
		t.Error("the page does not say where the rulesets are")
	}
}
