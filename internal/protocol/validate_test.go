package protocol

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// Each test here fails when one guard of validate.go is taken away.

// engineFor makes an engine of a schema whose descriptor is the given one.
func engineFor(t *testing.T, descriptor string) *engine {
	t.Helper()
	e, err := newEngine([]byte(schemaWith(descriptor)))
	if err != nil {
		t.Fatalf("newEngine with descriptor %s: %v", descriptor, err)
	}
	return e
}

func schemaWith(descriptor string) string {
	return `{"$id": "https://a.example/s.json", "$ref": "#/$defs/descriptor", "$defs": {
		"index": {}, "invocationRequest": {}, "invocationResponse": {}, "other": {"type": "string"}, "descriptor": ` + descriptor + `}}`
}

// violationsOf validates a document against a descriptor's schema.
func violationsOf(t *testing.T, e *engine, document string) []Violation {
	t.Helper()
	var found findings
	if err := e.validate(KindDescriptor, readTree(t, []byte(document)), &found); err != nil {
		t.Fatalf("validating %s: %v", document, err)
	}
	return found.violations()
}

func TestSchemaIsNeverFetched(t *testing.T) {
	t.Parallel()
	var fetched atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fetched.Add(1)
		fmt.Fprint(w, `{}`)
	}))
	defer server.Close()
	_, err := newEngine([]byte(schemaWith(`{"$ref": "` + server.URL + `/s.json"}`)))
	if n := fetched.Load(); n != 0 || err == nil {
		t.Errorf("newEngine with a reference to %s fetched it %d times and returned %v, want no fetch and an error", server.URL, n, err)
	}
}

func TestSchemaWithUnresolvedReferenceIsRefused(t *testing.T) {
	t.Parallel()
	for _, ref := range []string{"#/$defs/nowhere", "#nowhere", "other.json", "https://a.example/other.json#/$defs/x"} {
		for _, descriptor := range []string{
			`{"$ref": "` + ref + `"}`,
			`{"properties": {"a": {"items": {"$ref": "` + ref + `"}}}}`,
		} {
			if _, err := newEngine([]byte(schemaWith(descriptor))); err == nil || !strings.Contains(err.Error(), ref) {
				t.Errorf("newEngine with descriptor %s = %v, want an error that names %s", descriptor, err, ref)
			}
		}
	}
}

func TestSchemaWithoutAKindIsRefused(t *testing.T) {
	t.Parallel()
	schema := strings.Replace(schemaWith(`{}`), `"index"`, `"indices"`, 1)
	if _, err := newEngine([]byte(schema)); err == nil {
		t.Error("newEngine of a schema without an index = nil, want an error")
	}
}

func TestFormatIsAsserted(t *testing.T) {
	t.Parallel()
	e := engineFor(t, `{"properties": {"a": {"type": "string", "format": "date-time", "description": "A time."}}}`)
	want := []Violation{{"/a", "a time", "2026-02-30T00:00:00Z"}}
	if got := violationsOf(t, e, `{"a": "2026-02-30T00:00:00Z"}`); !slices.Equal(got, want) {
		t.Errorf("violations of a day that is not = %+v, want %+v", got, want)
	}
}

func TestPointersAreBuiltAndEscaped(t *testing.T) {
	t.Parallel()
	e := engineFor(t, `{"additionalProperties": {"items": {"additionalProperties": {"type": "string"}}}}`)
	got := violationsOf(t, e, `{"a/b~c": ["x", {"": 1, "~1": 2, "ü": 3}], "~": [{"/": 4}]}`)
	want := []Violation{
		{"/a~1b~0c/1/", "a string", "the number 1"},
		{"/a~1b~0c/1/~01", "a string", "the number 2"},
		{"/a~1b~0c/1/ü", "a string", "the number 3"},
		{"/~0/0/~1", "a string", "the number 4"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("violations = %+v, want %+v", got, want)
	}
}

func TestEachMissingMemberIsOneViolation(t *testing.T) {
	t.Parallel()
	e := engineFor(t, `{"required": ["a", "b", "c", "d"], "properties": {
		"a": {"type": "string", "minLength": 1},
		"b": {"type": "string", "enum": ["x", "y"]},
		"c": {"$ref": "#/$defs/other"}}}`)
	got := violationsOf(t, e, `{}`)
	want := []Violation{
		{"/a", "a string", "nothing"},
		{"/b", "one of: x, y", "nothing"},
		{"/c", "a string", "nothing"},
		{"/d", "a member that is required", "nothing"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("violations = %+v, want %+v", got, want)
	}
	got = violationsOf(t, e, `{"a": null, "b": "x", "c": "x"}`)
	want = []Violation{{"/a", "a string", "null"}, {"/d", "a member that is required", "nothing"}}
	if !slices.Equal(got, want) {
		t.Errorf("violations = %+v, want %+v", got, want)
	}
}

func TestEachFaultIsOneViolation(t *testing.T) {
	t.Parallel()
	e := engineFor(t, `{"properties": {"a": {"$ref": "#/$defs/other", "minLength": 3, "pattern": "^[a-z]*$", "description": "Small letters.",
		"allOf": [{"enum": ["abc"]}, {"pattern": "b"}], "not": {"const": "no"}}},
		"if": {"required": ["b"]}, "then": {"description": "A c, because of b.", "required": ["c"]}, "else": {"properties": {"d": {"type": "null"}}}}`)
	for document, want := range map[string][]Violation{
		`{"a": "abc"}`:         nil,
		`{"a": 5}`:             {{"/a", "a string", "the number 5"}},
		`{"a": "X"}`:           {{"/a", "one of: abc", "X"}},
		`{"b": 1}`:             {{"/c", "a c, because of b", "nothing"}},
		`{"b": 1, "c": null}`:  nil,
		`{"d": 1, "a": "abc"}`: {{"/d", "null", "the number 1"}},
	} {
		if got := violationsOf(t, e, document); !slices.Equal(got, want) {
			t.Errorf("violations of %s = %+v, want %+v", document, got, want)
		}
	}
}

func TestConditionThatDoesNotHoldIsNoFault(t *testing.T) {
	t.Parallel()
	for _, condition := range []string{
		`"not": {"required": ["x"], "properties": {"x": {"const": 1}}}`,
		`"if": {"required": ["x"], "properties": {"x": {"const": 1}}}, "then": true`,
	} {
		e := engineFor(t, `{"required": ["y"], `+condition+`}`)
		want := []Violation{{"/y", "a member that is required", "nothing"}}
		if got := violationsOf(t, e, `{"x": 2}`); !slices.Equal(got, want) {
			t.Errorf("violations with %s = %+v, want %+v", condition, got, want)
		}
	}
}

func TestUnforeseenKeywordIsNotPassedOver(t *testing.T) {
	t.Parallel()
	e := engineFor(t, `{"properties": {"a": {"type": "number", "multipleOf": 2}, "b": {"contains": {"type": "string"}}, "c": false}}`)
	got := violationsOf(t, e, `{"a": 3, "b": [1], "c": 1}`)
	if fields := []string{"/a", "/b", "/c"}; len(got) != 3 || got[0].Field != fields[0] || got[1].Field != fields[1] || got[2].Field != fields[2] {
		t.Errorf("violations = %+v, want one at each of %q", got, fields)
	}
}

func TestViolationsComeInAStableOrder(t *testing.T) {
	t.Parallel()
	v, err := NewValidator(Limits{})
	if err != nil {
		t.Fatal(err)
	}
	inputs := strings.Repeat(`{},`, 11) + `{}`
	document := []byte(`{"inputs": [` + inputs + `], "tags": [1, 2], "x": 1, "auth": {"type": "oauth2"}, "endpoint": {"url": ""}}`)
	first, err := v.Check(KindDescriptor, document)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		again, err := v.Check(KindDescriptor, document)
		if err != nil || !reflect.DeepEqual(again, first) {
			t.Fatalf("Check of the same document = %+v, %v, then %+v", first, err, again)
		}
	}
	var fields []string
	for _, violation := range first.Violations {
		fields = append(fields, violation.Field)
	}
	two, ten := slices.Index(fields, "/inputs/2/name"), slices.Index(fields, "/inputs/10/name")
	if two < 0 || ten < two || !slices.IsSortedFunc(fields, comparePointers) {
		t.Errorf("violations at %q, want them by pointer, items by index", fields)
	}
}

// With -race this fails when validation is not guarded: the library writes patterns into
// the schema that all share when it first needs them.
func TestManyGoroutinesCheckAtOnce(t *testing.T) {
	t.Parallel()
	valid := protocoltest.Valid("com.example.a", "1.0.0", "public", "api")
	invalid := protocoltest.Valid("com.example.A", "1.0", "open", "tool")
	var want Report
	for range 5 {
		v, err := NewValidator(Limits{})
		if err != nil {
			t.Fatal(err)
		}
		start := make(chan struct{})
		reports := make([]Report, 32)
		var group sync.WaitGroup
		for i := range reports {
			group.Go(func() {
				<-start
				if _, err := v.Parse(valid); err != nil {
					t.Errorf("Parse(%s) = %v, want a document", valid, err)
				}
				report, err := v.Check(KindDescriptor, invalid)
				if err != nil {
					t.Errorf("Check(%s): %v", invalid, err)
				}
				reports[i] = report
			})
		}
		close(start)
		group.Wait()
		if want.Violations == nil {
			want = reports[0]
		}
		for _, got := range reports {
			if !reflect.DeepEqual(got, want) || len(got.Violations) != 4 {
				t.Errorf("Check(%s) = %+v, want %+v with 4 violations", invalid, got, want)
			}
		}
	}
}

// TestSchemaKeepsToWhatEveryValidatorReadsAlike walks the schema itself.
func TestSchemaKeepsToWhatEveryValidatorReadsAlike(t *testing.T) {
	t.Parallel()
	var schema map[string]any
	if err := json.Unmarshal(schemaJSON, &schema); err != nil {
		t.Fatal(err)
	}
	// What collectFault knows, and what asserts nothing.
	known := []string{
		"$schema", "$id", "$ref", "$defs", "title", "description", "default", "type", "enum", "const", "required", "properties",
		"additionalProperties", "items", "allOf", "not", "if", "then", "else", "minLength", "maxLength", "minItems", "maxItems", "maxProperties",
		"minimum", "maximum", "exclusiveMinimum", "uniqueItems", "pattern", "format",
	}
	// Escapes of which RE2 and ECMAScript with the u flag do not think alike.
	unlike := regexp.MustCompile(`\\[dDwWsSbBpPuckzAQ]|\(\?|\[\^?\]|\[:|\{,`)
	walkSchema(schema, "#", func(at string, node map[string]any) {
		for keyword := range node {
			if !slices.Contains(known, keyword) {
				t.Errorf("%s has the keyword %s, which collectFault does not know", at, keyword)
			}
		}
		for _, keyword := range []string{"minimum", "maximum", "exclusiveMinimum"} {
			if types := node["type"]; node[keyword] != nil && types != "integer" && types != "number" {
				t.Errorf("%s has %s without a type beside it", at, keyword)
			}
		}
		if pattern, ok := node["pattern"].(string); ok {
			if _, err := regexp.Compile(pattern); err != nil {
				t.Errorf("%s: %v", at, err)
			}
			if found := unlike.FindString(pattern); found != "" {
				t.Errorf("%s has %q in its pattern, which not everyone reads alike", at, found)
			}
			if node["description"] == nil {
				t.Errorf("%s has a pattern without a description, which would say in words what is expected", at)
			}
		}
		if ref, ok := node["$ref"].(string); ok && !strings.HasPrefix(ref, "#/$defs/") {
			t.Errorf("%s refers to %s, which is not within the schema", at, ref)
		}
	})
}

// walkSchema calls visit for every schema within a schema.
func walkSchema(node any, at string, visit func(string, map[string]any)) {
	schema, ok := node.(map[string]any)
	if !ok {
		return
	}
	visit(at, schema)
	for _, keyword := range []string{"$defs", "properties", "patternProperties", "dependentSchemas"} {
		named, _ := schema[keyword].(map[string]any)
		for name, inner := range named {
			walkSchema(inner, at+"/"+keyword+"/"+name, visit)
		}
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf", "prefixItems"} {
		list, _ := schema[keyword].([]any)
		for i, inner := range list {
			walkSchema(inner, fmt.Sprintf("%s/%s/%d", at, keyword, i), visit)
		}
	}
	for _, keyword := range []string{"items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "contentSchema"} {
		walkSchema(schema[keyword], at+"/"+keyword, visit)
	}
}
