package page

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// example returns a value that an input may have, as far as that follows from what is said
// of it, to be pasted into a terminal.
func example(p protocol.Parameter) jsontext.Value {
	var value any
	switch {
	case p.Default != nil:
		value = protocol.Tree(p.Default)
	case len(p.Enum) > 0:
		value = protocol.Tree(p.Enum[0])
	default:
		t := table{root: protocol.Tree(p.Schema)}
		if value = t.example(t.root, 0); value == nil {
			value = plain(p.Type)
		}
	}
	return jsontext.Value(inJSON(harmless(value)))
}

// plain returns a value of a type of which nothing else is known.
func plain(valueType string) any {
	return map[string]any{
		"string": "…", "number": json.Number("0"), "integer": json.Number("0"), "boolean": true,
		"object": map[string]any{}, "array": []any{},
	}[valueType]
}

// example returns a value that a schema admits, as far as it is simple; nil where that says
// nothing.
func (t *table) example(said any, depth int) any {
	schema := t.resolved(said)
	if schema == nil || depth > maxNesting {
		return nil
	}
	for _, keyword := range []string{"const", "default"} {
		if value, ok := schema[keyword]; ok {
			return value
		}
	}
	for _, keyword := range []string{"enum", "examples"} {
		if all, ok := schema[keyword].([]any); ok && len(all) > 0 {
			return all[0]
		}
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if all, ok := schema[keyword].([]any); ok && len(all) > 0 {
			return t.example(all[0], depth+1)
		}
	}
	valueType, _ := schema["type"].(string)
	if all, ok := schema["type"].([]any); ok && len(all) > 0 {
		valueType, _ = all[0].(string)
	}
	switch {
	case valueType == "object" || schema["properties"] != nil:
		return t.exampleObject(schema, depth)
	case valueType == "array":
		if item := t.example(schema["items"], depth+1); item != nil {
			return []any{item}
		}
	case valueType == "string":
		return exampleString(schema)
	}
	if least, ok := schema["minimum"].(json.Number); ok {
		return least
	}
	return plain(valueType)
}

func (t *table) exampleObject(schema map[string]any, depth int) any {
	object := make(map[string]any)
	properties, _ := schema["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(requiredOf(schema))) {
		if _, ok := properties[name]; !ok {
			continue
		}
		if object[name] = t.example(properties[name], depth+1); object[name] == nil {
			object[name] = "…"
		}
	}
	return object
}

// exampleString returns a text that has a format, where it is one of the usual.
func exampleString(schema map[string]any) string {
	format, _ := schema["format"].(string)
	if text, ok := map[string]string{
		"date": "2026-01-31", "date-time": "2026-01-31T12:00:00Z", "time": "12:00:00Z", "email": "ada@example.com",
		"uri": "https://example.com/", "url": "https://example.com/", "uuid": "123e4567-e89b-42d3-a456-426614174000",
	}[format]; ok {
		return text
	}
	return "…"
}

// harmless returns a value without control characters in its texts: a terminal that they are
// pasted into may take them for keys.
func harmless(value any) any {
	switch v := value.(type) {
	case string:
		return strings.Map(func(r rune) rune {
			if unicode.IsControl(r) {
				return ' '
			}
			return r
		}, v)
	case []any:
		for i := range v {
			v[i] = harmless(v[i])
		}
	case map[string]any:
		clean := make(map[string]any, len(v))
		for name, member := range v {
			clean[harmless(name).(string)] = harmless(member)
		}
		return clean
	}
	return value
}
