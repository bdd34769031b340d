package oidc_test

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/oidc"
	"github.com/skillregistry/skillregistry/internal/oidc/oidctest"
)

func TestGoodTokensAreAdmitted(t *testing.T) {
	t.Parallel()
	rsa, ec, ed := oidctest.NewKey(t, "r", "RS256"), oidctest.NewKey(t, "e", "ES256"), oidctest.NewKey(t, "d", "EdDSA")
	d := newDesk(t, rsa, ec, ed)
	for name, token := range map[string]string{
		"RS256":                  d.token(rsa, nil),
		"ES256":                  d.token(ec, nil),
		"EdDSA":                  d.token(ed, nil),
		"an audience of several": d.token(ec, map[string]any{"aud": []string{"https://other.example", oidctest.Audience}}),
		"another value":          d.token(ec, map[string]any{"repository": "example/wind"}),
		"no iat and nbf":         d.token(ec, map[string]any{"iat": nil, "nbf": nil}),
		"just not expired":       d.token(ec, map[string]any{"exp": d.Now().Add(-time.Minute + time.Second).Unix()}),
		"just valid":             d.token(ec, map[string]any{"nbf": d.Now().Add(time.Minute).Unix(), "iat": d.Now().Add(time.Minute).Unix()}),
		"a part of a second":     d.token(ec, map[string]any{"exp": float64(d.Now().Unix()) + 0.5}),
		"no type":                ec.Signed(t, map[string]any{"kid": "e"}, payload(t, d.issuer.Claims(d.Now(), nil))),
	} {
		d.admits(name, token)
	}
	got, err := d.verifier.Caller(t.Context(), d.token(ec, nil))
	want := access.Caller{
		KeyID:  "oidc:" + strings.ReplaceAll(d.issuer.URL, ":", "%3A") + ":repo:example/weather:ref:refs/heads/main",
		Scopes: []access.Scope{access.Publish}, Namespaces: []access.Namespace{"com.example.weather"},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
}

func TestWrongTokensAreRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	rsa, ec, ec384 := oidctest.NewKey(t, "r", "RS256"), oidctest.NewKey(t, "e", "ES256"), oidctest.NewKey(t, "e384", "ES384")
	ps := oidctest.NewKey(t, "r", "PS256")
	stranger := oidctest.NewKey(t, "e", "ES256")
	d := newDesk(t, rsa, ec, ec384)
	good := payload(t, d.issuer.Claims(d.Now(), nil))
	from := func(offset time.Duration) int64 { return d.Now().Add(offset).Unix() }
	whole := d.token(ec, nil)
	parts := strings.Split(whole, ".")
	encode := base64.RawURLEncoding.EncodeToString
	der, err := x509.MarshalPKIXPublicKey(rsa.Public())
	if err != nil {
		t.Fatal(err)
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})

	for _, test := range []struct{ name, token, reason string }{
		{"too long", strings.Repeat("a", 16<<10) + "." + parts[1] + "." + parts[2], "too long"},
		{"no JSON at its head", "YQ." + parts[1] + "." + parts[2], "no JSON Web Token"},
		{"an unsigned one", encode([]byte(`{"alg":"none","typ":"JWT"}`)) + "." + parts[1] + ".", "signed with an asymmetric key"},
		{"no signature", parts[0] + "." + parts[1] + ".", "signature"},
		{"the public key as a secret", oidctest.Sign(t, jose.HS256, public, map[string]any{"kid": "r"}, good), "signed with an asymmetric key"},
		{"an algorithm that is not configured", ps.Token(t, d.issuer.Claims(d.Now(), nil)), "this algorithm"},
		{"a key of another kind", ec.Signed(t, map[string]any{"kid": "r"}, good), "signature"},
		{"a key of another curve", ec.Signed(t, map[string]any{"kid": "e384"}, good), "signature"},
		{"a key of somebody else", stranger.Token(t, d.issuer.Claims(d.Now(), nil)), "signature"},
		{"another payload under the signature", parts[0] + "." + encode([]byte(strings.Replace(string(good), "refs/heads/main", "refs/heads/evil", 1))) + "." + parts[2], "signature"},
		{"no key's name, of several keys", ec.Signed(t, nil, good), "kid"},
		{"an unknown key's name", ec.Signed(t, map[string]any{"kid": "x"}, good), "kid"},
		{"a type of something else", ec.Signed(t, map[string]any{"kid": "e", "typ": "at+jwt"}, good), "typ"},
		{"an extension", encode([]byte(`{"alg":"ES256","kid":"e","crit":["b64"],"b64":true}`)) + "." + parts[1] + "." + parts[2], "crit"},
		{"a member twice in the head", encode([]byte(`{"alg":"ES256","kid":"e","kid":"e"}`)) + "." + parts[1] + "." + parts[2], "no JSON Web Token"},
		{"a claim twice", ec.Signed(t, map[string]any{"kid": "e"}, []byte(strings.Replace(string(good), `{`, `{"repository":"example/evil",`, 1))), "can't be read"},
		{"claims that are no object", ec.Signed(t, map[string]any{"kid": "e"}, []byte(`null`)), "can't be read"},
		{"an unknown issuer", d.token(ec, map[string]any{"iss": "https://evil.example"}), "issuer (iss)"},
		{"an issuer with a slash more", d.token(ec, map[string]any{"iss": d.issuer.URL + "/"}), "issuer (iss)"},
		{"no issuer", d.token(ec, map[string]any{"iss": nil}), "issuer (iss)"},
		{"another audience", d.token(ec, map[string]any{"aud": "https://other.example"}), "than " + oidctest.Audience},
		{"other audiences", d.token(ec, map[string]any{"aud": []string{"https://other.example"}}), "than " + oidctest.Audience},
		{"no audience", d.token(ec, map[string]any{"aud": nil}), "(aud)"},
		{"an audience that is no string", d.token(ec, map[string]any{"aud": map[string]any{oidctest.Audience: 1}}), "(aud)"},
		{"just expired", d.token(ec, map[string]any{"exp": from(-time.Minute)}), "expired"},
		{"no end", d.token(ec, map[string]any{"exp": nil}), "(exp)"},
		{"an end that is a string", d.token(ec, map[string]any{"exp": "9999999999"}), "(exp)"},
		{"an end that is beyond time", d.token(ec, map[string]any{"exp": 1e300}), "(exp)"},
		{"valid a second too late", d.token(ec, map[string]any{"nbf": from(time.Minute + time.Second)}), "(nbf)"},
		{"issued in the future", d.token(ec, map[string]any{"iat": from(time.Minute + time.Second)}), "(iat)"},
		{"a beginning that is a string", d.token(ec, map[string]any{"nbf": "now"}), "(nbf)"},
		{"a beginning that is null", d.token(ec, map[string]any{"nbf": json.RawMessage("null")}), "(nbf)"},
		{"no subject", d.token(ec, map[string]any{"sub": nil}), "(sub)"},
		{"a long subject", d.token(ec, map[string]any{"sub": strings.Repeat("s", 256)}), "(sub)"},
		{"a claim of another value", d.token(ec, map[string]any{"repository": "example/weather2"}), "no rule"},
		{"a claim in other letters", d.token(ec, map[string]any{"repository": "Example/weather"}), "no rule"},
		{"a claim that is a list", d.token(ec, map[string]any{"repository": []string{"example/weather"}}), "no rule"},
		{"no such claim", d.token(ec, map[string]any{"repository": nil}), "no rule"},
	} {
		d.refuses(test.name, test.token, test.reason)
	}
	d.admits("a good one after all of them", whole)
}

// A key that a token brings along, or names the address of, is nobody's.
func TestKeysThatATokenBringsAlongAreIgnored(t *testing.T) {
	t.Parallel()
	d := newDesk(t, oidctest.NewKey(t, "e", "ES256"))
	evil, mine := oidctest.New(t), oidctest.NewKey(t, "e", "ES256")
	evil.Publish(mine)
	good := payload(t, d.issuer.Claims(d.Now(), nil))
	for name, value := range map[string]any{
		"jwk": jose.JSONWebKey{Key: mine.Public(), KeyID: "e"},
		"jku": evil.URL + "/keys",
		"x5u": evil.URL + "/keys",
	} {
		d.refuses(name, mine.Signed(t, map[string]any{"kid": "e", name: value}, good), "signature")
	}
	if got := evil.KeysAsked(); got != 0 {
		t.Errorf("the address in a token was asked %d times", got)
	}
}

// Two issuers may give a key the same name, and neither signs for the other.
func TestIssuersDoNotSignForEachOther(t *testing.T) {
	t.Parallel()
	c := newClock()
	a, b := oidctest.New(t), oidctest.New(t)
	keyA, keyB := oidctest.NewKey(t, "one", "ES256"), oidctest.NewKey(t, "one", "ES256")
	a.Publish(keyA)
	b.Publish(keyB)
	d := &desk{t: t, clock: c, issuer: a, verifier: oidc.NewVerifier(trust(a, b), nil, c.Now)}
	d.admits("of A", keyA.Token(t, a.Claims(c.Now(), nil)))
	d.admits("of B", keyB.Token(t, b.Claims(c.Now(), nil)))
	d.refuses("of A, signed by B", keyB.Token(t, a.Claims(c.Now(), nil)), "signature")
	d.refuses("of B, signed by A", keyA.Token(t, b.Claims(c.Now(), nil)), "signature")
}

// What two rules give is not added up: publishing in the one's namespace could come of it.
func TestFirstRuleThatMatchesDecides(t *testing.T) {
	t.Parallel()
	key, d := oidctest.NewKey(t, "e", "ES256"), newDesk(t)
	d.issuer.Publish(key)
	c := trust(d.issuer)
	c.Issuers[0].Rules = []oidc.Rule{
		{Name: "both", Claims: map[string]oidc.Values{"repository": {"example/weather"}, "ref": {"refs/heads/main"}}, Scopes: []access.Scope{access.Publish}, Namespaces: []access.Namespace{"com.a"}},
		{Name: "one", Claims: map[string]oidc.Values{"repository": {"example/weather"}}, Scopes: []access.Scope{access.Read}, Namespaces: []access.Namespace{"com.b"}},
		{Name: "never", Claims: map[string]oidc.Values{"repository": {"example/weather"}}, Scopes: []access.Scope{access.Publish}, Namespaces: []access.Namespace{"*"}},
	}
	v := oidc.NewVerifier(c, nil, d.Now)
	for ref, want := range map[any]access.Namespace{"refs/heads/main": "com.a", "refs/heads/next": "com.b", nil: "com.b"} {
		got, err := v.Caller(t.Context(), d.token(key, map[string]any{"ref": ref}))
		if err != nil || len(got.Namespaces) != 1 || got.Namespaces[0] != want {
			t.Errorf("the ref %v: got %+v, %v; want the namespace %s alone", ref, got, err, want)
		}
	}
}

func TestCallersHaveNamesThatCanBeRead(t *testing.T) {
	t.Parallel()
	key := oidctest.NewKey(t, "e", "ES256")
	d := newDesk(t, key)
	names := map[string]string{}
	long := strings.Repeat("a", 254)
	for _, subject := range []string{"job", "jo b", "jo%20b", "a\nlevel=ERROR", "\u202ebja", `"`, `\`, "skr_abcdefghijkl", "configured", long + "b", long + "c", strings.Repeat("\x01", 255)} {
		c, err := d.verifier.Caller(t.Context(), d.token(key, map[string]any{"sub": subject}))
		if err != nil {
			t.Fatalf("the subject %q: %v", subject, err)
		}
		if len(c.KeyID) > 200 || !strings.HasPrefix(c.KeyID, "oidc:") || strings.ContainsFunc(c.KeyID, func(r rune) bool { return r <= ' ' || r > '~' }) {
			t.Errorf("the subject %q has the name %q; want oidc:… of 200 printable characters at most", subject, c.KeyID)
		}
		if before, ok := names[c.KeyID]; ok {
			t.Errorf("the subjects %q and %q have the same name %s", before, subject, c.KeyID)
		}
		names[c.KeyID] = subject
	}
}

func payload(t testing.TB, claims map[string]any) []byte {
	t.Helper()
	data, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
