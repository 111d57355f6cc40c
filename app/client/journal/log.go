package journal

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"peernomic/app/client/disk"
	"peernomic/app/client/sync"
	"peernomic/engine/wire"
)

// recordBytes is about how much one record of a log holds.
const recordBytes = 256 << 10

// Read visits a room's log from a record on and returns the number of the record after its last. Visit is told how
// many bytes of how many have been read with the item. The items share memory with what was read.
func (j Journal) Read(ctx context.Context, id wire.RoomID, from uint64, visit func(item sync.Item, done, total int)) (next uint64, err error) {
	next = from
	start := logKey(id, from)
	_, end := disk.Under(keyLog + id.String() + "/")
	type record struct {
		key   string
		bytes []byte
	}
	var records []record // all of them first: visiting takes its time, and a disk is not kept waiting
	done, total := 0, 0
	err = j.Games.Scan(ctx, start, end, func(key string, b []byte) error {
		records = append(records, record{key, b})
		total += len(b)
		return nil
	})
	if err != nil {
		return next, err
	}
	for _, r := range records {
		number, err := strconv.ParseUint(r.key[strings.LastIndexByte(r.key, '/')+1:], 16, 64)
		if err != nil {
			return next, fmt.Errorf("stored under %s: %w", r.key, err)
		}
		items, err := decodeItems(r.bytes)
		if err != nil {
			return next, fmt.Errorf("stored under %s: %w", r.key, err)
		}
		for _, item := range items {
			done += len(item.Bytes)
			visit(item, done, total)
		}
		next = number + 1
	}
	return next, nil
}

// decodeItems reads a record of a log. It accepts what [wire.Decode] does.
func decodeItems(b []byte) ([]sync.Item, error) {
	r := wire.NewReader(b)
	items := make([]sync.Item, r.List())
	for i := range items {
		r.Array(2)
		items[i] = sync.Item{Kind: sync.Kind(r.Uint(math.MaxUint8)), Bytes: r.Bytes()}
	}
	return items, r.End()
}

// Append adds items to a room's log as the records from number next on, and then the mark, if there is one. It
// returns the number after the records. All of it is on the disk when it returns without an error; on an error any
// part of it may be.
func (j Journal) Append(ctx context.Context, id wire.RoomID, next uint64, items []sync.Item, mark *sync.Mark) (uint64, error) {
	for len(items) > 0 {
		count, size := 0, 0
		for count < len(items) && count < wire.MaxElements && (count == 0 || size+len(items[count].Bytes) <= recordBytes) {
			size += len(items[count].Bytes)
			count++
		}
		if err := Put(ctx, j.Games, logKey(id, next), items[:count]); err != nil {
			return next, err
		}
		items = items[count:]
		next++
	}
	if mark != nil {
		return next, Put(ctx, j.Keys, keyOwn+id.String(), *mark)
	}
	return next, nil
}

func logKey(id wire.RoomID, number uint64) string {
	return fmt.Sprintf("%s%s/%016x", keyLog, id, number)
}
