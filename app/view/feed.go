package view

import "context"

// FeedReader serves the feed.
type FeedReader interface {
	Feed(ctx context.Context) (*Feed, error)
}

// Feed is the game's journal of posts.
type Feed struct {
	Posts      []Post
	Post       *Action  // writes a post
	Comment    *Action  // comments on one
	Edit       *Action  // alters one that says CanEdit
	Remove     *Action  // takes one back that says CanRemove
	Categories []string // that a post can be written in
}

// Post is one entry of the feed.
type Post struct {
	ID                             int64
	Category, Title, Body, Author  string
	AuthorID, Time, Edited         int64
	Official, Mine, Matter         bool
	Status, Outcome                string // Outcome: open, passed, failed, or empty
	Comments                       []Comment
	Tentative                      bool
	Waits                          string
	CanComment, CanEdit, CanRemove bool
	Fingerprint                    string // of the text as it reads now
	Note                           string // what an admin added
	Flavour                        string // goes with the text and is no part of it
}

// Comment is one comment with or without a vote icon.
type Comment struct {
	ID                   int64
	Author, Text         string
	AuthorID, Time       int64
	Icon, Glyph          string     // the last of its icons
	Before               []VoteIcon // the others, in their order
	Stale, Tentative, Me bool
	Waits                string
}
