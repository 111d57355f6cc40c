package direct

import (
	"bytes"
	"crypto/sha256"
	"slices"
)

const (
	// fullMesh is up to how many members everyone links to everyone.
	fullMesh = 8
	// keep is how many links each keeps beyond that: to so many neighbours on
	// either side of a ring, half of them each way.
	keep = 6
	// maxLinks is how many links a member accepts while others have another
	// idea of who is there.
	maxLinks = 12
)

// neighbours returns the members to link to. All who know the same members choose
// alike, so a link that one wants the other wants too, and the links hold all
// members together: they stand on a ring in the order of their hashes, and each
// links to the nearest on either side.
func neighbours(self Instance, others []Instance) []Instance {
	if len(others) < fullMesh {
		return others
	}
	ring := append(slices.Clone(others), self)
	slices.SortFunc(ring, func(a, b Instance) int {
		ha, hb := sha256.Sum256(a[:]), sha256.Sum256(b[:])
		return bytes.Compare(ha[:], hb[:])
	})
	at := slices.Index(ring, self)
	chosen := make([]Instance, 0, keep)
	for i := 1; i <= keep/2; i++ {
		chosen = append(chosen, ring[(at+i)%len(ring)], ring[(at-i+len(ring))%len(ring)])
	}
	return chosen
}
