package httpapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// The protocol's properties, through a listener and against both stores. All cases of
// a property share a registry, each in a namespace of its own, so that each is checked
// beside all that the cases before it have published.

// drawn publishes generated documents of one case, and knows what it published.
type drawn struct {
	namespace string
	docs      []protocoltest.Doc
}

// draw publishes some skills, each with some versions.
func (g *registry) draw(t *rapid.T) drawn {
	d := drawn{namespace: g.namespace()}
	for i := range rapid.IntRange(1, 6).Draw(t, "skills") {
		versions := rapid.SliceOfNDistinct(protocoltest.Version(), 1, 3, protocol.VersionWithoutBuild).Draw(t, "versions")
		for _, version := range versions {
			doc := protocoltest.Descriptor(
				protocoltest.With("id", fmt.Sprintf("%s.s%d", d.namespace, i)), protocoltest.With("version", version),
			).Draw(t, "document")
			if a := g.publish(doc.JSON); a.status != http.StatusCreated {
				t.Fatalf("%v\n%s", a, doc.JSON)
			}
			d.docs = append(d.docs, doc)
		}
	}
	return d
}

// latest returns the document of each skill's latest version.
func (d drawn) latest() map[string]protocoltest.Doc {
	latest := map[string]protocoltest.Doc{}
	for _, doc := range d.docs {
		best, ok := latest[doc.Text("id")]
		if !ok || later(doc.Text("version"), best.Text("version")) {
			latest[doc.Text("id")] = doc
		}
	}
	return latest
}

// later reports whether version a is latest rather than b.
func later(a, b string) bool {
	if pa, pb := protocol.IsPrerelease(a), protocol.IsPrerelease(b); pa != pb {
		return pb
	}
	return protocol.CompareVersions(a, b) > 0
}

// index reads the entries of the case's namespace: from the whole index, or from pages
// of it that begin where the namespace does.
func (g *registry) index(t *rapid.T, query, namespace string, changes ...change) (found []indexEntry) {
	path := "/.well-known/skills?" + query
	if rapid.IntRange(0, 4).Draw(t, "whole index") > 0 {
		limit := rapid.IntRange(1, 10).Draw(t, "limit")
		path += fmt.Sprintf("&limit=%d&cursor=%s", limit, cursorAfter(namespace))
	}
	for more := true; more && path != ""; {
		a := g.get(path, changes...)
		var index protocolIndex
		if err := json.Unmarshal(a.body, &index); a.status != http.StatusOK || err != nil {
			t.Fatalf("%v: %v", a, err)
		}
		for _, e := range index.Skills {
			if inNamespace(namespace, e.ID) {
				found = append(found, e)
			}
			more = e.ID <= namespace+".~"
		}
		path = a.next()
	}
	return found
}

// onEachStoreProperty checks a property on a registry of each kind of store.
func onEachStoreProperty(t *testing.T, number int, statement string, check func(*rapid.T, *registry)) {
	t.Helper()
	onEachStore(t, func(t *testing.T, g *registry) {
		protocoltest.Property(t, number, statement, func(rt *rapid.T) { check(rt, g) })
	})
}

// Feature: skill-sharing-protocol, Property 3: parse(serialize(d)) == d.
func TestProperty03DocumentsComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	onEachStoreProperty(t, 3, "what is published comes back as it was", func(t *rapid.T, g *registry) {
		id := g.namespace() + ".skill"
		doc := protocoltest.Descriptor(protocoltest.With("id", id)).Draw(t, "document")
		first := g.publish(doc.JSON)
		if first.status != http.StatusCreated {
			t.Fatalf("%v\n%s", first, doc.JSON)
		}
		served := g.get(first.text("/descriptor_url"), asAdmin(), header("Accept-Encoding", rapid.SampledFrom([]string{"", "gzip"}).Draw(t, "encoding")))
		body := served.body
		if served.header.Get("Content-Encoding") == "gzip" {
			var err error
			if body, err = gunzip(body); err != nil {
				t.Fatal(err)
			}
		}
		if got, want := decode(t, body), any(doc.Tree); !equalJSON(got, want) {
			t.Fatalf("published %s\nserved %s", doc.JSON, body)
		}
		if got, want := protocol.Digest(body), first.text("/digest"); got != want {
			t.Fatalf("the digest of what is served is %s, and that of the publication %s", got, want)
		}
		if again := g.publish(body); again.status != http.StatusOK || again.text("/digest") != first.text("/digest") {
			t.Fatalf("what is served is other content than what was published: %v", again)
		}
	})
}

// decode reads JSON with the digits of its numbers.
func decode(t *rapid.T, data []byte) any {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return v
}

// equalJSON compares JSON values, numbers by their digits.
func equalJSON(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, v := range a {
			if other, ok := b[name]; !ok || !equalJSON(v, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equalJSON)
	default:
		return a == b
	}
}

// Feature: skill-sharing-protocol, Property 5: the ids in a Skill Index are mutually distinct.
func TestProperty05IndexIdsAreDistinct(t *testing.T) {
	t.Parallel()
	onEachStoreProperty(t, 5, "the ids in a Skill Index are mutually distinct", func(t *rapid.T, g *registry) {
		d := g.draw(t)
		entries := g.index(t, "", d.namespace, asAdmin())
		if len(entries) != len(d.latest()) {
			t.Fatalf("%d entries of %d skills: %v", len(entries), len(d.latest()), entries)
		}
		for i, e := range entries {
			if i > 0 && e.ID <= entries[i-1].ID {
				t.Fatalf("%s does not come after %s", e.ID, entries[i-1].ID)
			}
			if want := d.latest()[e.ID].Text("version"); e.Version != want {
				t.Fatalf("%s is listed as %s, want its latest version %s", e.ID, e.Version, want)
			}
		}
	})
}

// Feature: skill-sharing-protocol, Property 6: the unauthenticated index holds all the
// skills that are not private, and no private one.
func TestProperty06UnauthenticatedIndexHoldsAllThatIsOpen(t *testing.T) {
	t.Parallel()
	onEachStoreProperty(t, 6, "the unauthenticated index holds all the skills that are not private, and no private one", func(t *rapid.T, g *registry) {
		d := g.draw(t)
		var want, open []string
		for id, doc := range d.latest() {
			if doc.Text("access") != "private" {
				want = append(want, id)
			}
		}
		slices.Sort(want)
		for _, e := range g.index(t, "", d.namespace) {
			open = append(open, e.ID)
			if e.Access == "private" {
				t.Fatalf("%s is private and listed", e.ID)
			}
		}
		if !slices.Equal(open, want) {
			t.Fatalf("everyone sees %v, want %v", open, want)
		}
		for _, doc := range d.docs {
			id, version := doc.Text("id"), doc.Text("version")
			visible := doc.Text("access") != "private" && slices.Contains(want, id)
			a := g.get("/v1/skills/" + id + "/versions/" + version)
			if got := a.status == http.StatusOK; got != visible || !got && a.text("/error/code") != string(protocol.CodeSkillNotFound) {
				t.Fatalf("%v; want it seen by everyone: %v", a, visible)
			}
		}
	})
}

// Feature: skill-sharing-protocol, Property 7: filtering by capability type returns
// exactly the matching skills.
func TestProperty07FilterReturnsExactlyTheType(t *testing.T) {
	t.Parallel()
	onEachStoreProperty(t, 7, "filtering by capability type returns exactly the matching skills", func(t *rapid.T, g *registry) {
		d := g.draw(t)
		types := rapid.SliceOfN(rapid.SampledFrom([]string{"plugin", "api", "knowledge", "task"}), 1, 4).Draw(t, "types")
		query := ""
		for _, kind := range types {
			query += "&capability_type=" + kind
		}
		for name, who := range map[string]change{"everyone": header("X-None", ""), "an administrator": asAdmin()} {
			var got, want []string
			for id, doc := range d.latest() {
				if slices.Contains(types, doc.Text("capability_type")) && (name != "everyone" || doc.Text("access") != "private") {
					want = append(want, id)
				}
			}
			slices.Sort(want)
			for _, e := range g.index(t, query[1:], d.namespace, who) {
				got = append(got, e.ID)
				if !slices.Contains(types, e.CapabilityType) {
					t.Fatalf("%s is of type %s, and %v was asked for", e.ID, e.CapabilityType, types)
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%v for %s: %v, want %v", types, name, got, want)
			}
		}
	})
}

// Feature: skill-sharing-protocol, Property 10: a descriptor whose MAJOR is above the
// supported one gives an incompatibility error.
func TestProperty10HigherMajorIsIncompatible(t *testing.T) {
	t.Parallel()
	onEachStoreProperty(t, 10, "a descriptor whose MAJOR is above the supported one gives an incompatibility error", func(t *rapid.T, g *registry) {
		id := g.namespace() + ".skill"
		major := rapid.OneOf(rapid.StringMatching(`[2-9]`), rapid.StringMatching(`[1-9][0-9]{1,40}`)).Draw(t, "major")
		version := fmt.Sprintf("%s.%d.%d", major, rapid.IntRange(0, 99).Draw(t, "minor"), rapid.IntRange(0, 99).Draw(t, "patch"))
		doc := protocoltest.Descriptor(
			protocoltest.With("id", id), protocoltest.With("protocol", map[string]any{"version": version}),
		).Draw(t, "document")
		for _, path := range []string{"/v1/skills", "/v1/skills?dry_run=true"} {
			a := g.send("POST", path, asAdmin(), jsonBody(doc.JSON))
			if a.status != http.StatusUnprocessableEntity || a.text("/error/code") != string(protocol.CodeVersionIncompatible) {
				t.Fatalf("protocol %s: %v", version, a)
			}
			if a.text("/error/details/descriptor_version") != version || a.text("/error/details/consumer_supported_range") != "1.x.x" {
				t.Fatalf("protocol %s: %v", version, a)
			}
		}
		if a := g.get("/v1/skills/"+id, asAdmin()); a.status != http.StatusNotFound {
			t.Fatalf("it was stored all the same: %v", a)
		}
	})
}
