package protocol

import (
	stdjson "encoding/json"
	"maps"
	"slices"
)

// equalJSON reports whether two values, as readStrict gives them, are equal as JSON has
// it: numbers by value, objects whatever the order of their members.
func equalJSON(a, b any) bool {
	switch a := a.(type) {
	case stdjson.Number:
		b, ok := b.(stdjson.Number)
		return ok && parseDecimal(a) == parseDecimal(b)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equalJSON)
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, equalJSON)
	default:
		return a == b
	}
}

// hasType reports whether a value is of the given JSON Schema type.
func hasType(value any, name string) bool {
	switch v := value.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case stdjson.Number:
		return name == "number" || name == "integer" && parseDecimal(v).isInteger()
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	}
	return false
}
