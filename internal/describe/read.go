package describe

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// The bounds of a document, so that a small one can't ask for much memory or time.
const (
	// MaxDocument is how many bytes a document has at most.
	MaxDocument = 10 << 20
	maxDepth    = 200
	// maxValues counts the values of a YAML document with its aliases put in place.
	maxValues = 1_000_000
)

// read reads JSON, where the first character is that of an object or a list, or YAML.
// Objects come back as map[string]any, lists as []any and numbers as json.Number.
func read(data []byte) (any, error) {
	if len(data) > MaxDocument {
		return nil, &DocumentError{Reason: fmt.Sprintf("it is larger than %d MiB", MaxDocument>>20)}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	trimmed := bytes.TrimLeft(data, " \t\r\n")
	if len(trimmed) == 0 {
		return nil, &DocumentError{Reason: "it is empty"}
	}
	if trimmed[0] == '{' || trimmed[0] == '[' {
		return readJSON(data)
	}
	return readYAML(data)
}

func readJSON(data []byte) (any, error) {
	canonical, err := protocol.Canonicalize(data, protocol.Limits{MaxDepth: maxDepth})
	if err != nil {
		return nil, err
	}
	dec := stdjson.NewDecoder(bytes.NewReader(canonical))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		return nil, fmt.Errorf("reading strict JSON: %w", err)
	}
	return value, nil
}
