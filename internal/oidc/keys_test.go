package oidc_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/skillregistry/skillregistry/internal/oidc/oidctest"
)

func TestNewKeyIsFoundAndARemovedOneEnds(t *testing.T) {
	t.Parallel()
	older, newer := oidctest.NewKey(t, "older", "ES256"), oidctest.NewKey(t, "newer", "ES256")
	d := newDesk(t, older)
	d.wantAsked("before the first token", 0)
	d.admits("the first", d.token(older, nil))
	d.admits("the first again", d.token(older, nil))
	d.wantAsked("after two tokens", 1)

	d.issuer.Publish(newer)
	d.advance(10 * time.Second)
	d.admits("a key that is new", d.token(newer, nil))
	d.wantAsked("after a new key", 2)
	d.advance(10 * time.Second)
	d.refuses("a key that was removed", d.token(older, nil), "kid")

	// A key that is asked for by nobody else ends within an hour.
	d.issuer.Publish(older)
	d.advance(time.Hour - 11*time.Second)
	d.admits("a removed key, before the hour is over", d.token(newer, nil))
	d.advance(11 * time.Second)
	d.refuses("a removed key, after an hour", d.token(newer, nil), "kid")
}

func TestKeysOutliveTheirIssuerForADay(t *testing.T) {
	t.Parallel()
	key := oidctest.NewKey(t, "e", "ES256")
	d := newDesk(t, key)
	d.issuer.Answers(oidctest.Dead)
	if e := d.unknown("an issuer that was never there", d.token(key, nil)); e.Issuer != d.issuer.URL {
		t.Errorf("got the issuer %q, want %q", e.Issuer, d.issuer.URL)
	}
	d.issuer.Answers(nil)
	d.unknown("right after that", d.token(key, nil))
	d.advance(10 * time.Second)
	d.admits("an issuer that has come", d.token(key, nil))

	d.issuer.Answers(oidctest.Dead)
	d.advance(24*time.Hour - time.Second)
	d.admits("an issuer that is down for less than a day", d.token(key, nil))
	d.unknown("a name that may be of a new key", d.token(oidctest.NewKey(t, "new", "ES256"), nil))
	d.advance(time.Second)
	d.unknown("an issuer that is down for a day", d.token(key, nil))
	d.issuer.Answers(nil)
	d.advance(10 * time.Second)
	d.admits("an issuer that is back", d.token(key, nil))
}

// Whatever strangers send, an issuer is asked once in ten seconds, and not at all for what
// can't be a token of it.
func TestFloodOfTokensAsksLittle(t *testing.T) {
	t.Parallel()
	key, stranger := oidctest.NewKey(t, "e", "ES256"), oidctest.NewKey(t, "x", "ES256")
	d := newDesk(t, key)
	for _, token := range []string{
		"a.b.c", d.token(stranger, map[string]any{"iss": "https://evil.example"}), d.token(stranger, map[string]any{"exp": 1}),
		d.token(stranger, map[string]any{"aud": "x"}), d.token(stranger, map[string]any{"sub": nil}),
	} {
		d.refuses("before anything is asked", token, "")
	}
	d.wantAsked("for what can't be its token", 0)

	claims := payload(t, d.issuer.Claims(d.Now(), nil))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range 50 {
				d.refuses("a random name", stranger.Signed(t, map[string]any{"kid": fmt.Sprintf("random-%p-%d", &i, i)}, claims), "kid")
			}
		})
	}
	all.Wait()
	d.wantAsked("after 400 random names at once", 1)
	for range 5 {
		d.advance(10 * time.Second)
		for i := range 10 {
			d.refuses("a random name", stranger.Signed(t, map[string]any{"kid": fmt.Sprint(i)}, claims), "kid")
		}
	}
	d.wantAsked("after 50 more in 50 s", 6)
	d.admits("a good one", d.token(key, nil))
}

// Many come at once while the keys change, and each token of a key that is there is good.
func TestTokensAreAdmittedWhileKeysRotate(t *testing.T) {
	t.Parallel()
	keys := []oidctest.Key{oidctest.NewKey(t, "0", "ES256")}
	d := newDesk(t, keys[0])
	for i := 1; i < 6; i++ {
		keys = append(keys, oidctest.NewKey(t, fmt.Sprint(i), "ES256"))
		d.issuer.Publish(keys[i-1], keys[i])
		d.advance(10 * time.Second)
		var all sync.WaitGroup
		for n := range 8 {
			all.Go(func() { d.admits(fmt.Sprint("rotation ", i), d.token(keys[i-n%2], nil)) })
		}
		all.Wait()
	}
	d.wantAsked("after five rotations", 5)
}

// An issuer with one key need not name it.
func TestSingleKeyNeedsNoName(t *testing.T) {
	t.Parallel()
	key := oidctest.NewKey(t, "", "ES256")
	d := newDesk(t, key)
	d.admits("no name", key.Signed(t, nil, payload(t, d.issuer.Claims(d.Now(), nil))))
}

func TestSlowIssuerHoldsNobodyForLong(t *testing.T) {
	t.Parallel()
	key := oidctest.NewKey(t, "e", "ES256")
	d := newDesk(t, key)
	d.issuer.Answers(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.verifier.Caller(gone, d.token(key, nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that went away: got %v, want %v", err, context.Canceled)
	}
	// It waits for the fetch of the one before, which ends by itself.
	if e := d.unknown("a slow issuer", d.token(key, nil)); !errors.Is(e, context.DeadlineExceeded) {
		t.Errorf("got %v, want the end of the fetch's time", e)
	}
}

func TestAnswersOfAnIssuerAreNotTrusted(t *testing.T) {
	t.Parallel()
	key := oidctest.NewKey(t, "e", "ES256")
	elsewhere := oidctest.New(t)
	elsewhere.Publish(key)
	text := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }
	}
	good := jwk(t, key, "", "")
	for name, answers := range map[string]func(*desk) http.HandlerFunc{
		"no JSON": func(*desk) http.HandlerFunc { return text("<html>") },
		"another issuer": func(*desk) http.HandlerFunc {
			return text(fmt.Sprintf(`{"issuer":%q,"jwks_uri":%q}`, elsewhere.URL, elsewhere.URL+"/keys"))
		},
		"keys in a file": func(d *desk) http.HandlerFunc {
			return text(fmt.Sprintf(`{"issuer":%q,"jwks_uri":"file:///etc/passwd"}`, d.issuer.URL))
		},
		"a redirect": func(d *desk) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/keys" {
					http.Redirect(w, r, elsewhere.URL+"/keys", http.StatusFound)
				} else {
					d.discovery(w)
				}
			}
		},
		"an error": func(d *desk) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/keys" {
					w.WriteHeader(http.StatusInternalServerError)
					fmt.Fprint(w, `{"keys":[`+good+`]}`)
				} else {
					d.discovery(w)
				}
			}
		},
	} {
		d := newDesk(t, key)
		d.issuer.Answers(answers(d))
		d.unknown(name, d.token(key, nil))
	}
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	private, err := json.Marshal(jose.JSONWebKey{Key: secret, KeyID: "e"})
	if err != nil {
		t.Fatal(err)
	}
	for name, keys := range map[string]string{
		"huge keys":          `{"x":"` + strings.Repeat("x", 1<<20) + `","keys":[` + good + `]}`,
		"many keys":          `{"keys":[` + strings.Repeat(`{},`, 100) + good + `]}`,
		"no keys":            `{"keys":[]}`,
		"only a secret key":  `{"keys":[{"kty":"oct","kid":"e","k":"c2VjcmV0"}]}`,
		"only a private key": `{"keys":[` + string(private) + `]}`,
		"only a weak key":    weakKey,
	} {
		d := newDesk(t, key)
		d.serve(keys)
		if e := d.unknown(name, d.token(key, nil)); e.Unwrap() == nil {
			t.Errorf("%s: the error does not say why", name)
		}
	}
	if got := elsewhere.KeysAsked(); got != 0 {
		t.Errorf("somebody else was asked for keys %d times", got)
	}
}

// weakKey is a set with an RSA key of 1024 bits.
var weakKey = `{"keys":[{"kty":"RSA","kid":"e","e":"AQAB","n":"` + strings.Repeat("u7u7", 42) + `u7s"}]}`

// A key of a kind that nobody knows, or for another use, stands beside the good ones.
func TestKeysOfOtherKindsAreLeftOut(t *testing.T) {
	t.Parallel()
	key := oidctest.NewKey(t, "e", "ES256")
	d := newDesk(t, key)
	set := `{"keys":[{"kty":"new","kid":"n"},5,` + jwk(t, key, "", "") + `]}`
	d.serve(set)
	d.admits("beside others", d.token(key, nil))
	for name, set := range map[string]string{
		"for encryption":        `{"keys":[` + jwk(t, key, "enc", "") + `,` + jwk(t, oidctest.NewKey(t, "o", "ES256"), "", "") + `]}`,
		"for another algorithm": `{"keys":[` + jwk(t, key, "sig", "ES384") + `]}`,
	} {
		d := newDesk(t)
		d.serve(set)
		d.refuses(name, d.token(key, nil), "")
	}
}
