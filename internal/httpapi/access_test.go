package httpapi_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/httpapi"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

func TestKeyReadsItsNamespaceAndNothingBeside(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		for _, id := range []string{n + ".one", n + ".one.a", n + ".onex.a", n + ".two.a"} {
			g.published([4]string{id, "1.0.0", "private", "api"})
		}
		g.published([4]string{n + ".three", "1.0.0", "public", "api"})
		for _, scope := range []string{"read", "publish"} {
			key, _ := g.key([]string{scope}, n+".one")
			want := []string{n + ".one", n + ".one.a", n + ".three"}
			for _, path := range []string{"/.well-known/skills", "/.well-known/skills?capability_type=api", "/.well-known/skills?limit=1000"} {
				if got := g.get(path, as(key)).entries(n); !slices.Equal(got, want) {
					t.Errorf("%s with a key of scope %s: %v, want %v", path, scope, got, want)
				}
			}
			for id, status := range map[string]int{".one": 200, ".one.a": 200, ".onex.a": 404, ".two.a": 404, ".three": 200} {
				for _, path := range []string{"", "/versions", "/versions/1.0.0"} {
					g.get("/v1/skills/"+n+id+path, as(key)).wantStatus(status)
				}
			}
		}
		everything, _ := g.key([]string{"read"}, "*")
		if got := g.get("/.well-known/skills", as(everything)).entries(n); len(got) != 5 {
			t.Errorf("a key for every namespace sees %v, want all five", got)
		}
	})
}

func TestPublishingNeedsScopeAndNamespace(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		reader, _ := g.key([]string{"read"}, n)
		writer, _ := g.key([]string{"publish"}, n+".in")
		admin, _ := g.key([]string{"admin"})
		doc := func(id, access string) change { return jsonBody(protocoltest.Valid(id, "1.0.0", access, "api")) }
		for _, path := range []string{"/v1/skills?dry_run=true", "/v1/skills"} {
			created := map[bool]int{true: 200, false: 201}[strings.Contains(path, "dry")]
			anonymous := g.send("POST", path, doc(n+".in.a", "public")).wantError(401, protocol.CodeAuthRequired)
			if got := anonymous.header.Get("WWW-Authenticate"); got != `Bearer realm="skillregistry"` {
				t.Errorf("WWW-Authenticate without credentials is %q", got)
			}
			g.send("POST", path, doc(n+".in.a", "public"), as(reader)).wantError(403, protocol.CodePermissionDenied)
			g.send("POST", path, doc(n, "public"), as(writer)).wantError(403, protocol.CodePermissionDenied)
			g.send("POST", path, doc(n+".inner", "public"), as(writer)).wantError(403, protocol.CodePermissionDenied)
			g.send("POST", path, doc(n+".in", "public"), as(writer)).wantStatus(created)
			g.send("POST", path, doc(n+".in.a", "public"), as(writer)).wantStatus(created)
			g.send("POST", path, doc(n+".in.p", "private"), as(writer)).wantStatus(created)
			g.send("POST", path, doc(n+".elsewhere", "public"), as(admin)).wantStatus(created)
		}
		// Without the scope, nothing of the request is looked at.
		g.send("POST", "/v1/skills?dry_run=maybe", as(reader), jsonBody([]byte("nope")), header("Content-Type", "text/plain")).wantStatus(403)
		g.send("POST", "/v1/skills?dry_run=maybe", jsonBody([]byte("nope"))).wantStatus(401)
	})
}

func TestPublisherLearnsNothingOutsideItsNamespace(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		writer, _ := g.key([]string{"publish"}, n+".in")
		g.published([4]string{n + ".taken", "2.0.0", "private", "api"})
		for _, path := range []string{"/v1/skills", "/v1/skills?dry_run=true"} {
			for _, version := range []string{"1.0.0", "2.0.0", "x"} {
				there := g.send("POST", path, as(writer), jsonBody(protocoltest.Valid(n+".taken", version, "public", "api")))
				not := g.send("POST", path, as(writer), jsonBody(protocoltest.Valid(n+".never", version, "public", "api")))
				if there.status != not.status || strings.ReplaceAll(string(there.body), ".taken", ".never") != string(not.body) {
					t.Errorf("%v\n%v\ntell a skill that is there from one that is not", there, not)
				}
			}
		}
		g.get("/v1/skills/"+n+".taken", as(writer)).wantError(404, protocol.CodeSkillNotFound)
	})
}

func TestCredentialsThatAreNotValidAreNeverAnonymous(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		key, _ := g.key([]string{"read"}, n)
		otherKey, _ := g.key([]string{"read"}, n)
		mixed := key[:16] + otherKey[16:] // the id of one with the secret of the other
		several := func(name string, values ...string) change {
			return func(r *http.Request) { r.Header[http.CanonicalHeaderKey(name)] = values }
		}
		refused := map[string]change{
			"a made up key":             header("Authorization", "Bearer skr_nonsense"),
			"a long key":                header("Authorization", "Bearer skr_"+strings.Repeat("x", 200_000)),
			"nothing behind Bearer":     header("Authorization", "Bearer "),
			"Bearer alone":              header("Authorization", "Bearer"),
			"an empty header":           several("Authorization", ""),
			"another scheme":            header("Authorization", "Basic YTpi"),
			"no scheme":                 header("Authorization", key),
			"a key with more behind it": header("Authorization", "Bearer "+adminKey+"x"),
			"a key and a word":          header("Authorization", "Bearer "+adminKey+" x"),
			"a wrong secret":            header("Authorization", "Bearer "+mixed),
			"a key in capitals":         header("Authorization", "Bearer "+strings.ToUpper(key)),
			"a made up API key":         header("X-API-Key", "nonsense"),
			"an empty API key":          several("X-API-Key", ""),
			"two keys":                  several("Authorization", "Bearer "+key, "Bearer "+otherKey),
			"two API keys":              several("X-API-Key", key, otherKey),
			"a good key and a bad one":  several("X-API-Key", key, "bad"),
			"bytes that are no text":    header("Authorization", "Bearer \xff\xfe"),
		}
		for name, credentials := range refused {
			for _, to := range []struct {
				method, path string
				body         change
			}{
				{"GET", "/.well-known/skills", nil}, {"GET", "/v1/skills/com.example.none", nil}, {"GET", "/v1/keys", nil},
				{"POST", "/v1/skills", jsonBody([]byte("{}"))}, {"POST", "/v1/validate?kind=descriptor", jsonBody([]byte("{}"))},
				{"POST", "/v1/keys", jsonBody([]byte("{}"))}, {"DELETE", "/v1/keys/abc", nil},
			} {
				changes := []change{credentials}
				if to.body != nil {
					changes = append(changes, to.body)
				}
				a := g.send(to.method, to.path, changes...)
				if a.status != 401 || a.text("/error/code") != string(protocol.CodeAuthRequired) {
					t.Errorf("%s: %v; want 401", name, a)
				}
				a.wantHeader("WWW-Authenticate", `Bearer realm="skillregistry", error="invalid_token"`)
			}
		}
		accepted := map[string]change{
			"a key":                     header("Authorization", "Bearer "+key),
			"the scheme in other case":  header("Authorization", "bEARER "+key),
			"more space":                header("Authorization", "Bearer   "+key),
			"as an API key":             header("X-API-Key", key),
			"the administrator's":       header("X-API-Key", adminKey),
			"the same key in two forms": func(r *http.Request) { as(key)(r); header("X-API-Key", key)(r) },
		}
		for name, credentials := range accepted {
			if a := g.get("/.well-known/skills", credentials); a.status != 200 {
				t.Errorf("%s: %v; want 200", name, a)
			}
		}
		// A key is taken from nowhere else.
		g.get("/.well-known/skills?key="+adminKeyQuery()+"&access_token="+adminKeyQuery()).wantStatus(200).wantHeader("Cache-Control", "public, no-cache")
		g.get("/v1/keys?access_token="+adminKeyQuery(), header("Cookie", "key="+key)).wantStatus(401)
	})
}

func adminKeyQuery() string { return strings.ReplaceAll(adminKey, " ", "+") }

func TestKeysAreAnAdministrators(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		writer, id := g.key([]string{"publish"}, n)
		ask := marshal(t, map[string]any{"name": "x", "scopes": []string{"admin"}, "namespaces": []string{"*"}})
		g.get("/v1/keys").wantError(401, protocol.CodeAuthRequired)
		g.send("POST", "/v1/keys", jsonBody(ask)).wantError(401, protocol.CodeAuthRequired)
		g.send("DELETE", "/v1/keys/"+id).wantError(401, protocol.CodeAuthRequired)
		g.get("/v1/keys", as(writer)).wantError(403, protocol.CodePermissionDenied)
		g.send("POST", "/v1/keys", jsonBody(ask), as(writer)).wantError(403, protocol.CodePermissionDenied)
		g.send("DELETE", "/v1/keys/"+id, as(writer)).wantError(403, protocol.CodePermissionDenied)
		g.get("/.well-known/skills", as(writer)).wantStatus(200)
	})
}

func TestKeyIsShownOnceAndEndsAtOnce(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		writer, id := g.key([]string{"publish"}, n)
		list := g.get("/v1/keys", asAdmin()).wantStatus(200)
		if text := string(list.body); !strings.Contains(text, id) || strings.Contains(text, writer) || strings.Contains(text, writer[16:]) {
			t.Errorf("%v; want the id %s and not the secret", list, id)
		}
		g.send("DELETE", "/v1/keys/"+id, asAdmin()).wantStatus(204)
		g.get("/.well-known/skills", as(writer)).wantError(401, protocol.CodeAuthRequired)
		g.send("POST", "/v1/skills", as(writer), jsonBody(protocoltest.Valid(n+".a", "1.0.0", "public", "api"))).wantError(401, protocol.CodeAuthRequired)
		g.send("DELETE", "/v1/keys/"+id, asAdmin()).wantStatus(204)
		list = g.get("/v1/keys", asAdmin()).wantStatus(200)
		if !strings.Contains(string(list.body), `"revoked_at":"20`) {
			t.Errorf("%v; want the time of the revocation", list)
		}
		for _, unknown := range []string{"nonsense", "a%2Fb", "%00", "%ff", strings.Repeat("a", 65), writer, "A", "%20"} {
			g.send("DELETE", "/v1/keys/"+unknown, asAdmin()).wantError(404, httpapi.CodeKeyNotFound)
		}
	})
}

func TestKeyExpires(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		ends := time.Now().Add(1500 * time.Millisecond)
		body := marshal(t, map[string]any{"name": "short", "scopes": []string{"read"}, "namespaces": []string{"*"}, "expires_at": ends.Format(time.RFC3339Nano)})
		made := g.send("POST", "/v1/keys", asAdmin(), jsonBody(body)).wantStatus(201)
		at, err := time.Parse(time.RFC3339Nano, made.text("/expires_at"))
		if err != nil || !at.Equal(ends.Truncate(time.Microsecond)) {
			t.Errorf("expires_at is %q (error %v), want %v", made.text("/expires_at"), err, ends)
		}
		g.get("/.well-known/skills", as(made.text("/key"))).wantStatus(200)
		time.Sleep(time.Until(ends))
		g.get("/.well-known/skills", as(made.text("/key"))).wantError(401, protocol.CodeAuthRequired)
	})
}

func TestNewKeyAnswersWithAllThatItIs(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		body := []byte(`{"name":"Répétition","scopes":["read","publish"],"namespaces":["com.example","io"],"expires_at":"2999-01-31T12:00:00.5+02:00"}`)
		made := g.send("POST", "/v1/keys", asAdmin(), jsonBody(body)).wantStatus(201)
		for pointer, want := range map[string]string{
			"/name": "Répétition", "/scopes/0": "read", "/scopes/1": "publish", "/namespaces/0": "com.example", "/namespaces/1": "io",
			"/expires_at": "2999-01-31T10:00:00.5Z",
		} {
			if got := made.text(pointer); got != want {
				t.Errorf("%s is %q, want %q", pointer, got, want)
			}
			if got := g.get("/v1/keys", asAdmin()).text("/keys/0" + pointer); got != want {
				t.Errorf("in the list, %s is %q, want %q", pointer, got, want)
			}
		}
		for _, scopes := range [][]string{{"admin"}, {"read", "admin"}} {
			g.key(scopes)
		}
	})
}

func TestKeyRequestsAreChecked(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	tests := map[string]struct {
		body   string
		fields []string
	}{
		"nothing":                             {`{}`, []string{"/name", "/scopes", "/namespaces"}},
		"an unknown scope":                    {`{"name":"x","scopes":["root"],"namespaces":["a.b"]}`, []string{"/scopes/0"}},
		"no scope":                            {`{"name":"x","scopes":[],"namespaces":["a.b"]}`, []string{"/scopes"}},
		"a namespace that can't be one":       {`{"name":"x","scopes":["read"],"namespaces":["A b"]}`, []string{"/namespaces/0"}},
		"a namespace with a star":             {`{"name":"x","scopes":["read"],"namespaces":["com.*"]}`, []string{"/namespaces/0"}},
		"no namespace":                        {`{"name":"x","scopes":["read"],"namespaces":[]}`, []string{"/namespaces"}},
		"an end that is no time":              {`{"name":"x","scopes":["read"],"namespaces":["a.b"],"expires_at":"soon"}`, []string{"/expires_at"}},
		"an end without a zone":               {`{"name":"x","scopes":["read"],"namespaces":["a.b"],"expires_at":"2999-01-01T00:00:00"}`, []string{"/expires_at"}},
		"an end with a comma":                 {`{"name":"x","scopes":["read"],"namespaces":["a.b"],"expires_at":"2999-01-01T00:00:00,5Z"}`, []string{"/expires_at"}},
		"an end with hours of one digit":      {`{"name":"x","scopes":["read"],"namespaces":["a.b"],"expires_at":"2999-01-01T1:00:00Z"}`, []string{"/expires_at"}},
		"an end on a day that is none":        {`{"name":"x","scopes":["read"],"namespaces":["a.b"],"expires_at":"2999-02-30T00:00:00Z"}`, []string{"/expires_at"}},
		"an end at the beginning of time":     {`{"name":"x","scopes":["read"],"namespaces":["a.b"],"expires_at":"0001-01-01T00:00:00Z"}`, []string{"/expires_at"}},
		"an end in the past":                  {`{"name":"x","scopes":["read"],"namespaces":["a.b"],"expires_at":"2020-01-01T00:00:00Z"}`, []string{"/expires_at"}},
		"an end that is a number":             {`{"name":"x","scopes":["read"],"namespaces":["a.b"],"expires_at":1}`, []string{"/expires_at"}},
		"a name that is a number":             {`{"name":1,"scopes":["read"],"namespaces":["a.b"]}`, []string{"/name"}},
		"scopes that are text":                {`{"name":"x","scopes":"read","namespaces":["a.b"]}`, []string{"/scopes"}},
		"a scope that is a number":            {`{"name":"x","scopes":[1],"namespaces":["a.b"]}`, []string{"/scopes/0"}},
		"a misspelt end":                      {`{"name":"x","scopes":["read"],"namespaces":["a.b"],"expires":"2999-01-01T00:00:00Z"}`, []string{"/expires"}},
		"an end in other case":                {`{"name":"x","scopes":["read"],"namespaces":["a.b"],"Expires_at":"2999-01-01T00:00:00Z"}`, []string{"/Expires_at"}},
		"a member whose pointer needs escape": {`{"name":"x","scopes":["read"],"namespaces":["a.b"],"a/b~c":1}`, []string{"/a~1b~0c"}},
		"several things at once":              {`{"name":"","scopes":["root"],"expires_at":"soon","zzz":1}`, []string{"/name", "/scopes/0", "/namespaces", "/expires_at", "/zzz"}},
		"a wrong type and a misspelt end":     {`{"name":1,"expires":1}`, []string{"/name", "/expires"}},
		"no object":                           {`[]`, []string{""}},
		"null":                                {`null`, []string{"/name", "/scopes", "/namespaces"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := g.in(t).send("POST", "/v1/keys", asAdmin(), jsonBody([]byte(test.body))).wantError(422, protocol.CodeValidation)
			got := a.violations()
			for _, field := range test.fields {
				if !slices.Contains(got, field) {
					t.Errorf("%s: violations at %q, want one at %q", test.body, got, field)
				}
			}
			if len(got) != len(test.fields) {
				t.Errorf("%s: violations at %q, want them at %q", test.body, got, test.fields)
			}
		})
	}
	for name, body := range map[string]string{"no JSON": "nope", "nothing": "", "a doubled member": `{"name":"a","name":"b"}`, "bad bytes": "{\"name\":\"\xff\"}"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g.in(t).send("POST", "/v1/keys", asAdmin(), jsonBody([]byte(body))).wantError(400, httpapi.CodeInvalidJSON)
		})
	}
	g.send("POST", "/v1/keys", asAdmin(), jsonBody([]byte(`{}`)), header("Content-Type", "text/plain")).wantError(415, httpapi.CodeUnsupportedMediaType)
}
