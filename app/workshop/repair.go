package workshop

import "peernomic/app/view"

// repairAction is what the workshop shows for a convention that repairs the game.
var repairAction = view.Action{Name: "convention", Title: "Call a convention", Open: true,
	Help: "More than two thirds of the active players have to sign this. Then it is carried out at once, and no rule is asked.",
	Params: []view.Param{
		{Name: "title", Label: "Why", Kind: "text", MaxLen: view.WhyLimit, Help: "What is broken, and how this repairs it."},
		{Name: "amendments", Kind: "amendments"},
	}}

// repairs tells whether the workshop writes a convention's repair.
func (p *Page) repairs() bool { return p.addr.Query.Get("convention") != "" }
