package oidc_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/oidc"
)

const goodConfig = `{
  "issuers": [{
    "issuer": "https://token.example.com",
    "audience": "https://skills.example.com",
    "rules": [
      {
        "name": "release jobs",
        "claims": {"repository": "example/weather", "ref": ["refs/heads/main", "refs/heads/next"]},
        "scopes": ["publish"],
        "namespaces": ["com.example.weather"]
      }
    ]
  }]
}`

func TestConfigIsRead(t *testing.T) {
	t.Parallel()
	c, err := oidc.ParseConfig([]byte(goodConfig))
	if err != nil {
		t.Fatal(err)
	}
	issuer := c.Issuers[0]
	if want := []string{"RS256"}; !reflect.DeepEqual(issuer.Algorithms, want) {
		t.Errorf("got the algorithms %v, want %v where none are named", issuer.Algorithms, want)
	}
	want := map[string]oidc.Values{"repository": {"example/weather"}, "ref": {"refs/heads/main", "refs/heads/next"}}
	if got := issuer.Rules[0].Claims; !reflect.DeepEqual(got, want) {
		t.Errorf("got the claims %v, want %v", got, want)
	}
}

func TestWrongConfigIsRefusedWithThePlace(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, old, new, want string }{
		{"no JSON", `"audience":`, `"audience"`, "line 4: /issuers/0/audience"},
		{"a member twice", `"rules":`, `"issuer": "https://b.example.com", "rules":`, "line 5: /issuers/0/issuer"},
		{"an unknown member", `"audience":`, `"audiences": [], "audience":`, "line 4: /issuers/0/audiences"},
		{"a member of another type", `"audience": "https://skills.example.com"`, `"audience": 5`, "line 4: /issuers/0/audience"},
		{"no issuers", goodConfig, `{}`, "line 1: /issuers: expected 1 to 20 issuers"},
		{"no rules", goodConfig, `{"issuers":[{"issuer":"https://a.example","audience":"a"}]}`, "/issuers/0/rules: expected 1 to 1000 rules"},
		{"plain HTTP", "https://token.example.com", "http://token.example.com", "line 3: /issuers/0/issuer"},
		{"an issuer with a query", "https://token.example.com", "https://token.example.com?a=b", "line 3: /issuers/0/issuer"},
		{"an issuer with a password", "https://token.example.com", "https://a:b@token.example.com", "line 3: /issuers/0/issuer"},
		{"an issuer twice", `"issuers": [{`, `"issuers": [{"issuer": "https://token.example.com", "audience": "a", "rules": []}, {`, "line 3: /issuers/1/issuer"},
		{"no audience", `"audience": "https://skills.example.com",`, "", "/issuers/0/audience"},
		{"an audience with quotes", "https://skills.example.com", `a\"b`, "line 4: /issuers/0/audience"},
		{"an algorithm with a shared secret", `"rules":`, `"algorithms": ["RS256", "HS256"], "rules":`, "line 5: /issuers/0/algorithms/1"},
		{"no algorithm at all", `"rules":`, `"algorithms": ["none"], "rules":`, "line 5: /issuers/0/algorithms/0"},
		{"a rule without a name", "release jobs", "", "line 7: /issuers/0/rules/0/name"},
		{"a rule without claims", `{"repository": "example/weather", "ref": ["refs/heads/main", "refs/heads/next"]}`, "{}", "line 8: /issuers/0/rules/0/claims: expected at least one"},
		{"a claim without a value", `"example/weather"`, `[]`, "line 8: /issuers/0/rules/0/claims/repository"},
		{"a claim that is empty", `"example/weather"`, `""`, "line 8: /issuers/0/rules/0/claims/repository"},
		{"a claim that is a number", `"example/weather"`, `5`, "line 8: /issuers/0/rules/0/claims/repository"},
		{"an administrator", `["publish"]`, `["admin"]`, "line 9: /issuers/0/rules/0/scopes: expected read or publish"},
		{"an unknown scope", `["publish"]`, `["write"]`, "line 9: /issuers/0/rules/0/scopes/0"},
		{"no namespace", `["com.example.weather"]`, `[]`, "line 10: /issuers/0/rules/0/namespaces"},
		{"a wrong namespace", "com.example.weather\"]", "com.example.\"]", "line 10: /issuers/0/rules/0/namespaces/0"},
	} {
		text := strings.Replace(goodConfig, test.old, test.new, 1)
		if _, err := oidc.ParseConfig([]byte(text)); text == goodConfig || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want an error with %q for\n%s", test.name, err, test.want, text)
		}
	}
}

func TestLoopbackIssuerMayHavePlainHTTP(t *testing.T) {
	t.Parallel()
	for _, issuer := range []string{"http://127.0.0.1:8080", "http://[::1]", "http://localhost:1/realm"} {
		if _, err := oidc.ParseConfig([]byte(strings.Replace(goodConfig, "https://token.example.com", issuer, 1))); err != nil {
			t.Errorf("%s: %v", issuer, err)
		}
	}
}
