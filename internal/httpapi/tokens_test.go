package httpapi_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/httpapi"
	"github.com/skillregistry/skillregistry/internal/oidc"
	"github.com/skillregistry/skillregistry/internal/oidc/oidctest"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// reach is what a caller may do, and where.
type reach struct {
	scopes     []access.Scope
	namespaces []access.Namespace
}

// pipeline is a platform whose jobs have tokens, and a registry that takes them: the
// claim job is the number of a reach.
type pipeline struct {
	*registry
	*clock
	issuer *oidctest.Issuer
	key    oidctest.Key
}

func newPipeline(t *testing.T, change options, reaches ...reach) *pipeline {
	t.Helper()
	p := &pipeline{clock: &clock{now: time.Now()}, issuer: oidctest.New(t), key: oidctest.NewKey(t, "k", "ES256")}
	p.issuer.Publish(p.key)
	issuer := oidc.Issuer{Issuer: p.issuer.URL, Audience: oidctest.Audience, Algorithms: []string{"ES256"}}
	for i, r := range reaches {
		issuer.Rules = append(issuer.Rules, oidc.Rule{
			Name: fmt.Sprint(i), Claims: map[string]oidc.Values{"job": {fmt.Sprint(i)}}, Scopes: r.scopes, Namespaces: r.namespaces,
		})
	}
	others := change.http
	change.http = func(o *httpapi.Options) {
		o.Now = p.Now
		o.Tokens = oidc.NewVerifier(oidc.Config{Issuers: []oidc.Issuer{issuer}}, nil, p.Now)
		if others != nil {
			others(o)
		}
	}
	p.registry = onSQLite(t, change)
	return p
}

// job is the token of the job with a number.
func (p *pipeline) job(number int, others map[string]any) string {
	claims := p.issuer.Claims(p.Now(), map[string]any{"job": fmt.Sprint(number)})
	for name, value := range others {
		claims[name] = value
	}
	return p.key.Token(p.t, claims)
}

func publisher() reach {
	return reach{[]access.Scope{access.Publish}, []access.Namespace{"com.example"}}
}

func TestTokenIsAnsweredAsAKeyOfTheSameReach(t *testing.T) {
	t.Parallel()
	var reaches []reach
	for _, scopes := range [][]access.Scope{{access.Read}, {access.Publish}, {access.Read, access.Publish}} {
		for _, namespaces := range [][]access.Namespace{{"com.a"}, {"com.b.in"}, {"com.a", "com.b"}, {access.Everything}} {
			reaches = append(reaches, reach{scopes, namespaces})
		}
	}
	p := newPipeline(t, options{}, reaches...)
	ids := []string{"com.a.open", "com.a.hidden", "com.b.hidden", "com.b.in.hidden"}
	for _, id := range ids {
		access := map[bool]string{true: "public", false: "private"}[strings.HasSuffix(id, "open")]
		p.published([4]string{id, "1.0.0", access, "api"})
	}
	compared := 0
	for i, r := range reaches {
		var scopes, namespaces []string
		for _, s := range r.scopes {
			scopes = append(scopes, string(s))
		}
		for _, n := range r.namespaces {
			namespaces = append(namespaces, string(n))
		}
		key, _ := p.registry.key(scopes, namespaces...)
		token := p.job(i, nil)
		same := func(method, path string, changes ...change) {
			t.Helper()
			changes = append(changes, header("X-Request-Id", "one"))
			a := p.send(method, path, append(changes, as(key))...)
			b := p.send(method, path, append(changes, as(token))...)
			if got, want := fingerprint(b), fingerprint(a); got != want {
				t.Errorf("%s %s with %v in %v: a token gets\n%s\nand a key\n%s", method, path, scopes, namespaces, got, want)
			}
			compared++
		}
		for _, path := range p.reads(ids) {
			same("GET", path)
		}
		for _, id := range ids {
			same("POST", "/v1/skills?dry_run=true", jsonBody(protocoltest.Valid(id, "1.1.0", "public", "api")))
			same("PATCH", "/v1/skills/"+id+"/versions/1.0.0", jsonBody([]byte(`{"status":"active"}`)))
			same("DELETE", "/v1/skills/"+id)
		}
		same("POST", "/v1/keys", jsonBody([]byte(`{}`)))
	}
	if compared < 300 {
		t.Errorf("%d answers were compared, want those of every route to every reach", compared)
	}
}

// reads are the paths of all routes that are read, with each id where one belongs.
func (p *pipeline) reads(ids []string) []string {
	p.t.Helper()
	var paths []string
	parameter := regexp.MustCompile(`\{[^}]*\}|\*`)
	err := chi.Walk(p.handler.(chi.Routes), func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if method != "GET" {
			return nil
		}
		route = strings.ReplaceAll(route, "{version}", "1.0.0")
		for _, id := range ids {
			path := parameter.ReplaceAllString(route, id)
			if !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
		return nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return paths
}

// fingerprint is everything of an answer but the time of day.
func fingerprint(a *answer) string {
	h := a.header.Clone()
	h.Del("Date")
	return fmt.Sprintf("%d %v %s", a.status, h, a.body)
}

func TestTokenThatIsNotValidIsToldWhy(t *testing.T) {
	t.Parallel()
	p := newPipeline(t, options{}, publisher())
	doc := jsonBody(protocoltest.Valid("com.example.a", "1.0.0", "public", "api"))
	for name, test := range map[string]struct{ token, reason string }{
		"expired":           {p.job(0, map[string]any{"exp": 1}), "it has expired"},
		"another audience":  {p.job(0, map[string]any{"aud": "x"}), "it is for another audience (aud) than " + oidctest.Audience},
		"an unknown issuer": {p.job(0, map[string]any{"iss": "https://evil.example"}), "its issuer (iss) is none that this registry takes tokens of"},
		"no rule":           {p.job(1, nil), "it is genuine, and no rule of this registry gives its claims anything"},
		"no token at all":   {"a.b.c", "it is no JSON Web Token"},
	} {
		for _, a := range []*answer{p.send("POST", "/v1/skills", as(test.token), doc), p.get("/.well-known/skills", as(test.token))} {
			a.wantError(401, protocol.CodeAuthRequired).
				wantHeader("WWW-Authenticate", `Bearer realm="skillregistry", error="invalid_token", error_description="`+test.reason+`"`)
			if got, want := a.text("/error/message"), "The token is not valid: "+test.reason+"."; got != want {
				t.Errorf("%s: got the message %q, want %q", name, got, want)
			}
			if strings.Contains(string(a.body), test.token) && name != "no token at all" {
				t.Errorf("%s: the answer has the token in it", name)
			}
		}
	}
	p.send("POST", "/v1/skills", as(p.job(0, nil)), doc).wantStatus(201)
}

func TestTokenOfAnIssuerThatIsAwayIsNotJudged(t *testing.T) {
	t.Parallel()
	p := newPipeline(t, options{}, publisher())
	p.issuer.Answers(oidctest.Dead)
	for range 2 {
		a := p.get("/.well-known/skills", as(p.job(0, nil))).wantError(503, protocol.CodeEndpointUnreachable)
		if a.header.Get("Retry-After") == "" || strings.Contains(string(a.body), p.issuer.URL) {
			t.Errorf("%v %v; want a Retry-After, and no word of the issuer", a, a.header)
		}
	}
	p.issuer.Answers(nil)
	p.advance(10 * time.Second)
	p.get("/.well-known/skills", as(p.job(0, nil))).wantStatus(200)
}

func TestTokensAreTakenWhereTheyBelongOnly(t *testing.T) {
	t.Parallel()
	p := newPipeline(t, options{}, publisher())
	token := p.job(0, nil)
	p.get("/.well-known/skills", header("X-Api-Key", token)).wantError(401, protocol.CodeAuthRequired)
	p.get("/.well-known/skills", as(token), header("X-Api-Key", token)).wantError(401, protocol.CodeAuthRequired)
	p.get("/.well-known/skills", as(token)).wantStatus(200)
	// Without issuers, a token is a key that does not exist.
	onSQLite(t, options{}).get("/.well-known/skills", as(token)).wantError(401, protocol.CodeAuthRequired).
		wantHeader("WWW-Authenticate", `Bearer realm="skillregistry", error="invalid_token"`)
}

func TestAdminKeyInTheFormOfATokenIsAKey(t *testing.T) {
	t.Parallel()
	const key = "an.administrators.key-of-32-characters"
	p := newPipeline(t, options{catalog: func(o *catalog.Options) {
		admin, err := access.NewConfiguredAdmin(key)
		if err != nil {
			t.Fatal(err)
		}
		o.Admin = admin
	}}, publisher())
	p.get("/v1/keys", as(key)).wantStatus(200)
	if n := p.issuer.KeysAsked(); n != 0 {
		t.Errorf("the issuer was asked for its keys %d times, want none for a key", n)
	}
}

func TestAuditLogNamesTheBearerOfAToken(t *testing.T) {
	t.Parallel()
	p := newPipeline(t, options{}, publisher())
	token := p.job(0, map[string]any{"sub": "repo:example/weather"})
	p.send("POST", "/v1/skills", as(token), jsonBody(protocoltest.Valid("com.example.a", "1.0.0", "public", "api"))).wantStatus(201)
	want := "oidc:" + strings.ReplaceAll(p.issuer.URL, ":", "%3A") + ":repo:example/weather"
	a := p.get("/v1/audit?key="+url.QueryEscape(want), asAdmin()).wantStatus(200)
	if got := a.text("/events/0/actor"); got != want || a.text("/events/0/action") != "publish" {
		t.Errorf("%v; want an event of %s", a, want)
	}
	uses, err := p.store.KeyUses(t.Context())
	if err != nil || len(uses) != 0 {
		t.Errorf("got the uses %v, %v; want none: there is no key", uses, err)
	}
	if strings.Contains(string(a.body), token) {
		t.Error("the audit log has the token in it")
	}
}

func TestHeldAnswerTellsNothingToATokenThatExpires(t *testing.T) {
	t.Parallel()
	p := newPipeline(t, options{}, publisher())
	h := p.follow(as(p.job(0, nil))).hold()
	p.advance(time.Hour)
	p.published([4]string{"com.example.p", "1.0.0", "private", "api"})
	h.ends().wantError(401, protocol.CodeAuthRequired)
}

func TestFailedTokensAreLimitedForEachAddress(t *testing.T) {
	t.Parallel()
	p := newPipeline(t, options{http: func(o *httpapi.Options) { o.RateLimit = 1 }}, publisher())
	wrong := as(p.job(1, nil))
	for range 10 {
		p.get("/.well-known/skills", wrong).wantStatus(401)
	}
	p.get("/.well-known/skills", wrong).wantError(429, httpapi.CodeRateLimited)
}
