package pages

import (
	"context"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"peernomic/app/kit"
	"peernomic/app/view"
)

// plots lets a person choose a column and see how it went.
func (p *historyPage) plots() app.UI {
	if len(p.view.Tables) == 0 {
		return nil
	}
	var options []app.UI
	for _, t := range p.view.Tables {
		options = append(options, app.OptGroup().Label(t.Title).Body(kit.Each(t.Columns, func(_ int, c view.Column) app.UI {
			v := t.Name + " " + c.Name
			return app.Option().Value(v).Selected(v == p.plotted).Text(c.Title)
		})...))
	}
	return app.Section().Body(app.H2().Text("How values went"),
		kit.Field("plot-column", "Column", "", app.Select().ID("plot-column").DataSet("test", "plot-column").OnChange(p.onPlot).Body(
			append([]app.UI{app.Option().Value("").Text("choose…")}, options...)...)),
		kit.When(p.plot != nil, func() app.UI { return kit.PlotView(p.plot) }))
}

func (p *historyPage) onPlot(ctx app.Context, _ app.Event) {
	p.plotted, p.plot = ctx.JSSrc().Get("value").String(), nil
	table, column, ok := strings.Cut(p.plotted, " ")
	g := p.f.Game
	if !ok || g == nil {
		return
	}
	p.f.Async("plot", "The plot", func(c context.Context) (func(app.Context), error) {
		plot, err := g.Plot(c, table, column)
		return func(app.Context) { p.plot = plot }, err
	})
}
