package access

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// A token is tokenPrefix, a public key id, and a secret:
//
//	skr_ kkkkkkkkkkkk ssssssssssssssssssssssssssssssssssssssssssssssssssss
//
// Both parts are lower-case base32 of a fixed length, so a token is one word that a
// double click selects and that secret scanners can find.
const (
	tokenPrefix = "skr_"
	idLength    = 12
	idBytes     = 8 // 60 of their 64 bits are used
	secretBytes = 32
	tokenLength = len(tokenPrefix) + idLength + 52
)

var tokenEncoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// What a request for a key may hold at most.
const (
	maxScopes     = 10
	maxNamespaces = 100
)

// MinAdminKeyLength is how many characters a configured admin key has at least.
const MinAdminKeyLength = 32

// Key is a stored key: everything but the secret.
type Key struct {
	ID         string
	Name       string
	SecretHash [sha256.Size]byte
	Scopes     []Scope
	Namespaces []Namespace
	CreatedAt  time.Time
	// ExpiresAt is when the key stops working; zero is never.
	ExpiresAt time.Time
	// RevokedAt is when the key was revoked; zero is not.
	RevokedAt time.Time
}

// KeyRequest is what an administrator asks of a new key.
type KeyRequest struct {
	Name       string
	Scopes     []Scope
	Namespaces []Namespace
	// ExpiresAt is when the key stops working; zero is never.
	ExpiresAt time.Time
}

// Check returns every violation of the request, with pointers into the JSON object
// {"name","scopes","namespaces","expires_at"}.
func (r KeyRequest) Check(now time.Time) []protocol.Violation {
	var vs []protocol.Violation
	violate := func(field, expected, actual string) {
		vs = append(vs, protocol.Violation{Field: field, Expected: expected, Actual: actual})
	}
	if n := utf8.RuneCountInString(r.Name); n < 1 || n > 100 {
		violate("/name", "1 to 100 characters", fmt.Sprintf("%d characters", n))
	} else if strings.ContainsFunc(r.Name, unicode.IsControl) {
		violate("/name", "no control characters", fmt.Sprintf("%.50q", r.Name))
	}
	switch {
	case len(r.Scopes) == 0:
		violate("/scopes", "at least one of: read, publish, admin", "none")
	case len(r.Scopes) > maxScopes:
		violate("/scopes", fmt.Sprintf("at most %d", maxScopes), fmt.Sprint(len(r.Scopes)))
	}
	for i, s := range r.Scopes[:min(len(r.Scopes), maxScopes)] {
		if !slices.Contains(Scopes(), s) {
			violate(fmt.Sprintf("/scopes/%d", i), "one of: read, publish, admin", fmt.Sprintf("%.50q", string(s)))
		}
	}
	if len(r.Namespaces) == 0 && !slices.Contains(r.Scopes, Admin) {
		violate("/namespaces", `at least one id prefix such as "com.example", or "*"`, "none")
	}
	if len(r.Namespaces) > maxNamespaces {
		violate("/namespaces", fmt.Sprintf("at most %d", maxNamespaces), fmt.Sprint(len(r.Namespaces)))
	}
	for i, n := range r.Namespaces[:min(len(r.Namespaces), maxNamespaces)] {
		switch {
		case n == Everything:
		case !validNamespace(string(n)):
			violate(fmt.Sprintf("/namespaces/%d", i), `an id prefix such as "com.example", or "*"`, fmt.Sprintf("%.50q", string(n)))
		case slices.Contains(r.Scopes, Admin):
			// It would look narrower than it is.
			violate(fmt.Sprintf("/namespaces/%d", i), `"*" or nothing: the scope admin holds everywhere`, fmt.Sprintf("%.50q", string(n)))
		}
	}
	switch {
	case r.ExpiresAt.IsZero():
	case !r.ExpiresAt.After(now):
		violate("/expires_at", "a time in the future", r.ExpiresAt.Format(time.RFC3339))
	case r.ExpiresAt.UTC().Year() > 9999:
		violate("/expires_at", "a time before the year 10000 in UTC", "a later one")
	}
	return vs
}

// validNamespace reports whether n can be the beginning, up to a dot or the end, of
// a skill id. One that is shorter than any id, such as "io", is good, too.
func validNamespace(n string) bool {
	return protocol.ValidID(n) || len(n) >= 1 && len(n) < 3 && protocol.ValidID(n+".xx")
}

// NewKey makes a key for a request that Check has passed, and the token that goes
// with it. The token is in nobody's hands but the caller's: it can't be had again.
func NewKey(r KeyRequest, now time.Time, random io.Reader) (key Key, token string, err error) {
	var id [idBytes]byte
	var secret [secretBytes]byte
	for _, b := range [][]byte{id[:], secret[:]} {
		if _, err := io.ReadFull(random, b); err != nil {
			return Key{}, "", fmt.Errorf("making a key: %w", err)
		}
	}
	idText := tokenEncoding.EncodeToString(id[:])[:idLength]
	secretText := tokenEncoding.EncodeToString(secret[:])
	key = Key{
		ID: idText, Name: r.Name, SecretHash: sha256.Sum256([]byte(secretText)),
		Scopes: r.Scopes, Namespaces: r.Namespaces, CreatedAt: now, ExpiresAt: r.ExpiresAt,
	}
	return key, tokenPrefix + idText + secretText, nil
}

// SplitToken takes a token apart, and reports whether it has the form of one.
func SplitToken(token string) (id, secret string, ok bool) {
	if len(token) != tokenLength || !strings.HasPrefix(token, tokenPrefix) {
		return "", "", false
	}
	rest := token[len(tokenPrefix):]
	return rest[:idLength], rest[idLength:], true
}

// Caller returns who comes with the key's secret at the given time, and reports
// whether the secret is the key's and the key is neither expired nor revoked.
func (k Key) Caller(secret string, now time.Time) (Caller, bool) {
	hash := sha256.Sum256([]byte(secret))
	same := subtle.ConstantTimeCompare(hash[:], k.SecretHash[:]) == 1
	if !same || !k.live(now) {
		return Caller{}, false
	}
	return k.holder(), true
}

// Administers reports whether the key's holder may do everything at the given time.
func (k Key) Administers(now time.Time) bool { return k.live(now) && k.holder().Administers() }

func (k Key) live(now time.Time) bool {
	return k.RevokedAt.IsZero() && (k.ExpiresAt.IsZero() || now.Before(k.ExpiresAt))
}

func (k Key) holder() Caller {
	return Caller{KeyID: k.ID, Scopes: k.Scopes, Namespaces: k.Namespaces}
}

// ConfiguredAdmin is an admin key that comes from the configuration and is never
// stored. The zero value admits nobody.
type ConfiguredAdmin struct {
	hash [sha256.Size]byte
	set  bool
}

// ConfiguredAdminID is the key id of a caller that came with the configured admin key.
const ConfiguredAdminID = "configured"

// NewConfiguredAdmin returns the admin of a configured key, which has at least
// MinAdminKeyLength characters.
func NewConfiguredAdmin(key string) (ConfiguredAdmin, error) {
	if n := utf8.RuneCountInString(key); n < MinAdminKeyLength {
		return ConfiguredAdmin{}, fmt.Errorf("an admin key has %d characters or more, this one has %d", MinAdminKeyLength, n)
	}
	return ConfiguredAdmin{hash: sha256.Sum256([]byte(key)), set: true}, nil
}

// Caller returns the administrator, and reports whether the token is the configured key.
func (a ConfiguredAdmin) Caller(token string) (Caller, bool) {
	hash := sha256.Sum256([]byte(token))
	if !a.set || subtle.ConstantTimeCompare(hash[:], a.hash[:]) != 1 {
		return Caller{}, false
	}
	return Caller{KeyID: ConfiguredAdminID, Scopes: []Scope{Admin}, Namespaces: []Namespace{Everything}}, true
}
