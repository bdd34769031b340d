package compatibility_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/skillregistry/skillregistry/internal/compatibility"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

const base = `{
	"protocol":{"version":"1.0.0"},"id":"com.example.a","name":"A","version":"1.0.0","capability_type":"api","description":"A",
	"provider":{"name":"P"},
	"endpoint":{"url":"https://example.com","status_url":"https://example.com/{execution_id}"},
	"inputs":[
		{"name":"text","type":"string","required":true},
		{"name":"size","type":"integer","enum":[1,2,3]},
		{"name":"options","type":"object","schema":{
			"type":"object","required":["a"],
			"properties":{"a":{"type":"string","maxLength":10},"b":{"type":["integer","null"],"minimum":0}}}}
	],
	"output":{"type":"object","content_type":"application/json","schema":{
		"type":"object","required":["id"],"properties":{"id":{"type":"integer"},"state":{"enum":["open","closed"]},"next":{"$ref":"#"}}}},
	"auth":{"type":"api_key"},"access":"public"}`

// edit is one change of the base: a value at a pointer, or nothing there.
type edit struct{ pointer, value string }

func edited(t *testing.T, edits ...edit) *protocol.Descriptor {
	t.Helper()
	var tree any
	if err := json.Unmarshal([]byte(base), &tree); err != nil {
		t.Fatal(err)
	}
	for _, e := range edits {
		tree = put(t, tree, slices.Collect(jsontext.Pointer(e.pointer).Tokens()), e.value)
	}
	text, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	v, err := protocol.NewValidator(protocol.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := v.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return &d.Descriptor
}

func put(t *testing.T, tree any, path []string, value string) any {
	t.Helper()
	if len(path) == 0 {
		var v any
		if err := json.Unmarshal([]byte(value), &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	switch node := tree.(type) {
	case map[string]any:
		if len(path) == 1 && value == "" {
			delete(node, path[0])
			return node
		}
		node[path[0]] = put(t, node[path[0]], path[1:], value)
		return node
	case []any:
		if path[0] == "-" {
			return append(node, put(t, nil, nil, value))
		}
		i := int(path[0][0] - '0')
		if len(path) == 1 && value == "" {
			return slices.Delete(node, i, i+1)
		}
		node[i] = put(t, node[i], path[1:], value)
		return node
	default:
		t.Fatalf("there is nothing at %v", path)
		return nil
	}
}

func TestWhatBreaksCallers(t *testing.T) {
	t.Parallel()
	const schema, output = "/inputs/2/schema", "/output/schema"
	tests := map[string]struct {
		edits []edit
		want  string // where the violation is
	}{
		"a required input is added":               {[]edit{{"/inputs/-", `{"name":"n","type":"string","required":true}`}}, "/inputs/3/required"},
		"an input becomes required":               {[]edit{{"/inputs/1/required", "true"}}, "/inputs/1/required"},
		"an input is removed":                     {[]edit{{"/inputs/1", ""}}, "/inputs"},
		"an input gets another type":              {[]edit{{"/inputs/0/type", `"array"`}}, "/inputs/0/type"},
		"a value of an enum is removed":           {[]edit{{"/inputs/1/enum", "[1,3]"}}, "/inputs/1/enum"},
		"an enum is added":                        {[]edit{{"/inputs/0/enum", `["a"]`}}, "/inputs/0/enum"},
		"a schema is added":                       {[]edit{{"/inputs/0/schema", `{"maxLength":5}`}}, "/inputs/0/schema/maxLength"},
		"a length is cut":                         {[]edit{{schema + "/properties/a/maxLength", "9"}}, schema + "/properties/a/maxLength"},
		"a bound is raised":                       {[]edit{{schema + "/properties/b/minimum", "1"}}, schema + "/properties/b/minimum"},
		"a bound becomes exclusive":               {[]edit{{schema + "/properties/b", `{"type":["integer","null"],"exclusiveMinimum":0}`}}, schema + "/properties/b/exclusiveMinimum"},
		"a type is taken from a list":             {[]edit{{schema + "/properties/b/type", `"integer"`}}, schema + "/properties/b/type"},
		"a member becomes required":               {[]edit{{schema + "/required", `["a","b"]`}}, schema + "/required"},
		"a member is removed":                     {[]edit{{schema + "/properties/b", ""}}, schema + "/properties"},
		"an object is closed":                     {[]edit{{schema + "/additionalProperties", "false"}}, schema + "/additionalProperties"},
		"a pattern is added":                      {[]edit{{schema + "/properties/a/pattern", `"x"`}}, schema + "/properties/a/pattern"},
		"a keyword that can't be compared":        {[]edit{{schema + "/not", `{"required":["c"]}`}}, schema + "/not"},
		"contains counts from one again":          {[]edit{{schema + "/properties/a", `{"contains":{"const":1}}`}}, schema + "/properties/a/contains"},
		"a schema becomes false":                  {[]edit{{schema, "false"}}, schema},
		"a member of the output is gone":          {[]edit{{output + "/properties/state", ""}}, output + "/properties"},
		"a member of the output may be missing":   {[]edit{{output + "/required", "[]"}}, output + "/required"},
		"a member of the output is of more types": {[]edit{{output + "/properties/id/type", `"number"`}}, output + "/properties/id/type"},
		"an output has a value more":              {[]edit{{output + "/properties/state/enum", `["open","closed","lost"]`}}, output + "/properties/state/enum"},
		"an output is of another media type":      {[]edit{{"/output/content_type", `"text/plain"`}}, "/output/content_type"},
		"an output gets another type":             {[]edit{{"/output", `{"type":"array"}`}}, "/output/type"},
		"the schema of an output is gone":         {[]edit{{"/output/schema", ""}}, output + "/properties"},
		"another method":                          {[]edit{{"/endpoint/method", `"PUT"`}}, "/endpoint/method"},
		"another media type":                      {[]edit{{"/endpoint/content_type", `"application/xml"`}}, "/endpoint/content_type"},
		"no status any more":                      {[]edit{{"/endpoint/status_url", ""}}, "/endpoint/status_url"},
		"another authentication":                  {[]edit{{"/auth/type", `"custom"`}}, "/auth/type"},
		"another header":                          {[]edit{{"/auth/header", `"X-Key"`}}, "/auth/header"},
		"fewer may find it":                       {[]edit{{"/access", `"restricted"`}}, "/access"},
		"another kind of skill":                   {[]edit{{"/capability_type", `"task"`}}, "/capability_type"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var fields []string
			for _, v := range compatibility.Changes(edited(t), edited(t, test.edits...)) {
				fields = append(fields, v.Field)
				if v.Expected == "" || v.Actual == "" {
					t.Errorf("%s: expected %q, actual %q, want words for both", v.Field, v.Expected, v.Actual)
				}
			}
			if !slices.Contains(fields, test.want) {
				t.Errorf("got %q, want %s among them", fields, test.want)
			}
		})
	}
}

func TestWhatBreaksNobody(t *testing.T) {
	t.Parallel()
	const schema, output = "/inputs/2/schema", "/output/schema"
	for name, edits := range map[string][]edit{
		"nothing":                                 nil,
		"an optional input is added":              {{"/inputs/-", `{"name":"n","type":"string"}`}},
		"inputs change places":                    {{"/inputs/0/name", `"size"`}, {"/inputs/0", `{"name":"size","type":"integer","enum":[3,2,1]}`}, {"/inputs/1", `{"name":"text","type":"string","required":true}`}},
		"an input need not be given any more":     {{"/inputs/0/required", "false"}},
		"an integer becomes a number":             {{"/inputs/1/type", `"number"`}},
		"an enum gets a value":                    {{"/inputs/1/enum", "[1.0,2,3,4]"}},
		"an enum is taken away":                   {{"/inputs/1/enum", ""}},
		"a schema says what the type says":        {{"/inputs/0/schema", `{"type":"string","title":"T","minLength":0}`}},
		"a schema is taken away":                  {{schema, ""}},
		"bounds are widened":                      {{schema + "/properties/a/maxLength", "11"}, {schema + "/properties/b/minimum", "-1e0"}},
		"a bound for what is not there":           {{schema + "/properties/a/maximum", "5"}},
		"a member is added":                       {{schema + "/properties/c", `{"type":"string"}`}},
		"a member need not be given any more":     {{schema + "/required", "[]"}},
		"a choice that has what was there":        {{schema + "/properties/a", `{"anyOf":[{"type":"integer"},{"type":"string","maxLength":10}]}`}},
		"the same behind a reference":             {{schema + "/$defs", `{"A":{"type":"string","maxLength":10}}`}, {schema + "/properties/a", `{"$ref":"#/$defs/A"}`}},
		"annotations change":                      {{schema + "/properties/a/description", `"x"`}, {schema + "/x-order", "1"}},
		"the output has a member more":            {{output + "/properties/more", `{"type":"string"}`}},
		"the output promises more":                {{output + "/required", `["id","state"]`}, {output + "/properties/id/minimum", "1"}},
		"the output has a value less":             {{output + "/properties/state/enum", `["open"]`}},
		"another address, name and description":   {{"/endpoint/url", `"https://example.org"`}, {"/name", `"B"`}, {"/description", `"B"`}},
		"no authentication any more":              {{"/auth/type", `"none"`}},
		"the header that it was without being so": {{"/auth/header", `"X-API-Key"`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if found := compatibility.Changes(edited(t), edited(t, edits...)); len(found) > 0 {
				t.Errorf("got %+v, want nothing", found)
			}
		})
	}
}

func TestScopesThatAreAddedBreakCallers(t *testing.T) {
	t.Parallel()
	with := func(scopes string) edit {
		return edit{"/auth", `{"type":"oauth2","oauth2":{"authorization_url":"https://a.example","token_url":"https://a.example","scopes":` + scopes + `}}`}
	}
	older := edited(t, with(`{"read":"","a/b":""}`))
	if found := compatibility.Changes(older, edited(t, with(`{"read":"x"}`))); len(found) > 0 {
		t.Errorf("fewer scopes: got %+v, want nothing", found)
	}
	found := compatibility.Changes(older, edited(t, with(`{"read":"","a/b":"","c/d":""}`)))
	if len(found) != 1 || found[0].Field != "/auth/oauth2/scopes/c~1d" {
		t.Errorf("a scope more: got %+v, want it", found)
	}
}

// What can't be taken apart, or costs too much, is taken for a change.
func TestSchemasThatLeadInCircles(t *testing.T) {
	t.Parallel()
	const at = "/inputs/2/schema"
	for name, test := range map[string]struct {
		older, newer string
		breaks       bool
	}{
		"the same circle":              {`{"items":{"$ref":"#"},"type":"array"}`, `{"items":{"$ref":"#"},"type":"array"}`, false},
		"a circle that is wider":       {`{"items":{"$ref":"#"},"type":"array"}`, `{"items":{"$ref":"#"},"type":["array","string"]}`, false},
		"a circle that is narrower":    {`{"items":{"$ref":"#"},"type":["array","string"]}`, `{"items":{"$ref":"#"},"type":"array"}`, true},
		"a circle that was none":       {`{"type":"array"}`, `{"items":{"$ref":"#"},"type":"array"}`, true},
		"a circle without an end":      {`{"type":"array"}`, `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/a"}}}`, true},
		"a reference that leads away":  {`{"type":"array"}`, `{"$ref":"#/nowhere"}`, true},
		"a reference by an anchor":     {`{"type":"array"}`, `{"$ref":"#here","$defs":{"a":{"$anchor":"here"}}}`, true},
		"choices among choices, often": {choices(12, "1"), choices(12, "2"), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := compatibility.Changes(edited(t, edit{at, test.older}), edited(t, edit{at, test.newer}))
			if (len(found) > 0) != test.breaks {
				t.Errorf("from %.200s to %.200s: got %+v, want a change: %t", test.older, test.newer, found, test.breaks)
			}
		})
	}
}

// choices is a schema of so many choices, each among eight that differ at their ends.
func choices(depth int, end string) string {
	if depth == 0 {
		return `{"minimum":` + end + `}`
	}
	part := `{"items":` + choices(depth-1, end) + `}`
	all := `{"anyOf":[` + part
	for range 2 {
		if depth > 8 {
			all += "," + part
		}
	}
	return all + `]}`
}

func TestPromises(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		older, newer string
		want         bool
	}{
		{"1.0.0", "1.0.1", true}, {"1.0.0", "1.1.0", true}, {"1.0.0", "1.1.0-rc.1", true}, {"10.0.0", "10.1.0+b", true},
		{"1.0.0", "2.0.0", false}, {"1.9.0", "10.0.0", false}, {"0.1.0", "0.1.1", false}, {"1.0.0-rc.1", "1.0.0", false}, {"1.1.0", "1.0.1", false},
	} {
		if got := compatibility.Promises(test.older, test.newer); got != test.want {
			t.Errorf("Promises(%s, %s) = %t, want %t", test.older, test.newer, got, test.want)
		}
	}
}

func TestIntegersAreNumbersAndNotTheOtherWayRound(t *testing.T) {
	t.Parallel()
	for member, widens := range map[string]bool{"/inputs/1": true, "/output": false} {
		value := func(valueType string) *protocol.Descriptor {
			if member == "/output" {
				return edited(t, edit{member, `{"type":"` + valueType + `"}`})
			}
			return edited(t, edit{member, `{"name":"n","type":"` + valueType + `"}`})
		}
		integer, number := value("integer"), value("number")
		if found := compatibility.Changes(integer, number); (len(found) == 0) != widens {
			t.Errorf("%s: from an integer to a number: got %+v", member, found)
		}
		if found := compatibility.Changes(number, integer); (len(found) == 0) == widens {
			t.Errorf("%s: from a number to an integer: got %+v", member, found)
		}
	}
}

// Pairs that look alike, and are compared by what they mean.
func TestSchemasThatMeanWhatTheyDoTogether(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		at, older, newer string
		breaks           bool
	}{
		"the same behind a reference at the top": {"/inputs/2/schema", `{"$ref":"#/$defs/A","$defs":{"A":{"type":"object"}}}`,
			`{"$ref":"#/$defs/A","$defs":{"A":{"type":"object"}}}`, false},
		"narrower behind a reference at the top": {"/inputs/2/schema", `{"$ref":"#/$defs/A","$defs":{"A":{"minProperties":1}}}`,
			`{"$ref":"#/$defs/A","$defs":{"A":{"minProperties":2}}}`, true},
		"the least count of what is contained": {"/inputs/2/schema", `{"properties":{"a":{"contains":{"const":1},"minContains":0}}}`,
			`{"properties":{"a":{"contains":{"const":1}}}}`, true},
		"a member more in what was closed": {"/output/schema", `{"properties":{"a":{}},"unevaluatedProperties":false}`,
			`{"properties":{"a":{},"b":{}},"unevaluatedProperties":false}`, true},
		"an anchor with the name of a member": {"/inputs/2/schema", `{"properties":{"a":{"$ref":"#foo"}},"foo":{"type":"string"},"$defs":{"f":{"$anchor":"foo","type":"string"}}}`,
			`{"properties":{"a":{"$ref":"#foo"}},"foo":{"type":"string"},"$defs":{"f":{"$anchor":"foo","type":"integer"}}}`, true},
		"references from another base": {"/inputs/2/schema", `{"properties":{"a":{"$id":"http://x.example/y","$defs":{"q":{"type":"string"}},"$ref":"#/$defs/q"}},"$defs":{"q":{}}}`,
			`{"properties":{"a":{"$id":"http://x.example/y","$defs":{"q":{"type":"integer"}},"$ref":"#/$defs/q"}},"$defs":{"q":{}}}`, true},
		"items that have to be distinct": {"/inputs/2/schema", `{"type":"array"}`, `{"type":"array","uniqueItems":true}`, true},
		"multiples of fewer numbers":     {"/inputs/2/schema", `{"type":"number","multipleOf":2}`, `{"type":"number","multipleOf":4}`, true},
		"multiples of more numbers":      {"/inputs/2/schema", `{"type":"number","multipleOf":4}`, `{"type":"number","multipleOf":2}`, false},
		"a circle of parts that no value leaves": {"/inputs/2/schema", `{"type":"array"}`,
			`{"$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"$ref":"#/$defs/a"}]}}}`, true},
		"choices that multiply behind references": {"/inputs/2/schema", multiplying(20, "1"), multiplying(20, "2"), true},
		"a member is gone from what is closed":    {"/inputs/2/schema", `{"properties":{"a":{"type":"string"}},"additionalProperties":false}`, `{"additionalProperties":false}`, true},
		"a member is among the rest, of another type": {"/inputs/2/schema", `{"properties":{"a":{"type":"string"}},"additionalProperties":{"type":"integer"}}`,
			`{"additionalProperties":{"type":"integer"}}`, true},
		"a member is among the rest, of the same type": {"/inputs/2/schema", `{"properties":{"a":{"type":"integer"}},"additionalProperties":{"type":"integer"}}`,
			`{"additionalProperties":{"type":"integer"}}`, false},
		"members behind the side that is closed": {"/inputs/2/schema", `{"properties":{"a":{}},"additionalProperties":false}`,
			`{"allOf":[{"properties":{"a":{}}}],"additionalProperties":false}`, true},
		"a member is gone from what is closed behind a reference": {"/inputs/2/schema", `{"properties":{"p":{"$ref":"#/$defs/i"}},"$defs":{"i":{"properties":{"a":{}},"additionalProperties":false}}}`,
			`{"properties":{"p":{"$ref":"#/$defs/i"}},"$defs":{"i":{"additionalProperties":false}}}`, true},
		"what a dynamic reference leads to": {"/inputs/2/schema", `{"properties":{"a":{"$dynamicRef":"#A"}},"$defs":{"d":{"$dynamicAnchor":"A"}}}`,
			`{"properties":{"a":{"$dynamicRef":"#A"}},"$defs":{"d":{"$dynamicAnchor":"A","type":"integer"}}}`, true},
		"the same in parts": {"/inputs/2/schema", `{"properties":{"a":{}},"required":["a"]}`, `{"properties":{"a":{}},"allOf":[{"required":["a"]}]}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := compatibility.Changes(edited(t, edit{test.at, test.older}), edited(t, edit{test.at, test.newer}))
			if (len(found) > 0) != test.breaks {
				t.Errorf("from %s to %s: got %+v, want a change: %t", test.older, test.newer, found, test.breaks)
			}
		})
	}
}

// multiplying is a small schema with twice as many ways through it for each step.
func multiplying(steps int, end string) string {
	var defs strings.Builder
	for i := range steps {
		next := fmt.Sprintf(`{"items":{"$ref":"#/$defs/d%d"}}`, i+1)
		fmt.Fprintf(&defs, `"d%d":{"anyOf":[%s,%s]},`, i, next, next)
	}
	return fmt.Sprintf(`{"$ref":"#/$defs/d0","$defs":{%s"d%d":{"minimum":%s}}}`, defs.String(), steps, end)
}

// BenchmarkManyValues is a comparison of two long enums in other orders: it is to grow with
// them, and not with their square.
func BenchmarkManyValues(b *testing.B) {
	for _, values := range []int{1_000, 8_000} {
		b.Run(fmt.Sprint(values), func(b *testing.B) {
			enum := func(reversed bool) jsontext.Value {
				all := make([]int, values)
				for i := range all {
					all[i] = i
					if reversed {
						all[i] = values - i - 1
					}
				}
				text, err := json.Marshal(map[string]any{"enum": all})
				if err != nil {
					b.Fatal(err)
				}
				return text
			}
			older := &protocol.Descriptor{Inputs: []protocol.Parameter{{Name: "a", Type: "integer", Schema: enum(false)}}}
			newer := &protocol.Descriptor{Inputs: []protocol.Parameter{{Name: "a", Type: "integer", Schema: enum(true)}}}
			for b.Loop() {
				if found := compatibility.Changes(older, newer); len(found) > 0 {
					b.Fatal(found)
				}
			}
		})
	}
}
