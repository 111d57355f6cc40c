package dice

import (
	"encoding/binary"
	"math/bits"

	"peernomic/engine/wire"
)

// Labels of the hashes, see SPEC.md.
const (
	SeedLabel   = "peernomic/roll/v1"
	TimerLabel  = "peernomic/timer/v1"
	StreamLabel = "peernomic/stream/v1"
)

// Seed returns the seed of the rolls of one action in the mode beacon: game and action are their
// ids, device is the link that the action carries, and seal the link of the seal that places it.
func Seed(game, action [32]byte, device, seal wire.Link) [32]byte {
	return WitnessedSeed(game, action, device, seal, 0, nil)
}

// WitnessedSeed returns the seed of the rolls of one action in the mode witnessed(wanted), with
// the links of the witnesses that came, in the order in which they were asked. With 0 wanted it is
// [Seed].
func WitnessedSeed(game, action [32]byte, device, seal wire.Link, wanted uint64, witnesses []wire.Link) [32]byte {
	parts := [][]byte{game[:], action[:], device[:], seal[:]}
	if wanted > 0 {
		parts = append(parts, []byte{byte(wanted)})
	}
	for i := range witnesses {
		parts = append(parts, witnesses[i][:])
	}
	return wire.Digest(SeedLabel, parts...)
}

// TimerSeed returns the seed of the rolls of a timer, from the timer's name in its game and the
// link of the first seal at or after its time. No player contributes to it.
func TimerSeed(game, timer [32]byte, seal wire.Link) [32]byte {
	return wire.Digest(TimerLabel, game[:], timer[:], seal[:])
}

// Stream turns a seed into dice, in order. Make it with [NewStream]. Not safe for concurrent
// use.
type Stream struct {
	seed  [32]byte
	block uint64 // the next block's number
	words [4]uint64
	left  int // words not yet taken
	taken uint64
}

// NewStream returns the stream of a seed, at its beginning.
func NewStream(seed [32]byte) *Stream { return &Stream{seed: seed} }

// Roll returns the next die: 1 to sides, each as likely as the others. A die without
// sides gives 0 and takes nothing from the stream.
func (s *Stream) Roll(sides uint64) uint64 {
	if sides == 0 {
		return 0
	}
	for {
		if v, ok := fold(s.word(), sides); ok {
			return v
		}
	}
}

// Taken returns how many words the stream has given so far, rejected ones included.
func (s *Stream) Taken() uint64 { return s.taken }

// fold maps a word to 1..sides. It rejects words at or above the largest multiple of sides, which
// would make low numbers likelier.
func fold(word, sides uint64) (uint64, bool) {
	_, over := bits.Div64(1%sides, 0, sides) // 2^64 mod sides
	if over != 0 && word >= -over {
		return 0, false
	}
	return 1 + word%sides, true
}

func (s *Stream) word() uint64 {
	if s.left == 0 {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], s.block)
		b := wire.Digest(StreamLabel, s.seed[:], n[:])
		for i := range s.words {
			s.words[i] = binary.BigEndian.Uint64(b[8*i:])
		}
		s.block++
		s.left = len(s.words)
	}
	w := s.words[len(s.words)-s.left]
	s.left--
	s.taken++
	return w
}
