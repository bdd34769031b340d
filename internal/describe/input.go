package describe

import (
	"reflect"
	"slices"
)

// maxEnum is how many values the enum of an input has at most.
const maxEnum = 1000

// The members of an input that say where in a request its value goes. A descriptor keeps
// members that the protocol does not name.
const (
	inPath   = "path"
	inQuery  = "query"
	inHeader = "header"
	// inBody: a member of the JSON object, or a field of the form, that is the body.
	inBody = "body"
	// inWholeBody: the body is this value.
	inWholeBody = "entire_body"
)

// input makes a parameter definition of a converted schema, which it may change. What a
// definition says itself is not said again in its schema.
func input(name, in, valueType, description string, required bool, schema any) map[string]any {
	p := map[string]any{"name": name, "in": in, "type": valueType}
	if required {
		p["required"] = true
	}
	s, _ := schema.(map[string]any)
	if said, ok := s["description"].(string); ok && (description == "" || description == said) {
		if said, cut := text(said); !cut {
			description = said
			delete(s, "description")
		}
	}
	put(p, "description", description)
	lift(p, s, valueType)
	if len(s) > 0 && !(len(s) == 1 && s["type"] == valueType) {
		p["schema"] = s
	}
	return p
}

// lift takes enum and default out of a schema where a parameter definition can have them.
func lift(p, s map[string]any, valueType string) {
	enum, choice := s["enum"].([]any)
	if choice {
		fits := 0 < len(enum) && len(enum) <= maxEnum
		fits = fits && !slices.ContainsFunc(enum, func(v any) bool { return !isOf(v, valueType) })
		if !fits {
			return
		}
	}
	byDefault, given := s["default"]
	if given && isOf(byDefault, valueType) &&
		(!choice || slices.ContainsFunc(enum, func(v any) bool { return reflect.DeepEqual(v, byDefault) })) {
		p["default"] = byDefault
		delete(s, "default")
	}
	if choice {
		p["enum"] = enum
		delete(s, "enum")
	}
}
