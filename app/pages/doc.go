// Package pages is the app that people see: pages drawn with go-app from the views of package view.
//
// There is one go-app component, the root. It opens the game that the address names, loads the page
// and draws it with what surrounds every page: masthead, navigation, and the rail with the state of
// the game. Pages are plain structs that know nothing of the root, see [frame.Page].
//
// A page asks for its view off the UI goroutine, keeps it, and draws it. What a person does goes back
// through the [frame.Frame].
package pages
