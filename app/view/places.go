package view

// Destination is something in the game that can be gone to by its name.
type Destination struct {
	Kind, Title, Hint, Href string
	Shut                    bool // something to do that is not open now
}
