// Package live fills the pages' views from real games: it stands between package
// client, which keeps and exchanges games, and package pages, which draws them.
//
// Views are made on the owner goroutine of their game and hold copies only.
package live
