package pages

import (
	"context"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// importPage takes in a game from an exported file, or an identity from its backup.
type importPage struct {
	f     *frame.Frame
	words string
	pass  string
	file  []byte            // the backup that was chosen
	wrong map[string]string // what a form still needs
}

func (p *importPage) Title() string                                   { return "Import" }
func (p *importPage) Load(context.Context, view.Game) (func(), error) { return nil, nil }

func (p *importPage) Render() app.UI {
	return app.Div().Class("settings").Body(kit.Heading("Import"),
		app.Section().Body(app.H2().Text("A game"),
			app.P().Text("The file holds the whole game, its room key included: whoever has it can read along."),
			kit.Field("import-file", "The exported file", "", app.Input().ID("import-file").Type("file").
				DataSet("test", "import-file").OnChange(p.onGame))),
		app.Section().Body(app.H2().Text("My key"),
			app.P().Text("From the copy you made on another device: its file with its passphrase, or its words. Only in a browser that has no game: Settings of a game removes it. The key that is here now goes, so make a copy of it first if it ever played."),
			app.Form().Class("form").DataSet("test", "restore-by-file").OnSubmit(p.onFile).Body(
				app.H3().Text("By the file"),
				kit.Field("restore-file", "The backup file", "Its name ends in .backup.", app.Input().ID("restore-file").Type("file").DataSet("test", "restore-file").OnChange(p.onBackup)),
				kit.Field("restore-pass", "Its passphrase", "", app.Input().ID("restore-pass").Type("password").
					AutoComplete(false).DataSet("test", "restore-pass").OnInput(kit.Into(&p.pass))),
				p.problem("file"),
				app.Div().Class("row").Body(app.Button().Type("submit").Class("btn").Disabled(p.f.Busy("restore")).DataSet("test", "restore-from-file").
					Body(kit.Icon("key"), app.Span().Text("Restore from the file")))),
			app.Form().Class("form").DataSet("test", "restore-by-words").OnSubmit(p.onWords).Body(
				app.H3().Text("Or by the words"),
				kit.Field("restore-words", "The words", "In their order, with blanks between.", app.Textarea().ID("restore-words").Rows(3).
					DataSet("test", "restore-words").OnInput(kit.Into(&p.words))),
				p.problem("words"),
				app.Div().Class("row").Body(app.Button().Type("submit").Class("btn").Disabled(p.f.Busy("restore")).DataSet("test", "restore").
					Body(kit.Icon("key"), app.Span().Text("Restore from the words")))),
		),
		app.P().Body(kit.Link("/", "Back to my games")))
}

// problem says what is still missing in one of the two forms.
func (p *importPage) problem(form string) app.UI {
	return kit.When(p.wrong[form] != "", func() app.UI { return app.P().Class("wrong").Role("alert").Text(p.wrong[form]) })
}

func (p *importPage) onGame(ctx app.Context, _ app.Event) {
	p.f.ReadFile(ctx.JSSrc(), func(ctx app.Context, data []byte) {
		p.f.Async("import", "Importing the game", func(c context.Context) (func(app.Context), error) {
			room, err := p.f.Host.Import(c, data)
			return func(ctx app.Context) { ctx.Navigate(view.Path(room, "now")) }, err
		})
	})
}

func (p *importPage) onWords(ctx app.Context, e app.Event) {
	e.PreventDefault()
	if p.lacks("words", "restore-words", "Type or paste the words.", strings.TrimSpace(p.words) == "") {
		return
	}
	p.restore(ctx, p.words, nil)
}

func (p *importPage) onBackup(ctx app.Context, _ app.Event) {
	p.f.ReadFile(ctx.JSSrc(), func(_ app.Context, data []byte) { p.file = data })
}

func (p *importPage) onFile(ctx app.Context, e app.Event) {
	e.PreventDefault()
	if p.lacks("file", "restore-file", "Choose the backup file.", len(p.file) == 0) || p.lacks("file", "restore-pass", "The file opens only with its passphrase.", p.pass == "") {
		return
	}
	p.restore(ctx, "", p.file)
}

// lacks notes what a form still needs, and leads to it.
func (p *importPage) lacks(form, id, what string, missing bool) bool {
	p.wrong = map[string]string{}
	if missing {
		p.wrong[form] = what
		if p.f.Ctx != nil {
			p.f.Focus(id)
		}
	}
	return missing
}

func (p *importPage) restore(ctx app.Context, words string, file []byte) {
	pass := p.pass
	p.f.Async("restore", "Restoring the key", func(c context.Context) (func(app.Context), error) {
		err := p.f.Host.Restore(c, words, file, pass)
		return func(app.Context) {
			p.f.Say("good", "Your key is on this device now. Open an invitation to play on.")
		}, err
	})
}
