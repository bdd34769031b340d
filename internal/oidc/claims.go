package oidc

import (
	"encoding/base64"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxToken bounds a token, in bytes, before anything is done with it.
const maxToken = 16 << 10

// skew is by how much the clocks of an issuer and of this process may differ.
const skew = time.Minute

// IsToken reports whether a text has the form of a token: three parts between dots.
func IsToken(text string) bool { return strings.Count(text, ".") == 2 }

// header is what of a token's header means something here. Keys that it brings along or
// leads to (jwk, jku, x5c, x5u) mean nothing.
type header struct {
	Algorithm string         `json:"alg"`
	KeyID     string         `json:"kid"`
	Type      string         `json:"typ"`
	Critical  jsontext.Value `json:"crit"`
}

// readHeader reads the first part of a token, strictly.
func readHeader(token string) (h header, ok bool) {
	first, _, _ := strings.Cut(token, ".")
	data, err := base64.RawURLEncoding.DecodeString(first)
	if err != nil || json.Unmarshal(data, &h) != nil {
		return header{}, false
	}
	return h, true
}

// claims are what a token says.
type claims map[string]jsontext.Value

func readClaims(payload []byte) (c claims, ok bool) {
	err := json.Unmarshal(payload, &c)
	return c, err == nil && c != nil
}

// text returns a claim that is a string, and "" for any other.
func (c claims) text(name string) string {
	var text string
	if v := c[name]; v.Kind() != '"' || json.Unmarshal(v, &text) != nil {
		return ""
	}
	return text
}

// isFor reports whether the audience is the token's, or among several.
func (c claims) isFor(audience string) bool {
	if c["aud"].Kind() != '[' {
		return c.text("aud") == audience
	}
	var several []string
	return json.Unmarshal(c["aud"], &several) == nil && slices.Contains(several, audience)
}

// moment returns a claim that is a time; ok is false for one that is there and is none.
func (c claims) moment(name string) (at time.Time, ok bool) {
	v, given := c[name]
	if !given {
		return time.Time{}, true
	}
	var seconds float64
	// A later one could not be told from an earlier one any more.
	const year9999 = 253402300799
	if v.Kind() != '0' || json.Unmarshal(v, &seconds) != nil || seconds < 0 || seconds > year9999 {
		return time.Time{}, false
	}
	whole, part := math.Modf(seconds)
	return time.Unix(int64(whole), int64(part*1e9)), true
}

// checkTimes returns why a token is not valid at a time; "" if it is.
func (c claims) checkTimes(now time.Time) string {
	expires, ok := c.moment("exp")
	if !ok || expires.IsZero() {
		return "it does not say when it expires (exp)"
	}
	if !now.Before(expires.Add(skew)) {
		return "it has expired"
	}
	for _, name := range []string{"nbf", "iat"} {
		if from, ok := c.moment(name); !ok || from.After(now.Add(skew)) {
			return "it is not valid yet (" + name + ")"
		}
	}
	return ""
}

// matches reports whether the token has all claims that the rule asks for.
func (r Rule) matches(c claims) bool {
	for name, values := range r.Claims {
		if text := c.text(name); text == "" || !slices.Contains(values, text) {
			return false
		}
	}
	return len(r.Claims) > 0
}
