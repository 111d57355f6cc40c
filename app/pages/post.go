package pages

import (
	"cmp"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// postHead is a post's line of origin with its title.
func postHead(f *frame.Frame, q view.Post, title app.UI) app.UI {
	by := []app.UI{kit.Person(q.Author), kit.Moment(q.Time, f.Now())}
	if q.Edited != 0 {
		by = append(by, app.Span().Class("quiet").Title(kit.Exact(q.Edited)).Text("edited"))
	}
	head := []app.UI{app.P().Class("kicker").Body(
		app.Span().Text(q.Category),
		kit.When(q.Status != "", func() app.UI {
			return app.Span().Class("status", "status-"+cmp.Or(q.Outcome, "open")).DataSet("test", "status").Text(q.Status)
		}))}
	head = append(head, title, app.P().Class("byline").Body(by...))
	return app.Header().Class("post-head").Body(head...)
}

// flavour is what goes with a post and is no part of it.
func flavour(f *frame.Frame, q view.Post) app.UI {
	return kit.When(q.Flavour != "", func() app.UI {
		return app.Aside().Class("flavour").DataSet("test", "flavour").Body(
			app.P().Class("quiet").Text("Flavour text, no part of it:"), f.Markdown(q.Flavour))
	})
}

// comments lists the comments under a post.
func comments(f *frame.Frame, list []view.Comment) app.UI {
	if len(list) == 0 {
		return nil
	}
	return app.Ol().Class("comments").Body(kit.Each(list, func(_ int, c view.Comment) app.UI {
		head := []app.UI{kit.Person(c.Author)}
		for _, before := range c.Before {
			head = append(head, voteIcon(before.Word, before.Glyph))
		}
		if c.Icon != "" {
			head = append(head, voteIcon(c.Icon, c.Glyph))
		}
		head = append(head, kit.Moment(c.Time, f.Now()))
		if c.Stale {
			head = append(head, app.Span().Class("quiet").Title("The text was altered, if only by a letter, after this comment. Whether a vote in it still counts is said with the votes.").Text("before the text was altered"))
		}
		body := []app.UI{app.P().Class("byline").Body(head...)}
		if c.Text != "" {
			body = append(body, f.Markdown(c.Text))
		}
		if c.Tentative {
			body = append(body, kit.Waits(c.Waits))
		}
		return app.Li().Class("comment").Class(kit.TentativeClass(c.Tentative)).DataSet("test", "comment").Body(body...)
	})...)
}

func voteIcon(word, glyph string) app.UI {
	return app.Span().Class("vote-icon", "vote-"+kit.Slug(word)).Body(kit.Icon(glyph), app.Span().Text(word))
}

// takeBack unfolds what taking back does before it is done, as nothing brings a post back.
func takeBack(f *kit.Form) app.UI {
	return app.Details().Class("take-back").DataSet("test", "take-back-"+kit.Slug(f.Key)).Body(
		app.Summary().Text(f.Action.Title),
		app.If(f.Action.Help != "", app.P().Class("help").Text(f.Action.Help)), f.Render())
}
