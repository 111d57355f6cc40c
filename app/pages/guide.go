package pages

import (
	"context"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// guidePage is a page of the manual for authors of rules.
type guidePage struct {
	f    *frame.Frame
	name string
	head string
	text string
}

func (p *guidePage) Title() string { return p.head }

func (p *guidePage) Load(ctx context.Context, _ view.Game) (func(), error) {
	if p.name != "first-rule" && p.name != "reference" {
		return nil, view.ErrNone
	}
	text, err := p.f.Host.Manual(ctx, p.name)
	if err != nil {
		return nil, err
	}
	return func() {
		head, rest, _ := strings.Cut(text, "\n")
		p.head, p.text = strings.TrimPrefix(head, "# "), rest
	}, nil
}

func (p *guidePage) Render() app.UI {
	other, label := "reference", "The reference: everything that a script can say"
	if p.name == "reference" {
		other, label = "first-rule", "Your first rule: a tutorial"
	}
	return app.Article().Class("guide").DataSet("test", "guide").Body(
		kit.Heading(p.head),
		p.f.Markdown(p.text),
		app.P().Class("row").Body(kit.Link(p.f.Path("guide", other), label)))
}
