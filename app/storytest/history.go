package storytest

import (
	"context"

	"peernomic/app/view"
)

var lines = []view.HistoryLine{
	{N: 1, Who: "Ana", What: "founded the game", Time: now - 12*day},
	{N: 2, Who: "Bo", What: "Adopt", Time: now - 11*day, Changes: 1},
	{N: 3, Who: "Bo", What: "Aerobics", Time: now - hour, Changes: 2, Rolls: []view.Chip{{ID: "a1", Sides: 3, Value: 2}}},
	{N: 4, Who: "Gus", What: "Vote", About: "Cheaper cookies", Time: now - minute, Refused: true},
}

func (g *game) History(context.Context) (*view.History, error) {
	at := g.at
	if at == 0 {
		at = len(lines)
	}
	return &view.History{At: at, Lines: lines, Tables: []view.Table{{Name: "dragons", Title: "Dragons", Columns: []view.Column{num("flame", "Flame", true)}}}}, nil
}

func (g *game) Destinations(context.Context) ([]view.Destination, error) {
	return []view.Destination{{Kind: "Rule", Title: "Aerobics", Hint: "2.6.1", Href: "/g/demo/rules/Aerobics"}}, nil
}

func (g *game) Plot(context.Context, string, string) (*view.Plot, error) {
	return &view.Plot{Title: "Flame", From: now - 12*day, To: now, Lines: []view.PlotLine{
		{Label: "Ember", Points: []view.PlotPoint{{Time: now - 12*day, Value: 5}, {Time: now - 3*day, Value: 7}}},
		{Label: "Slate", Points: []view.PlotPoint{{Time: now - 11*day, Value: 3}, {Time: now - hour, Value: 5}}}}}, nil
}
