// Package scenario runs scenarios: stories of a game in plain text, one step a line,
// that act, force the dice, and state what must follow. They are the test format
// for rules, for this project and for everybody who writes a rule.
//
// [Run] runs a file. It stops at the first step that does not hold, with a
// [*Failure]: the line, what was expected and what was found.
//
// # Grammar
//
// A # at the start of a line, or after a blank, begins a comment. Texts with blanks
// stand in double quotes; \" \\ \n are escapes. A value may also be a block: <<END, and
// then lines up to one that is END alone.
//
//	ruleset dragons               founds a new game; what came before is over. The command
//	                              also takes a folder: ruleset "./my-rules"
//	option head=none              a choice of the founder's; right after ruleset
//	at 2026-01-05 10:00           the clock (GMT); seconds and milliseconds may follow
//	after 12h                     moves the clock: 90m, 2d, 1h30m, 500ms
//	players Kim Ana Bo            people who play already; the first is the founder
//	stranger Zed                  somebody who only has the link
//
// Actions, with the name of an argument's post, person or row as its value. Every die
// that is rolled must be given, in order, and every die that is given must be rolled:
//
//	Ana: Vote post="Proposal: Flags" icon=FOR
//	Ana: Aerobics dice=2
//	Ana: Feed dragon=Smaug cookies=5 -> fed         $fed is the number of its log entry
//	refuse Ana: Aerobics because "once a day"       must be refused, and change nothing
//	after 24h dice=3                                dice of timers
//
// Where a rule asks somebody to choose, Decide answers with an option by its label or its value;
// decision= says which, by its question, if several wait:
//
//	Ana: Decide choice="Strike again"
//	expect choice Ana "strike again" options=["Strike again", "End"] until="2026-01-06 10:00:00" otherwise="End"
//	expect no choice Ana
//
// Secrets are written as what they say, and only their readers' actions open them. A cheat is an
// action of a device that leaves out what only it could judge, or opens something else:
//
//	Ana: Choose word="quarry"
//	Ana: Open
//	cheat Ana: Call word="quarrel"
//
// Arguments that carry amendments take a block of them, and so does "propose" of any
// ruleset. A rule's text stands in lines that begin with a bar:
//
//	Ana: Propose title="Proposal: Flags" amendments=<<END
//	enact section=2 parent="Training" after="Aerobics"
//	| # Flags
//	| Every dragon has a flag.
//	amend "Cookies" replace "30" with "40"
//	amend "Colors"
//	| # Colors
//	| There are none.
//	replace "30" with "40" in "Cookies"             looked up when it is carried out
//	repeal "Duels"
//	enact again "Duels" section=2                   with the text that it has now
//	move "Moves" section=2 after="Items"
//	set Ana.cookies = 30
//	gain Ana.cookies by 2                           from what it is then; so lose and multiply
//	lose each dragons[color=Red].flame by 1         all that fit then; dragons[] are all of them
//	create dragons owner=Ana name="Smaug"
//	remove dragons[name=Smaug]
//	keyword Head one="Warden" many="Wardens"
//	measure "Grant admin" player=Ana
//	END
//
// The lines set, gain, lose, multiply, create and remove may also stand alone: the state is then changed
// without any action, to prepare a scene.
//
// A cell is named NAME.column for a person, game.name for a variable of the game, and
// table[column=value, …].column for a row. Operators are = != < <= > >= and, for texts,
// ~ (contains) and !~ (does not).
//
//	expect Ana.cookies = 30
//	expect dragons[owner=Ana] flame=6 muscle>=5
//	expect count dragons[owner=Ana] = 1
//	expect post "Proposal: Flags" status=Enacted admin_field~"by Kim"
//	expect no post "Proposal: Flags"
//	expect comment "Proposal: Flags" Ana icon=FOR
//	expect rule "Flags" contains "flag"             the prose as players read it
//	expect rule "Flags" script~"dice(3, 6)"
//	expect rule "Flags" lacks "colour"
//	expect rule "Flags" number=2.6.2
//	expect no rule "Duels"
//	expect tally "Proposal: Flags" FOR=2 AGAINST=0 quorum=3 electorate=4
//	expect vote "Proposal: Flags" Bo counts=FOR why~"follows"
//	expect way "Proposal: Flags" Enact closed because "12 hours"
//	expect next "Proposal: Flags" contains "1 more"
//	expect open Ana: Feed
//	expect closed Ana: Aerobics because "today"
//	expect choices Kim: Admit player = [Zed]        all that a form offers, by their labels
//	expect choices Kim: Admit player ~ Zed          one of them
//	expect rolls 2 5/20                             those of the last action, with their sides if given
//	expect log contains "Aerobics"                  the last entry; "expect log $fed contains" another
//	expect page eggs contains "Smaug"
//	expect board battle/2 Bo contains "Your turn"   what Bo reads there; 2 is the row whose board it is
//	expect waits Bo contains "Your turn"            what waits for Bo, each in a line with "(until …)"
//	                                                and "(holds the game up)"
//	expect recognised "Proposal: Flags" contains "A **Core** Proposal"   what a draft with these changes is told to be
//	let before = posts[title="Proposal: Flags"].fingerprint
//
// Several texts may follow because; each must be found in the reason, whatever its case. A
// reason that holds up to a known time ends in "(until 2026-01-06 10:00:00)". After each action every
// page and card of the rules is drawn; one that cannot be is a failure.
package scenario
