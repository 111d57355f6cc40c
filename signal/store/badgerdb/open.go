// Package badgerdb opens the databases of relays and of members without a browser.
package badgerdb

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/dgraph-io/badger/v4"
)

// ErrTaken reports a folder whose database another running program has open.
var ErrTaken = errors.New("another running program uses this folder")

// Open opens a database and logs Badger's warnings. A crash can leave an empty log file. Badger then
// fails to open, but repairs the file, so Open tries again. It fails with [ErrTaken] if another program has the database open.
func Open(o badger.Options, log *slog.Logger) (*badger.DB, error) {
	o = o.WithLogger(warnings{log})
	unbegun := 0
	for _, pattern := range []string{"*.mem", "*.vlog"} {
		files, err := filepath.Glob(filepath.Join(o.Dir, pattern))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if info, err := os.Stat(file); err == nil && info.Size() == 0 {
				unbegun++
			}
		}
	}
	db, err := badger.Open(o)
	for ; err != nil && unbegun > 0; unbegun-- {
		db, err = badger.Open(o)
	}
	if owner := ownerOf(o.Dir); err != nil && owner != 0 {
		return nil, fmt.Errorf("%s, process %d: %w", o.Dir, owner, ErrTaken)
	}
	return db, err
}

// ownerOf is the process that has a database open, or 0. Badger writes its number into the folder, and
// reports a lock that it cannot get as text only.
func ownerOf(folder string) int {
	text, err := os.ReadFile(filepath.Join(folder, "LOCK"))
	if err != nil {
		return 0
	}
	id, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || id <= 0 {
		return 0
	}
	p, err := os.FindProcess(id)
	if err != nil {
		return 0
	}
	if err := p.Signal(syscall.Signal(0)); err != nil && !errors.Is(err, fs.ErrPermission) {
		return 0 // a killed process left it behind
	}
	return id
}

// warnings passes on Badger's warnings and errors, and drops its other messages.
type warnings struct{ log *slog.Logger }

func (w warnings) Errorf(f string, args ...any) {
	w.log.Error("badger", "says", fmt.Sprintf(f, args...))
}

func (w warnings) Warningf(f string, args ...any) {
	w.log.Warn("badger", "says", fmt.Sprintf(f, args...))
}

func (warnings) Infof(string, ...any)  {}
func (warnings) Debugf(string, ...any) {}
