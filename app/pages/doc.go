// Package pages is the app that people see: pages drawn with go-app from the views of package view.
//
// There is one go-app component, the root. It opens the game that the address names, loads the page
// and draws it with what surrounds every page: masthead, navigation, and the rail with the state of
// the game. Pages are plain structs that know nothing of the root, see [frame.Page].
//
// To add a page of a game: write what it shows and the interface that serves it in package view, and
// fill it in package live and, with made-up data, in package storytest; write the page here, name it in
// makePage and, if the navigation shows it, in navItems; and say in everyPage, in its test, what a person
// must be able to read on it.
//
// A page asks for its view off the UI goroutine, keeps it, and draws it. What a person does goes back
// through the [frame.Frame].
package pages
