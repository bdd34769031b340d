package compatibility_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	oracle "github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/compatibility"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// drawSchema draws a JSON Schema over few names and small numbers, so that schemas and
// values meet often.
func drawSchema(t *rapid.T, depth int) any {
	if rapid.IntRange(0, 20).Draw(t, "boolean schema") == 0 {
		return rapid.Bool().Draw(t, "schema")
	}
	s := map[string]any{}
	maybe := func(keyword string, value func() any) {
		if rapid.IntRange(0, 3).Draw(t, "whether "+keyword) == 0 {
			s[keyword] = value()
		}
	}
	small := func() any { return rapid.IntRange(0, 3).Draw(t, "number") }
	types := []string{"string", "integer", "number", "boolean", "object", "array", "null"}
	if rapid.Bool().Draw(t, "whether type") {
		if rapid.Bool().Draw(t, "one type") {
			s["type"] = rapid.SampledFrom(types).Draw(t, "type")
		} else {
			s["type"] = rapid.SliceOfNDistinct(rapid.SampledFrom(types), 1, 4, rapid.ID).Draw(t, "types")
		}
	}
	maybe("enum", func() any {
		return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) any { return drawValue(t, 1) }), 1, 4).Draw(t, "enum")
	})
	maybe("const", func() any { return drawValue(t, 1) })
	for _, keyword := range []string{
		"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength",
		"minItems", "maxItems", "minProperties", "maxProperties",
	} {
		maybe(keyword, small)
	}
	maybe("multipleOf", func() any { return rapid.SampledFrom([]any{0.5, 1, 2, 3}).Draw(t, "multipleOf") })
	maybe("pattern", func() any { return rapid.SampledFrom([]string{"a", "^b"}).Draw(t, "pattern") })
	maybe("uniqueItems", func() any { return rapid.Bool().Draw(t, "uniqueItems") })
	maybe("required", func() any {
		return rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 2, rapid.ID).Draw(t, "required")
	})
	if depth > 0 {
		inner := func() any { return drawSchema(t, depth-1) }
		list := func() any {
			var all []any
			for range rapid.IntRange(1, 2).Draw(t, "schemas") {
				all = append(all, inner())
			}
			return all
		}
		maybe("items", inner)
		maybe("prefixItems", list)
		maybe("additionalProperties", inner)
		maybe("properties", func() any {
			members := map[string]any{}
			for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c"}), 1, 3, rapid.ID).Draw(t, "properties") {
				members[name] = inner()
			}
			return members
		})
		for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
			if rapid.IntRange(0, 8).Draw(t, "whether "+keyword) == 0 {
				s[keyword] = list()
			}
		}
		if rapid.IntRange(0, 8).Draw(t, "whether $ref") == 0 {
			return map[string]any{"$ref": rapid.SampledFrom([]string{"#/$defs/a", "#/$defs/b"}).Draw(t, "$ref")}
		}
	}
	return s
}

// drawRoot draws a schema that references may lead into.
func drawRoot(t *rapid.T) any {
	root := drawSchema(t, 2)
	s, ok := root.(map[string]any)
	if !ok || s["$ref"] != nil {
		s = map[string]any{"allOf": []any{root}}
	}
	s["$defs"] = map[string]any{"a": drawSchema(t, 1), "b": drawSchema(t, 0)}
	return s
}

// drawChanged draws a schema that differs from another in few places.
func drawChanged(t *rapid.T, schema any) any {
	s, ok := schema.(map[string]any)
	if !ok {
		return drawSchema(t, 0)
	}
	s = maps.Clone(s)
	keywords := slices.Sorted(maps.Keys(s))
	if len(keywords) == 0 {
		return drawSchema(t, 1)
	}
	keyword := rapid.SampledFrom(keywords).Draw(t, "changed keyword")
	switch value := s[keyword].(type) {
	case map[string]any:
		switch {
		case keyword == "properties" && len(value) == 0:
			s[keyword] = map[string]any{"a": drawSchema(t, 0)}
		case keyword == "properties" || keyword == "$defs":
			members := maps.Clone(value)
			name := rapid.SampledFrom(slices.Sorted(maps.Keys(members))).Draw(t, "changed member")
			if keyword == "properties" && rapid.IntRange(0, 3).Draw(t, "gone") == 0 {
				delete(members, name)
			} else {
				members[name] = drawChanged(t, members[name])
			}
			s[keyword] = members
		default:
			s[keyword] = drawChanged(t, value)
		}
	case int:
		s[keyword] = rapid.IntRange(1, 3).Draw(t, "another number")
	default:
		if other, ok := drawSchema(t, 1).(map[string]any); ok && other[keyword] != nil && rapid.Bool().Draw(t, "replaced") {
			s[keyword] = other[keyword]
		} else {
			delete(s, keyword)
		}
	}
	return s
}

func drawValue(t *rapid.T, depth int) any {
	kinds := 5
	if depth > 0 {
		kinds = 7
	}
	switch rapid.IntRange(0, kinds).Draw(t, "kind of value") {
	case 0:
		return nil
	case 1:
		return rapid.Bool().Draw(t, "boolean")
	case 2, 3:
		return rapid.SampledFrom([]any{0, 1, 2, 3, 4, 0.5, 1.5}).Draw(t, "number")
	case 4, 5:
		return rapid.SampledFrom([]string{"", "a", "b", "ab", "bab", "cccc"}).Draw(t, "string")
	case 6:
		all := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			all = append(all, drawValue(t, depth-1))
		}
		return all
	default:
		all := map[string]any{}
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 3, rapid.ID).Draw(t, "members") {
			all[name] = drawValue(t, depth-1)
		}
		return all
	}
}

// admits reports whether a schema admits a value, by another implementation.
func admits(t *rapid.T, schema, value any) bool {
	c := oracle.NewCompiler()
	const name = "https://example.com/schema"
	if err := c.AddResource(name, plain(t, schema)); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name)
	if err != nil {
		t.Fatalf("%v: %v", schema, err)
	}
	return s.Validate(plain(t, value)) == nil
}

// plain returns a value as JSON has it.
func plain(t *rapid.T, value any) any {
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	read, err := oracle.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// declared reports whether an object has only members that a schema declares, as callers
// are expected to give no others. Where there are several schemas for it, any will do.
func declared(root, schema, value any) bool {
	s, _ := schema.(map[string]any)
	if reference, ok := s["$ref"].(string); ok {
		return declared(root, root.(map[string]any)["$defs"].(map[string]any)[reference[len("#/$defs/"):]], value)
	}
	switch v := value.(type) {
	case map[string]any:
		members, _ := s["properties"].(map[string]any)
		for name, member := range v {
			if of, ok := members[name]; !ok || !declared(root, of, member) {
				return false
			}
		}
	case []any:
		for _, item := range v {
			if !declared(root, s["items"], item) {
				return false
			}
		}
	}
	return true
}

// A descriptor that passed keeps every promise: what callers could send is taken, and what
// they get is what they could get.
func TestWhatPassesBreaksNobody(t *testing.T) {
	t.Parallel()
	passed, held, broken := 0, 0, 0
	validator, err := protocol.NewValidator(protocol.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		protocoltest.Check(t, func(t *rapid.T) {
			before := drawRoot(t)
			after := before
			for range rapid.IntRange(1, 2).Draw(t, "changes") {
				after = drawChanged(t, after)
			}
			valueType := rapid.SampledFrom([]string{"object", "array", "integer", "number", "string"}).Draw(t, "type of the value")
			parse := func(member string, schema any) *protocol.Descriptor {
				text := fmt.Sprintf(`{"protocol":{"version":"1.0.0"},"id":"com.example.a","name":"A","version":"1.0.0","capability_type":"api",
					"description":"A","provider":{"name":"P"},"endpoint":{"url":"https://a.example"},"auth":{"type":"none"},"access":"public",%s}`,
					fmt.Sprintf(member, valueType, marshal(t, schema)))
				d, err := validator.Parse([]byte(text))
				if err != nil {
					t.Fatalf("%s: %v", text, err)
				}
				return &d.Descriptor
			}
			const input = `"inputs":[{"name":"x","type":%q,"schema":%s}],"output":{"type":"object"}`
			const output = `"inputs":[],"output":{"type":%q,"schema":%s}`
			typed := func(schema any) any {
				return map[string]any{"type": valueType, "allOf": []any{schema}, "$defs": schema.(map[string]any)["$defs"]}
			}
			values := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) any { return drawValue(t, 2) }), 20, 20).Draw(t, "values")
			for _, way := range []struct {
				what         string
				member       string
				narrow, wide any
			}{{"calls", input, before, after}, {"answers", output, after, before}} {
				if changes := compatibility.Changes(parse(way.member, before), parse(way.member, after)); len(changes) > 0 {
					broken++
					continue
				}
				passed++
				for _, v := range values {
					if !admits(t, typed(way.narrow), v) || way.what == "calls" && !declared(way.narrow, way.narrow, v) {
						continue
					}
					held++
					if !admits(t, typed(way.wide), v) {
						t.Fatalf("%s: from\n%s\nto\n%s\nbreaks nobody, and yet %s is valid before and not after", way.what, marshal(t, before), marshal(t, after), marshal(t, v))
					}
				}
			}
		})
	}
	t.Logf("%d comparisons passed, with %d values that held; %d did not pass", passed, held, broken)
	if passed < 500 || held < 500 || broken < 300 {
		t.Errorf("%d comparisons passed with %d values that held, and %d did not pass: want many of each", passed, held, broken)
	}
}

func marshal(t *rapid.T, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
