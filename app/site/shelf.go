package site

import (
	"context"

	"peernomic/app/shelf"
	"peernomic/engine/wire"
)

const (
	pathShelf = "/web/rulesets/"
	pathIndex = pathShelf + "index.cbor"

	typeCBOR = "application/cbor"
)

// addRulesets makes the files from which a page founds games; see package shelf.
func addRulesets(files map[string]*file) error {
	ctx := context.Background()
	sets, err := shelf.Embedded{}.Sets(ctx)
	if err != nil {
		return err
	}
	for n, set := range sets {
		docs, err := shelf.Embedded{}.Documents(ctx, set.Name)
		if err != nil {
			return err
		}
		text, err := wire.Encode(docs)
		if err != nil {
			return err
		}
		path := pathShelf + set.Name + ".cbor"
		files[path] = newFile(typeCBOR, text)
		sets[n].File = files[path].address(path)
	}
	index, err := wire.Encode(sets)
	if err != nil {
		return err
	}
	files[pathIndex] = newFile(typeCBOR, index)
	return nil
}
