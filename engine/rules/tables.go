package rules

import (
	"peernomic/engine/rules/declare"
	"peernomic/engine/state"
)

// The kernel's own tables. Rules may add columns to players and variables to
// game.
const (
	tablePlayers   = declare.PlayersTable
	tableGame      = declare.GameTable // one row: the game's variables
	tablePosts     = "posts"
	tableComments  = "comments"
	tableSections  = "sections"
	tableRules     = "rules"
	tableRevisions = "revisions" // former texts of rules
	tableKeywords  = "keywords"  // words that an amendment replaced
	tableUses      = "uses"      // when actions with a cadence were last taken
	tableTimers    = "timers"
	tableDecisions = "decisions" // choices that wait for people

	gameRow = int64(1)
)

// Standings of people. Only players are asked for their opinion by the kernel.
const (
	StandingStranger  = "stranger"  // has a key, and no more
	StandingApplicant = "applicant" // has asked to play
	StandingPlayer    = "player"
	StandingLeft      = "left"
)

func kernelColumn(name string, t state.Type, sealed bool) *declare.Column {
	return &declare.Column{Name: name, Title: name, Type: &declare.Type{Plain: t}, Initial: t.Zero(), Sealed: sealed}
}

func plain(k state.Kind) state.Type   { return state.Type{Kind: k} }
func ref(table string) state.Type     { return state.Type{Kind: state.Ref, Table: table} }
func textOf(max int) state.Type       { return state.Type{Kind: state.Text, MaxLen: max} }
func choiceOf(s ...string) state.Type { return state.Type{Kind: state.Choice, Choices: s} }

// kernelTables returns the kernel's tables, new each time, because rules add to them.
func kernelTables() []*declare.Table {
	id := kernelColumn
	fingerprint := id("fingerprint", plain(state.Text), true)
	fingerprint.Computed = true
	key := id("key", plain(state.Text), true)
	key.Hidden = true
	name := id("name", textOf(declare.MaxName+MaxNumbered), false)
	name.Title = "Name"
	entity := id("entity", plain(state.Text), true)
	entity.Hidden = true
	icons := id("icons", plain(state.Data), true)
	icons.Computed = true
	least, most := int64(0), int64(MaxWitnesses)
	witnesses := id("witnesses", state.Type{Kind: state.Integer, Min: &least, Max: &most}, false)
	witnesses.Title = "Witnesses of a roll"
	witnesses.Doc = "How many other players' devices every roll of an action waits for; with 0 it waits for nobody."
	return []*declare.Table{
		{Name: tablePlayers, Title: "Players", One: "player", Kernel: true, Columns: []*declare.Column{
			key, name, entity,
			id("standing", choiceOf(StandingStranger, StandingApplicant, StandingPlayer, StandingLeft), false),
			id("joined", plain(state.Moment), true),
			id("acted", plain(state.Moment), true),
		}},
		{Name: tableGame, Title: "Game", One: "game", Kernel: true, Columns: []*declare.Column{witnesses}},
		{Name: tablePosts, Title: "Posts", One: "post", Kernel: true, Hidden: true, Columns: []*declare.Column{
			id("category", plain(state.Text), false),
			id("title", textOf(300), false),
			id("body", state.Type{Kind: state.Prose, MaxLen: 60000}, false),
			id("flavour", state.Type{Kind: state.Prose, MaxLen: 60000}, false),
			id("author", ref(tablePlayers), false),
			id("time", plain(state.Moment), true),
			id("official", plain(state.Flag), false),
			id("status", plain(state.Text), false),
			id("admin_field", plain(state.Prose), false),
			id("amendments", plain(state.Data), false),
			id("data", plain(state.Data), false),
			id("edited", plain(state.Moment), false),
			id("removed", plain(state.Flag), false),
			id("writer", ref(tablePlayers), true), // who made it by a discreet action
			fingerprint,
		}},
		{Name: tableComments, Title: "Comments", One: "comment", Kernel: true, Hidden: true, Columns: []*declare.Column{
			id("post", ref(tablePosts), true),
			id("author", ref(tablePlayers), false),
			id("time", plain(state.Moment), true),
			id("text", state.Type{Kind: state.Prose, MaxLen: 20000}, false),
			id("icon", plain(state.Text), false),
			icons,
			id("fingerprint", plain(state.Text), true),
			id("data", plain(state.Data), false),
			id("removed", plain(state.Flag), false),
			id("writer", ref(tablePlayers), true), // who made it by a discreet action
		}},
		{Name: tableSections, Title: "Sections", One: "section", Kernel: true, Hidden: true, Columns: []*declare.Column{
			id("title", plain(state.Text), true),
			id("text", plain(state.Prose), true),
		}},
		{Name: tableRules, Title: "Rules", One: "rule", Kernel: true, Hidden: true, Columns: []*declare.Column{
			id("title", plain(state.Text), true),
			id("text", plain(state.Prose), true),
			id("section", ref(tableSections), true),
			id("parent", ref(tableRules), true),
			id("position", plain(state.Integer), true),
			fingerprint,
		}},
		{Name: tableRevisions, Title: "Revisions", One: "revision", Kernel: true, Hidden: true, Columns: []*declare.Column{
			id("rule", plain(state.Integer), true), // an id, and no reference: the rule may be gone
			id("title", plain(state.Text), true),
			id("text", plain(state.Prose), true),
			id("entry", plain(state.Integer), true),
			id("time", plain(state.Moment), true),
			id("change", plain(state.Text), true),
		}},
		{Name: tableKeywords, Title: "Keywords", One: "keyword", Kernel: true, Hidden: true, Columns: []*declare.Column{
			id("key", plain(state.Text), true),
			id("one", textOf(declare.MaxName), true),
			id("many", textOf(declare.MaxName), true),
		}},
		{Name: tableUses, Title: "Uses", One: "use", Kernel: true, Hidden: true, Columns: []*declare.Column{
			id("player", plain(state.Integer), true),
			id("allowance", plain(state.Text), true),
			id("last", plain(state.Moment), true),
			id("count", plain(state.Integer), true),
		}},
		{Name: tableTimers, Title: "Timers", One: "timer", Kernel: true, Hidden: true, Columns: []*declare.Column{
			id("due", plain(state.Moment), true),
			id("handler", plain(state.Text), true),
			id("args", plain(state.Data), true),
			id("key", plain(state.Text), true),
			id("decision", plain(state.Integer), true), // that lapses then, instead of a handler
		}},
		{Name: tableDecisions, Title: "Decisions", One: "decision", Kernel: true, Hidden: true, Columns: []*declare.Column{
			id("person", ref(tablePlayers), true),
			id("question", plain(state.Text), true),
			id("options", plain(state.Data), true), // pairs of value and label
			id("handler", plain(state.Text), true),
			id("args", plain(state.Data), true),
			id("until", plain(state.Moment), true),
			id("otherwise", plain(state.Data), true),
			id("key", plain(state.Text), true),
			id("rule", plain(state.Text), true),
			id("entry", plain(state.Integer), true), // of the log
		}},
	}
}
