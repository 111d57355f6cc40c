package pages

import (
	"context"
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
	"peernomic/app/workshop"
)

// makePage makes the page of an address.
func makePage(f *frame.Frame, a view.Address) frame.Page {
	if a.Room == "" {
		switch a.Page {
		case "home":
			return &homePage{f: f, remover: remover{f: f}, failed: map[string]error{}}
		case "found":
			return newFoundPage(f)
		case "join":
			return newJoinPage(f, "")
		case "import":
			return &importPage{f: f}
		case "verify":
			return &verifyPage{f: f}
		}
		return &lostPage{f: f}
	}
	if a.Arg != "" && slices.Contains(leafPages, a.Page) {
		return &nonePage{}
	}
	switch a.Page {
	case "now":
		return &nowPage{f: f, asked: a.Query.Get("do")}
	case "feed":
		return &feedPage{f: f}
	case "matters":
		if a.Arg != "" {
			return &matterPage{f: f, id: a.Arg}
		}
		return &mattersPage{f: f}
	case "propose":
		return workshop.New(f, a)
	case "guide":
		return &guidePage{f: f, name: a.Arg}
	case "rules":
		if a.Arg != "" {
			return &rulePage{f: f, name: a.Arg}
		}
		return &bookPage{f: f}
	case "tracker":
		return &trackerPage{f: f, table: a.Arg}
	case "pages":
		return &pagesPage{f: f, name: a.Arg}
	case "boards":
		return &boardPage{f: f, name: a.Arg}
	case "cards":
		return &boardPage{f: f, name: a.Arg, gallery: true}
	case "dice":
		if a.Arg != "" {
			return &rollPage{f: f, id: a.Arg}
		}
		return &rollsPage{f: f}
	case "people":
		who, err := strconv.ParseInt(a.Arg, 10, 64)
		if a.Arg != "" && err != nil {
			return &nonePage{}
		}
		return &peoplePage{f: f, open: who}
	case "history":
		return &historyPage{f: f}
	case "settings":
		return &settingsPage{f: f, remover: remover{f: f}}
	case "convention":
		return &conventionPage{f: f}
	case "move":
		return &movePage{f: f}
	}
	return &nonePage{}
}

// leafPages are the pages below which there are no others.
var leafPages = []string{"now", "feed", "propose", "history", "settings", "convention", "move"}

// nonePage stands at addresses of a game that name nothing.
type nonePage struct{}

func (nonePage) Title() string                                   { return "Nothing here" }
func (nonePage) Load(context.Context, view.Game) (func(), error) { return nil, view.ErrNone }
func (nonePage) Render() app.UI                                  { return nil }

// lostPage stands at addresses that are none.
type lostPage struct{ f *frame.Frame }

func (p *lostPage) Title() string { return "Nothing here" }

func (p *lostPage) Load(ctx context.Context, g view.Game) (func(), error) { return nil, nil }

func (p *lostPage) Render() app.UI {
	return app.Div().Body(kit.Heading("Nothing is at this address"),
		app.P().Text("The link may be cut short, or meant for another version of the app."),
		app.P().Body(kit.Link("/", "To my games")))
}
