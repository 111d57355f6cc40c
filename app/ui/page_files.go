package ui

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

// verifyPage checks a file that somebody else made.
type verifyPage struct {
	f        *frame.Frame
	verdict  *view.Verdict
	checking bool
	percent  int // of the check that is under way
	run      int // counts the files
	stop     context.CancelFunc
	file     []byte // the last that was chosen
	proof    []byte // of a roll, that may be checked with its game; nil if that was not chosen
}

func (p *verifyPage) Title() string                                   { return "Verify" }
func (p *verifyPage) Load(context.Context, view.Game) (func(), error) { return nil, nil }

func (p *verifyPage) Render() app.UI {
	files := []app.UI{kit.Field("verify-file", "An exported game, or the proof of a roll", "", app.Input().ID("verify-file").Type("file").
		DataSet("test", "verify-file").OnChange(p.onFile))}
	if p.proof != nil {
		files = append(files, kit.Field("verify-game", "The exported game that this proof is from", "It shows whether this is the roll that counted.",
			app.Input().ID("verify-game").Type("file").DataSet("test", "verify-game").OnChange(p.onGame)))
	}
	body := []app.UI{kit.Heading("Verify", app.Text("Checked here, on your device, trusting nobody.")), app.Div().Class("form").Body(files...)}
	if p.checking {
		body = append(body, app.P().Class("quiet", "check-text").Role("status").Text("Checking every signature and carrying out every action again…"),
			app.Progress().Class("loader-bar", "check-bar").Aria("label", "How far the check is").DataSet("test", "verify-progress").Max(100).Value(p.percent))
	}
	if v := p.verdict; v != nil {
		kind, text := "good", v.What+" is good. "+v.Text
		switch {
		case v.None:
			kind, text = "plain", v.Text
		case v.Alone:
			kind, text = "wait", v.What+": "+v.Text
		case !v.OK:
			kind, text = "bad", v.What+" is not good: "+v.Text
			if v.Clause != "" {
				text += " (clause " + v.Clause + ")"
			}
			text += "."
		}
		body = append(body, app.Div().Role("status").DataSet("test", "verdict").DataSet("ok", v.OK && !v.Alone).Body(kit.Note(kind, text), kit.Facts(v.Facts)))
	}
	return app.Div().Body(append(body, app.P().Class("row").Body(kit.Link("/", "Back to my games")))...)
}

func (p *verifyPage) onFile(ctx app.Context, _ app.Event) {
	p.proof = nil
	p.check(ctx, func(c context.Context, data []byte, tell func(done, total int)) (*view.Verdict, error) {
		return p.f.Host.Verify(c, data, tell)
	})
}

// onGame checks a proof with its game.
func (p *verifyPage) onGame(ctx app.Context, _ app.Event) {
	proof := p.proof
	p.check(ctx, func(c context.Context, data []byte, tell func(done, total int)) (*view.Verdict, error) {
		return p.f.Host.VerifyRoll(c, proof, data, tell)
	})
}

// check reads the file that was chosen and has it checked.
func (p *verifyPage) check(ctx app.Context, verify func(c context.Context, data []byte, tell func(done, total int)) (*view.Verdict, error)) {
	c, run := p.begin()
	p.f.ReadFile(ctx.JSSrc(), func(_ app.Context, data []byte) {
		if run != p.run {
			return
		}
		p.checking, p.file = true, data
		p.f.Ctx.Async(func() {
			told := 0
			v, err := verify(c, data, func(done, total int) {
				if percent := 100 * done / max(1, total); percent != told {
					told = percent
					p.f.Ctx.Dispatch(func(app.Context) { p.reached(run, percent) })
				}
			})
			p.f.Ctx.Dispatch(func(app.Context) { p.came(run, v, err) })
		})
	})
}

// begin ends the check that is under way, if there is one, and forgets what came of the last: a verdict never stands
// below another file than its own.
func (p *verifyPage) begin() (c context.Context, run int) {
	if p.stop != nil {
		p.stop()
	}
	c, p.stop = context.WithCancel(p.f.Life)
	p.run++
	p.verdict, p.percent, p.checking = nil, 0, false
	return c, p.run
}

func (p *verifyPage) reached(run, percent int) {
	if run == p.run {
		p.percent = percent
	}
}

// came takes in what came of a check.
func (p *verifyPage) came(run int, v *view.Verdict, err error) {
	if run != p.run {
		return
	}
	if err != nil {
		v = &view.Verdict{None: true, Text: "The check did not work: " + err.Error() + "."}
	}
	p.verdict, p.checking = v, false
	if v.Alone {
		p.proof = p.file
	}
}
