package oidc

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// Config says whose tokens are taken, and what they are good for.
type Config struct {
	Issuers []Issuer `json:"issuers"`
}

// Issuer is one whose tokens are taken.
type Issuer struct {
	// Issuer is the claim iss of its tokens, to the letter, and where its discovery
	// document is found: https, or http on this machine.
	Issuer string `json:"issuer"`
	// Audience is what the claim aud of its tokens must be, or have among others.
	Audience string `json:"audience"`
	// Algorithms are those that its tokens may be signed with; none is RS256 alone.
	Algorithms []string `json:"algorithms"`
	// Rules are tried in their order, and the first that a token matches decides: what two
	// rules give is never added up.
	Rules []Rule `json:"rules"`
}

// Rule says what the bearer of a token with some claims may do.
type Rule struct {
	Name string `json:"name"`
	// Claims are those that a token must have: each of them a string that equals one of
	// these, to the letter.
	Claims     map[string]Values  `json:"claims"`
	Scopes     []access.Scope     `json:"scopes"`
	Namespaces []access.Namespace `json:"namespaces"`
}

// Values are one string in JSON, or a list of them.
type Values []string

// UnmarshalJSONFrom reads either form.
func (v *Values) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() != '"' {
		return json.UnmarshalDecode(d, (*[]string)(v))
	}
	var one string
	err := json.UnmarshalDecode(d, &one)
	*v = Values{one}
	return err
}

// algorithms are those by which whoever can check a signature can't make one.
var algorithms = []jose.SignatureAlgorithm{
	jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512,
	jose.ES256, jose.ES384, jose.ES512, jose.EdDSA,
}

const (
	maxIssuers = 20
	maxRules   = 1000 // of one issuer
	maxLength  = 500  // of an issuer, an audience or a claim
)

// ParseConfig reads a configuration, and returns every fault of it, each with its line
// and a JSON Pointer to it. Members that it does not know are faults.
func ParseConfig(data []byte) (Config, error) {
	var c Config
	if err := json.Unmarshal(data, &c, json.RejectUnknownMembers(true)); err != nil {
		return Config{}, misread(data, err)
	}
	if faults := c.check(); len(faults) > 0 {
		var texts []string
		for _, f := range faults {
			texts = append(texts, fmt.Sprintf("line %d: %s: expected %s, got %s", lineOf(data, f.Field), f.Field, f.Expected, f.Actual))
		}
		return Config{}, errors.New(strings.Join(texts, "; "))
	}
	for i := range c.Issuers {
		if len(c.Issuers[i].Algorithms) == 0 {
			c.Issuers[i].Algorithms = []string{string(jose.RS256)}
		}
	}
	return c, nil
}

func (c Config) check() []protocol.Violation {
	var faults []protocol.Violation
	add := func(field, expected, actual string) {
		faults = append(faults, protocol.Violation{Field: field, Expected: expected, Actual: actual})
	}
	if n := len(c.Issuers); n < 1 || n > maxIssuers {
		add("/issuers", fmt.Sprintf("1 to %d issuers", maxIssuers), fmt.Sprint(n))
	}
	seen := map[string]bool{}
	for i, issuer := range c.Issuers {
		at := fmt.Sprintf("/issuers/%d", i)
		switch _, err := address(issuer.Issuer); {
		case err != nil:
			add(at+"/issuer", err.Error(), fmt.Sprintf("%.100q", issuer.Issuer))
		case seen[issuer.Issuer]:
			add(at+"/issuer", "each issuer once", fmt.Sprintf("%.100q again", issuer.Issuer))
		}
		seen[issuer.Issuer] = true
		if a := issuer.Audience; a == "" || len(a) > maxLength || !quotable(a) {
			add(at+"/audience", "this registry's name in tokens: printable ASCII without quotes and backslashes", fmt.Sprintf("%.100q", a))
		}
		for j, algorithm := range issuer.Algorithms {
			if !slices.Contains(algorithms, jose.SignatureAlgorithm(algorithm)) {
				add(fmt.Sprintf("%s/algorithms/%d", at, j), fmt.Sprintf("one of %v", algorithms), fmt.Sprintf("%.50q", algorithm))
			}
		}
		if n := len(issuer.Rules); n < 1 || n > maxRules {
			add(at+"/rules", fmt.Sprintf("1 to %d rules", maxRules), fmt.Sprint(n))
		}
		for j, rule := range issuer.Rules {
			faults = append(faults, rule.check(fmt.Sprintf("%s/rules/%d", at, j))...)
		}
	}
	return faults
}

// check holds a rule to what a key is held to, and to claims.
func (r Rule) check(at string) []protocol.Violation {
	faults := access.KeyRequest{Name: r.Name, Scopes: r.Scopes, Namespaces: r.Namespaces}.Check(time.Time{})
	for i := range faults {
		faults[i].Field = at + faults[i].Field
	}
	// An administrator makes keys, which would outlast the token without a bound.
	if slices.Contains(r.Scopes, access.Admin) {
		faults = append(faults, protocol.Violation{Field: at + "/scopes", Expected: "read or publish", Actual: `"admin"`})
	}
	if len(r.Claims) == 0 {
		faults = append(faults, protocol.Violation{Field: at + "/claims", Expected: "at least one claim: an issuer has tokens for strangers, too", Actual: "none"})
	}
	for name, values := range r.Claims {
		if len(values) == 0 || slices.Contains(values, "") {
			faults = append(faults, protocol.Violation{Field: at + "/claims/" + string(jsontext.Pointer("").AppendToken(name))[1:], Expected: "a string that is not empty, or several", Actual: fmt.Sprintf("%.100q", values)})
		}
	}
	slices.SortFunc(faults, func(a, b protocol.Violation) int { return strings.Compare(a.Field, b.Field) })
	return faults
}

// address reads an address that is fit to be asked for keys.
func address(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || len(text) > maxLength || !quotable(text) || u.Host == "" || u.User != nil || u.RawQuery != "" || u.ForceQuery || strings.Contains(text, "#") ||
		u.Scheme != "https" && !(u.Scheme == "http" && isLoopback(u)) {
		return nil, errors.New("an address with https, or http on this machine, and nothing behind its path")
	}
	return u, nil
}

func isLoopback(u *url.URL) bool {
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

// quotable reports whether a text can stand between quotes in a header.
func quotable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' })
}

// misread gives an error of reading JSON its line.
func misread(data []byte, err error) error {
	var syntax *jsontext.SyntacticError
	var meaning *json.SemanticError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("line %d: %s: %w", lineAt(data, syntax.ByteOffset), syntax.JSONPointer, syntax.Err)
	case errors.As(err, &meaning):
		reason := meaning.Err
		if reason == nil {
			reason = fmt.Errorf("a JSON %v can't stand here", meaning.JSONKind)
		}
		return fmt.Errorf("line %d: %s: %w", lineAt(data, meaning.ByteOffset), meaning.JSONPointer, reason)
	}
	return err
}

// lineOf returns the line of what a pointer points to, or of the last thing above it that
// is there.
func lineOf(data []byte, pointer string) int {
	d := jsontext.NewDecoder(bytes.NewReader(data))
	line, depth := 1, -1
	for {
		if _, err := d.ReadToken(); err != nil {
			return line
		}
		at := string(d.StackPointer())
		if len(at) > depth && (pointer == at || strings.HasPrefix(pointer, at+"/")) {
			line, depth = lineAt(data, d.InputOffset()), len(at)
		}
	}
}

func lineAt(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(int(offset), len(data))], []byte("\n"))
}
