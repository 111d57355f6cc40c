package ui

import (
	"context"
	"errors"
)

// ErrNoRelay reports that no room can be opened now.
var ErrNoRelay = errors.New("the relay, where a game with others begins, is not reached. Try again when you are online")

// Host is this device: the games on it and the identity that plays them. Its
// methods may block and are called off the UI goroutine, except Watch.
type Host interface {
	// Home returns what the front page shows, without waiting: of a game that is not open no more than its title.
	Home(ctx context.Context) (*Home, error)
	// Look opens a game for what the front page says of it.
	Look(ctx context.Context, room string) error
	// Watch calls changed, coalesced and on any goroutine, when Home may have
	// changed, until cancel is called.
	Watch(changed func()) (cancel func())
	// Rulesets returns what a game can be founded with.
	Rulesets(ctx context.Context) ([]Ruleset, error)
	// Found makes a new game and returns its room. Without a relay it fails with ErrNoRelay,
	// unless the game is for practice.
	Found(ctx context.Context, f Founding) (room string, err error)
	// Invitation tells who invites with this secret, or whole link, and to what.
	Invitation(ctx context.Context, invite string) (*Invitation, error)
	// ComesAs returns what somebody would be called in the game of an invitation who came under a name now: another
	// name, if that one is taken. A name that cannot be is an error.
	ComesAs(ctx context.Context, invite, name string) (as string, err error)
	// Join enters the game of an invitation under a name and returns its room.
	Join(ctx context.Context, invite, name string) (room string, err error)
	// Leave removes a game from this device.
	Leave(ctx context.Context, room string) error
	// Import adds a game from an export and returns its room.
	Import(ctx context.Context, archive []byte) (room string, err error)
	// Verify checks an exported game or the proof of a roll. It tells now and then how much is done, and of
	// how much.
	Verify(ctx context.Context, file []byte, tell func(done, total int)) (*Verdict, error)
	// VerifyRoll checks the proof of a roll together with the exported game that it is from.
	VerifyRoll(ctx context.Context, proof, exported []byte, tell func(done, total int)) (*Verdict, error)
	// Manual returns a page for authors of rules, as Markdown: "first-rule" or "reference".
	Manual(ctx context.Context, page string) (string, error)
	// Open returns a game of this device. The room may name a moment, see RoomAt; the
	// game then shows the past, and nothing can be done in it.
	Open(ctx context.Context, room string) (Game, error)
	// Opening tells how far Open has come with a room, nil if that takes no time. Watch tells when to
	// look again. It may be called on the UI goroutine.
	Opening(room string) *Opening
	// Backup returns the identity as words and as a file locked with a passphrase.
	Backup(ctx context.Context, passphrase string) (*Backup, error)
	// Restore takes over an identity from words or from a file and its passphrase.
	Restore(ctx context.Context, words string, file []byte, passphrase string) error
}

// Game is one open game. Its methods may block and are called off the UI goroutine,
// except Watch.
type Game interface {
	// Watch calls changed, coalesced and on any goroutine, when any view may have
	// changed, until cancel is called.
	Watch(changed func()) (cancel func())

	Shell(ctx context.Context) (*Shell, error)
	Now(ctx context.Context) (*Now, error)
	Feed(ctx context.Context) (*Feed, error)
	Matters(ctx context.Context) (*Matters, error)
	Matter(ctx context.Context, id int64) (*Matter, error)
	// Outlook tries what a matter would change. It carries the rules out anew, so it takes longer than the matter itself.
	Outlook(ctx context.Context, id int64) (*Outlook, error)
	Book(ctx context.Context) (*Book, error)
	Rule(ctx context.Context, title string) (*Rule, error)
	Tracker(ctx context.Context) (*Tracker, error)
	Pages(ctx context.Context) (*Pages, error)
	// Board draws a page that rules make of cards: by its name and maybe a row, "battle/3", or,
	// as a gallery, all cards of a table.
	Board(ctx context.Context, name string, gallery bool) (*Board, error)
	// Forecast tells what an action may do, with some arguments given and the first choice for the rest.
	Forecast(ctx context.Context, name string, fixed map[string]any) (*Forecast, error)
	Rolls(ctx context.Context) (*Rolls, error)
	Roll(ctx context.Context, id string) (*Roll, error)
	People(ctx context.Context) (*People, error)
	History(ctx context.Context) (*History, error)
	// Plot follows a column through the whole game.
	Plot(ctx context.Context, table, column string) (*Plot, error)
	Settings(ctx context.Context) (*Settings, error)
	// Places returns everything in the game that has a name and an address.
	Places(ctx context.Context) ([]Place, error)
	// Workshop returns what a proposal can be made from.
	Workshop(ctx context.Context) (*Workshop, error)

	// Act takes an action. A refusal is a result; an error means that it could not
	// be tried or kept.
	Act(ctx context.Context, name string, args map[string]any) (*Result, error)
	// Fate tells what became of an action that was tentative, by its reference.
	Fate(ctx context.Context, ref string) (*Result, error)
	// Preview tells what an action would do.
	Preview(ctx context.Context, name string, args map[string]any) (*Preview, error)
	// VoteEffect tells what a vote on a matter would count as, and what would follow.
	VoteEffect(ctx context.Context, post int64, name string, args map[string]any) (*VoteEffect, error)
	// Check tells what is wrong with amendments now.
	Check(ctx context.Context, amendments []any) (*DraftCheck, error)
	// Draft returns a draft kept under a key, and SaveDraft keeps one; an empty
	// text removes it.
	Draft(ctx context.Context, key string) (string, error)
	SaveDraft(ctx context.Context, key, text string) error
	// Convention returns what is decided outside the rules.
	Convention(ctx context.Context) (*Convention, error)
	// Convene calls a convention, and signs it. Somebody without a seat asks for one.
	Convene(ctx context.Context, c Call) error
	// Ballot signs a motion, or takes the signature back.
	Ballot(ctx context.Context, motion string, assent bool) error
	// Decide says whether I go along to another relay, by the id of its first seal.
	Decide(ctx context.Context, first string, agreed bool) error
	// Fork founds a game that begins as this one was after so many actions, and returns its
	// room.
	Fork(ctx context.Context, title string, after int) (room string, err error)
	// Export returns the whole game as a file.
	Export(ctx context.Context) ([]byte, error)
}
