package protocol

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// AppendJSON appends v as compact JSON to dst: members of a struct in its order, of a
// map by name, text unescaped as far as JSON allows. The same value always gives the
// same bytes. Text that is not UTF-8 comes out with replacement characters, so that an
// answer that quotes a caller's bytes can always be written.
func AppendJSON(dst []byte, v any) ([]byte, error) {
	data, err := json.Marshal(v, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return dst, fmt.Errorf("writing JSON: %w", err)
	}
	return append(dst, data...), nil
}

// Serialize returns the canonical bytes of d. It does not check d: what Parse accepted
// comes back as the Canonical of its Document.
func Serialize(d Descriptor) ([]byte, error) {
	data, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("serializing the descriptor: %w", err)
	}
	return canonical(data)
}
