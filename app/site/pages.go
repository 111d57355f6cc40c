package site

import "strings"

// The addresses of the app's own pages. All of them are one page of the server's: the app looks at the
// address and shows what is meant. The worker does the same without the server.
var (
	pageNames    = []string{"/", "/found", "/join", "/import", "/verify"}
	pagePrefixes = []string{"/g/", "/stories/"}
)

func isPage(path string) bool {
	for _, name := range pageNames {
		if path == name {
			return true
		}
	}
	for _, prefix := range pagePrefixes {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}
