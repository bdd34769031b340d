package describe

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) {
	flag.Parse()
	// Not by an environment that lowers it, nor by -short, which divides it by five.
	checks := "100"
	if testing.Short() {
		checks = "500"
	}
	for name, value := range map[string]string{"rapid.checks": checks, "rapid.nofailfile": "true", "rapid.shrinktime": "5s"} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// Whatever a document says, each descriptor that is made of it passes the door, everything
// that was found became one or is told to be left out, and another run gives the same.
func TestPropertyWhatIsMadeOfAnyOpenAPIDocumentPassesTheDoor(t *testing.T) {
	t.Parallel()
	validator, err := protocol.NewValidator(protocol.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	made, leftOut := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		document, err := json.Marshal(anyOpenAPI(t))
		if err != nil {
			t.Fatal(err)
		}
		describer := New(validator)
		first, err := describer.OpenAPI(document, enough())
		if err != nil {
			t.Fatalf("%s: got the error %v", document, err)
		}
		holds(t, validator, document, first)
		second, err := describer.OpenAPI(document, enough())
		if err != nil || string(summary(first)) != string(summary(second)) {
			t.Fatalf("%s: got, in two runs,\n%s\n%s", document, summary(first), summary(second))
		}
		made += len(first.Skills)
		leftOut += first.LeftOut()
	})
	if !t.Failed() && (made < 50 || leftOut < 20) {
		t.Errorf("got %d descriptors, and %d operations left out: the documents are not as they were meant", made, leftOut)
	}
}

// holds fails the test unless a result is one.
func holds(t interface{ Fatalf(string, ...any) }, validator *protocol.Validator, document []byte, result *Result) {
	for _, skill := range result.Skills {
		again, err := validator.Parse(skill.Document.Canonical)
		if err != nil || again.Digest != skill.Document.Digest {
			t.Fatalf("%s: got a descriptor that does not pass: %v\n%s", document, err, skill.Document.Canonical)
		}
	}
	whole := 0
	for _, loss := range result.Losses {
		if loss.Kind == WholeSkill {
			whole++
		}
		if loss.Text == "" || loss.Pointer != "" && loss.Pointer[0] != '/' {
			t.Fatalf("%s: got the loss %+v", document, loss)
		}
	}
	if whole != result.LeftOut() {
		t.Fatalf("%s: got %d left out, and %d losses that say so", document, result.LeftOut(), whole)
	}
}

// one draws one of a few values.
func one[T any](t *rapid.T, label string, values ...T) T {
	return rapid.SampledFrom(values).Draw(t, label)
}

// word draws text that may be odd.
func word(t *rapid.T) string {
	return one(t, "word", "a", "b", "petId", "X-Key", "", " ", "ä\x00\n", "\u202e", "{", "a/b~c", "$ref", strings.Repeat("x", 250), "日本語", "limit", "body")
}

// junk draws a value that is likely to be of the wrong type.
func junk(t *rapid.T) any {
	return one[any](t, "junk", nil, true, 1, -1.5, "text", []any{}, []any{1, "a", nil}, map[string]any{}, map[string]any{"a": 1}, json.Number("1e300"))
}

// maybe sets a member now and then, and now and then to something wrong.
func maybe(t *rapid.T, to map[string]any, name string, value func() any) {
	switch n := rapid.IntRange(0, 19).Draw(t, name); {
	case n == 0:
		to[name] = junk(t)
	case n < 13:
		to[name] = value()
	}
}

func anySchema(t *rapid.T, depth int) any {
	if depth > 3 || rapid.IntRange(0, 9).Draw(t, "kind") == 0 {
		return one[any](t, "leaf", true, false, map[string]any{}, map[string]any{"type": "string"}, map[string]any{"$ref": "#/components/schemas/A"},
			map[string]any{"$ref": "#/components/schemas/B"}, map[string]any{"$ref": "other.json"}, map[string]any{"$ref": "#"}, junk(t))
	}
	inner := func() any { return anySchema(t, depth+1) }
	list := func() any {
		return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) any { return anySchema(t, depth+1) }), 0, 3).Draw(t, "list")
	}
	named := func() any {
		all := map[string]any{}
		for range rapid.IntRange(0, 3).Draw(t, "members") {
			all[word(t)] = anySchema(t, depth+1)
		}
		return all
	}
	value := func() any { return junk(t) }
	s := map[string]any{}
	maybe(t, s, "type", func() any {
		return one[any](t, "type", "string", "number", "integer", "boolean", "object", "array", "null", []any{"string", "null"}, []any{"string", "string"}, "file")
	})
	maybe(t, s, "properties", named)
	maybe(t, s, "items", inner)
	maybe(t, s, "allOf", list)
	maybe(t, s, "oneOf", list)
	maybe(t, s, "enum", func() any { return []any{junk(t), "a", 1} })
	maybe(t, s, "required", func() any { return []any{word(t), word(t)} })
	maybe(t, s, "default", value)
	maybe(t, s, "additionalProperties", inner)
	maybe(t, s, "nullable", func() any { return true })
	maybe(t, s, "readOnly", func() any { return true })
	maybe(t, s, "minimum", func() any { return 1 })
	maybe(t, s, "exclusiveMinimum", func() any { return true })
	maybe(t, s, "example", value)
	maybe(t, s, "description", func() any { return word(t) })
	return s
}

func anyContent(t *rapid.T) any {
	content := map[string]any{}
	for range rapid.IntRange(0, 2).Draw(t, "media") {
		media := map[string]any{}
		maybe(t, media, "schema", func() any { return anySchema(t, 0) })
		maybe(t, media, "example", func() any { return junk(t) })
		content[one(t, "media type", "application/json", "application/json; charset=utf-8", "text/plain", "*/*", "multipart/form-data", "image/*", "nonsense", "a/b;c=\"d")] = media
	}
	return content
}

func anyParameter(t *rapid.T) any {
	p := map[string]any{"name": word(t), "in": one(t, "in", "query", "query", "header", "path", "cookie", "body"), "required": rapid.IntRange(0, 19).Draw(t, "required") == 0}
	maybe(t, p, "schema", func() any { return anySchema(t, 0) })
	maybe(t, p, "content", func() any { return anyContent(t) })
	maybe(t, p, "style", func() any { return "form" })
	maybe(t, p, "description", func() any { return word(t) })
	maybe(t, p, "examples", func() any { return map[string]any{"a": map[string]any{"value": junk(t)}} })
	return one[any](t, "parameter", p, p, p, p, map[string]any{"$ref": "#/components/parameters/P"}, map[string]any{"$ref": "#/components/parameters/Loop"})
}

func anyOperation(t *rapid.T, route string) any {
	var parameters []any
	for _, name := range variables(route) {
		parameters = append(parameters, map[string]any{"name": name, "in": "path", "required": true, "schema": anySchema(t, 1)})
	}
	for range rapid.IntRange(0, 3).Draw(t, "parameters") {
		parameters = append(parameters, anyParameter(t))
	}
	o := map[string]any{"parameters": parameters}
	maybe(t, o, "operationId", func() any { return word(t) })
	maybe(t, o, "summary", func() any { return word(t) })
	maybe(t, o, "description", func() any { return word(t) })
	maybe(t, o, "tags", func() any { return []any{word(t), word(t)} })
	maybe(t, o, "requestBody", func() any {
		return map[string]any{"content": anyContent(t), "required": one(t, "needed", true, false, false)}
	})
	maybe(t, o, "responses", func() any {
		return map[string]any{one(t, "status", "200", "2XX", "204", "default", "404", "x-a"): map[string]any{"description": word(t), "content": anyContent(t)}}
	})
	maybe(t, o, "security", func() any {
		return []any{map[string]any{one(t, "scheme", "key", "oauth", "none"): []any{word(t)}}, map[string]any{}}
	})
	maybe(t, o, "externalDocs", func() any {
		return map[string]any{"url": one(t, "docs", "https://example.com", "docs", "https://exa mple.com")}
	})
	return o
}

func anyOpenAPI(t *rapid.T) any {
	paths := map[string]any{}
	for i := range rapid.IntRange(1, 3).Draw(t, "paths") {
		route := one(t, "route", "/a", "/b/{petId}", "/{x}/{y}", "/e#f", "/c", "/d d") + fmt.Sprint(i)
		path := map[string]any{}
		for _, method := range []string{"get", "post", "put", one(t, "last", "delete", "patch", "trace")} {
			maybe(t, path, method, func() any { return anyOperation(t, route) })
		}
		maybe(t, path, "servers", func() any {
			return []any{map[string]any{"url": one(t, "server", "/", "https://example.com", "https://example.org/v1/", "https://{a}.example.com", "wss://x")}}
		})
		paths[route] = path
	}
	return map[string]any{
		"openapi": one(t, "version", "3.0.3", "3.1.0"),
		"info":    map[string]any{"version": "1.0.0"},
		"paths":   paths,
		"components": map[string]any{
			"schemas":    map[string]any{"A": anySchema(t, 0), "B": map[string]any{"$ref": one(t, "B", "#/components/schemas/A", "#/components/schemas/B")}},
			"parameters": map[string]any{"P": map[string]any{"name": "p", "in": "query"}, "Loop": map[string]any{"$ref": "#/components/parameters/Loop"}},
			"securitySchemes": map[string]any{
				"key":   map[string]any{"type": "apiKey", "in": one(t, "key in", "header", "query"), "name": word(t)},
				"oauth": map[string]any{"type": "oauth2", "flows": map[string]any{"authorizationCode": map[string]any{"authorizationUrl": "https://example.com/a", "tokenUrl": one(t, "token", "https://example.com/t", "/t", "")}}},
			},
		},
	}
}
