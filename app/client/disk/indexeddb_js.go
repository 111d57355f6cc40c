//go:build js

package disk

import (
	"context"
	"fmt"
	"sync"
	"syscall/js"

	"github.com/hack-pad/go-indexeddb/idb"
)

// IndexedDB is a disk in the browser's database. Several tabs may have it open;
// who may write is decided above.
type IndexedDB struct {
	db *idb.Database

	mu     sync.Mutex
	closed bool
}

var _ Disk = (*IndexedDB)(nil)

const (
	objectStore = "values"
	idbVersion  = 1
)

// OpenIndexedDB opens the database of that name, which is made if it is missing.
func OpenIndexedDB(ctx context.Context, name string) (*IndexedDB, error) {
	request, err := idb.Global().Open(ctx, name, idbVersion, func(db *idb.Database, _, _ uint) error {
		_, err := db.CreateObjectStore(objectStore, idb.ObjectStoreOptions{})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("open the browser's database %s: %w", name, err)
	}
	db, err := request.Await(ctx)
	if err != nil {
		return nil, fmt.Errorf("open the browser's database %s: %w", name, err)
	}
	return &IndexedDB{db: db}, nil
}

// DeleteIndexedDB removes the database of that name with everything in it.
func DeleteIndexedDB(ctx context.Context, name string) error {
	request, err := idb.Global().DeleteDatabase(name)
	if err != nil {
		return err
	}
	return request.Await(ctx)
}

// Get implements [Disk].
func (d *IndexedDB) Get(ctx context.Context, key string) ([]byte, bool, error) {
	store, _, err := d.begin(ctx, idb.TransactionOptions{Mode: idb.TransactionReadOnly})
	if err != nil {
		return nil, false, err
	}
	request, err := store.Get(js.ValueOf(key))
	if err != nil {
		return nil, false, err
	}
	value, err := request.Await(ctx)
	if err != nil {
		return nil, false, err
	}
	if value.IsUndefined() {
		return nil, false, nil
	}
	return toGo(value), true, nil
}

// Scan implements [Disk].
func (d *IndexedDB) Scan(ctx context.Context, from, to string, visit func(string, []byte) error) error {
	if from >= to {
		return nil
	}
	store, _, err := d.begin(ctx, idb.TransactionOptions{Mode: idb.TransactionReadOnly})
	if err != nil {
		return err
	}
	keys, err := idb.NewKeyRangeBound(js.ValueOf(from), js.ValueOf(to), false, true)
	if err != nil {
		return err
	}
	// The rows are collected first: a transaction commits as soon as its callbacks
	// wait for anything but itself, and visit may.
	type row struct {
		key   string
		value []byte
	}
	var rows []row
	request, err := store.OpenCursorRange(keys, idb.CursorNext)
	if err != nil {
		return err
	}
	err = request.Iter(ctx, func(c *idb.CursorWithValue) error {
		key, err := c.Key()
		if err != nil {
			return err
		}
		value, err := c.Value()
		if err != nil {
			return err
		}
		rows = append(rows, row{key: key.String(), value: toGo(value)})
		return nil
	})
	if err != nil {
		return err
	}
	for _, r := range rows {
		if err := visit(r.key, r.value); err != nil {
			return err
		}
	}
	return nil
}

// Write implements [Disk].
func (d *IndexedDB) Write(ctx context.Context, changes ...Change) error {
	// Browsers report a write as done before it is on the disk unless asked.
	store, txn, err := d.begin(ctx, idb.TransactionOptions{Mode: idb.TransactionReadWrite, Durability: idb.DurabilityStrict})
	if err != nil {
		return err
	}
	for _, c := range changes {
		if err := apply(store, c); err != nil {
			_ = txn.Abort() // the first error is the one to tell
			return err
		}
	}
	// Not interrupted by ctx: whether the write took place must be known.
	return txn.Await(context.WithoutCancel(ctx))
}

func apply(store *idb.ObjectStore, c Change) error {
	if c.Delete {
		_, err := store.Delete(js.ValueOf(c.Key))
		return err
	}
	_, err := store.PutKey(js.ValueOf(c.Key), toJS(c.Value))
	return err
}

// Close implements [Disk].
func (d *IndexedDB) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil
	}
	d.closed = true
	return d.db.Close()
}

func (d *IndexedDB) begin(ctx context.Context, options idb.TransactionOptions) (*idb.ObjectStore, *idb.Transaction, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, nil, ErrClosed
	}
	txn, err := d.db.TransactionWithOptions(options, objectStore)
	if err != nil {
		return nil, nil, err
	}
	store, err := txn.ObjectStore(objectStore)
	if err != nil {
		return nil, nil, err
	}
	return store, txn, nil
}

func toJS(b []byte) js.Value {
	array := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(array, b)
	return array
}

func toGo(v js.Value) []byte {
	b := make([]byte, v.Get("length").Int())
	js.CopyBytesToGo(b, v)
	return b
}
