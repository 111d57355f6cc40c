package view

// Limits of what is typed before there are rules that could state them, in characters.
const (
	NameLimit  = 40  // a person's name
	TitleLimit = 80  // a game's name
	WhyLimit   = 300 // the reason for a convention
)
