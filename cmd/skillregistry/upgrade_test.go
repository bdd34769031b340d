package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// recorded is what an older build answered from the database whose dump is beside it.
type recorded struct {
	// Keys are the keys of that registry, by the name of whom they are of.
	Keys    map[string]string
	Answers []struct {
		Who, Path string
		Status    int
		ETag      string
		Body      any
	}
}

// Each folder of testdata/upgrade has dumps of a registry that a build with so many
// migrations filled: versions of every access and status, keys, one of them revoked, and
// what is left of a deletion.
func TestARegistryOfAnOlderBuildAnswersAsItDid(t *testing.T) {
	t.Parallel()
	dumps, err := filepath.Glob("testdata/upgrade/*/*.sql")
	if err != nil || len(dumps) < 6 {
		t.Fatalf("got %q, %v, want the dumps", dumps, err)
	}
	databases := map[string]func(testing.TB) string{"postgres.sql": storetest.PostgreSQL, "sqlite.sql": storetest.SQLite}
	for _, dump := range dumps {
		t.Run(strings.TrimPrefix(dump, "testdata/upgrade/"), func(t *testing.T) {
			t.Parallel()
			script, err := os.ReadFile(dump)
			if err != nil {
				t.Fatal(err)
			}
			var before recorded
			text, err := os.ReadFile(strings.TrimSuffix(dump, ".sql") + ".json")
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, &before); err != nil || len(before.Answers) < 40 {
				t.Fatalf("got %d answers, %v", len(before.Answers), err)
			}
			url := databases[filepath.Base(dump)](t)
			storetest.Load(t, url, string(script))
			r := boot(t, nil, "--database-url", url, "--admin-key", before.Keys["admin"], "--base-url", "https://skills.example.com", "--rate-limit", "0")
			for _, want := range before.Answers {
				got := askAs(t, r.url, http.MethodGet, want.Path, before.Keys[want.Who], "")
				what := want.Who + " asks for " + want.Path
				if got.status != want.Status || got.etag != want.ETag && want.Status == http.StatusOK {
					t.Errorf("%s: got status %d, ETag %s; want %d, %s", what, got.status, got.etag, want.Status, want.ETag)
				}
				if want.Body != nil && !reflect.DeepEqual(got.body, want.Body) {
					t.Errorf("%s: got %v, want %v", what, got.body, want.Body)
				}
			}
			// It goes on: who could publish can, and what was deleted stays taken.
			for id, want := range map[string]int{"com.example.next": http.StatusCreated, "com.example.gone": http.StatusConflict, "org.example.other": http.StatusForbidden} {
				if got := askAs(t, r.url, http.MethodPost, "/v1/skills", before.Keys["publisher"], valid(id, "1.0.0")); got.status != want {
					t.Errorf("publishing %s: got status %d, %v; want %d", id, got.status, got.body, want)
				}
			}
		})
	}
}

// said is an answer in JSON.
type said struct {
	status int
	etag   string
	body   any // nil where it is no JSON
}

// askAs sends a request with a key; without one, as a stranger.
func askAs(t *testing.T, registry, method, path, key, body string) said {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, registry+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept-Encoding", "identity")
	if key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(fmt.Errorf("%s %s: %w", method, path, err))
	}
	defer answer.Body.Close()
	got := said{status: answer.StatusCode, etag: answer.Header.Get("ETag")}
	_ = json.NewDecoder(answer.Body).Decode(&got.body)
	return got
}
