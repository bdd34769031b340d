package httpapi_test

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/skillregistry/skillregistry/internal/httpapi"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// log keeps the lines that a registry logs.
type log struct {
	mu    sync.Mutex
	lines bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.Write(p)
}

func (l *log) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.String()
}

func (l *log) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func TestRequestsAreLogged(t *testing.T) {
	t.Parallel()
	lines := &log{}
	g := onSQLite(t, options{http: func(o *httpapi.Options) { o.Logger = lines.logger() }})
	key, id := g.key([]string{"read"}, "com.example")
	g.published([4]string{"com.example.a", "1.0.0", "public", "api"})
	g.get("/v1/skills/com.example.a?x=y", as(key), header("X-Request-Id", "find-me")).wantStatus(200)
	g.get("/nope", header("X-Request-Id", "find-me-too"))
	for _, want := range []string{
		"method=GET route=/v1/skills/{id} path=/v1/skills/com.example.a status=200 bytes=", "client=127.0.0.1 request_id=find-me key=" + id,
		`path=/nope status=404`, "request_id=find-me-too code=NOT_FOUND",
	} {
		if !strings.Contains(lines.text(), want) {
			t.Errorf("want %q in the log:\n%s", want, lines.text())
		}
	}
}

func TestNoKeyIsEverLogged(t *testing.T) {
	t.Parallel()
	lines := &log{}
	g := onSQLite(t, options{http: func(o *httpapi.Options) { o.Logger = lines.logger() }})
	key, id := g.key([]string{"publish"}, "com.example")
	secret := key[len("skr_")+len(id):]
	// Wherever people put their keys.
	for _, path := range []string{
		"/.well-known/skills", "/.well-known/skills?key=" + key, "/.well-known/skills?limit=" + key, "/v1/skills/" + key, "/v1/skills/com.example.a/versions/" + key,
		"/v1/keys/" + key, "/" + key, "/" + key + "/x", "/v1/skills/" + adminKeyQuery(), "/%zz" + key,
	} {
		for _, method := range []string{"GET", "POST", "DELETE", "BREW"} {
			for _, who := range []change{as(key), header("X-API-Key", key), as(key + "x"), asAdmin(), header("Authorization", "Basic "+key), header("X-Request-Id", "id "+key)} {
				if a, err := g.try(method, path, who); err == nil && a.status >= 500 {
					t.Errorf("%v", a)
				}
			}
		}
	}
	g.publish(protocoltest.Valid("com.example.a", "1.0.0", "public", "api"), as(key)).wantStatus(201)
	g.send("POST", "/v1/keys", asAdmin(), jsonBody([]byte(`{"name":1,"`+key+`":2}`))).wantStatus(422)
	g.send("DELETE", "/v1/keys/"+id, asAdmin()).wantStatus(204)
	text := lines.text()
	for name, forbidden := range map[string]string{"a key": key, "a secret": secret, "the admin key": adminKey, "the admin key, escaped": adminKeyQuery()} {
		if i := strings.Index(text, forbidden); i >= 0 {
			t.Errorf("the log has %s: …%s", name, text[max(0, i-200):min(len(text), i+100)])
		}
	}
	if !strings.Contains(text, "key="+id) {
		t.Error("the log does not say whose key it was")
	}
}
