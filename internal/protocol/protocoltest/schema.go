package protocoltest

import (
	"encoding/json"

	"pgregory.net/rapid"
)

// Schema generates values of a schema member: JSON Schemas with the keywords of Draft
// 2020-12, nested at most depth deep.
func Schema(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		if rapid.IntRange(0, 7).Draw(t, "boolean schema?") == 0 {
			return rapid.Bool().Draw(t, "boolean schema")
		}
		schema := map[string]any{}
		for range rapid.IntRange(0, 4).Draw(t, "keywords") {
			keyword := rapid.SampledFrom(keywords(depth)).Draw(t, "keyword")
			schema[keyword] = keywordValue(t, keyword, depth)
		}
		return schema
	})
}

// keywords lists the keywords of a schema; those that hold schemas only above depth 0.
func keywords(depth int) []string {
	all := []string{
		"$schema", "$id", "$ref", "$dynamicRef", "$anchor", "$dynamicAnchor", "$vocabulary", "$comment",
		"title", "description", "default", "deprecated", "readOnly", "writeOnly", "examples",
		"type", "enum", "const", "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum",
		"maxLength", "minLength", "pattern", "format", "contentEncoding", "contentMediaType",
		"maxItems", "minItems", "uniqueItems", "maxContains", "minContains", "maxProperties", "minProperties",
		"required", "dependentRequired", "x-unknown", "nullable",
	}
	if depth > 0 {
		all = append(all,
			"$defs", "definitions", "properties", "patternProperties", "dependentSchemas",
			"prefixItems", "allOf", "anyOf", "oneOf", "items", "contains", "additionalProperties", "propertyNames",
			"unevaluatedItems", "unevaluatedProperties", "not", "if", "then", "else", "contentSchema")
	}
	return all
}

func keywordValue(t *rapid.T, keyword string, depth int) any {
	names := rapid.Map(rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "é", ""}), 0, 3, rapid.ID), toAnySlice)
	switch keyword {
	case "$schema":
		return "https://json-schema.org/draft/2020-12/schema"
	case "$ref", "$dynamicRef":
		return oneOf(t, "#", "#/$defs/a", "#anchor", "#/properties/%C3%A9")
	case "$anchor", "$dynamicAnchor":
		return oneOf(t, "a", "_x.y-1")
	case "$vocabulary":
		return map[string]any{"https://example.com/vocabulary": rapid.Bool().Draw(t, "needed")}
	case "$id", "$comment", "title", "description", "pattern", "format", "contentEncoding", "contentMediaType":
		return oneOf(t, "", "text", "^(?!x)[a-z", "é")
	case "deprecated", "readOnly", "writeOnly", "uniqueItems":
		return rapid.Bool().Draw(t, keyword)
	case "type":
		all := []string{"null", "boolean", "object", "array", "number", "string", "integer"}
		if rapid.Bool().Draw(t, "one type?") {
			return oneOf(t, all...)
		}
		return toAnySlice(rapid.SliceOfNDistinct(rapid.SampledFrom(all), 1, 3, rapid.ID).Draw(t, "types"))
	case "enum", "examples":
		return rapid.SliceOfN(Value(1), 0, 3).Draw(t, keyword)
	case "multipleOf":
		return json.Number(oneOf(t, "1", "0.1", "1e-400", "12345678901234567890.5"))
	case "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum":
		return Number().Draw(t, keyword)
	case "maxLength", "minLength", "maxItems", "minItems", "maxContains", "minContains", "maxProperties", "minProperties":
		return json.Number(oneOf(t, "0", "-0", "1", "2.0", "1e2", "18446744073709551616"))
	case "required":
		return names.Draw(t, keyword)
	case "dependentRequired":
		return map[string]any{oneOf(t, "a", "a/b"): names.Draw(t, keyword)}
	case "default", "const", "x-unknown", "nullable":
		return Value(2).Draw(t, keyword)
	case "$defs", "definitions", "properties", "patternProperties", "dependentSchemas":
		return rapid.Map(rapid.MapOfN(rapid.SampledFrom([]string{"a", "type", "$ref", "a/b~c", "", "^x"}), Schema(depth-1), 0, 3), toAny[map[string]any]).Draw(t, keyword)
	case "prefixItems", "allOf", "anyOf", "oneOf":
		return rapid.SliceOfN(Schema(depth-1), 1, 3).Draw(t, keyword)
	default:
		return Schema(depth-1).Draw(t, keyword)
	}
}
