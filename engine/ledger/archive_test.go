package ledger

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"reflect"
	"testing"
)

func TestArchiveRoundTrip(t *testing.T) {
	tab := newTable(2)
	tab.publish(tab.act(1, "a"))
	file := must(WriteArchive(tab.people[0].replica))
	r, err := ReadArchive(file)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := order(r.Placed()), order(tab.people[0].replica.Placed()); !reflect.DeepEqual(got, want) {
		t.Errorf("placed %v, want %v", got, want)
	}
	if got, want := order(r.Tentative()), []string{"0 a"}; !reflect.DeepEqual(got, want) {
		t.Errorf("tentative %v, want %v", got, want)
	}
	if r.Keys().Secret() != tab.keys.Secret() {
		t.Error("the secret is another")
	}
	if again := must(WriteArchive(r)); !bytes.Equal(again, file) {
		t.Error("the archive is written otherwise")
	}
}

// A game that no seal has ordered yet can be exported as well; no game at all cannot.
func TestArchiveBeforeAnySeal(t *testing.T) {
	tab := newTable(1)
	r := NewReplica(tab.keys, tab.game)
	_, err := WriteArchive(r)
	wantCode(t, err, CodeGenesis)
	must(r.AddEnvelope(tab.all[0]))
	read, err := ReadArchive(must(WriteArchive(r)))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := order(read.Tentative()), []string{"0 genesis"}; !reflect.DeepEqual(got, want) {
		t.Errorf("tentative %v, want %v", got, want)
	}
}

// What a stalled replica cannot order goes into the archive as if no seal had named it.
func TestArchiveOfAStalledReplica(t *testing.T) {
	tab := newTable(2)
	missing, held := tab.act(0, "missing"), tab.act(1, "held")
	for _, p := range tab.people {
		must(p.replica.AddEnvelope(held.Envelope()))
	}
	tab.seal(missing.Envelope())
	tab.seal(held.Envelope())
	read, err := ReadArchive(must(WriteArchive(tab.people[1].replica)))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := order(read.Tentative()), []string{"0 held"}; !reflect.DeepEqual(got, want) || read.Seals() != 2 {
		t.Errorf("tentative %v after %d seals, want %v", got, read.Seals(), want)
	}
}

var everyByte = flag.Bool("every-byte", false, "change every byte of an archive, not every nineteenth")

// Section 8: whatever byte is changed, the archive is refused, with a clause.
func TestEveryByteOfAnArchiveCounts(t *testing.T) {
	tab := newTable(2)
	a := tab.act(1, "a")
	tab.publish(a)
	tab.seal(a.Envelope())
	tab.publish(tab.act(0, "b"))
	file := must(WriteArchive(tab.people[0].replica))
	step := 19
	if *everyByte {
		step = 1
	}
	for i := 0; i < len(file); i += step {
		b := bytes.Clone(file)
		b[i] ^= 1
		_, err := ReadArchive(b)
		var wrong *ArchiveError
		if !errors.As(err, &wrong) || wrong.Clause == "" {
			t.Fatalf("with byte %d changed: %v", i, err)
		}
	}
}

func BenchmarkReadArchive1000(b *testing.B) {
	tab := newTable(2)
	for i := range 1000 {
		e := tab.act(i%2, fmt.Sprint("act ", i))
		tab.publish(e)
		tab.seal(e.Envelope())
	}
	file := must(WriteArchive(tab.people[0].replica))
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		must(ReadArchive(file))
	}
}
