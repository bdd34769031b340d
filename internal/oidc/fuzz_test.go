package oidc_test

import (
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/oidc"
	"github.com/skillregistry/skillregistry/internal/oidc/oidctest"
)

// FuzzToken holds that no bytes but a good token's make a caller, and that what refuses them
// can stand in a header.
func FuzzToken(f *testing.F) {
	key := oidctest.NewKey(f, "e", "ES256")
	d := newDesk(f, key)
	good := d.token(key, nil)
	if _, err := d.verifier.Caller(f.Context(), good); err != nil {
		f.Fatal(err)
	}
	head, rest, _ := strings.Cut(good, ".")
	for _, token := range []string{
		"", "..", "a.b.c", good, good + "A", head + "." + rest[1:], strings.TrimRight(good, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
		"eyJhbGciOiJub25lIn0.e30.", "e30.e30.e30", d.token(key, map[string]any{"exp": -1}), d.token(key, map[string]any{"iss": []int{1}}),
	} {
		f.Add(token)
	}
	signedPart := good[:strings.LastIndexByte(good, '.')]
	f.Fuzz(func(t *testing.T, token string) {
		c, err := d.verifier.Caller(t.Context(), token)
		if err == nil {
			// Only the last letter of a signature has bits that mean nothing.
			if !strings.HasPrefix(token, signedPart) {
				t.Errorf("%q makes the caller %+v", token, c)
			}
			return
		}
		if text := err.Error(); strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }) {
			t.Errorf("%q: the error %q can't stand in a header", token, text)
		}
	})
}

// FuzzConfig holds that whatever is read as a configuration is one that says something.
func FuzzConfig(f *testing.F) {
	for _, text := range []string{goodConfig, "{}", "", `{"issuers":[]}`, `{"issuers":[{"rules":[{"claims":{"":[]}}]}]}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := oidc.ParseConfig([]byte(text))
		if err != nil {
			return
		}
		for _, issuer := range c.Issuers {
			if issuer.Audience == "" || len(issuer.Algorithms) == 0 || len(issuer.Rules) == 0 {
				t.Errorf("%q: an issuer without audience, algorithms or rules: %+v", text, issuer)
			}
			for _, rule := range issuer.Rules {
				if len(rule.Claims) == 0 {
					t.Errorf("%q: a rule without claims: %+v", text, rule)
				}
			}
		}
	})
}
