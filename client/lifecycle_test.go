package client_test

import (
	"net/http"
	"testing"

	"github.com/skillregistry/skillregistry/client"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

func TestAVersionIsYankedDeprecatedAndDeleted(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		r := serve(t, url)
		admin, anyone := open(t, r.url, adminKey), open(t, r.url, "")
		for _, version := range []string{"1.0.0", "1.1.0+build.5"} {
			if _, err := admin.Publish(t.Context(), protocoltest.Valid("com.example.a", version, "public", "api"), client.PublishOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		if err := admin.SetStatus(t.Context(), "com.example.a", "1.1.0+build.5", client.Yanked, "It loses data."); err != nil {
			t.Fatal(err)
		}
		if err := admin.SetStatus(t.Context(), "com.example.a", "1.0.0", client.Deprecated, ""); err != nil {
			t.Fatal(err)
		}
		skill, err := anyone.Get(t.Context(), "com.example.a", "")
		if err != nil || skill.Descriptor.Version != "1.0.0" {
			t.Errorf("the latest version: got %+v and error %v, want 1.0.0", skill, err)
		}
		versions, err := anyone.Versions(t.Context(), "com.example.a")
		if err != nil || len(versions) != 2 || versions[0].Status != client.Yanked || versions[0].Reason != "It loses data." ||
			versions[1].Status != client.Deprecated || versions[1].Reason != "" {
			t.Errorf("versions: got %+v and error %v", versions, err)
		}

		if err := admin.DeleteVersion(t.Context(), "com.example.a", "1.1.0+build.5"); err != nil {
			t.Fatal(err)
		}
		if err := admin.DeleteVersion(t.Context(), "com.example.a", "1.1.0+build.5"); status(err) != http.StatusNotFound {
			t.Errorf("deleting a version again: got error %v, want status 404", err)
		}
		if err := admin.DeleteSkill(t.Context(), "com.example.a"); err != nil {
			t.Fatal(err)
		}
		if _, err := anyone.Versions(t.Context(), "com.example.a"); status(err) != http.StatusNotFound {
			t.Errorf("versions of a deleted skill: got error %v, want status 404", err)
		}
		if _, err := admin.Publish(t.Context(), protocoltest.Valid("com.example.a", "1.0.0", "public", "api"), client.PublishOptions{}); status(err) != http.StatusConflict {
			t.Errorf("publishing a deleted version: got error %v, want status 409", err)
		}
		if err := admin.SetStatus(t.Context(), "com.example.a", "1.0.0", client.Active, ""); status(err) != http.StatusNotFound {
			t.Errorf("activating a deleted version: got error %v, want status 404", err)
		}
	})
}

func TestNothingIsDeletedByAnEmptyName(t *testing.T) {
	t.Parallel()
	url, requests := failing(t, 9, hangingUp)
	c := open(t, url, adminKey)
	for name, err := range map[string]error{
		"a skill without an id":       c.DeleteSkill(t.Context(), ""),
		"a version without an id":     c.DeleteVersion(t.Context(), "", "1.0.0"),
		"a version without a version": c.DeleteVersion(t.Context(), "com.example.a", ""),
		"a status without an id":      c.SetStatus(t.Context(), "", "1.0.0", client.Yanked, ""),
		"a status without a version":  c.SetStatus(t.Context(), "com.example.a", "", client.Yanked, ""),
	} {
		if err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
	if n := requests.Load(); n > 0 {
		t.Errorf("%d requests were sent, want none", n)
	}
}

func TestADeletionIsSentOnceAndAStatusAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		do       func(*client.Client) error
		requests int64
	}{
		{"deleting a version", func(c *client.Client) error { return c.DeleteVersion(t.Context(), "com.example.a", "1.0.0") }, 1},
		{"deleting a skill", func(c *client.Client) error { return c.DeleteSkill(t.Context(), "com.example.a") }, 1},
		{"setting a status", func(c *client.Client) error {
			return c.SetStatus(t.Context(), "com.example.a", "1.0.0", client.Yanked, "")
		}, 4},
	} {
		url, requests := failing(t, 9, hangingUp)
		k := open(t, url, adminKey)
		client.Pauses(k)
		if err := c.do(k); err == nil {
			t.Errorf("%s: got no error", c.name)
		}
		if n := requests.Load(); n != c.requests {
			t.Errorf("%s, without an answer: got %d requests, want %d", c.name, n, c.requests)
		}
	}
}
