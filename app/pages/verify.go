package pages

import (
	"context"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

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

func (p *verifyPage) Title() string { return "Verify" }

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
