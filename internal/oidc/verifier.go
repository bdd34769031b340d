package oidc

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/skillregistry/skillregistry/internal/access"
)

// Verifier makes callers of tokens. Safe for concurrent use.
type Verifier struct {
	issuers map[string]*issuer
	now     func() time.Time
}

type issuer struct {
	Issuer
	keys *keySet
}

// NewVerifier returns a verifier that has asked nobody anything yet: the registry starts
// without its issuers. A nil logger is none, and a nil clock is time.Now.
func NewVerifier(c Config, log *slog.Logger, now func() time.Time) *Verifier {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	if now == nil {
		now = time.Now
	}
	ask := newAsker().keys
	v := &Verifier{issuers: map[string]*issuer{}, now: now}
	for _, i := range c.Issuers {
		v.issuers[i.Issuer] = &issuer{Issuer: i, keys: &keySet{issuer: i.Issuer, ask: ask, now: now, log: log}}
	}
	return v
}

// Caller returns who comes with a token. The error is a *TokenError when the token admits
// nobody, a *KeysError when its issuer's keys can't be had, and that of ctx when it ended.
func (v *Verifier) Caller(ctx context.Context, token string) (access.Caller, error) {
	refuse := func(reason string) (access.Caller, error) { return access.Caller{}, &TokenError{Reason: reason} }
	if len(token) > maxToken {
		return refuse("it is too long")
	}
	head, ok := readHeader(token)
	if !ok {
		return refuse("it is no JSON Web Token")
	}
	if head.Critical != nil {
		return refuse("it has extensions (crit) that nobody knows here")
	}
	if head.Type != "" && !strings.EqualFold(head.Type, "JWT") {
		return refuse("it is of another type than JWT (typ)")
	}
	signed, err := jose.ParseSignedCompact(token, algorithms)
	if err != nil {
		return refuse("it is no JSON Web Token that is signed with an asymmetric key")
	}
	c, ok := readClaims(signed.UnsafePayloadWithoutVerification())
	if !ok {
		return refuse("its claims can't be read")
	}
	from := v.issuers[c.text("iss")]
	if from == nil {
		return refuse("its issuer (iss) is none that this registry takes tokens of")
	}
	// What follows asks less and less of this process, and of others the keys alone.
	if !slices.Contains(from.Algorithms, head.Algorithm) {
		return refuse("its issuer is not taken with this algorithm (alg)")
	}
	if reason := c.checkTimes(v.now()); reason != "" {
		return refuse(reason)
	}
	if !c.isFor(from.Audience) {
		return refuse("it is for another audience (aud) than " + from.Audience)
	}
	subject := c.text("sub")
	if subject == "" || len(subject) > maxSubject {
		return refuse("it does not say whose it is (sub)")
	}
	keys, err := from.keys.named(ctx, head.KeyID)
	if err != nil {
		return access.Caller{}, err
	}
	if len(keys) == 0 {
		return refuse("its issuer has no key of this name (kid)")
	}
	if !slices.ContainsFunc(keys, func(k jose.JSONWebKey) bool { return verifies(k, head.Algorithm, signed) }) {
		return refuse("its signature is not its issuer's")
	}
	for _, rule := range from.Rules {
		if rule.matches(c) {
			return access.Caller{KeyID: callerID(from.Issuer.Issuer, subject), Scopes: rule.Scopes, Namespaces: rule.Namespaces}, nil
		}
	}
	return refuse("it is genuine, and no rule of this registry gives its claims anything")
}

// maxSubject bounds the claim sub in bytes, as OpenID Connect does.
const maxSubject = 255

func verifies(key jose.JSONWebKey, algorithm string, signed *jose.JSONWebSignature) bool {
	if key.Algorithm != "" && key.Algorithm != algorithm {
		return false
	}
	_, err := signed.Verify(key.Key)
	return err == nil
}
