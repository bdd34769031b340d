package protocol_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

type keyBody struct {
	Name      string     `json:"name"`
	Scopes    []string   `json:"scopes"`
	Uses      int        `json:"uses"`
	Rate      float64    `json:"rate"`
	Active    bool       `json:"active"`
	Owner     struct{}   `json:"owner"`
	ExpiresAt *time.Time `json:"expires_at"`
}

func TestBodyIsDecoded(t *testing.T) {
	t.Parallel()
	var got keyBody
	text := `{"name":"n","scopes":["a"],"uses":3,"unknown":{},"NAME":"other","expires_at":"2026-01-31T12:00:00+01:00","rate":null}`
	if err := protocol.DecodeStrict([]byte(text), 0, &got); err != nil {
		t.Fatal(err)
	}
	if got.Name != "n" || len(got.Scopes) != 1 || got.Uses != 3 || got.ExpiresAt == nil || !got.ExpiresAt.Equal(time.Date(2026, 1, 31, 11, 0, 0, 0, time.UTC)) {
		t.Errorf("DecodeStrict(%s) = %+v", text, got)
	}
}

func TestBodyWithAWrongTypeNamesTheMember(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]protocol.Violation{
		`[]`:                        {"", "an object", "an array of 0 items"},
		`"x"`:                       {"", "an object", `the string "x"`},
		`{"name":5}`:                {"/name", "a string", "the number 5"},
		`{"name":["x"]}`:            {"/name", "a string", "an array of 1 item"},
		`{"name":{}}`:               {"/name", "a string", "an object of 0 members"},
		`{"scopes":"read"}`:         {"/scopes", "an array", `the string "read"`},
		`{"scopes":["read",true]}`:  {"/scopes/1", "a string", "true"},
		`{"uses":"3"}`:              {"/uses", "an integer", `the string "3"`},
		`{"uses":1.5}`:              {"/uses", "an integer", "the number 1.5"},
		`{"rate":"1"}`:              {"/rate", "a number", `the string "1"`},
		`{"active":1}`:              {"/active", "true or false", "the number 1"},
		`{"owner":[]}`:              {"/owner", "an object", "an array of 0 items"},
		`{"expires_at":"tomorrow"}`: {"/expires_at", "a time by RFC 3339, such as 2026-01-31T12:00:00Z", `the string "tomorrow"`},
		`{"expires_at":5}`:          {"/expires_at", "a time by RFC 3339, such as 2026-01-31T12:00:00Z", "the number 5"},
	} {
		var into keyBody
		err := protocol.DecodeStrict([]byte(text), 0, &into)
		invalid, ok := errors.AsType[*protocol.ValidationError](err)
		if !ok || len(invalid.Violations) != 1 || invalid.Violations[0] != want {
			t.Errorf("DecodeStrict(%s) = %v, want %+v", text, err, want)
		}
	}
}

func TestValuesOfABodyAreBounded(t *testing.T) {
	t.Parallel()
	var into keyBody
	text := `{"scopes":[` + strings.Repeat(`"a",`, 30_000) + `"a"]}`
	err := protocol.DecodeStrict([]byte(text), 0, &into)
	want := protocol.Violation{Field: "/scopes", Expected: "at most 20000 values in the whole document", Actual: "more values"}
	invalid, ok := errors.AsType[*protocol.ValidationError](err)
	if !ok || len(invalid.Violations) != 1 || invalid.Violations[0] != want || into.Scopes != nil {
		t.Errorf("DecodeStrict(%.40s…) = %v with %d scopes, want %+v and none", text, err, len(into.Scopes), want)
	}
}

func TestDepthOfABodyIsBounded(t *testing.T) {
	t.Parallel()
	var into keyBody
	if err := protocol.DecodeStrict([]byte(`{"x":[[]]}`), 3, &into); err != nil {
		t.Errorf("DecodeStrict of depth 3 within 3 = %v, want nil", err)
	}
	err := protocol.DecodeStrict([]byte(`{"x":[[]]}`), 2, &into)
	if _, ok := errors.AsType[*protocol.SyntaxError](err); !ok {
		t.Errorf("DecodeStrict of depth 3 within 2 = %v, want a *SyntaxError", err)
	}
}
