package client_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/client"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

func TestASkillIsPublishedAndComesBackAsItIs(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		r := serve(t, url)
		admin, anyone := open(t, r.url, adminKey), open(t, r.url, "")
		document := bytes.Replace(protocoltest.Valid("com.example.a", "1.0.0", "public", "api"), []byte(`"inputs":[]`),
			[]byte(`"inputs":[{"name":"n","type":"number","default":12345678901234567890.10,"enum":[12345678901234567890.10]}],"later":{"x":1E3}`), 1)

		dry, err := admin.Publish(t.Context(), document, client.PublishOptions{DryRun: true})
		if err != nil || !dry.DryRun || dry.Created || !dry.PublishedAt.IsZero() {
			t.Fatalf("dry run: got %+v and error %v", dry, err)
		}
		if _, err := anyone.Get(t.Context(), "com.example.a", ""); status(err) != http.StatusNotFound {
			t.Errorf("after the dry run: got error %v, want 404", err)
		}

		first, err := admin.Publish(t.Context(), document, client.PublishOptions{})
		if err != nil || !first.Created || first.ID != "com.example.a" || first.Version != "1.0.0" || first.PublishedAt.IsZero() ||
			first.DescriptorURL != "https://skills.example.com/v1/skills/com.example.a/versions/1.0.0" || first.Digest != dry.Digest {
			t.Fatalf("publish: got %+v and error %v", first, err)
		}
		again, err := admin.Publish(t.Context(), document, client.PublishOptions{})
		if err != nil || again.Created || !again.PublishedAt.Equal(first.PublishedAt) {
			t.Errorf("publish again: got %+v and error %v, want the first time and not created", again, err)
		}

		for _, version := range []string{"", "1.0.0"} {
			skill, err := anyone.Get(t.Context(), "com.example.a", version)
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprintf("sha256:%x", sha256.Sum256(skill.Raw)); got != first.Digest {
				t.Errorf("digest of the raw bytes: got %s, want %s", got, first.Digest)
			}
			if p := skill.Descriptor.Inputs[0]; string(p.Default) != "12345678901234567890.10" || string(p.Enum[0]) != "12345678901234567890.10" {
				t.Errorf("numbers: got %s and %s, want every digit", p.Default, p.Enum[0])
			}
			if skill.Descriptor.ID != "com.example.a" || skill.Descriptor.Access != "public" || !bytes.Contains(skill.Raw, []byte(`"later":{"x":1E3}`)) {
				t.Errorf("got %+v, raw %s", skill.Descriptor, skill.Raw)
			}
		}
		versions, err := anyone.Versions(t.Context(), "com.example.a")
		if err != nil || len(versions) != 1 || versions[0].Version != "1.0.0" || versions[0].Digest != first.Digest ||
			versions[0].Status != "active" || versions[0].Access != "public" || !versions[0].PublishedAt.Equal(first.PublishedAt) {
			t.Errorf("versions: got %+v and error %v", versions, err)
		}
	})
}

func TestARefusalSaysAllThatIsWrong(t *testing.T) {
	t.Parallel()
	r := serve(t, storetest.SQLite(t))
	admin := open(t, r.url, adminKey)
	publish(t, admin, "com.example.a", "public", "api")
	for _, c := range []struct {
		name     string
		client   *client.Client
		document string
		status   int
		code     string
		fields   []string
	}{
		{"broken rules", admin, `{"id":"A"}`, 422, "VALIDATION_ERROR", []string{"/access", "/id", "/protocol"}},
		{"another protocol", admin, `{"protocol":{"version":"2.0.0"}}`, 422, "VERSION_INCOMPATIBLE", nil},
		{"no JSON", admin, `{`, 400, "INVALID_JSON", nil},
		{"nothing", admin, ``, 400, "INVALID_JSON", nil},
		{"other content", admin, string(protocoltest.Valid("com.example.a", "1.0.0", "private", "api")), 409, "VERSION_EXISTS", nil},
		{"no key", open(t, r.url, ""), `{}`, 401, "AUTH_REQUIRED", nil},
		{"a key that is not valid", open(t, r.url, "skr_wrong"), `{}`, 401, "AUTH_REQUIRED", nil},
	} {
		_, err := c.client.Publish(t.Context(), []byte(c.document), client.PublishOptions{})
		var refused *client.Error
		if !errors.As(err, &refused) {
			t.Errorf("%s: got error %v, want a *client.Error", c.name, err)
			continue
		}
		if refused.StatusCode != c.status || refused.Code != c.code || refused.Message == "" || refused.RequestID == "" {
			t.Errorf("%s: got %+v, want status %d and code %s", c.name, refused, c.status, c.code)
		}
		var fields []string
		for _, v := range refused.Violations {
			fields = append(fields, v.Field)
		}
		for _, want := range c.fields {
			if !slices.Contains(fields, want) {
				t.Errorf("%s: got violations at %v, want one at %s", c.name, fields, want)
			}
		}
		if !strings.Contains(refused.Error(), c.code) {
			t.Errorf("%s: got the text %q, want the code in it", c.name, refused)
		}
	}
}

func TestTheIndexIsWalkedPageByPage(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		r := serve(t, url)
		admin := open(t, r.url, adminKey)
		for _, s := range []struct{ id, access, capabilityType string }{
			{"com.example.a", "public", "api"}, {"com.example.b", "restricted", "task"}, {"com.example.c", "private", "task"},
			{"com.example.d", "public", "knowledge"}, {"com.example.e", "public", "plugin"},
		} {
			publish(t, admin, s.id, s.access, s.capabilityType)
		}
		for _, c := range []struct {
			name  string
			key   string
			query client.IndexQuery
			want  string
		}{
			{"for everyone", "", client.IndexQuery{}, "a b d e"},
			{"for an administrator", adminKey, client.IndexQuery{}, "a b c d e"},
			{"one at a time", adminKey, client.IndexQuery{PageSize: 1}, "a b c d e"},
			{"two at a time", "", client.IndexQuery{PageSize: 2}, "a b d e"},
			{"of one type", adminKey, client.IndexQuery{Types: []string{"task"}, PageSize: 1}, "b c"},
			{"of two types", "", client.IndexQuery{Types: []string{"task", "api"}, PageSize: 1}, "a b"},
		} {
			var got []string
			for entry, err := range open(t, r.url, c.key).Index(t.Context(), c.query) {
				if err != nil {
					t.Fatalf("%s: %v", c.name, err)
				}
				got = append(got, strings.TrimPrefix(entry.ID, "com.example."))
				if !bytes.Contains(entry.Raw, []byte(entry.DescriptorURL)) || entry.Name == "" || entry.Version != "1.0.0" || entry.Access == "" || entry.CapabilityType == "" {
					t.Errorf("%s: got the entry %+v", c.name, entry)
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%s: got %v, want %s", c.name, got, c.want)
			}
		}
	})
}

func TestAWalkEndsWhereItsCallerEndsIt(t *testing.T) {
	t.Parallel()
	var requests atomic.Int64
	url := proxied(t, func(next http.Handler) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				requests.Add(1)
			}
			next.ServeHTTP(w, r)
		}
	})
	admin := open(t, url, adminKey)
	for _, id := range []string{"com.example.a", "com.example.b", "com.example.c"} {
		publish(t, admin, id, "public", "api")
	}
	for range admin.Index(t.Context(), client.IndexQuery{PageSize: 1}) {
		break
	}
	if n := requests.Load(); n != 1 {
		t.Errorf("after the first entry: got %d requests, want 1", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var got []error
	for _, err := range admin.Index(ctx, client.IndexQuery{PageSize: 1}) {
		got = append(got, err)
		cancel()
	}
	if len(got) != 2 || got[0] != nil || !errors.Is(got[1], context.Canceled) {
		t.Errorf("after the context ended: got %v, want one entry and the context's error", got)
	}
	for _, err := range admin.Index(t.Context(), client.IndexQuery{Types: []string{"tool"}}) {
		if status(err) != http.StatusBadRequest {
			t.Errorf("a type that does not exist: got error %v, want 400", err)
		}
	}
}

func TestDocumentsAreValidated(t *testing.T) {
	t.Parallel()
	c := open(t, serve(t, storetest.SQLite(t)).url, "")
	good, err := c.Validate(t.Context(), "descriptor", protocoltest.Valid("com.example.a", "1.0.0", "restricted", "api"))
	if err != nil || !good.Valid || len(good.Violations) != 0 || len(good.Warnings) == 0 {
		t.Errorf("a good one with an oddity: got %+v and error %v", good, err)
	}
	bad, err := c.Validate(t.Context(), "invocation-request", []byte(`{"caller":{}}`))
	if err != nil || bad.Valid || len(bad.Violations) == 0 {
		t.Errorf("a bad one: got %+v and error %v", bad, err)
	}
	if _, err := c.Validate(t.Context(), "descriptor", []byte("{")); status(err) != http.StatusBadRequest {
		t.Errorf("no JSON: got error %v, want 400", err)
	}
	if _, err := c.Validate(t.Context(), "a&b", []byte("{}")); status(err) != http.StatusBadRequest {
		t.Errorf("a kind that does not exist: got error %v, want 400", err)
	}
}

func TestAKeyIsMadeListedAndRevoked(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		r := serve(t, url)
		admin := open(t, r.url, adminKey)
		expires := time.Now().Add(time.Hour).UTC().Truncate(time.Microsecond)
		made, err := admin.CreateKey(t.Context(), client.KeyRequest{Name: "ci", Scopes: []string{"publish"}, Namespaces: []string{"com.example"}, ExpiresAt: expires})
		if err != nil || made.ID == "" || made.Secret == "" || !made.ExpiresAt.Equal(expires) || made.CreatedAt.IsZero() {
			t.Fatalf("create: got %+v and error %v", made, err)
		}
		endless, err := admin.CreateKey(t.Context(), client.KeyRequest{Name: "root", Scopes: []string{"admin"}})
		if err != nil || !endless.ExpiresAt.IsZero() {
			t.Fatalf("create without an end and namespaces: got %+v and error %v", endless, err)
		}
		publish(t, open(t, r.url, made.Secret), "com.example.a", "private", "api")

		if err := admin.RevokeKey(t.Context(), made.ID); err != nil {
			t.Fatal(err)
		}
		if err := admin.RevokeKey(t.Context(), made.ID); err != nil {
			t.Errorf("revoking again: %v", err)
		}
		if _, err := open(t, r.url, made.Secret).Get(t.Context(), "com.example.a", ""); status(err) != http.StatusUnauthorized {
			t.Errorf("the revoked key: got error %v, want 401", err)
		}
		keys, err := open(t, r.url, endless.Secret).ListKeys(t.Context())
		if err != nil || len(keys) != 2 || keys[0].Name != "ci" || keys[0].RevokedAt.IsZero() || keys[1].ID != endless.ID || !keys[1].RevokedAt.IsZero() {
			t.Errorf("list: got %+v and error %v", keys, err)
		}
		if err := admin.RevokeKey(t.Context(), "nonsense"); status(err) != http.StatusNotFound {
			t.Errorf("revoking what is no key: got error %v, want 404", err)
		}
		var refused *client.Error
		if _, err := admin.CreateKey(t.Context(), client.KeyRequest{}); !errors.As(err, &refused) || refused.StatusCode != 422 || len(refused.Violations) < 2 {
			t.Errorf("an empty request: got error %v, want 422 with its violations", err)
		}
	})
}

func TestReadyAsksOnce(t *testing.T) {
	t.Parallel()
	var requests atomic.Int64
	url := proxied(t, func(next http.Handler) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if requests.Add(1) == 1 {
				next.ServeHTTP(w, r)
				return
			}
			http.Error(w, "{}", http.StatusServiceUnavailable)
		}
	})
	c := open(t, url, "")
	if err := c.Ready(t.Context()); err != nil {
		t.Error(err)
	}
	if err := c.Ready(t.Context()); status(err) != http.StatusServiceUnavailable || requests.Load() != 2 {
		t.Errorf("got error %v after %d requests, want 503 after 2", err, requests.Load())
	}
}

func TestANameThatLooksLikeAPathStaysAName(t *testing.T) {
	t.Parallel()
	admin := open(t, serve(t, storetest.SQLite(t)).url, adminKey)
	for _, id := range []string{"a/b", "../keys", "a?b", "a%2fb", "a#b", "ä"} {
		if _, err := admin.Get(t.Context(), id, "1.0.0+b/../c"); status(err) != http.StatusNotFound {
			t.Errorf("%q: got error %v, want 404", id, err)
		}
	}
	if _, err := admin.Get(t.Context(), "", ""); err == nil {
		t.Error("an empty id: got no error")
	}
}

// status is the status of a refusal, 0 for any other error and for none.
func status(err error) int {
	var refused *client.Error
	if errors.As(err, &refused) {
		return refused.StatusCode
	}
	return 0
}
