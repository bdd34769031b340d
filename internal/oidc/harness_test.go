package oidc_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/oidc"
	"github.com/skillregistry/skillregistry/internal/oidc/oidctest"
)

// clock is a clock that a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// trust is a configuration that has one rule for each of the issuers.
func trust(issuers ...*oidctest.Issuer) oidc.Config {
	var c oidc.Config
	for _, i := range issuers {
		c.Issuers = append(c.Issuers, oidc.Issuer{
			Issuer: i.URL, Audience: oidctest.Audience, Algorithms: []string{"RS256", "ES256", "EdDSA"},
			Rules: []oidc.Rule{{
				Name: "weather", Claims: map[string]oidc.Values{"repository": {"example/weather", "example/wind"}},
				Scopes: []access.Scope{access.Publish}, Namespaces: []access.Namespace{"com.example.weather"},
			}},
		})
	}
	return c
}

// desk is a verifier of one issuer's tokens, with the clock of both.
type desk struct {
	t testing.TB
	*clock
	issuer   *oidctest.Issuer
	verifier *oidc.Verifier
}

func newDesk(t testing.TB, keys ...oidctest.Key) *desk {
	d := &desk{t: t, clock: newClock(), issuer: oidctest.New(t)}
	d.issuer.Publish(keys...)
	d.verifier = oidc.NewVerifier(trust(d.issuer), nil, d.Now)
	return d
}

// token returns a good token, but for the claims that are given.
func (d *desk) token(key oidctest.Key, others map[string]any) string {
	return key.Token(d.t, d.issuer.Claims(d.Now(), others))
}

func (d *desk) admits(name, token string) {
	d.t.Helper()
	if _, err := d.verifier.Caller(d.t.Context(), token); err != nil {
		d.t.Errorf("%s: got %v, want a caller", name, err)
	}
}

// refuses holds that a token is refused for a reason that has these words, and that
// nothing of the token is in it.
func (d *desk) refuses(name, token, reason string) {
	d.t.Helper()
	caller, err := d.verifier.Caller(d.t.Context(), token)
	var refused *oidc.TokenError
	if !errors.As(err, &refused) || !strings.Contains(refused.Reason, reason) || !caller.Anonymous() {
		d.t.Errorf("%s: got %+v, %v; want nobody, and a *TokenError with %q", name, caller, err, reason)
	}
	if err != nil && len(token) > 0 && strings.Contains(err.Error(), token) {
		d.t.Errorf("%s: the error has the token in it", name)
	}
}

// unknown holds that nobody can say whether a token is good, and returns why.
func (d *desk) unknown(name, token string) *oidc.KeysError {
	d.t.Helper()
	_, err := d.verifier.Caller(d.t.Context(), token)
	var e *oidc.KeysError
	if !errors.As(err, &e) || e.Wait <= 0 {
		d.t.Fatalf("%s: got %v, want a *KeysError with a time to wait", name, err)
	}
	return e
}

func (d *desk) wantAsked(name string, want int) {
	d.t.Helper()
	if got := d.issuer.KeysAsked(); got != want {
		d.t.Errorf("%s: the issuer was asked for its keys %d times, want %d", name, got, want)
	}
}

// serve has the issuer serve this set of keys.
func (d *desk) serve(keys string) {
	d.issuer.Answers(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/keys" {
			fmt.Fprint(w, keys)
		} else {
			d.discovery(w)
		}
	})
}

// jwk is a key as an issuer serves it.
func jwk(t testing.TB, key oidctest.Key, use, algorithm string) string {
	t.Helper()
	data, err := json.Marshal(jose.JSONWebKey{Key: key.Public(), KeyID: key.ID, Use: use, Algorithm: algorithm})
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// discovery answers with the issuer's discovery document.
func (d *desk) discovery(w http.ResponseWriter) {
	fmt.Fprintf(w, `{"issuer":%q,"jwks_uri":%q}`, d.issuer.URL, d.issuer.URL+"/keys")
}
