package rules

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"peernomic/engine/rules/declare"
	"peernomic/engine/rules/document"
	"peernomic/engine/rules/internal/confusable"
)

// freeNameByScan is [World.freeName] by a look at everybody.
func (w *World) freeNameByScan(name string) string {
	free := name
	for i := 2; w.index(tablePlayers, func(id int64) bool { return confusable.Alike(w.text(tablePlayers, id, "name"), free) }) != 0; i++ {
		free = fmt.Sprintf("%s %d", name, i)
	}
	return free
}

// oddName returns a name, or a longer text, of which many others are lookalikes.
func oddName(random *rand.Rand) string {
	letters := []string{"I", "l", "1", "i", "|", "L", "m", "rn", "M", "А", "a", "A", "0", "O", "o", "О", "Ⅰ", "\ufe0f", " ", "  ", "a\u0301\u0323", "a\u0323\u0301", "á", "2", " 2", " 3", " 4", " 5", " 1O", "Σ", "ς", "İ"}
	var b strings.Builder
	for range 1 + random.IntN(3) {
		b.WriteString(letters[random.IntN(len(letters))])
	}
	if random.IntN(40) == 0 {
		b.WriteString(strings.Repeat(" ", confusable.MaxAlike))
		b.WriteString(letters[random.IntN(len(letters))])
	}
	return b.String()
}

// Who is found, who is seated and what somebody may be called is the same as by a look at everybody, while people come,
// are renamed, change keys, leave and are gone, all of it is tried out and taken back, and after a snapshot.
func TestPeopleAreFoundAsByALookAtEverybody(t *testing.T) {
	numbered := 0
	for seed := range uint64(15) {
		random := rand.New(rand.NewPCG(seed, 2))
		w := found(t, "")
		marks := []Mark{w.Mark()}
		for step := range 250 {
			id, key, name := int64(1+random.IntN(40)), fmt.Sprint("key ", random.IntN(40)), oddName(random)
			switch kind := random.IntN(20); {
			case kind < 10:
				w.Knock(key, name, w.Now()) // refused now and then: it is no name
			case kind < 12:
				_ = w.state.Set(tablePlayers, id, "name", name)
			case kind < 13:
				w.state.Unset(tablePlayers, id, "name")
			case kind < 14:
				_ = w.state.Remove(tablePlayers, id)
			case kind < 16:
				_ = w.state.Set(tablePlayers, id, "standing", StandingPlayer)
			case kind < 17:
				to := fmt.Sprint("key ", random.IntN(40))
				w.transact(&run{w: w, kind: EntryConvention, time: w.now, outside: true}, func(r *run) error { return r.giveSeat(key, to) })
			case kind < 18:
				marks = append(marks, w.Mark())
			case kind < 19:
				at := random.IntN(len(marks))
				w.Revert(marks[at])
				marks = marks[:at+1]
			case random.IntN(3) == 0:
				w.Commit()
				marks = []Mark{w.Mark()}
			}
			if step == 200 {
				again, err := worldFrom(w.shoot())
				if err != nil {
					t.Fatal(err)
				}
				w, marks = again, []Mark{again.Mark()}
			}
			if want := w.index(tablePlayers, func(id int64) bool { return w.text(tablePlayers, id, "key") == key }); w.PersonOf(key) != want {
				t.Fatalf("seed %d, step %d: %s is person %d, want %d", seed, step, key, w.PersonOf(key), want)
			}
			var seated []int64
			for _, id := range w.state.Rows(tablePlayers) {
				if w.text(tablePlayers, id, "standing") == StandingPlayer {
					seated = append(seated, id)
				}
			}
			if got := w.Seated(); fmt.Sprint(got) != fmt.Sprint(seated) {
				t.Fatalf("seed %d, step %d: %v are seated, want %v", seed, step, got, seated)
			}
			for range 3 {
				name := oddName(random)
				if declare.CheckPersonName(name) != nil {
					continue
				}
				want := w.freeNameByScan(name)
				if got := w.freeName(name); got != want {
					t.Fatalf("seed %d, step %d: %q may be called %q, want %q", seed, step, name, got, want)
				}
				if want != name {
					numbered++
				}
			}
		}
	}
	if numbered < 1000 {
		t.Errorf("only %d names got a number", numbered)
	}
}

func TestNamesOfPeopleAreShortEnoughToBeCompared(t *testing.T) {
	if declare.MaxName*utf8.UTFMax+MaxNumbered > confusable.MaxAlike {
		t.Error("a person's name with a number may be too long to be compared")
	}
}

// Who comes with a name that looks like somebody's gets a number, so that nobody is taken for another.
func TestKnockWithALookalikeGetsANumber(t *testing.T) {
	w := found(t, "")
	for _, c := range []struct{ name, want string }{{"Аna", "Аna 2"}, {"Ane", "Ane"}, {"ana", "ana 3"}} {
		if as, err := w.ComesAs(c.name); err != nil || as != c.want {
			t.Errorf("%v: %q would come as %q, want %q", err, c.name, as, c.want)
		}
		id, out := w.Knock("key of "+c.name, c.name, w.Now())
		if out.Refused != nil {
			t.Fatal(out.Refused)
		}
		if got := w.text(tablePlayers, id, "name"); got != c.want {
			t.Errorf("%q came as %q, want %q", c.name, got, c.want)
		}
	}
	if as, err := w.ComesAs(strings.Repeat("a", declare.MaxName+1)); err == nil {
		t.Errorf("a name beyond all bounds comes as %q", as)
	}
}

// The number behind a name that is as long as a name may be stays when the rules change.
func TestALongNameKeepsItsNumber(t *testing.T) {
	w := found(t, "")
	name := strings.Repeat("a", declare.MaxName)
	if _, out := w.Knock("key 1", name, w.Now()); out.Refused != nil {
		t.Fatal(out.Refused)
	}
	id, _ := w.Knock("key 2", name, w.Now())
	if out := w.Repair([]any{map[string]any{"op": "enact", "section": int64(1), "text": "# Flag\n\nA flag."}}, w.Now()); out.Refused != nil {
		t.Fatal(out.Refused)
	}
	if got := w.text(tablePlayers, id, "name"); got != name+" 2" {
		t.Errorf("the name is %q", got)
	}
}

// crowds are ways to make names that get numbers: the same one, ones that have one look in common, and ones
// of which every second number is taken by another look.
var crowds = map[string]func(i int) string{
	"distinct":   func(i int) string { return fmt.Sprint("Person ", i) },
	"same":       func(int) string { return "Ben" },
	"capitals":   func(i int) string { return variant(i, "i", "I") },
	"lookalikes": func(i int) string { return variant(i, "A", "А") },
	"both": func(i int) string {
		if i%3 == 2 {
			return "Iiii"
		}
		return fmt.Sprintf("%s %d", []string{"iiii", "llll"}[i%3], 2+i/3*2+i%3)
	},
}

// variant returns one of 2 to the 16th ways to write a name of one letter 16 times.
func variant(i int, zero, one string) string {
	var b strings.Builder
	for bit := range 16 {
		b.WriteString([]string{zero, one}[i>>bit&1])
	}
	return b.String()
}

func crowded(t testing.TB, name func(int) string, people int) *World {
	w, err := Found(Founding{Documents: []document.Document{{Path: "1-core/01-all.md", Text: "# All\n\nNothing."}}, Time: testTime, Founder: "Ana"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range people {
		if _, out := w.Knock(fmt.Sprint("key ", i), name(i), testTime); out.Refused != nil {
			t.Fatal(out.Refused)
		}
	}
	return w
}

// Coming in costs as much among many as among few, whatever the names.
func TestComingInCostsTheSameAmongMany(t *testing.T) {
	for kind, name := range crowds {
		var allocs [2]float64
		for i, people := range []int{200, 3200} {
			w := crowded(t, name, people)
			w.Commit()
			next := people
			allocs[i] = testing.AllocsPerRun(20, func() {
				w.Knock(fmt.Sprint("key ", next), name(next), testTime)
				if w.PersonOf(fmt.Sprint("key ", next)) == 0 {
					t.Error("who came is not known")
				}
				next++
			})
		}
		if allocs[1] > allocs[0]*1.5+20 {
			t.Errorf("%s: %v allocations among 200, %v among 3200", kind, allocs[0], allocs[1])
		}
	}
}

// BenchmarkCrowd lets people come in, one after the other.
func BenchmarkCrowd(b *testing.B) {
	for _, kind := range []string{"distinct", "same", "capitals", "lookalikes", "both"} {
		for _, people := range []int{800, 20_000} {
			b.Run(fmt.Sprint(kind, "/", people), func(b *testing.B) {
				for b.Loop() {
					crowded(b, crowds[kind], people)
				}
				b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N*people), "µs/person")
			})
		}
	}
}
