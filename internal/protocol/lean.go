package protocol

import (
	"encoding/json"
	"fmt"
	"strings"
)

// leanSchema returns a schema that accepts exactly what the given one does, but without
// the words for people, so that it can't say what belongs in place of what it refuses,
// and with what is referred to in place of the references. It is validated against in half
// the time.
func leanSchema(schema []byte) ([]byte, error) {
	var root struct {
		ID          string         `json:"$id"`
		Definitions map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(schema, &root); err != nil {
		return nil, fmt.Errorf("reading the schema: %w", err)
	}
	lean := make(map[string]any)
	for name, definition := range root.Definitions {
		lean[name] = leanNode(definition, root.Definitions)
	}
	return json.Marshal(map[string]any{"$id": root.ID, "$defs": lean})
}

// leanNode returns a node of a schema that has the definitions.
func leanNode(node any, definitions map[string]any) any {
	members, ok := node.(map[string]any)
	if !ok {
		return node // true or false
	}
	lean := make(map[string]any)
	for keyword, value := range members {
		switch keyword {
		case "title", "description", "default":
		case "properties":
			properties := make(map[string]any)
			for name, property := range value.(map[string]any) {
				properties[name] = leanNode(property, definitions)
			}
			lean[keyword] = properties
		case "allOf":
			var all []any
			for _, each := range value.([]any) {
				all = append(all, leanNode(each, definitions))
			}
			lean[keyword] = all
		case "items", "additionalProperties", "not", "if", "then", "else":
			lean[keyword] = leanNode(value, definitions)
		default:
			lean[keyword] = value
		}
	}
	ref, _ := lean["$ref"].(string)
	definition, ok := definitions[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
	// One that has definitions of its own is the vocabulary, which refers to itself.
	if ok && len(lean) == 1 && definition["$defs"] == nil {
		return leanNode(definition, definitions)
	}
	return lean
}
