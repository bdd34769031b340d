package protocol_test

import (
	"reflect"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

func TestJSONIsWrittenCompactAndUnescaped(t *testing.T) {
	t.Parallel()
	entry := protocol.IndexEntry{
		ID: "com.example.a", Name: `<b>"é" & 😀`, CapabilityType: protocol.API, Description: "a\nb\u2028",
		DescriptorURL: "https://e.example/?a=1&b=2", Access: protocol.Private, Version: "1.0.0",
	}
	for _, c := range []struct {
		value any
		want  string
	}{
		{entry, `{"id":"com.example.a","name":"<b>\"é\" & 😀","capability_type":"api","description":"a\nb` + "\u2028" + `","descriptor_url":"https://e.example/?a=1&b=2","access":"private","version":"1.0.0"}`},
		{map[string]any{"b": 1, "a": []string{}, "c": nil}, `{"a":[],"b":1,"c":null}`},
		{protocol.Index{Protocol: protocol.ProtocolVersion{Version: "1.0.0"}, Provider: protocol.Provider{Name: "P"}}, `{"protocol":{"version":"1.0.0"},"provider":{"name":"P"},"skills":[]}`},
		{protocol.ErrorAnswer{Error: protocol.ErrorDetail{Code: protocol.CodeSkillNotFound, Message: "no"}}, `{"error":{"code":"SKILL_NOT_FOUND","message":"no"}}`},
		{"bad \xff UTF-8", `"bad ` + "\ufffd" + ` UTF-8"`},
		{protocol.Violation{Field: "/a", Expected: "b", Actual: "c"}, `{"field":"/a","expected":"b","actual":"c"}`},
	} {
		got, err := protocol.AppendJSON([]byte("x"), c.value)
		if err != nil || string(got) != "x"+c.want {
			t.Errorf("AppendJSON(x, %+v) = %s, %v, want x%s", c.value, got, err, c.want)
		}
	}
	if got, err := protocol.AppendJSON([]byte("x"), func() {}); err == nil || string(got) != "x" {
		t.Errorf("AppendJSON(x, a function) = %s, %v, want x and an error", got, err)
	}
}

func TestDescriptorMadeInGoIsSerializedAndParsed(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	made := protocol.Descriptor{
		Protocol:       protocol.ProtocolVersion{Version: protocol.Version},
		ID:             "com.example.a",
		Name:           "A",
		Version:        "1.0.0",
		CapabilityType: protocol.Task,
		Description:    "D",
		Provider:       protocol.Provider{Name: "P"},
		Endpoint:       protocol.Endpoint{URL: "https://example.com/"},
		Inputs:         []protocol.Parameter{{Name: "a", Type: "integer", Required: new(false), Description: new(""), Default: []byte(`null`), Enum: nil}},
		Output:         protocol.Output{Type: "object"},
		Auth:           protocol.Auth{Type: "none"},
		Access:         protocol.Public,
		Extra:          []byte(`{"x":{"b":1.50,"a":2}}`),
	}
	made.Inputs[0].Default = []byte(`10`)
	data, err := protocol.Serialize(made)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"access":"public","auth":{"type":"none"},"capability_type":"task","description":"D","endpoint":{"url":"https://example.com/"},"id":"com.example.a","inputs":[{"default":10,"description":"","name":"a","required":false,"type":"integer"}],"name":"A","output":{"type":"object"},"protocol":{"version":"1.0.0"},"provider":{"name":"P"},"version":"1.0.0","x":{"a":2,"b":1.50}}`
	if string(data) != want {
		t.Errorf("Serialize = %s, want %s", data, want)
	}
	document, err := v.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	made.Extra = []byte(`{"x":{"a":2,"b":1.50}}`)
	if !reflect.DeepEqual(document.Descriptor, made) {
		t.Errorf("Parse(Serialize(d)) = %+v, want %+v", document.Descriptor, made)
	}
}

func TestUnknownMembersAreKeptAtEveryLevel(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	text := `{"access":"public","auth":{"oauth2":{"authorization_url":"https://a/","scopes":{},"token_url":"https://a/","x1":1.0},"type":"oauth2","x2":[2]},"capability_type":"api",` +
		`"description":"D","endpoint":{"url":"https://a/","x3":{}},"id":"a.b","inputs":[{"name":"a","type":"string","x4":null}],"name":"N","output":{"type":"object","x5":"5"},` +
		`"protocol":{"version":"1.7.0","x6":false},"provider":{"name":"P","x7":12345678901234567890},"version":"1.0.0","x8":{"x9":9}}`
	document, err := v.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	data, err := protocol.Serialize(document.Descriptor)
	if err != nil || string(data) != text {
		t.Errorf("Serialize after Parse = %s, %v, want %s", data, err, text)
	}
}

func TestEntryHasWhatTheDescriptorSays(t *testing.T) {
	t.Parallel()
	document, err := newValidator(t).Parse(protocoltest.Valid("com.example.a", "2.1.0", "restricted", "knowledge"))
	if err != nil {
		t.Fatal(err)
	}
	want := protocol.IndexEntry{
		ID: "com.example.a", Name: "Translator", CapabilityType: "knowledge", Description: "Translates text between languages.",
		DescriptorURL: "https://r.example/d", Access: "restricted", Version: "2.1.0",
	}
	if got := document.Descriptor.Entry("https://r.example/d"); got != want {
		t.Errorf("Entry = %+v, want %+v", got, want)
	}
}
