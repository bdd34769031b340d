package httpapi_test

import (
	"bytes"
	"context"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// FuzzRequest sends the registry whatever can be a request: every answer is one that
// openapi.json allows, and none is the registry's own fault.
func FuzzRequest(f *testing.F) {
	valid := protocoltest.Valid("com.example.a", "1.0.0", "public", "api")
	for _, c := range []struct{ method, target, name, value string }{
		{"GET", "/.well-known/skills?limit=1", "Accept-Encoding", "gzip;q=0.1"},
		{"HEAD", "/v1/skills/com.example.a/versions/1.0.0%2Bb", "If-None-Match", `W/"a", *`},
		{"GET", "/v1/changes?after=p1", "X-Request-Id", "a b"},
		{"POST", "/v1/skills?dry_run=true", "Content-Type", "application/json; charset=latin1"},
		{"POST", "/v1/validate?kind=index", "Content-Encoding", "gzip"},
		{"DELETE", "/v1/keys/abc", "X-Api-Key", "skr_"},
		{"PATCH", "/v1/skills/a%00b/versions/x", "Authorization", "Bearer a"},
		{"OPTIONS", "//v1/../skills", "Origin", "null"},
		{"GET", "/v1/audit?after=1", "X-Forwarded-For", "::1, 10.0.0.1"},
		{"BREW", "/openapi.json", "Range", "bytes=0-1"},
	} {
		for _, admin := range []bool{false, true} {
			f.Add(c.method, c.target, c.name, c.value, admin, valid)
		}
	}
	g := onSQLite(f, options{})
	contract := loadContract(f)
	f.Fuzz(func(t *testing.T, method, target, name, value string, admin bool, body []byte) {
		address, err := url.ParseRequestURI(target)
		if err != nil || !token(method) || !token(name) || strings.ContainsFunc(value, control) || strings.Contains(target, "wait") {
			return // net/http refuses it, or it waits
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		r := httptest.NewRequestWithContext(ctx, "POST", "/", bytes.NewReader(body))
		r.Method, r.URL, r.RequestURI = method, address, target
		r.Header.Set("Content-Type", "application/json")
		if admin {
			asAdmin()(r)
		}
		r.Header.Set(name, value)
		w := httptest.NewRecorder()
		g.handler.ServeHTTP(w, r)
		got := w.Result()
		if got.StatusCode >= 500 {
			t.Fatalf("%s %q with %s: %q and %q: got status %d and %.300s", method, target, name, value, body, got.StatusCode, w.Body)
		}
		plain := w.Body.Bytes()
		if got.Header.Get("Content-Encoding") == "gzip" && len(plain) > 0 {
			if plain, err = gunzip(plain); err != nil {
				t.Fatal(err)
			}
		}
		if err := contract.check(r, got, plain); err != nil {
			t.Errorf("openapi.json does not allow the answer to %s %q with %s: %q and %q: %v\n%d %v\n%.500s", method, target, name, value, body, err, got.StatusCode, got.Header, plain)
		}
	})
}

// token reports whether net/http takes a text for a method or a header's name.
func token(text string) bool {
	return text != "" && strings.Trim(text, "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

func control(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }
