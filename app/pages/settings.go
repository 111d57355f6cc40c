package pages

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/frame"
	"peernomic/app/kit"
	"peernomic/app/view"
)

// settingsPage is what concerns this device and this game.
type settingsPage struct {
	f       *frame.Frame
	view    *view.Settings
	pass    string
	backup  *view.Backup
	shown   bool
	remover remover
}

func (p *settingsPage) Title() string { return "Settings" }

func (p *settingsPage) Load(ctx context.Context, g view.Game) (func(), error) {
	v, err := g.Settings(ctx)
	return func() { p.view = v }, err
}

func (p *settingsPage) Render() app.UI {
	v := p.view
	state, glyph, word, sentence := netState(p.f.Shell.Net)
	body := []app.UI{
		kit.Heading("Settings"),
		app.Section().Body(app.H2().Text("Invite"), inviteBox(p.f, v.Invite)),
		app.Section().Body(app.H2().Text("My key"), p.keyPart()),
		app.Section().Body(app.H2().Text("Connection"),
			app.P().Class("net", "net-"+state).Body(kit.Icon(glyph), app.Strong().Text(word)),
			app.P().Text(sentence),
			p.traffic()),
		app.Section().Body(app.H2().Text("If nothing goes any more"),
			conventionLink(p.f, "The rules are stuck, or somebody has lost their key:"),
			moveLink(p.f, "The relay is gone, or the link leaked:")),
		p.game(),
		kit.When(len(v.Findings) > 0, func() app.UI { return findings(v.Findings) }),
		app.Section().Body(app.H2().Text("Export"),
			app.P().Text("The whole game in one file: rules, log, seals and the room's key. Anybody can check it with “nomic verify”; "+
				"whoever has it can read the game, so send it only to those who may."),
			app.P().Body(kit.IconButton("down", "Export the game", p.onExport).Disabled(p.f.Busy("export")).DataSet("test", "export"))),
		app.Section().Body(app.H2().Text("This device"), p.removal()),
		app.Section().Body(app.H2().Text("App"),
			app.P().Class("quiet").Text("Version "+cmp.Or(v.Version, "unknown")),
			kit.When(v.Storage != "", func() app.UI { return kit.Note("wait", v.Storage) }),
			kit.When(p.f.UpdateReady, func() app.UI {
				return app.P().Body(kit.Button("Update now", frame.UpdateApp).Class("btn-main"))
			})),
	}
	return app.Div().Class("settings").Body(body...)
}

// traffic says by which way things came, in words.
func (p *settingsPage) traffic() app.UI {
	v := p.view
	relay := "There is no relay."
	if v.RelayURL != "" {
		relay = "The relay is at " + v.RelayURL + ": " + strings.TrimSuffix(cmp.Or(v.Net.Refusal, v.Net.Relay), ".") + "."
	}
	unsent := "Nothing waits to be sent."
	if v.Net.Unsent > 0 {
		unsent = kit.Plural(v.Net.Unsent, "action waits", "actions wait") + " to be sent."
	}
	return app.P().Class("quiet").DataSet("test", "traffic").Text(relay + " Since this page was opened, " + kit.Plural(v.Net.FromRelay, "message", "messages") + " came through it and " +
		kit.Plural(v.Net.FromDirect, "message", "messages") + " directly from other devices. " + unsent)
}

// game says how far the game has come here and how it was founded; what is only for comparing is folded.
func (p *settingsPage) game() app.UI {
	v := p.view
	said := kit.Plural(v.Placed, "action has its place", "actions have their place") + " in the game's order, by " + kit.Plural(int(v.Seals), "seal", "seals") + " of the notary."
	if v.Tentative > 0 {
		said += " " + kit.Plural(v.Tentative, "action of yours waits", "actions of yours wait") + " for one and may still come out differently."
	}
	compare := []view.Fact{
		{Name: "Digest", Value: v.Digest, Code: true, Help: "Stands for the whole state of the game. The badge is its beginning."},
		{Name: "Seals", Value: strconv.FormatUint(v.Seals, 10), Help: "How often the notary has ordered actions and stamped their time."},
		{Name: "Notary", Value: v.Notary, Code: true, Help: "The key that signs the order. Only a convention changes it."},
	}
	var founding []view.Fact
	for _, f := range v.Options {
		switch {
		case f.Code:
			compare = append(compare, f)
		case f.Name == "Dice":
			founding = append(founding, view.Fact{Name: f.Name, Value: diceMode(f.Value)})
		default:
			founding = append(founding, f)
		}
	}
	return app.Section().Body(app.H2().Text("The game as this device has it"), app.P().Text(said),
		kit.When(len(founding) > 0, func() app.UI { return kit.Facts(founding) }),
		app.Details().Class("compare").Body(app.Summary().Text("To compare with another device"),
			app.P().Class("quiet").Text("Two devices with the same game show the same here, once both have everything."), kit.Facts(compare)))
}

// diceMode says in words where dice come from.
func diceMode(mode string) string {
	if mode == "beacon" {
		return "made by the roller and the relay together; neither can choose"
	}
	return mode
}

// findings lists what was sent to this device and does not count, by the check that it failed.
func findings(list []view.Finding) app.UI {
	return app.Section().DataSet("test", "findings").Body(app.H2().Text("Refused"),
		app.P().Text("Whoever has the invite can send anything to this room. This reached the device and counts for nothing; the game is the same without it."),
		app.Ul().Class("notes").Body(kit.Each(list, func(_ int, f view.Finding) app.UI {
			times := "once"
			if f.Count > 1 {
				times = kit.Itoa(f.Count) + " times"
			}
			return app.Li().DataSet("test", "finding-"+f.Code).Body(app.Text(kit.Capital(f.Text)+" "),
				app.Span().Class("quiet").Text("("+f.Code+", "+times+")"))
		})...))
}

func (p *settingsPage) keyPart() app.UI {
	b := p.backup
	body := []app.UI{app.P().Text("Your identity is a key on this device. Without a copy, a lost device or a cleared browser ends your seat in every game.")}
	if p.view.BackedUp {
		body = append(body, kit.Note("good", "You have made a copy."))
	}
	if b == nil {
		body = append(body, app.Form().Class("form").OnSubmit(p.onBackup).Body(
			kit.Field("backup-pass", "A passphrase for the file", "At least "+kit.Itoa(passphraseLeast)+" characters. Needed to open the copy; nobody can recover it.",
				app.Input().ID("backup-pass").Type("password").AutoComplete(false).DataSet("test", "backup-pass").
					OnInput(func(ctx app.Context, _ app.Event) {
						p.pass = ctx.JSSrc().Get("value").String()
					})),
			app.P().Body(app.Button().Type("submit").Class("btn").Disabled(p.f.Busy("backup")).DataSet("test", "backup").
				Body(kit.Icon("key"), app.Span().Text("Back up my key")))))
		return app.Div().Body(body...)
	}
	body = append(body, kit.Note("good", "The file “"+b.Name+"” was saved. Keep it apart from this device."))
	if len(b.Words) > 0 {
		body = append(body, app.P().Body(kit.Button(kit.ShowWord(p.shown, "the key as words"), func(app.Context, app.Event) { p.shown = !p.shown }).
			Aria("expanded", p.shown)))
		if p.shown {
			body = append(body, app.Ol().Class("key-words").Body(kit.Each(b.Words, func(_ int, w string) app.UI { return app.Li().Text(w) })...))
		}
	}
	return app.Div().Body(body...)
}

// passphraseLeast is how many characters a passphrase needs.
const passphraseLeast = 8

func (p *settingsPage) onBackup(ctx app.Context, e app.Event) {
	e.PreventDefault()
	if n := utf8.RuneCountInString(p.pass); n < passphraseLeast {
		p.f.Say("bad", "The passphrase needs at least "+kit.Itoa(passphraseLeast)+" characters; this has "+kit.Itoa(n)+".")
		kit.Focus(ctx, "backup-pass")
		return
	}
	pass := p.pass
	p.f.Async("backup", "The backup", func(c context.Context) (func(app.Context), error) {
		b, err := p.f.Host.Backup(c, pass)
		return func(app.Context) {
			p.backup = b
			frame.SaveFile(b.Name, "application/octet-stream", b.File)
		}, err
	})
}

func (p *settingsPage) onExport(ctx app.Context, _ app.Event) {
	g, title := p.f.Game, p.f.Shell.Title
	p.f.Async("export", "The export", func(c context.Context) (func(app.Context), error) {
		data, err := g.Export(c)
		return func(app.Context) {
			frame.SaveFile(cmp.Or(kit.Slug(title), "game")+".nomic", "application/octet-stream", data)
			p.f.Say("good", "The game was exported.")
		}, err
	})
}
