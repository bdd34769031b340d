package protocol

import (
	"bytes"
	stdjson "encoding/json"

	"github.com/go-json-experiment/json/jsontext"
)

// Tree returns JSON that is known to be valid as a tree of maps, slices, strings, booleans
// and nil, with numbers as they are written, each a json.Number of encoding/json. Where there
// is no text it is nil.
func Tree(text jsontext.Value) (value any) {
	d := stdjson.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	_ = d.Decode(&value) // nil where there is nothing
	return value
}
