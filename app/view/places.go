package view

// Place is something that can be gone to by its name.
type Place struct {
	Kind, Title, Hint, Href string
	Shut                    bool // something to do that is not open now
}
