package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/oidc/oidctest"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// oidcConfig writes a configuration that trusts an issuer, and returns its file.
func oidcConfig(t *testing.T, issuer string) string {
	t.Helper()
	data, err := json.MarshalIndent(map[string]any{"issuers": []any{map[string]any{
		"issuer": issuer, "audience": oidctest.Audience,
		"rules": []any{map[string]any{
			"name": "release jobs", "claims": map[string]any{"repository": "example/weather"},
			"scopes": []string{"publish"}, "namespaces": []string{"com.example.weather"},
		}},
	}}}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "oidc.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// A job of a pipeline publishes with the token that its platform gave it.
func TestPublishWithAToken(t *testing.T) {
	t.Parallel()
	issuer, key := oidctest.New(t), oidctest.NewKey(t, "k", "RS256")
	issuer.Publish(key)
	p := start(t, []string{"SKILLREGISTRY_OIDC_CONFIG=" + oidcConfig(t, issuer.URL)},
		"serve", "--addr", "127.0.0.1:0", "--database-url", "sqlite:"+filepath.Join(t.TempDir(), "r.db"), "--admin-key", adminKey)
	r := &registry{url: listeningURL(t, p.stderr)}
	publish := func(id string, others map[string]any) outcomeOf {
		t.Helper()
		token := key.Token(t, issuer.Claims(time.Now(), others))
		got := call(t, r.as(token), string(protocoltest.Valid(id, "1.0.0", "public", "api")), "publish", "-")
		if strings.Contains(got.stdout+got.stderr+p.stderr.String(), token) {
			t.Errorf("the token is in what was written:\n%s%s%s", got.stdout, got.stderr, p.stderr)
		}
		return got
	}
	if got := publish("com.example.weather.forecast", nil); got.status != 0 {
		t.Errorf("got status %d, want 0; %s", got.status, got.stderr)
	}
	if got := publish("com.example.other", nil); got.status != 1 || !strings.Contains(got.stdout+got.stderr, "does not allow this") {
		t.Errorf("outside of its namespace: got %+v, want status 1", got)
	}
	if got := publish("com.example.weather.x", map[string]any{"repository": "example/fork"}); got.status != 1 || !strings.Contains(got.stdout+got.stderr, "no rule of this registry") {
		t.Errorf("the token of a fork: got %+v, want status 1 and the reason", got)
	}
}

func TestWrongOIDCConfigStopsTheStart(t *testing.T) {
	t.Parallel()
	file := oidcConfig(t, "http://token.example.com")
	for path, want := range map[string]string{
		file:                "line 5: /issuers/0/issuer: expected an address with https",
		file + ".not-there": "no such file",
	} {
		got := call(t, nil, "", "serve", "--addr", "127.0.0.1:0", "--database-url", "sqlite:"+filepath.Join(t.TempDir(), "r.db"), "--oidc-config", path)
		if got.status != statusUsage || !strings.Contains(got.stderr, want) || !strings.Contains(got.stderr, "--oidc-config") {
			t.Errorf("%s: got %+v; want status %d and %q", path, got, statusUsage, want)
		}
	}
}
