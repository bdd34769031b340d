package httpapi_test

import (
	"slices"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

func TestLatestIsBySemVerPrecedence(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		published []string // in this order
		highest   []string // and so they are listed
		latest    string
	}{
		"numbers compare as numbers": {
			[]string{"1.9.0", "1.10.0", "1.2.0"}, []string{"1.10.0", "1.9.0", "1.2.0"}, "1.10.0"},
		"a pre-release is not latest": {
			[]string{"1.0.0", "2.0.0-rc.1"}, []string{"2.0.0-rc.1", "1.0.0"}, "1.0.0"},
		"a pre-release when there is nothing else": {
			[]string{"1.0.0-alpha", "1.0.0-alpha.1"}, []string{"1.0.0-alpha.1", "1.0.0-alpha"}, "1.0.0-alpha.1"},
		"pre-releases compare part by part": {
			[]string{"1.0.0-alpha.beta", "1.0.0-rc.1", "1.0.0-beta.11", "1.0.0-alpha", "1.0.0-beta.2", "1.0.0-alpha.1", "1.0.0-beta"},
			[]string{"1.0.0-rc.1", "1.0.0-beta.11", "1.0.0-beta.2", "1.0.0-beta", "1.0.0-alpha.beta", "1.0.0-alpha.1", "1.0.0-alpha"}, "1.0.0-rc.1"},
		"numbers longer than a machine word": {
			[]string{"1.0.18446744073709551616", "1.0.18446744073709551615", "1.0.9"},
			[]string{"1.0.18446744073709551616", "1.0.18446744073709551615", "1.0.9"}, "1.0.18446744073709551616"},
	}
	onEachStore(t, func(t *testing.T, g *registry) {
		for name, test := range tests {
			id := g.namespace() + ".skill"
			for _, v := range test.published {
				g.published([4]string{id, v, "public", "api"})
			}
			if got := g.get("/v1/skills/" + id).wantStatus(200).text("/version"); got != test.latest {
				t.Errorf("%s: latest is %s, want %s", name, got, test.latest)
			}
			if got := g.versions(id); !slices.Equal(got, test.highest) {
				t.Errorf("%s: versions %v, want %v", name, got, test.highest)
			}
		}
	})
}

// versions lists the versions of a skill as they are answered.
func (g *registry) versions(id string, changes ...change) []string {
	g.t.Helper()
	a := g.get("/v1/skills/"+id+"/versions", changes...).wantStatus(200)
	var versions []string
	for _, v := range a.at("/versions").([]any) {
		versions = append(versions, v.(map[string]any)["version"].(string))
	}
	return versions
}

func TestVersionListSaysAllOfEachVersion(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		id := g.namespace() + ".skill"
		before := time.Now().UTC().Truncate(time.Microsecond)
		published := g.publish(protocoltest.Valid(id, "1.0.0", "restricted", "api")).wantStatus(201)
		a := g.get("/v1/skills/" + id + "/versions").wantStatus(200)
		for pointer, want := range map[string]string{
			"/id": id, "/versions/0/version": "1.0.0", "/versions/0/status": "active", "/versions/0/access": "restricted",
			"/versions/0/digest": published.text("/digest"), "/versions/0/published_at": published.text("/published_at"),
			"/versions/0/descriptor_url": published.text("/descriptor_url"),
		} {
			if got := a.text(pointer); got != want || want == "" {
				t.Errorf("%s is %q, want %q", pointer, got, want)
			}
		}
		at, err := time.Parse(time.RFC3339Nano, published.text("/published_at"))
		if err != nil || at.Before(before) || at.After(time.Now()) {
			t.Errorf("published_at is %v (error %v), want a time since %v", at, err, before)
		}
	})
}

func TestPrivateVersions(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		id := n + ".skill"
		seen := func(version string) bool {
			a := g.get("/v1/skills/" + id + "/versions/" + version)
			if a.status != 200 {
				a.wantError(404, protocol.CodeSkillNotFound)
			}
			return a.status == 200
		}
		g.published([4]string{id, "1.0.0", "public", "api"})
		g.published([4]string{id, "1.1.0", "private", "api"})
		// A newer private version hides the whole skill.
		g.get("/v1/skills/"+id).wantError(404, protocol.CodeSkillNotFound)
		g.get("/v1/skills/"+id+"/versions").wantError(404, protocol.CodeSkillNotFound)
		if seen("1.0.0") || seen("1.1.0") || len(g.get("/.well-known/skills").entries(n)) != 0 {
			t.Error("a skill whose latest version is private is seen")
		}
		if got := g.versions(id, asAdmin()); !slices.Equal(got, []string{"1.1.0", "1.0.0"}) {
			t.Errorf("an administrator sees the versions %v", got)
		}
		// A newer open version shows itself and what never was private.
		g.published([4]string{id, "1.2.0", "restricted", "api"})
		if !seen("1.2.0") || !seen("1.0.0") || seen("1.1.0") {
			t.Error("after an open version, want to see 1.2.0 and 1.0.0 and not 1.1.0")
		}
		if got := g.versions(id); !slices.Equal(got, []string{"1.2.0", "1.0.0"}) {
			t.Errorf("everyone sees the versions %v, want 1.2.0 and 1.0.0", got)
		}
		// A private back-port hides itself only.
		g.published([4]string{id, "1.0.1", "private", "api"})
		if got := g.get("/v1/skills/" + id).wantStatus(200).text("/version"); got != "1.2.0" || seen("1.0.1") {
			t.Errorf("after a private back-port, latest is %s, and 1.0.1 is seen: %v", got, seen("1.0.1"))
		}
	})
}

func TestBuildPartMakesNoOtherVersion(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		id := g.namespace() + ".skill"
		g.published([4]string{id, "1.0.0+a", "public", "api"})
		for _, version := range []string{"1.0.0+b", "1.0.0"} {
			a := g.publish(protocoltest.Valid(id, version, "public", "api")).wantError(409, "VERSION_EXISTS")
			if a.text("/error/details/version") != "1.0.0+a" || a.text("/error/details/id") != id {
				t.Errorf("%v; want details that name the version that is there", a)
			}
		}
		g.get("/v1/skills/" + id + "/versions/1.0.0+a").wantStatus(200)
		g.get("/v1/skills/" + id + "/versions/1.0.0%2Ba").wantStatus(200)
		g.get("/v1/skills/" + id + "/versions/1.0.0%2Bb").wantStatus(404)
	})
}
