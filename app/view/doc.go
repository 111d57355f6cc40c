// Package view is the contract between the pages and the game: what pages may ask, and what they
// are told.
//
// A [Host] is this device: its games and its identity. A [Game] is one open game. Both are put
// together from small interfaces, one for each page. What they hand out are views: structs that
// reach nothing, made afresh for each change and never altered afterwards.
//
// Times in views are Unix milliseconds; zero means none. Names, titles and sentences come as people
// read them; what goes back to the game, such as [Choice.Value] or [Action.Name], comes as the rules
// write it.
//
// The package knows neither the engine nor how pages are drawn. Package live fills the views from
// real games, package storytest from made-up ones.
package view
