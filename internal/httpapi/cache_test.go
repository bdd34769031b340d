package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// readable lists a path of each kind of GET, and whether it takes a key.
func readable() map[string]bool {
	return map[string]bool{
		"/.well-known/skills": false, "/.well-known/skills?limit=1": false, "/.well-known/skills?capability_type=api": false,
		"/v1/skills/com.example.a": false, "/v1/skills/com.example.a/versions": false, "/v1/skills/com.example.a/versions/1.0.0": false,
		"/v1/changes": false, "/v1/changes?limit=1": false, "/v1/changes?after=now": false,
		"/v1/keys": true, "/schemas/1.0.0/schema.json": false, "/openapi.json": false, "/livez": false, "/readyz": false, "/version": false,
	}
}

// tagged returns a registry with something at every path of readable.
func tagged(t *testing.T) *registry {
	g := onSQLite(t, options{})
	g.published([4]string{"com.example.a", "1.0.0", "public", "api"}, [4]string{"com.example.b", "1.0.0", "public", "api"})
	return g
}

func TestEveryGETHasATag(t *testing.T) {
	t.Parallel()
	g := tagged(t)
	for path, needsKey := range readable() {
		var who []change
		if needsKey {
			who = []change{asAdmin()}
		}
		plain := g.get(path, who...).wantStatus(200).wantHeader("Content-Encoding", "")
		packed := g.get(path, append(who, header("Accept-Encoding", "gzip"))...).wantStatus(200).wantHeader("Content-Encoding", "gzip")
		if plain.header.Get("ETag") == packed.header.Get("ETag") {
			t.Errorf("%s: the plain and the compressed answer have the one tag %s", path, plain.header.Get("ETag"))
		}
		if got, err := gunzip(packed.body); err != nil || string(got) != string(plain.body) {
			t.Errorf("%s: the compressed answer is not the plain one (error %v): %.200s", path, err, got)
		}
		for _, a := range []*answer{plain, packed} {
			encoding := header("Accept-Encoding", a.header.Get("Content-Encoding"))
			if got, want := a.header.Get("Content-Length"), fmt.Sprint(len(a.body)); got != want {
				t.Errorf("%s: Content-Length %s of %s bytes", path, got, want)
			}
			tag := a.header.Get("ETag")
			for _, condition := range []string{tag, "W/" + tag, `"x", ` + tag, `"x" , W/"y",` + tag + `, "z"`, "*"} {
				for _, method := range []string{"GET", "HEAD"} {
					same := g.send(method, path, append(who, encoding, header("If-None-Match", condition))...)
					if same.status != http.StatusNotModified || len(same.body) > 0 {
						t.Errorf("%v with If-None-Match %s; want 304 and no body", same, condition)
					}
					for _, name := range []string{"ETag", "Cache-Control", "Vary", "Link"} {
						same.wantHeader(name, a.header.Get(name))
					}
					same.wantHeader("Content-Type", "").wantHeader("Content-Encoding", "")
				}
			}
			g.get(path, append(who, encoding, header("If-None-Match", `"x"`))...).wantStatus(200)
			head := g.send("HEAD", path, append(who, encoding)...).wantStatus(200)
			if len(head.body) > 0 {
				t.Errorf("HEAD %s has a body", path)
			}
			for name := range a.header {
				if name != "Date" && name != "X-Request-Id" {
					head.wantHeader(name, a.header.Get(name))
				}
			}
			if len(head.header) != len(a.header) {
				t.Errorf("HEAD %s: headers %v, and GET has %v", path, head.header, a.header)
			}
		}
		other := plain.header.Get("ETag")
		g.get(path, append(who, header("Accept-Encoding", "gzip"), header("If-None-Match", other))...).wantStatus(200)
		// Ranges are not served: the whole is.
		for _, r := range []string{"bytes=0-9", "bytes=-1", "bytes=9999999-"} {
			whole := g.get(path, append(who, header("Range", r), header("Accept-Encoding", "gzip"))...).wantStatus(200)
			if len(whole.body) != len(packed.body) {
				t.Errorf("%s with Range %s: %d bytes, want the whole %d", path, r, len(whole.body), len(packed.body))
			}
		}
	}
}

func TestAcceptEncodingIsHeard(t *testing.T) {
	t.Parallel()
	g := tagged(t)
	for value, want := range map[string]string{"gzip": "gzip", "gzip;q=0": "", "br": "", "*": "gzip", "identity": "", "br, gzip;q=0.1": "gzip", "identity, gzip;q=0.5": ""} {
		g.get("/.well-known/skills", header("Accept-Encoding", value)).wantHeader("Content-Encoding", want)
	}
}

func TestTagsMoveWithWhatIsPublished(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		id := g.namespace() + ".skill"
		g.published([4]string{id, "1.0.0", "public", "api"})
		paths := []string{"/.well-known/skills", "/.well-known/skills?limit=1000", "/v1/skills/" + id, "/v1/skills/" + id + "/versions"}
		before := map[string]string{}
		for _, path := range paths {
			before[path] = g.get(path).header.Get("ETag")
		}
		fixed := g.get("/v1/skills/" + id + "/versions/1.0.0").header.Get("ETag")
		g.published([4]string{id, "1.0.1", "public", "api"})
		for _, path := range paths {
			if a := g.get(path, header("If-None-Match", before[path])); a.status != 200 || a.header.Get("ETag") == before[path] {
				t.Errorf("%s: %d with tag %s after a publication, before it was %s", path, a.status, a.header.Get("ETag"), before[path])
			}
		}
		g.get("/v1/skills/"+id+"/versions/1.0.0", header("If-None-Match", fixed)).wantStatus(304)
		// What nobody sees moves nothing that everybody sees.
		now := g.get("/.well-known/skills")
		g.published([4]string{g.namespace() + ".hidden", "1.0.0", "private", "api"})
		g.get("/.well-known/skills", header("If-None-Match", now.header.Get("ETag"))).wantStatus(304)
	})
}

func TestCacheControl(t *testing.T) {
	t.Parallel()
	g := tagged(t)
	key, _ := g.key([]string{"read"}, "com.example")
	doc := protocoltest.Valid("com.example.c", "1.0.0", "public", "api")
	tests := []struct {
		what         string
		method, path string
		changes      []change
		status       int
		want         string
	}{
		{"what everyone reads", "GET", "/v1/skills/com.example.a", nil, 200, "public, no-cache"},
		{"the index", "HEAD", "/.well-known/skills", nil, 200, "public, no-cache"},
		{"a document", "GET", "/openapi.json", nil, 200, "public, no-cache"},
		{"what a key reads", "GET", "/v1/skills/com.example.a", []change{as(key)}, 200, "private, no-store"},
		{"what a key in its own header reads", "GET", "/.well-known/skills", []change{header("X-API-Key", key)}, 200, "private, no-store"},
		{"what everyone doesn't find", "GET", "/v1/skills/com.example.none", nil, 404, "no-cache"},
		{"a path that is none", "GET", "/nope", nil, 404, "no-cache"},
		{"what a key doesn't find", "GET", "/v1/skills/com.example.none", []change{as(key)}, 404, "private, no-store"},
		{"a wrong query", "GET", "/.well-known/skills?limit=x", nil, 400, "no-store"},
		{"no credentials", "GET", "/v1/keys", nil, 401, "no-store"},
		{"wrong credentials", "GET", "/.well-known/skills", []change{as("x")}, 401, "private, no-store"},
		{"a wrong method", "PUT", "/v1/skills", nil, 405, "no-store"},
		{"a publication", "POST", "/v1/skills", []change{asAdmin(), jsonBody(doc)}, 201, "private, no-store"},
		{"a validation", "POST", "/v1/validate?kind=descriptor", []change{jsonBody(doc)}, 200, "no-store"},
	}
	for _, test := range tests {
		a := g.send(test.method, test.path, test.changes...).wantStatus(test.status)
		if got := a.header.Get("Cache-Control"); got != test.want {
			t.Errorf("%s: Cache-Control of %s is %q, want %q", test.what, a.request, got, test.want)
		}
		if got := a.header.Get("Vary"); got != "Authorization, X-API-Key, Accept-Encoding" || len(a.header.Values("Vary")) != 1 {
			t.Errorf("%s: Vary of %s is %q", test.what, a.request, strings.Join(a.header.Values("Vary"), "; "))
		}
	}
}
