package protocol_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// descriptorWith is a valid descriptor with one member replaced by the given JSON.
func descriptorWith(t *testing.T, member, value string) []byte {
	t.Helper()
	tree := protocoltest.Tree("com.example.a", "1.0.0", "public", "api")
	tree[member] = json.RawMessage(value)
	data, err := json.Marshal(tree)
	if err != nil {
		t.Fatalf("making a descriptor with %s %s: %v", member, value, err)
	}
	return data
}

func TestViolationsSayWhatToDo(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	for _, c := range []struct {
		member, value string
		want          []protocol.Violation
	}{
		{"capability_type", `"tool"`, []protocol.Violation{{"/capability_type", "one of: plugin, api, knowledge, task", "tool"}}},
		{"access", `null`, []protocol.Violation{{"/access", "a string", "null"}}},
		{"name", `5`, []protocol.Violation{{"/name", "a string", "the number 5"}}},
		{"name", `""`, []protocol.Violation{{"/name", "at least 1 character", "an empty string"}}},
		{"name", `" \t"`, []protocol.Violation{{"/name", "one line of text that shows something, without control characters", `" \t"`}}},
		{"name", `"\u00a0"`, []protocol.Violation{{"/name", "one line of text that shows something, without control characters", "\"\u00a0\""}}},
		{"description", `"` + strings.Repeat("é", 10_001) + `"`, []protocol.Violation{{"/description", "at most 10000 characters", "10001 characters"}}},
		{"version", `"v1"`, []protocol.Violation{{"/version", "a version by SemVer 2.0.0, such as 2.1.0 or 1.0.0-rc.1", "v1"}}},
		{"id", `"Com.Example"`, []protocol.Violation{{"/id", "lower-case letters and digits, with single '.', '_' or '-' between them, such as com.example.translate-v1", "Com.Example"}}},
		{"id", `"index.json"`, []protocol.Violation{{"/id", "an id other than index.json, which is reserved", "index.json"}}},
		{"id", `"com.example.a\n"`, []protocol.Violation{{"/id", "lower-case letters and digits, with single '.', '_' or '-' between them, such as com.example.translate-v1", `"com.example.a\n"`}}},
		{"provider", `"Example"`, []protocol.Violation{{"/provider", "an object", `the string "Example"`}}},
		{"provider", `{}`, []protocol.Violation{{"/provider/name", "a string", "nothing"}}},
		{"tags", `["a", true, [1]]`, []protocol.Violation{{"/tags/1", "a string", "true"}, {"/tags/2", "a string", "an array of 1 item"}}},
		{"endpoint", `{"url": "nowhere"}`, []protocol.Violation{{"/endpoint/url", "an absolute http or https URL in ASCII, such as https://example.com/invoke", "nowhere"}}},
		{"endpoint", `{"url": "https://a/` + strings.Repeat("x", 100) + ` "}`, []protocol.Violation{{"/endpoint/url", "an absolute http or https URL in ASCII, such as https://example.com/invoke", `"https://a/` + strings.Repeat("x", 69) + `…"`}}},
		{"auth", `{"type": "oauth2"}`, []protocol.Violation{{"/auth/oauth2", "an object with authorization_url, token_url and scopes, because type is oauth2", "nothing"}}},
		{"output", `{"type": "object", "schema": 5}`, []protocol.Violation{{"/output/schema", "an object or a boolean", "the number 5"}}},
		{"output", `{"type": "object", "schema": {"$ref": "https://a.example/"}}`, []protocol.Violation{{"/output/schema/$ref", "a reference within the schema itself, such as #/$defs/item", "https://a.example/"}}},
		{"inputs", `[{"name": "a", "type": "string"}, {"name": "a", "type": "number"}]`, []protocol.Violation{{"/inputs/1/name", "a name that no other parameter has", "a"}}},
		{"inputs", `[{"name": "a", "type": "integer", "default": 1.5}]`, []protocol.Violation{{"/inputs/0/default", "an integer, because that is the parameter's type", "the number 1.5"}}},
		{"inputs", `[{"name": "a", "type": "string", "enum": ["x", "y"], "default": "z"}]`, []protocol.Violation{{"/inputs/0/default", "one of the values in the parameter's enum", "z"}}},
		{"inputs", `[{"name": "a", "type": "string", "enum": ["x", 5], "default": "z"}]`, []protocol.Violation{{"/inputs/0/enum/1", "a string, because that is the parameter's type", "the number 5"}}},
	} {
		data := descriptorWith(t, c.member, c.value)
		report, err := v.Check(protocol.KindDescriptor, data)
		if err != nil || !slices.Equal(report.Violations, c.want) {
			t.Errorf("Check with %s %.200s = %+v, %v, want %+v", c.member, c.value, report.Violations, err, c.want)
		}
	}
}

func TestDocumentThatIsNoObjectIsRefusedAsAWhole(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	for text, actual := range map[string]string{
		`null`: "null", `[]`: "an array of 0 items", `1`: "the number 1", `"x"`: `the string "x"`, `true`: "true",
	} {
		want := []protocol.Violation{{Field: "", Expected: "an object", Actual: actual}}
		for _, kind := range protocol.Kinds() {
			report, err := v.Check(kind, []byte(text))
			if err != nil || !slices.Equal(report.Violations, want) {
				t.Errorf("Check(%s, %s) = %+v, %v, want %+v", kind, text, report.Violations, err, want)
			}
		}
		if got := violatedBy(t, v, []byte(text)); !slices.Equal(got, []string{""}) {
			t.Errorf(`Parse(%s) names %q, want "" alone`, text, got)
		}
	}
}

func TestValuesOfAParameterAreOfItsTypeAndInItsEnum(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	long := strings.Repeat("9", 398)
	for parameter, want := range map[string][]string{
		`"type":"integer","default":1.0`:                                               nil,
		`"type":"integer","default":12345678901234567890`:                              nil,
		`"type":"integer","default":1.5e1`:                                             nil,
		`"type":"integer","default":1e400`:                                             nil,
		`"type":"integer","default":0.000e-400`:                                        nil,
		`"type":"integer","default":-0`:                                                nil,
		`"type":"integer","default":15e-1`:                                             {"default"},
		`"type":"integer","default":1e-400`:                                            {"default"},
		`"type":"integer","default":"1"`:                                               {"default"},
		`"type":"number","default":1`:                                                  nil,
		`"type":"number","default":null`:                                               {"default"},
		`"type":"boolean","default":false`:                                             nil,
		`"type":"boolean","default":0`:                                                 {"default"},
		`"type":"object","default":{}`:                                                 nil,
		`"type":"object","default":[]`:                                                 {"default"},
		`"type":"array","default":[null]`:                                              nil,
		`"type":"string","default":""`:                                                 nil,
		`"type":"nonsense","default":5`:                                                {"type"},
		`"default":5`:                                                                  {"type"},
		`"type":"number","enum":[1.0,2],"default":10e-1`:                               nil,
		`"type":"number","enum":[0],"default":-0.0`:                                    nil,
		`"type":"number","enum":[1e400],"default":10e399`:                              nil,
		`"type":"integer","enum":[` + long + `],"default":` + long + `.0`:              nil,
		`"type":"integer","enum":[` + long + `],"default":` + long[1:] + `8`:           {"default"},
		`"type":"number","enum":[12345678901234567890],"default":12345678901234567891`: {"default"},
		`"type":"number","enum":[0.1],"default":0.10000000000000000001`:                {"default"},
		`"type":"number","enum":[-1],"default":1`:                                      {"default"},
		`"type":"object","enum":[{"a":1,"b":[2]}],"default":{"b":[2.0],"a":1e0}`:       nil,
		`"type":"object","enum":[{"a":1}],"default":{"a":1,"b":null}`:                  {"default"},
		`"type":"array","enum":[[1,2]],"default":[2,1]`:                                {"default"},
		`"type":"array","enum":[[null,false]],"default":[null,false]`:                  nil,
		`"type":"string","enum":["é"],"default":"\u00e9"`:                              nil,
		`"type":"string","enum":["\u00e9"],"default":"e\u0301"`:                        {"default"},
		`"type":"string","enum":["1"],"default":"1.0"`:                                 {"default"},
		`"type":"integer","enum":[1,1.5,"1",null]`:                                     {"enum/1", "enum/2", "enum/3"},
		`"type":"integer","enum":[]`:                                                   {"enum"},
		`"type":"integer","enum":5,"default":5`:                                        {"enum"},
	} {
		for i, field := range want {
			want[i] = "/inputs/0/" + field
		}
		data := descriptorWith(t, "inputs", `[{"name":"a",`+parameter+`}]`)
		if got := violatedBy(t, v, data); !slices.Equal(got, want) {
			t.Errorf("Parse with the parameter %s names %q, want %q", parameter, got, want)
		}
	}
}

func TestRulesOfParametersPassOverWhatIsNoParameter(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	for inputs, want := range map[string][]string{
		`{"0":{"name":"a"}}`: {"/inputs"},
		`[null,5,"a",[]]`:    {"/inputs/0", "/inputs/1", "/inputs/2", "/inputs/3"},
		`[{"name":5,"type":"string"},{"name":5,"type":"string"}]`:                                                       {"/inputs/0/name", "/inputs/1/name"},
		`[{"name":"","type":"string"},{"name":5,"type":"string"},{"name":"","type":"string"}]`:                          {"/inputs/0/name", "/inputs/1/name", "/inputs/2/name"},
		`[{"name":"a","type":"string"},{"name":"b","type":"string"},{"name":"a","type":["x"]},{"name":"a","type":"x"}]`: {"/inputs/2/name", "/inputs/2/type", "/inputs/3/name", "/inputs/3/type"},
	} {
		data := descriptorWith(t, "inputs", inputs)
		if got := violatedBy(t, v, data); !slices.Equal(got, want) {
			t.Errorf("Parse with inputs %s names %q, want %q", inputs, got, want)
		}
	}
}

func TestSchemaMembersAreCheckedAndNeverFollowed(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	for schema, want := range map[string][]string{
		`true`: nil,
		`{"$ref":"http://127.0.0.1:9/never-fetched.json"}`:                                             {"/output/schema/$ref"},
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/a"}}}`: nil,
		`{"$ref":"#/nowhere"}`:                                                    nil,
		`{"$dynamicRef":"x#y"}`:                                                   {"/output/schema/$dynamicRef"},
		`{"minLength":1e3,"maxLength":-1}`:                                        {"/output/schema/maxLength"},
		`{"const":{"type":5},"default":[5]}`:                                      nil,
		`{"properties":{"properties":{"properties":5}}}`:                          {"/output/schema/properties/properties/properties"},
		`{"not":` + strings.Repeat(`{"not":`, 58) + `5` + strings.Repeat("}", 59): {"/output/schema" + strings.Repeat("/not", 59)},
	} {
		data := descriptorWith(t, "output", `{"type":"object","schema":`+schema+`}`)
		if got := violatedBy(t, v, data); !slices.Equal(got, want) {
			t.Errorf("Parse with the schema %.100s names %q, want %q", schema, got, want)
		}
	}
}

func TestListOfViolationsIsBounded(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	var members strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&members, `"n%d":5,`, i)
	}
	schema := `{"properties":{"` + strings.Repeat("n", 400_000) + `":{"properties":{` + strings.Trim(members.String(), ",") + `}}}}`
	data := descriptorWith(t, "output", `{"type":"object","schema":`+schema+`}`)
	first, err := v.Check(protocol.KindDescriptor, data)
	if err != nil {
		t.Fatal(err)
	}
	many, err := v.Check(protocol.KindDescriptor, descriptorWith(t, "tags", "["+strings.Repeat("5,", 5000)+"5]"))
	if n := len(many.Violations); err != nil || n != 1001 || many.Violations[n-1].Actual != "more faults than these" {
		t.Errorf("Check of 5000 tags that are numbers has %d violations, %v, want 1000 and one that says that there are more", n, err)
	}
	size := 0
	for _, violation := range first.Violations {
		size += len(violation.Field)
	}
	if n := len(first.Violations); n != 3 || size > 1<<20 || first.Violations[n-1].Actual != "more faults than these" {
		t.Errorf("Check of 1000 faults behind a name of 400,000 letters has %d violations of %d bytes, want 2 and one that says that there are more", n, size)
	}
	again, err := v.Check(protocol.KindDescriptor, data)
	if err != nil || !slices.Equal(again.Violations, first.Violations) {
		t.Error("Check of the same document lists other violations the second time")
	}
}
