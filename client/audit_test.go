package client_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/skillregistry/skillregistry/client"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// audited returns what a query for the audit log yields, and the last cursor.
func audited(t *testing.T, c *client.Client, q client.AuditQuery) (told []string, cursor string) {
	t.Helper()
	for page, err := range c.Audit(t.Context(), q) {
		if err != nil {
			t.Fatalf("%+v: %v", q, err)
		}
		if cursor = page.Cursor; len(told) > 10 {
			t.Fatalf("%+v: there is no end of it: %q", q, told)
		}
		for _, e := range page.Events {
			if e.At.IsZero() || e.Address != "127.0.0.1" || e.RequestID == "" || e.Requests != 1 {
				t.Errorf("got the event %+v, want it with its time, address, and request", e)
			}
			told = append(told, fmt.Sprint(e.Actor, " ", e.Action, " ", e.Skill, e.Version, e.Status, e.Key, " ", e.Outcome, e.Code))
		}
	}
	return told, cursor
}

func TestAuditYieldsEachEventOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		r := serve(t, url)
		admin := open(t, r.url, adminKey)
		key, err := admin.CreateKey(t.Context(), client.KeyRequest{Name: "ci", Scopes: []string{"publish"}, Namespaces: []string{"com.example"}})
		if err != nil {
			t.Fatal(err)
		}
		ci := open(t, r.url, key.Secret)
		publish(t, ci, "com.example.a", "private", "api")
		if err := ci.SetStatus(t.Context(), "com.example.a", "1.0.0", client.Yanked, ""); err != nil {
			t.Fatal(err)
		}
		if err := ci.DeleteSkill(t.Context(), "com.example.a"); status(err) != http.StatusForbidden {
			t.Errorf("delete: got error %v, want 403", err)
		}
		want := []string{
			"configured create_key " + key.ID + " done", key.ID + " publish com.example.a1.0.0 done",
			key.ID + " set_status com.example.a1.0.0yanked done", key.ID + " delete com.example.a refusedPERMISSION_DENIED",
		}
		all, cursor := audited(t, admin, client.AuditQuery{PageSize: 1})
		if !slices.Equal(all, want) {
			t.Errorf("got %q, want %q", all, want)
		}
		if more, again := audited(t, admin, client.AuditQuery{After: cursor}); len(more) != 0 || again != cursor {
			t.Errorf("after the end: got %q and the cursor %s, want nothing and %s", more, again, cursor)
		}
		if mine, _ := audited(t, admin, client.AuditQuery{Key: key.ID, Skill: "com.example.a"}); !slices.Equal(mine, want[1:]) {
			t.Errorf("of one key and skill: got %q, want %q", mine, want[1:])
		}
		for _, err := range ci.Audit(t.Context(), client.AuditQuery{}) {
			if status(err) != http.StatusForbidden {
				t.Errorf("for a key that is no administrator's: got error %v, want 403", err)
			}
		}
		keys, err := admin.ListKeys(t.Context())
		if err != nil || len(keys) != 1 || keys[0].LastUsedAt.IsZero() {
			t.Errorf("the keys are %+v, %v; want when the one was last used", keys, err)
		}
	})
}

func TestAuditThatLeadsNowhereIsAnError(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"no cursor":       `{"events":[]}`,
		"the same cursor": `{"events":[{"at":"2026-01-01T00:00:00Z"}],"cursor":"e1"}`,
	} {
		url := proxied(t, func(http.Handler) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, answer) }
		})
		pages := 0
		for _, err := range open(t, url, "").Audit(t.Context(), client.AuditQuery{After: "e1"}) {
			if pages++; err == nil {
				t.Errorf("%s: got a page, want an error", name)
				break
			}
		}
		if pages != 1 {
			t.Errorf("%s: got %d answers, want one error", name, pages)
		}
	}
}
