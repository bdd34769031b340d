package catalog_test

import (
	"crypto/rand"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
)

func TestDescriptorIsServedAsItWasPublished(t *testing.T) {
	t.Parallel()
	s := &shelfSource{}
	v := version("com.example.a", "1.0.0+build")
	s.publish(t, v)
	view := snapshot(t, open(t, s, options()))
	want, err := protocol.Serialize(v.descriptor())
	if err != nil {
		t.Fatal(err)
	}
	latest, ok := view.Latest(access.Caller{}, v.id)
	if !ok {
		t.Fatal("there is no latest version")
	}
	if got := string(body(t, latest.Entity)); got != string(want) {
		t.Errorf("the descriptor is\n%s\nwant\n%s", got, want)
	}
	if got, want := latest.ETag(false), `"`+protocol.Digest(want)+`"`; got != want {
		t.Errorf("the tag is %s, want %s", got, want)
	}
	for version, want := range map[string]bool{"1.0.0+build": true, "1.0.0": false, "1.0.0+other": false, "": false} {
		if _, ok := view.Version(access.Caller{}, v.id, version); ok != want {
			t.Errorf("version %q is there: %t, want %t", version, ok, want)
		}
	}
}

func TestMemberNamedDescriptorURLDoesNotReachTheIndex(t *testing.T) {
	t.Parallel()
	for _, extra := range []string{`{"descriptor_url":"https://evil.example"}`, `{"descriptor_url":5}`, `{"ID":"com.evil"}`} {
		d := version("com.example.a", "1.0.0").descriptor()
		d.Extra = []byte(extra)
		document, err := protocol.Serialize(d)
		if err != nil {
			t.Fatal(err)
		}
		s := &shelfSource{}
		s.write(store.Change{Version: &store.Version{
			SkillID: d.ID, Version: d.Version, Access: d.Access, Status: access.Active, Document: document,
		}})
		e, _ := snapshot(t, open(t, s, options())).Index(access.Caller{}, catalog.IndexQuery{})
		var index protocol.Index
		if err := json.Unmarshal(body(t, e), &index); err != nil {
			t.Fatal(err)
		}
		got := index.Skills[0]
		if got.ID != d.ID || got.DescriptorURL != catalog.DescriptorURL(baseURL, d.ID, d.Version) {
			t.Errorf("with %s the entry is %+v", extra, got)
		}
	}
}

func TestVisibilityFollowsTheLatestVersion(t *testing.T) {
	t.Parallel()
	private := withAccess(protocol.Private)
	for _, test := range []struct {
		name      string
		published []skillVersion
		latest    string // for an anonymous caller; empty is none
		versions  string // for an anonymous caller
		insider   string // the latest for who may read private skills
	}{
		{
			name:      "a newer private version hides the skill",
			published: []skillVersion{version("com.a", "1.0.0"), version("com.a", "1.1.0", private)},
			insider:   "1.1.0",
		}, {
			name:      "a newer public version shows what never was private",
			published: []skillVersion{version("com.a", "1.0.0"), version("com.a", "1.1.0", private), version("com.a", "1.2.0")},
			latest:    "1.2.0", versions: "1.2.0 1.0.0", insider: "1.2.0",
		}, {
			name:      "a private back-port hides itself only",
			published: []skillVersion{version("com.a", "2.0.0"), version("com.a", "1.0.1", private)},
			latest:    "2.0.0", versions: "2.0.0", insider: "2.0.0",
		}, {
			name:      "a private pre-release beside a release hides itself only",
			published: []skillVersion{version("com.a", "1.0.0"), version("com.a", "2.0.0-rc.1", private)},
			latest:    "1.0.0", versions: "1.0.0", insider: "1.0.0",
		}, {
			name:      "yanked versions stay at their address",
			published: []skillVersion{version("com.a", "1.0.0", withStatus(access.Yanked))},
			versions:  "1.0.0",
		}, {
			name:      "a deleted version is nowhere",
			published: []skillVersion{version("com.a", "1.0.0"), version("com.a", "1.1.0"), version("com.a", "1.1.0", withStatus(access.Deleted))},
			latest:    "1.0.0", versions: "1.0.0", insider: "1.0.0",
		}, {
			name:      "versions that are longer than a machine word compare as numbers",
			published: []skillVersion{version("com.a", "1.0.18446744073709551616"), version("com.a", "1.0.9")},
			latest:    "1.0.18446744073709551616", versions: "1.0.18446744073709551616 1.0.9", insider: "1.0.18446744073709551616",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := &shelfSource{}
			c := open(t, s, options())
			for _, v := range test.published {
				s.publish(t, v)
				snapshot(t, c)
			}
			view := snapshot(t, c)
			latest, _ := view.LatestVersion(access.Caller{}, "com.a")
			if latest != test.latest {
				t.Errorf("the latest version is %q, want %q", latest, test.latest)
			}
			if insider, _ := view.LatestVersion(reader("com.a"), "com.a"); insider != test.insider {
				t.Errorf("the latest version for a reader is %q, want %q", insider, test.insider)
			}
			if got := versionsOf(t, view, access.Caller{}); got != test.versions {
				t.Errorf("the versions are %q, want %q", got, test.versions)
			}
			for _, v := range test.published {
				_, seen := view.Version(access.Caller{}, "com.a", v.version)
				if want := slices.Contains(strings.Fields(test.versions), v.version); seen != want {
					t.Errorf("version %s is seen: %t, want %t", v.version, seen, want)
				}
				deleted := slices.ContainsFunc(test.published, func(o skillVersion) bool {
					return o.version == v.version && o.status == access.Deleted
				})
				if _, seen := view.Version(reader("com.a"), "com.a", v.version); seen == deleted {
					t.Errorf("a reader sees version %s: %t", v.version, seen)
				}
			}
		})
	}
}

func versionsOf(t *testing.T, s *catalog.Snapshot, c access.Caller) string {
	t.Helper()
	e, ok := s.Versions(c, "com.a")
	if !ok {
		return ""
	}
	var list struct {
		ID       string
		Versions []struct{ Version string }
	}
	if err := json.Unmarshal(body(t, e), &list); err != nil {
		t.Fatal(err)
	}
	var versions []string
	for _, v := range list.Versions {
		versions = append(versions, v.Version)
	}
	return strings.Join(versions, " ")
}

func TestVersionListSaysAllOfEachVersion(t *testing.T) {
	t.Parallel()
	s := &shelfSource{}
	v := version("com.example.a", "1.0.0", withAccess(protocol.Restricted), withStatus(access.Deprecated))
	s.publish(t, v)
	document, err := protocol.Serialize(v.descriptor())
	if err != nil {
		t.Fatal(err)
	}
	e, ok := snapshot(t, open(t, s, options())).Versions(access.Caller{}, v.id)
	if !ok {
		t.Fatal("there is no list")
	}
	want := `{"id":"com.example.a","versions":[{"version":"1.0.0","status":"deprecated","access":"restricted","digest":"` +
		protocol.Digest(document) + `","published_at":"2026-01-02T03:04:05.000006Z",` +
		`"descriptor_url":"https://registry.example/v1/skills/com.example.a/versions/1.0.0"}]}`
	if got := string(body(t, e)); got != want {
		t.Errorf("the list is\n%s\nwant\n%s", got, want)
	}
}

func TestKeyWorksFromItsMakingToItsRevocation(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	key, token, err := access.NewKey(access.KeyRequest{
		Name: "ci", Scopes: []access.Scope{access.Publish}, Namespaces: []access.Namespace{"com.example"}, ExpiresAt: now.Add(time.Hour),
	}, now, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	admin, err := access.NewConfiguredAdmin("an admin key of thirty-two chars")
	if err != nil {
		t.Fatal(err)
	}
	s := &shelfSource{}
	o := options()
	o.Admin = admin
	c := open(t, s, o)
	if _, ok := snapshot(t, c).Caller(token, now); ok {
		t.Error("a key works before it was made")
	}
	s.write(store.Change{Key: &key})
	view := snapshot(t, c)
	want := access.Caller{KeyID: key.ID, Scopes: key.Scopes, Namespaces: key.Namespaces}
	if got, ok := view.Caller(token, now); !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("the key's caller is %+v, %t; want %+v", got, ok, want)
	}
	if _, ok := view.Caller(token, now.Add(time.Hour)); ok {
		t.Error("a key works when it has expired")
	}
	if _, ok := view.Caller(token[:len(token)-1]+"?", now); ok {
		t.Error("a key works with another secret")
	}
	if got, ok := view.Caller("an admin key of thirty-two chars", now); !ok || !got.Administers() {
		t.Errorf("the configured admin key is %+v, %t", got, ok)
	}
	revoked := key
	revoked.RevokedAt = now
	s.write(store.Change{Key: &revoked})
	view = snapshot(t, c)
	if _, ok := view.Caller(token, now); ok {
		t.Error("a key works when it was revoked")
	}
	if keys := view.Keys(); len(keys) != 1 || keys[0].RevokedAt != now {
		t.Errorf("the keys are %+v, want the one that was revoked", keys)
	}
}
