// Package wiretest holds test vectors for whoever judges signatures: engine/wire itself, and
// programs that leave the arithmetic to the platform. It also holds specifications to their vectors. It is for
// tests.
package wiretest

import (
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"peernomic/engine/wire"
)

// File is signatures.json: the edge cases of Ed25519, see clause 1.5 of engine/ledger/SPEC.md.
//
//go:embed signatures.json
var File []byte

// Vector is a claim with its one verdict.
type Vector struct {
	Name   string
	Claim  wire.Claim
	Valid  bool // the key
	Formed bool // the signature
	Good   bool
	// Which equations hold for it, whatever is said of key and form: what libraries disagree
	// about.
	Plain, Cofactor bool
}

// Signatures returns the vectors.
func Signatures() ([]Vector, error) {
	var raw []struct {
		Name, Key, Message, Signature        string
		Valid, Formed, Good, Plain, Cofactor bool
	}
	if err := json.Unmarshal(File, &raw); err != nil {
		return nil, err
	}
	var out []Vector
	for _, r := range raw {
		key, err := hex.DecodeString(r.Key)
		if err != nil || len(key) != 32 {
			return nil, fmt.Errorf("%s: key %q", r.Name, r.Key)
		}
		v := Vector{Name: r.Name, Valid: r.Valid, Formed: r.Formed, Good: r.Good, Plain: r.Plain, Cofactor: r.Cofactor}
		v.Claim.Key = [32]byte(key)
		if v.Claim.Message, err = hex.DecodeString(r.Message); err != nil {
			return nil, fmt.Errorf("%s: %w", r.Name, err)
		}
		if v.Claim.Signature, err = hex.DecodeString(r.Signature); err != nil {
			return nil, fmt.Errorf("%s: %w", r.Name, err)
		}
		out = append(out, v)
	}
	return out, nil
}
