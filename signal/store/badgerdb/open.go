// Package badgerdb opens the databases of relays and of members without a browser.
package badgerdb

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
)

// Open opens a database and logs what its owner should know of it. A crash can leave a log of
// Badger's that was made and not begun, an empty file; opening then fails, but begins it, so that
// the next try goes on.
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
	return db, err
}

// warnings passes on Badger's warnings and errors; the rest is its diary.
type warnings struct{ log *slog.Logger }

func (w warnings) Errorf(f string, args ...any) {
	w.log.Error("badger", "says", fmt.Sprintf(f, args...))
}

func (w warnings) Warningf(f string, args ...any) {
	w.log.Warn("badger", "says", fmt.Sprintf(f, args...))
}

func (warnings) Infof(string, ...any)  {}
func (warnings) Debugf(string, ...any) {}
