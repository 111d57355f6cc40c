package pages_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"peernomic/app/pages"
	"peernomic/app/storytest"
)

// everyPage are all pages with something that a person must be able to read on each.
var everyPage = []struct {
	path string
	sees []string
}{
	{"/", []string{"The Dragon Farm", "Vote on", "Found a game", "Open an invitation"}},
	{"/found", []string{"Which rules to begin with", "A Bare Nomic", "Your name in the game"}},
	{"/import", []string{"The exported file", "The backup file", "Restore from the words"}},
	{"/verify", []string{"An exported game, or the proof of a roll"}},
	{"/nowhere/at/all", []string{"Nothing is at this address"}},
	{"/join", []string{"This address needs the link you were sent"}},
	{"/#/join/0123456789012345678901234567890123456789012", []string{"Ana invites you to", "A nomic is a game in which changing the rules is a move", "Your name in the game", "Enter the game"}},
	{"/g/demo", []string{"Needs you", "Fay asks to be admitted"}},
	{"/g/demo/now", []string{"Ana, Breeder and admin", "Read and vote", "Training", "Aerobics", "once today", "Not open to you now", "You trained today · opens in 6 hours", "Dee and Eli have not voted", "Direct with Bo, by relay with Cy"}},
	{"/g/demo/now", []string{"May Ember strike again?", "Strike again", "If you say nothing in 3 hours", "Turn in [Duel] Ember against Bo", "Time is up in 5 hours", "Go there"}},
	{"/g/demo/boards/battle/1", []string{"Smaug", "64 of 100", "12 of 100, low", "Time is up in 3 hours", "Roll for your Thunder Ring?", "Three dice of your Muscle", "Defend! and Retreat!: first decide", "Dragon Dive: Smaug did not fly", "Dragon Claw: 7 damage."}},
	{"/g/demo/now?do=Aerobics", []string{"By the rule"}},
	{"/g/demo/now?do=Adopt", []string{"Ember is alive", "Adopt a dragon · Dragons"}},
	{"/g/demo/feed", []string{"The fence came down again", "Pending", "Tentative: "}},
	{"/g/demo/matters", []string{"Can be enacted from 18:05", "quorum 4 of 7", "your vote is missing", "Vetoed by Bo"}},
	{"/g/demo/matters/12", []string{"3 FOR", "1 AGAINST", "Not voted: you and Dee", "DEFERENTIAL, counts FOR", "Thornback would have liked it.", "VETODEFERENTIAL", "1 more FOR vote is needed", "Then why would anyone do the Ritual?", "Only a comment"}},
	{"/g/demo/matters/14", []string{"DEFERENTIAL", "Tap an icon to vote, or several in their order"}},
	{"/g/demo/propose", []string{"Nothing yet.", "Change a rule", "Set a value"}},
	{"/g/demo/propose?rule=Aerobics", []string{"Change “Aerobics”", "Roll DICE3; Flame rises by the result.", "Edit as one document", "What a script can say", "Look up a name", "refuse(reason, until=None)", "ends the action"}},
	{"/g/demo/guide/first-rule", []string{"Your first rule", "A rule is a page of text", "The reference: everything"}},
	{"/g/demo/guide/reference", []string{"What rules can say", "roll(sides)", "a tutorial"}},
	{"/g/demo/rules", []string{"Core Rules", "1.8.1Metadynasties", "amended"}},
	{"/g/demo/rules/Aerobics", []string{"2.6.1", "Flame rises by the result", "Propose a change", "History (2)"}},
	{"/g/demo/tracker", []string{"Ember", "Heartbeat", "88", "of Bo", "Refused: Gus is idle", "Undo", "forgot the cookie", "1 value changed since your last visit, 2 days ago", "Columns (8 of 8)"}},
	{"/g/demo/tracker/players", []string{"Cookies", "34"}},
	{"/g/demo/pages", []string{"Where things are doneItem ShopOne by oneBattlesTo readDragon Eggs"}},
	{"/g/demo/pages/eggs", []string{"Silver", "Eggs are laid by two willing dragons"}},
	{"/g/demo/dice", []string{"Hunting Expedition", "d39"}},
	{"/g/demo/dice/a1", []string{"Every check holds", "212 steps", "Copy the proof"}},
	{"/g/demo/history", []string{"After action 4 of 4: Gus, Vote", "“Cheaper cookies”", "refused", "How values went"}},
	{"/g/demo@2/history", []string{"The past.", "after action 2 of 4: Bo, Adopt", "Earlier", "Later", "Back to now", "After action 2 of 4"}},
	{"/g/demo@2/rules/Aerobics", []string{"Nothing can be done here"}},
	{"/g/demo/people", []string{"At the door", "Admit Fay", "Dragonmaster", "idle", "You are in a battle", "Gus’s device 09f1 77c2 has signed two different actions with the number 12"}},
	{"/g/demo/convention", []string{"Not shown: 40 more.", "Dee has acted since.", "Sets Cookies of Bo: 30Decided", "31 days ahead of this device's", "1 of 3 signatures that are needed; 4 active players", "Signed: Bo", "Changes the rule “Enactment”",
		"Decided and carried out", "I was Dee, and I have lost my key", "My phone is in the river", "Write the repair", "Move the game"}},
	{"/g/demo/propose?convention=1", []string{"Call a convention", "no rule is asked", "Set a value"}},
	{"/g/demo/rules", []string{"Bo calls a convention: A repair of the rules."}},
	{"/g/demo/rules", []string{"Dee moved the game to another room: The relay is gone."}},
	{"/g/demo/move", []string{"Dee moved the game", "Mine is on all day.", "after action 212 of 214", "wss://dee.example/relay", "2 of 7: Dee and Bo", "Left outGus", "Left outnobody", "Does not come alongnothing of yours", "Does not come alongAerobics, Feed a dragon", "the new one begins exactly as this one was",
		"You stay here", "You have no invitation to it", "waits for the new room", "no place in the game's order yet", "cannot be reached just now", "The new game's world is not what it was here.", "the last that both orders share, which is 212",
		"Who is invited", "The last 2 actions stay behind", "everybody who is invited is asked to go along"}},
	{"/g/demo-new/now", []string{"2 actions of yours did not come along"}},
	{"/g/demo-new/move", []string{"Did not come along", "Feed a dragon", "Do it again", "Leave it"}},
	{"/g/demo-old/rules", []string{"This is an earlier chapter.", "To the game"}},
	{"/g/demo-old/move", []string{"You went along."}},
	{"/#/join/moved6789012345678901234567890123456789012", []string{"Your game goes on in another room", "Go along", "Enter without comparing"}},
	{"/g/demo/settings", []string{"Call a convention", "Move the game", "Export the game", "214 messages", "Back up my key", "https://nomic.example", "The signature does not match (signature, 2 times)"}},
}

func TestPagesShowWhatTheySay(t *testing.T) {
	for _, p := range everyPage {
		t.Run(p.path, func(t *testing.T) {
			doc := draw(t, p.path)
			text := visible(doc)
			for _, want := range p.sees {
				if !strings.Contains(squeeze(text), squeeze(want)) {
					t.Errorf("does not say %q; it says:\n%s", want, text)
				}
			}
		})
	}
}

func TestPagesForThoseWhoDoNotSee(t *testing.T) {
	for _, p := range everyPage {
		t.Run(p.path, func(t *testing.T) {
			doc := draw(t, p.path)
			ids := map[string]bool{}
			labels := map[string]bool{}
			headings := 0
			each(doc, func(n *html.Node) {
				if n.Data == "label" {
					labels[attr(n, "for")] = true
				}
				if n.Data == "h1" {
					headings++
				}
			})
			if headings != 1 {
				t.Errorf("has %d main headings", headings)
			}
			each(doc, func(n *html.Node) {
				if id := attr(n, "id"); id != "" {
					if ids[id] {
						t.Errorf("the id %q stands twice", id)
					}
					ids[id] = true
				}
				switch n.Data {
				case "input", "select", "textarea":
					if attr(n, "aria-label") == "" && !labels[attr(n, "id")] && !within(n, "label") {
						t.Errorf("a %s has no label: %v", n.Data, n.Attr)
					}
				case "button", "a":
					if strings.TrimSpace(visible(n)) == "" && attr(n, "aria-label") == "" {
						t.Errorf("a %s says nothing: %v", n.Data, n.Attr)
					}
				}
				if attr(n, "role") == "img" && attr(n, "aria-label") == "" {
					t.Errorf("a picture says nothing: %v", n.Attr)
				}
			})
		})
	}
}

func TestPagesObeyTheContentPolicy(t *testing.T) {
	for _, p := range everyPage {
		t.Run(p.path, func(t *testing.T) {
			each(draw(t, p.path), func(n *html.Node) {
				for _, a := range n.Attr {
					if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
						t.Errorf("<%s %s=%q> is inline", n.Data, a.Key, a.Val)
					}
					if (a.Key == "src" || a.Key == "srcset") && !strings.HasPrefix(a.Val, "/") {
						t.Errorf("<%s> fetches %q", n.Data, a.Val)
					}
				}
				if n.Data == "img" || n.Data == "script" || n.Data == "style" || n.Data == "iframe" {
					t.Errorf("a <%s> got onto the page", n.Data)
				}
			})
		})
	}
}

func TestUnknownThingsFailInWords(t *testing.T) {
	for _, path := range []string{"/g/other/now", "/g/demo/matters/999", "/g/demo/matters/twelve", "/g/demo/dice/zzz"} {
		if _, err := pages.HTMLOf(storytest.New(false), path); err == nil {
			t.Errorf("%s shows a page", path)
		}
	}
}

func draw(t *testing.T, path string) *html.Node {
	t.Helper()
	text, err := pages.HTMLOf(storytest.New(false), path)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func each(n *html.Node, f func(*html.Node)) {
	if n.Type == html.ElementNode {
		f(n)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		each(c, f)
	}
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func within(n *html.Node, tag string) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if p.Data == tag {
			return true
		}
	}
	return false
}

// squeeze takes out all spaces, as go-app puts its own between elements.
func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

// visible is the text of a page, labels of regions included, spaces folded.
func visible(n *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		if l := attr(n, "aria-label"); l != "" && n.Data == "section" {
			b.WriteString(l + " ")
		}
		if n.Data == "textarea" || attr(n, "id") == "invite-out" {
			b.WriteString(attr(n, "value"))
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
		switch n.Data {
		case "p", "li", "h1", "h2", "h3", "td", "th", "button", "dt", "dd", "div":
			b.WriteByte(' ')
		}
	}
	walk(n)
	return strings.Join(strings.Fields(b.String()), " ")
}

// On a card, which tells what it is about, the help of what can be done stands in the form alone.
func TestCardsAreBrief(t *testing.T) {
	text := visible(draw(t, "/g/demo/boards/battle/1"))
	if !strings.Contains(text, "Ten dice of Heartbeat.") || !strings.Contains(text, "Use Potion") || strings.Contains(text, "use a Potion up") {
		t.Errorf("it says:\n%s", text)
	}
}
