package ui

// Limits of what is typed before there are rules that could state them, in characters.
const (
	nameLimit  = 40 // a person's name
	titleLimit = 80 // a game's name
)
