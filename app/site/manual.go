package site

import (
	"io/fs"

	"peernomic/docs"
)

// pathManual is where the pages for authors of rules are. They are asked for without the hash of their
// content, as they belong to no version in particular.
const pathManual = "/web/manual/"

// addManual makes the files of the manual.
func addManual(files map[string]*file) error {
	names, err := fs.Glob(docs.Pages, "*.md")
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := docs.Pages.ReadFile(name)
		if err != nil {
			return err
		}
		files[pathManual+name] = newFile("text/markdown; charset=utf-8", text)
	}
	return nil
}
