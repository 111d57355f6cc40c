package cli

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	if kind := os.Getenv(testChild); kind != "" {
		os.Exit(beChild(kind))
	}
	testscript.Main(m, map[string]func(){
		"nomic":        func() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
		"write-sample": func() { succeed(writeSample()) },
		"change":       func() { succeed(change(os.Args[1:])) },
		"code":         func() { fmt.Println(Main(os.Args[2:], os.Stdin, io.Discard, io.Discard)) },
	})
}

func succeed(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// change flips a bit of one byte of a file.
func change(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: change FILE BYTE")
	}
	file, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(args[1])
	if err != nil || n >= len(file) {
		return fmt.Errorf("%s has no byte %s", args[0], args[1])
	}
	file[n] ^= 1
	return os.WriteFile(args[0], file, 0o644)
}

// TestCommand runs the stories in testdata/script: what is typed, and what must be seen.
func TestCommand(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("ADDRESS", freeAddress(t)) // for a server whose address has to be known
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"answers": answers},
	})
}

// answers waits until a server answers at an address: answers ADDRESS.
func answers(ts *testscript.TestScript, _ bool, args []string) {
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		r, err := http.Get("http://" + args[0])
		if err == nil {
			ts.Check(r.Body.Close())
			return
		}
		if time.Now().After(end) {
			ts.Fatalf("%v", err)
		}
	}
}
