// Package dice rolls dice that nobody can choose and everybody can check.
//
// Every device and every notary publishes the anchor of a hash chain before anything is rolled.
// An action that rolls carries its device's next link; the seal that places it carries the
// notary's next link. The seed of the roll is a hash of both, of the game and of the action.
// The roller was bound before the notary revealed its link, and the notary before the roller acted:
//
//	seed = Digest("peernomic/roll/v1", game, action, device's link, seal's link)
//
// A [Stream] turns the seed into as many dice as the action needs. A [Transcript] holds the
// rolls of one action, and everything that anybody needs to check them: see
// [VerifyTranscript].
//
// SPEC.md specifies this to the byte. It also lists the cheats that remain for a dishonest
// roller, notary or player. testdata holds valid and invalid vectors for every clause.
package dice
