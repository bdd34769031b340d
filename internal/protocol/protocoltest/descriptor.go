package protocoltest

import (
	"encoding/json"
	"strconv"

	"pgregory.net/rapid"
)

// Doc is a generated document and what is known about it.
type Doc struct {
	// JSON is the document as somebody might send it: in any order of members, with any
	// space and escapes.
	JSON []byte
	// Tree is its value: map[string]any, []any, string, bool, json.Number and nil.
	Tree map[string]any
}

// Text returns the text of a member at the top, such as "id".
func (d Doc) Text(member string) string {
	s, _ := d.Tree[member].(string)
	return s
}

// GoString shows the document where a failed property lists what was drawn.
func (d Doc) GoString() string { return string(d.JSON) }

// Pin fixes a member of a generated document.
type Pin struct {
	Member string
	Value  any
}

// With is the pin of a member at the top, such as "id" or "access".
func With(member string, value any) Pin { return Pin{Member: member, Value: value} }

// Descriptor generates valid descriptors: all the optional members, members that the
// protocol does not name at every level, hard text, numbers of any length, newer MINOR
// versions.
func Descriptor(pins ...Pin) *rapid.Generator[Doc] {
	return rapid.Custom(func(t *rapid.T) Doc {
		tree := descriptorTree(t)
		for _, pin := range pins {
			tree[pin.Member] = pin.Value
		}
		return Doc{JSON: Render(t, tree), Tree: tree}
	})
}

func descriptorTree(t *rapid.T) map[string]any {
	o := object{t: t, members: map[string]any{
		"protocol":        protocolTree(t),
		"id":              ID().Draw(t, "id"),
		"name":            Line(200).Draw(t, "name"),
		"version":         Version().Draw(t, "version"),
		"capability_type": oneOf(t, "plugin", "api", "knowledge", "task"),
		"description":     Text(10000).Draw(t, "description"),
		"provider":        providerTree(t),
		"endpoint":        endpointTree(t),
		"inputs":          inputsTree(t),
		"output":          outputTree(t),
		"auth":            authTree(t),
		"access":          oneOf(t, "public", "restricted", "private"),
	}}
	o.maybe("tags", func() any { return toAnySlice(rapid.SliceOfN(Line(100), 0, 5).Draw(t, "tags")) })
	o.maybe("documentation_url", func() any { return URL().Draw(t, "documentation_url") })
	o.maybe("created_at", func() any { return Time().Draw(t, "created_at") })
	o.maybe("updated_at", func() any { return Time().Draw(t, "updated_at") })
	return o.unknown()
}

func protocolTree(t *rapid.T) map[string]any {
	o := object{t: t, members: map[string]any{"version": ProtocolVersion().Draw(t, "protocol version")}}
	o.maybe("changelog_url", func() any { return URL().Draw(t, "changelog_url") })
	return o.unknown()
}

func providerTree(t *rapid.T) map[string]any {
	o := object{t: t, members: map[string]any{"name": Line(200).Draw(t, "provider name")}}
	o.maybe("url", func() any { return URL().Draw(t, "provider url") })
	return o.unknown()
}

func endpointTree(t *rapid.T) map[string]any {
	o := object{t: t, members: map[string]any{"url": URL().Draw(t, "endpoint url")}}
	o.maybe("method", func() any { return oneOf(t, "GET", "POST", "PUT", "PATCH", "DELETE", "M-SEARCH") })
	o.maybe("content_type", func() any { return mediaType(t) })
	o.maybe("status_url", func() any {
		return oneOf(t, "https://example.com/{execution_id}", "http://[::1]:1/?e={execution_id}&x")
	})
	o.maybe("result_url", func() any { return "https://example.com/r/{execution_id}#{execution_id}" })
	return o.unknown()
}

func inputsTree(t *rapid.T) []any {
	inputs := []any{}
	for i := range rapid.IntRange(0, 4).Draw(t, "inputs") {
		inputs = append(inputs, parameterTree(t, i))
	}
	return inputs
}

func parameterTree(t *rapid.T, i int) map[string]any {
	valueType := oneOf(t, valueTypes()...)
	o := object{t: t, members: map[string]any{
		"name": strconv.Itoa(i) + Line(190).Draw(t, "parameter name"),
		"type": valueType,
	}}
	o.maybe("description", func() any { return oneOf(t, "", "What it means.\nIn two lines.") })
	o.maybe("required", func() any { return rapid.Bool().Draw(t, "required") })
	o.maybe("schema", func() any { return Schema(3).Draw(t, "schema") })
	value := typedValue(valueType)
	o.maybe("enum", func() any { return rapid.SliceOfN(value, 1, 4).Draw(t, "enum") })
	o.maybe("default", func() any {
		if enum, ok := o.members["enum"].([]any); ok {
			return rapid.SampledFrom(enum).Draw(t, "default from enum")
		}
		return value.Draw(t, "default")
	})
	return o.unknown()
}

func outputTree(t *rapid.T) map[string]any {
	o := object{t: t, members: map[string]any{"type": oneOf(t, valueTypes()...)}}
	o.maybe("description", func() any { return oneOf(t, "", "What comes back.") })
	o.maybe("content_type", func() any { return mediaType(t) })
	o.maybe("schema", func() any { return Schema(3).Draw(t, "schema") })
	return o.unknown()
}

func authTree(t *rapid.T) map[string]any {
	authType := oneOf(t, "api_key", "oauth2", "custom", "none")
	o := object{t: t, members: map[string]any{"type": authType}}
	o.maybe("description", func() any { return oneOf(t, "", "Ask us.") })
	o.maybe("header", func() any { return oneOf(t, "X-API-Key", "authorization", "x~!#$%&'*+.^_`|") })
	oauth2 := func() any {
		p := object{t: t, members: map[string]any{
			"authorization_url": URL().Draw(t, "authorization_url"),
			"token_url":         URL().Draw(t, "token_url"),
			"scopes":            scopesTree(t),
		}}
		return p.unknown()
	}
	if authType == "oauth2" {
		o.members["oauth2"] = oauth2()
	} else {
		o.maybe("oauth2", oauth2)
	}
	return o.unknown()
}

func scopesTree(t *rapid.T) map[string]any {
	scopes := map[string]any{}
	for range rapid.IntRange(0, 3).Draw(t, "scopes") {
		scopes[oneOf(t, "read:all", "read/all~x", "", "é", "a b", "__proto__")] = oneOf(t, "", "Read everything.")
	}
	return scopes
}

func mediaType(t *rapid.T) string {
	return oneOf(t, "application/json", "text/plain; charset=utf-8", "application/vnd.example+json;v=\"1 2\"")
}

func valueTypes() []string {
	return []string{"string", "number", "integer", "boolean", "object", "array"}
}

// typedValue generates values of a parameter's type.
func typedValue(valueType string) *rapid.Generator[any] {
	switch valueType {
	case "string":
		return rapid.Map(rapid.String(), toAny[string])
	case "number":
		return rapid.Map(Number(), toAny[json.Number])
	case "integer":
		return rapid.Map(Integer(), toAny[json.Number])
	case "boolean":
		return rapid.Map(rapid.Bool(), toAny[bool])
	case "array":
		return rapid.Map(rapid.SliceOfN(Value(1), 0, 3), toAny[[]any])
	default:
		return rapid.Map(rapid.MapOfN(rapid.String(), Value(1), 0, 3), toAny[map[string]any])
	}
}

// object builds one object of a document.
type object struct {
	t       *rapid.T
	members map[string]any
}

// maybe adds an optional member, or not.
func (o object) maybe(name string, value func() any) {
	if rapid.Bool().Draw(o.t, name+"?") {
		o.members[name] = value()
	}
}

// unknown adds members that the protocol does not name, and returns the whole.
func (o object) unknown() map[string]any {
	if rapid.IntRange(0, 3).Draw(o.t, "unknown members?") == 0 {
		for range rapid.IntRange(1, 3).Draw(o.t, "unknown members") {
			name := rapid.OneOf(
				rapid.SampledFrom([]string{"x_vendor", "", "a/b", "m~n", "__proto__", "constructor", "é", "\x00", "😀", "Type", "ID"}),
				rapid.Map(rapid.String(), func(s string) string { return "x-" + s }),
			).Draw(o.t, "unknown name")
			o.members[name] = Value(2).Draw(o.t, "unknown value")
		}
	}
	return o.members
}

func oneOf(t *rapid.T, values ...string) string {
	return rapid.SampledFrom(values).Draw(t, "choice")
}

func toAnySlice(strings []string) []any {
	all := make([]any, len(strings))
	for i, s := range strings {
		all[i] = s
	}
	return all
}
