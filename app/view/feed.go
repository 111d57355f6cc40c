package view

import "context"

// FeedReader serves the feed.
type FeedReader interface {
	// Feed returns all posts, newest first.
	Feed(ctx context.Context) (*Feed, error)
}

// Feed is the game's journal of posts.
type Feed struct {
	Posts   []Post
	Post    *Action // writes a post
	Comment *Action // comments on one
	Edit    *Action // alters one that says CanEdit
	Remove  *Action // takes one back that says CanRemove
}

// Post is one entry of the feed.
type Post struct {
	ID                             int64
	Category, Title, Body, Author  string
	Time, Edited                   int64
	Mine, Matter                   bool
	Status, Outcome                string // Outcome: open, passed, failed, or empty
	Comments                       []Comment
	Tentative                      bool
	Waits                          string
	CanComment, CanEdit, CanRemove bool
	Fingerprint                    string // of the text as it reads now
	Flavour                        string // goes with the text and is no part of it
}

// Comment is one comment with or without a vote icon.
type Comment struct {
	Author, Text     string
	Time             int64
	Icon, Glyph      string     // the last of its icons
	Before           []VoteIcon // the others, in their order
	Stale, Tentative bool
	Waits            string
}
