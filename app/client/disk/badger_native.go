//go:build !js

package disk

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"peernomic/signal/store/badgerdb"

	"github.com/dgraph-io/badger/v4"
)

// Badger is a disk in a folder of the file system. The folder is locked: a second
// process that opens it fails, which is what keeps one writer per device natively.
type Badger struct {
	db *badger.DB
}

var _ Disk = (*Badger)(nil)

// OpenBadger opens the disk in a folder, which is made if it is missing.
func OpenBadger(folder string) (*Badger, error) {
	// Badger's defaults reserve gigabytes and do not wait for the disk.
	options := badger.DefaultOptions(folder).
		WithSyncWrites(true).
		WithMemTableSize(8 << 20).
		WithNumMemtables(2).
		WithValueLogFileSize(32 << 20).
		WithValueThreshold(64 << 10).
		WithBlockCacheSize(4 << 20).
		WithIndexCacheSize(4 << 20).
		WithNumCompactors(2).
		WithDetectConflicts(false).
		WithCompactL0OnClose(true) // which finds out what of the value log is garbage
	db, err := badgerdb.Open(options, slog.Default())
	if err != nil {
		return nil, fmt.Errorf("open the database in %s: %w", folder, err)
	}
	// Snapshots and long records of logs are in the value log, where a new value does not take the place
	// of the old one. Between two starts there is little of that.
	for db.RunValueLogGC(garbage) == nil {
	}
	return &Badger{db: db}, nil
}

// garbage is the part of a file of the value log from which it is written anew.
const garbage = 0.5

// Get implements [Disk].
func (b *Badger) Get(ctx context.Context, key string) (value []byte, ok bool, err error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	err = b.db.View(func(txn *badger.Txn) error {
		item, err := txn.Get([]byte(key))
		if err != nil {
			return err
		}
		value, err = item.ValueCopy(nil)
		return err
	})
	if errors.Is(err, badger.ErrKeyNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, badgerError(err)
	}
	return value, true, nil
}

// Scan implements [Disk].
func (b *Badger) Scan(ctx context.Context, from, to string, visit func(string, []byte) error) error {
	err := b.db.View(func(txn *badger.Txn) error {
		it := txn.NewIterator(badger.DefaultIteratorOptions)
		defer it.Close()
		for it.Seek([]byte(from)); it.Valid(); it.Next() {
			key := string(it.Item().Key())
			if key >= to {
				return nil
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			value, err := it.Item().ValueCopy(nil)
			if err != nil {
				return err
			}
			if err := visit(key, value); err != nil {
				return err
			}
		}
		return nil
	})
	return badgerError(err)
}

// Write implements [Disk].
func (b *Badger) Write(ctx context.Context, changes ...Change) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if b.db.IsClosed() {
		return ErrClosed
	}
	return badgerError(b.db.Update(func(txn *badger.Txn) error {
		for _, c := range changes {
			var err error
			if c.Delete {
				err = txn.Delete([]byte(c.Key))
			} else {
				err = txn.Set([]byte(c.Key), c.Value)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}))
}

// Close implements [Disk].
func (b *Badger) Close() error {
	if b.db.IsClosed() {
		return nil
	}
	return b.db.Close()
}

func badgerError(err error) error {
	if errors.Is(err, badger.ErrDBClosed) || errors.Is(err, badger.ErrBlockedWrites) {
		return ErrClosed
	}
	return err
}
