package protocol_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

func TestMembersThatLookMisspeltAreWarnedOf(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	for _, c := range []struct {
		member, value string
		want          []protocol.Warning
	}{
		{"tag", `[]`, []protocol.Warning{{"/tag", "the protocol has no member tag here; is it meant to be tags?"}}},
		{"Tags", `[]`, []protocol.Warning{{"/Tags", "the protocol has no member Tags here; is it meant to be tags?"}}},
		{"createdAt", `""`, []protocol.Warning{{"/createdAt", "the protocol has no member createdAt here; is it meant to be created_at?"}}},
		{"documentaiton_url", `""`, []protocol.Warning{{"/documentaiton_url", "the protocol has no member documentaiton_url here; is it meant to be documentation_url?"}}},
		{"x-vendor", `{"tag":1}`, nil},
		{"nam", `1`, nil}, // name is there
		{"", `1`, nil},
		{strings.Repeat("tags", 1000), `1`, nil},
		{"tags", `[]`, nil},
		{"provider", `{"name":"P","uri":"x"}`, []protocol.Warning{{"/provider/uri", "the protocol has no member uri here; is it meant to be url?"}}},
		{"endpoint", `{"url":"https://a","contentType":"x","Method":"x"}`, []protocol.Warning{
			{"/endpoint/Method", "the protocol has no member Method here; is it meant to be method?"},
			{"/endpoint/contentType", "the protocol has no member contentType here; is it meant to be content_type?"},
		}},
		{"inputs", `[{"name":"a","type":"string"},{"name":"b","type":"string","requried":true,"a/b":1}]`, []protocol.Warning{
			{"/inputs/1/requried", "the protocol has no member requried here; is it meant to be required?"},
		}},
		{"output", `{"type":"object","schema":{"exampl":1,"tyep":2}}`, nil},
		{"auth", `{"type":"none","0auth2":{}}`, []protocol.Warning{{"/auth/0auth2", "the protocol has no member 0auth2 here; is it meant to be oauth2?"}}},
		{"auth", `{"type":"oauth2","oauth2":{"authorization_url":"https://a","token_url":"https://a","scopes":{"url":"","scope":""}}}`, nil},
	} {
		data := descriptorWith(t, c.member, c.value)
		document, err := v.Parse(data)
		if err != nil {
			t.Fatalf("Parse(%s) = %v, want a document", data, err)
		}
		if !slices.Equal(document.Warnings, c.want) {
			t.Errorf("Parse with %.80s %s warns %+v, want %+v", c.member, c.value, document.Warnings, c.want)
		}
		report, err := v.Check(protocol.KindDescriptor, data)
		if err != nil || len(report.Violations) > 0 || !slices.Equal(report.Warnings, c.want) {
			t.Errorf("Check with %.80s %s = %+v, %v, want warnings %+v alone", c.member, c.value, report, err, c.want)
		}
	}
}

func TestMisspeltRequiredMemberIsBothViolationAndWarning(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	tree := protocoltest.Tree("com.example.a", "1.0.0", "public", "api")
	tree["capabilityType"] = tree["capability_type"]
	delete(tree, "capability_type")
	report, err := v.Check(protocol.KindDescriptor, plainJSON(t, tree))
	wantWarnings := []protocol.Warning{{"/capabilityType", "the protocol has no member capabilityType here; is it meant to be capability_type?"}}
	if got := fieldsOf(report.Violations); err != nil || !slices.Equal(got, []string{"/capability_type"}) || !slices.Equal(report.Warnings, wantWarnings) {
		t.Errorf("Check = %+v, %v, want a violation at /capability_type and %+v", report, err, wantWarnings)
	}
}

func TestSkillThatIsClosedOnlyInNameIsWarnedOf(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	for _, access := range []string{"public", "restricted", "private"} {
		for _, authType := range []string{"none", "api_key", "custom"} {
			tree := protocoltest.Tree("com.example.a", "1.0.0", access, "api")
			tree["auth"] = map[string]any{"type": authType}
			document, err := v.Parse(plainJSON(t, tree))
			if err != nil {
				t.Fatal(err)
			}
			var want []protocol.Warning
			if access != "public" && authType == "none" {
				want = []protocol.Warning{{"/auth/type", "access is " + access + ", but with auth type none the endpoint lets everyone invoke the skill"}}
			}
			if !slices.Equal(document.Warnings, want) {
				t.Errorf("Parse with access %s, auth type %s warns %+v, want %+v", access, authType, document.Warnings, want)
			}
		}
	}
}

func TestOtherDocumentsAreWarnedOfToo(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	for kind, c := range map[protocol.Kind]struct{ text, field string }{
		protocol.KindIndex:              {`{"protocol":{"version":"1.0.0"},"provider":{"name":"P","Url":"x"},"skills":[]}`, "/provider/Url"},
		protocol.KindInvocationRequest:  {`{"caller":{"id":"a","type":"user","credential":1},"skill_id":"a.b","inputs":{"contxt":1}}`, "/caller/credential"},
		protocol.KindInvocationResponse: {`{"execution_id":"e","status":"failed","skill_id":"a.b","timestamps":{"accepted_at":"2026-01-01T00:00:00Z","completedat":1}}`, "/timestamps/completedat"},
	} {
		report, err := v.Check(kind, []byte(c.text))
		if err != nil || len(report.Violations) > 0 || len(report.Warnings) != 1 || report.Warnings[0].Field != c.field {
			t.Errorf("Check(%s, %s) = %+v, %v, want one warning, at %s", kind, c.text, report, err, c.field)
		}
	}
}
