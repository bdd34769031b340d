package httpapi_test

import (
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

func TestPagesMayReadWhatAnonymousCallersMay(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	origin := header("Origin", "https://app.example")
	const name = "Access-Control-Allow-Origin"
	for _, path := range []string{"/.well-known/skills", "/v1/skills/com.example.none", "/nope", "/.well-known/skills?limit=0", "/openapi.json", "/readyz"} {
		for _, method := range []string{"GET", "HEAD"} {
			g.send(method, path, origin).wantHeader(name, "*").wantHeader("Access-Control-Allow-Credentials", "")
			g.send(method, path, origin, asAdmin()).wantHeader(name, "")
			g.send(method, path, origin, header("X-API-Key", "wrong")).wantHeader(name, "")
		}
	}
	etag := g.get("/.well-known/skills").header.Get("ETag")
	g.get("/.well-known/skills", origin, header("If-None-Match", etag)).wantStatus(304).wantHeader(name, "*")
	g.publish(protocoltest.Valid("com.example.a", "1.0.0", "public", "api"), origin).wantStatus(201).wantHeader(name, "")
	g.send("POST", "/v1/validate?kind=descriptor", origin, jsonBody([]byte("{}"))).wantStatus(200).wantHeader(name, "")
	g.send("DELETE", "/.well-known/skills", origin).wantStatus(405).wantHeader(name, "")
}

func TestPreflight(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	ask := func(path, method string) *answer {
		return g.send("OPTIONS", path, header("Origin", "https://app.example"), header("Access-Control-Request-Method", method))
	}
	ask("/.well-known/skills", "GET").wantStatus(204).
		wantHeader("Access-Control-Allow-Origin", "*").
		wantHeader("Access-Control-Allow-Methods", "GET, HEAD").
		wantHeader("Access-Control-Allow-Headers", "If-None-Match, X-Request-Id").
		wantHeader("Access-Control-Allow-Credentials", "")
	ask("/v1/skills", "POST").wantStatus(204).wantHeader("Access-Control-Allow-Methods", "GET, HEAD")
	ask("/v1/keys", "POST").wantStatus(204).wantHeader("Access-Control-Allow-Methods", "GET, HEAD")
	for _, path := range []string{"/search", "/v1/validate", "/v1/keys/abc"} {
		ask(path, "POST").wantStatus(204).wantHeader("Access-Control-Allow-Origin", "").wantHeader("Access-Control-Allow-Methods", "")
	}
}
