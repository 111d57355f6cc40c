package wire

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/fxamacker/cbor/v2"
)

// ErrNotCanonical reports bytes that decode but do not encode to themselves.
var ErrNotCanonical = errors.New("not in canonical form")

var (
	encMode = mustMode(encOptions().EncMode())
	decMode = mustMode(cbor.DecOptions{
		DupMapKey:         cbor.DupMapKeyEnforcedAPF,
		IndefLength:       cbor.IndefLengthForbidden,
		TagsMd:            cbor.TagsAllowed,
		ExtraReturnErrors: cbor.ExtraDecErrorUnknownField,
		MaxNestedLevels:   MaxNesting,
		MaxArrayElements:  MaxElements,
		MaxMapPairs:       MaxElements,
		UTF8:              cbor.UTF8RejectInvalid,
	}.DecMode())
)

// encOptions writes absent lists and maps as empty ones, so that there is one way
// to say "none".
func encOptions() cbor.EncOptions {
	o := cbor.CoreDetEncOptions()
	o.NilContainers = cbor.NilContainerAsEmpty
	return o
}

func mustMode[M any](m M, err error) M {
	if err != nil {
		panic(err) // the options above are constants
	}
	return m
}

// Encode returns the one encoding of v: CBOR, core deterministic (RFC 8949,
// section 4.2.1). It fails only for Go types that CBOR cannot hold.
func Encode(v any) ([]byte, error) {
	return encMode.Marshal(v)
}

// Decode reads exactly one value of CBOR into v and accepts only its one
// encoding: bytes that v would not encode to are refused with [ErrNotCanonical].
func Decode(data []byte, v any) error {
	if err := decMode.Unmarshal(data, v); err != nil {
		return fmt.Errorf("decode: %w", err)
	}
	again, err := encMode.Marshal(v)
	if err != nil {
		return fmt.Errorf("decode: %w", err)
	}
	if !bytes.Equal(again, data) {
		return ErrNotCanonical
	}
	return nil
}
