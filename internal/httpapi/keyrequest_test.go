package httpapi

import (
	"errors"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// A body makes a key only if it says all that is needed and nothing else; what is wrong
// is told to its author.
func FuzzKeyRequest(f *testing.F) {
	for _, body := range []string{
		`{"name":"a","scopes":["read"],"namespaces":["com.example"],"expires_at":"2030-01-31T00:00:00Z"}`,
		`{"name":"a","scopes":["admin"]}`, `{"name":"a","scopes":["admin"],"expires":"2030-01-31T00:00:00Z"}`, `{"Name":"a"}`,
		`{"name":"a","scopes":["admin"],"expires_at":"0001-01-01T00:00:00Z"}`, `{"expires_at":"2030-01-31T24:00:00,5+99:99"}`, `[]`, `{"scopes":null}`, `{`,
	} {
		f.Add([]byte(body))
	}
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, body []byte) {
		request, err := parseKeyRequest(body, 0, now)
		if err == nil {
			if violations := request.Check(now); len(violations) > 0 {
				t.Errorf("%q makes a key, in spite of %+v", body, violations)
			}
			return
		}
		_, syntax := errors.AsType[*protocol.SyntaxError](err)
		invalid, ok := errors.AsType[*protocol.ValidationError](err)
		if !syntax && (!ok || len(invalid.Violations) == 0) {
			t.Errorf("%q: got the error %v, want one that says what is wrong", body, err)
		}
	})
}
