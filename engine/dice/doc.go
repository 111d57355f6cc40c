// Package dice rolls dice that nobody can choose and everybody can check.
//
// Every device and every notary publishes the anchor of a hash chain before anything is rolled.
// An action that rolls carries its device's next link; the seal that places it carries the
// notary's next link. The seed of the roll is a hash of both, of the game and of the action,
// so the roller was bound before the notary revealed, and the notary before the roller chose:
//
//	seed = Digest("peernomic/roll/v1", game, action, device's link, seal's link)
//
// A [Stream] turns the seed into as many dice as the action needs. A [Transcript] holds
// one action's rolls with all that a stranger needs to check them alone, see
// [VerifyTranscript].
//
// SPEC.md specifies all of it to the byte and says what a dishonest roller, notary or player
// could still do; testdata holds vectors for every clause, right ones and wrong ones.
package dice
