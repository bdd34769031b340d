package protocol

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// Canonicalize reads data as strict JSON and returns its canonical form: RFC 8785 order
// of members, no insignificant space, the shortest form of every string, and every
// number with the digits that it was written with. data is not changed. The error is a
// *SyntaxError: how many values there are does not matter here.
func Canonicalize(data []byte, limits Limits) ([]byte, error) {
	_, err := readStrict(data, limits)
	if _, tooMany := errors.AsType[*ValidationError](err); err != nil && !tooMany {
		return nil, err
	}
	return canonical(data)
}

// canonical returns the canonical form of data, which is known to be strict JSON.
func canonical(data []byte) ([]byte, error) {
	// Value.Canonicalize would round numbers, as RFC 8785 has it.
	value := jsontext.Value(bytes.Clone(data))
	err := value.Format(
		jsontext.ReorderRawObjects(true),
		jsontext.PreserveRawStrings(false),
		jsontext.CanonicalizeRawInts(false),
		jsontext.CanonicalizeRawFloats(false),
	)
	if err != nil {
		return nil, fmt.Errorf("writing the canonical form: %w", err)
	}
	return value, nil
}

// Digest returns the digest of canonical bytes: "sha256:" and 64 hexadecimal digits.
func Digest(canonical []byte) string {
	sum := sha256.Sum256(canonical)
	return "sha256:" + hex.EncodeToString(sum[:])
}
