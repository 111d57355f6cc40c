// Package frame is what pages stand in. A [Page] draws one thing; the [Frame] around it knows where
// the person is and which game is open, takes actions, says what came of them, and keeps drafts.
//
// The app has one frame and one page at a time. Package pages holds the component that sets the
// frame's fields and decides which page is shown.
package frame
