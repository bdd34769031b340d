// Package oidctest has issuers of tokens for tests: real ones, that serve their documents on
// a port of this machine and sign with real keys.
package oidctest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// Audience is for whom the tokens of all issuers are, unless a test says otherwise.
const Audience = "https://skills.example.com"

// Issuer is an issuer of tokens. Safe for concurrent use.
type Issuer struct {
	URL string
	t   testing.TB

	keysAsked atomic.Int64
	mu        sync.Mutex
	published []jose.JSONWebKey
	instead   http.HandlerFunc
}

// New starts an issuer, which has no keys yet and ends with the test.
func New(t testing.TB) *Issuer {
	i := &Issuer{t: t}
	server := httptest.NewServer(http.HandlerFunc(i.serve))
	t.Cleanup(server.Close)
	i.URL = server.URL
	return i
}

func (i *Issuer) serve(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/keys" {
		i.keysAsked.Add(1)
	}
	i.mu.Lock()
	keys, instead := i.published, i.instead
	i.mu.Unlock()
	switch {
	case instead != nil:
		instead(w, r)
	case r.URL.Path == "/keys":
		_ = json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: keys})
	case r.URL.Path == "/.well-known/openid-configuration":
		_ = json.NewEncoder(w).Encode(map[string]string{"issuer": i.URL, "jwks_uri": i.URL + "/keys"})
	default:
		http.NotFound(w, r)
	}
}

// Answers has every request answered by h, and by the issuer again where it is nil.
func (i *Issuer) Answers(h http.HandlerFunc) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.instead = h
}

// Dead is an answer of an issuer that is down.
func Dead(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// KeysAsked is how often the issuer was asked for its keys.
func (i *Issuer) KeysAsked() int { return int(i.keysAsked.Load()) }

// Publish makes keys the only ones that the issuer serves.
func (i *Issuer) Publish(keys ...Key) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.published = nil
	for _, k := range keys {
		i.published = append(i.published, jose.JSONWebKey{Key: k.private.Public(), KeyID: k.ID, Use: "sig"})
	}
}

// Claims are those of a token that is good for some minutes, changed by others; a nil one
// is left out.
func (i *Issuer) Claims(now time.Time, others map[string]any) map[string]any {
	c := map[string]any{
		"iss": i.URL, "aud": Audience, "sub": "repo:example/weather:ref:refs/heads/main",
		"iat": now.Unix(), "nbf": now.Unix(), "exp": now.Add(5 * time.Minute).Unix(), "repository": "example/weather",
	}
	maps.Copy(c, others)
	maps.DeleteFunc(c, func(_ string, v any) bool { return v == nil })
	return c
}

// Key is a key that tokens are signed with.
type Key struct {
	ID        string
	Algorithm jose.SignatureAlgorithm
	private   crypto.Signer
}

// rsaKey is made once: it takes long.
var rsaKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// NewKey makes a key for an algorithm: RS256, PS256, ES256, ES384 or EdDSA. Those for RSA are all one.
func NewKey(t testing.TB, id, algorithm string) Key {
	t.Helper()
	k := Key{ID: id, Algorithm: jose.SignatureAlgorithm(algorithm)}
	var err error
	switch k.Algorithm {
	case jose.RS256, jose.PS256:
		k.private, err = rsaKey()
	case jose.ES256:
		k.private, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	case jose.ES384:
		k.private, err = ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	case jose.EdDSA:
		_, k.private, err = ed25519.GenerateKey(rand.Reader)
	default:
		t.Fatalf("there are no keys for %q", algorithm)
	}
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// Public is the public half, as the issuer serves it.
func (k Key) Public() crypto.PublicKey { return k.private.Public() }

// Token signs claims.
func (k Key) Token(t testing.TB, claims map[string]any) string {
	t.Helper()
	payload, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	return Sign(t, k.Algorithm, k.private, map[string]any{"typ": "JWT", "kid": k.ID}, payload)
}

// Signed signs any payload with a header that has these members besides alg.
func (k Key) Signed(t testing.TB, header map[string]any, payload []byte) string {
	t.Helper()
	return Sign(t, k.Algorithm, k.private, header, payload)
}

// Sign signs with any key, as an attacker would.
func Sign(t testing.TB, algorithm jose.SignatureAlgorithm, key any, header map[string]any, payload []byte) string {
	t.Helper()
	options := &jose.SignerOptions{}
	for name, value := range header {
		options = options.WithHeader(jose.HeaderKey(name), value)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, options)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := signer.Sign(payload)
	if err != nil {
		t.Fatal(err)
	}
	token, err := signed.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return token
}
