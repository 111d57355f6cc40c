package ui

import (
	"context"
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/view"
)

// makePage makes the page of an address.
func (r *root) makePage(a view.Address) page {
	if a.Room == "" {
		switch a.Page {
		case "home":
			return &homePage{r: r, failed: map[string]error{}}
		case "found":
			return newFoundPage(r)
		case "join":
			return newJoinPage(r, "")
		case "import":
			return &importPage{r: r}
		case "verify":
			return &verifyPage{r: r}
		}
		return &lostPage{r: r}
	}
	if a.Arg != "" && slices.Contains(whole, a.Page) {
		return &nonePage{}
	}
	switch a.Page {
	case "now":
		return &nowPage{r: r, asked: a.Query.Get("do")}
	case "feed":
		return &feedPage{r: r}
	case "matters":
		if a.Arg != "" {
			return &matterPage{r: r, id: a.Arg}
		}
		return &mattersPage{r: r}
	case "propose":
		return newProposePage(r, a)
	case "guide":
		return &guidePage{r: r, name: a.Arg}
	case "rules":
		if a.Arg != "" {
			return &rulePage{r: r, name: a.Arg}
		}
		return &bookPage{r: r}
	case "tracker":
		return &trackerPage{r: r, table: a.Arg}
	case "pages":
		return &pagesPage{r: r, name: a.Arg}
	case "boards":
		return &boardPage{r: r, name: a.Arg}
	case "cards":
		return &boardPage{r: r, name: a.Arg, gallery: true}
	case "dice":
		if a.Arg != "" {
			return &rollPage{r: r, id: a.Arg}
		}
		return &rollsPage{r: r}
	case "people":
		who, err := strconv.ParseInt(a.Arg, 10, 64)
		if a.Arg != "" && err != nil {
			return &nonePage{}
		}
		return &peoplePage{r: r, open: who}
	case "history":
		return &historyPage{r: r}
	case "settings":
		return &settingsPage{r: r}
	case "convention":
		return &conventionPage{r: r}
	}
	return &nonePage{}
}

// whole are the pages below which there are no others.
var whole = []string{"now", "feed", "propose", "history", "settings", "convention"}

// nonePage stands at addresses of a game that name nothing.
type nonePage struct{}

func (nonePage) title() string                                   { return "Nothing here" }
func (nonePage) load(context.Context, view.Game) (func(), error) { return nil, view.ErrNone }
func (nonePage) render() app.UI                                  { return nil }
