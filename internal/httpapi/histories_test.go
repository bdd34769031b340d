package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/httpapi"
)

// deed is one request of a history, of someone who may do everything, or nothing.
type deed struct {
	id string // of a skill; empty where it is about none
	// changes reports whether it changes a skill.
	changes bool
	do      func(*registry)
}

// history is what is done to some skills, and what one observer may know of it.
type history struct {
	world    world
	ids      []string
	observer *caller
	deeds    []deed
	// seen are the ids of skills of which the observer saw a version at some time.
	seen map[string]bool
}

// drawHistory draws deeds. The skills are named so that those which are mostly private,
// and those which are not, are neighbours in every order.
func drawHistory(t *rapid.T, namespace string, observer *caller) *history {
	h := &history{world: world{skills: map[string][]*release{}}, observer: observer, seen: map[string]bool{}}
	for _, name := range []string{".a", ".a-hidden", ".in.a", ".in.a-hidden", ".z-hidden"} {
		h.ids = append(h.ids, namespace+name)
	}
	n := rapid.IntRange(2, 14).Draw(t, "deeds")
	for range n {
		h.add(h.draw(t))
	}
	return h
}

func (h *history) add(d deed) {
	h.deeds = append(h.deeds, d)
	if h.world.versions(h.observer, d.id) != nil {
		h.seen[d.id] = true
	}
}

// secret reports whether the observer may not learn of a deed: because it is about a
// skill of which the observer never saw anything, or because it changed none.
func (h *history) secret(d deed) bool { return !d.changes || !h.seen[d.id] }

func (h *history) draw(t *rapid.T) deed {
	i := rapid.IntRange(0, len(h.ids)-1).Draw(t, "skill")
	id, version := h.ids[i], rapid.SampledFrom(ladder()).Draw(t, "version")
	at := path(&release{id: id, version: version})
	send := func(method, path string, changes ...change) func(*registry) {
		return func(g *registry) { g.send(method, path, changes...) }
	}
	levels := [][]string{{"public", "public", "restricted", "private"}, {"private", "private", "private", "private", "private", "public"}}[i%2]
	doc, r, err := document(id, version, rapid.SampledFrom(append(levels, levels[0])).Draw(t, "access"),
		rapid.SampledFrom(kinds()).Draw(t, "type"), rapid.SampledFrom([]string{"one", "other"}).Draw(t, "name"))
	if err != nil {
		t.Fatal(err)
	}
	there := h.world.find(id, version)
	switch rapid.SampledFrom([]string{"publish", "publish", "publish", "publish", "status", "status", "delete", "delete all", "refused", "key", "files", "files"}).Draw(t, "what") {
	case "publish":
		return deed{id: id, changes: h.world.publish(r) == 201, do: send("POST", "/v1/skills", jsonBody(doc), asAdmin())}
	case "status":
		status := rapid.SampledFrom([]string{"active", "deprecated", "yanked"}).Draw(t, "status")
		if there != nil {
			there.set(status, "", time.Time{})
		}
		return deed{id: id, changes: there != nil, do: send("PATCH", at, asAdmin(), jsonBody([]byte(`{"status":"`+status+`"}`)))}
	case "delete":
		if there != nil {
			there.set("deleted", "", time.Time{})
		}
		return deed{id: id, changes: there != nil, do: send("DELETE", at, asAdmin())}
	case "files":
		archive := folder("SKILL.md", ownSkill("a", rapid.SampledFrom([]string{"one", "other"}).Draw(t, "text")))
		changes := there != nil && !there.files
		if changes {
			there.files = true
		}
		return deed{id: id, changes: changes, do: send("POST", at+"/files", asAdmin(), gzipBody(archive))}
	case "delete all":
		all := h.world.there(id)
		for _, r := range all {
			r.set("deleted", "", time.Time{})
		}
		return deed{id: id, changes: len(all) > 0, do: send("DELETE", "/v1/skills/"+id, asAdmin())}
	case "refused":
		return deed{do: func(g *registry) {
			g.send("POST", "/v1/skills", jsonBody(doc))
			g.send("POST", "/v1/skills?dry_run=true", jsonBody(doc), asAdmin())
			g.send("DELETE", at, as("nobody's key"))
			g.send("GET", "/v1/skills/"+id+"/versions", asAdmin())
		}}
	default:
		return deed{do: func(g *registry) {
			_, keyID := g.key([]string{"read"}, id)
			g.send("DELETE", "/v1/keys/"+keyID, asAdmin())
		}}
	}
}

// historian is a registry at a fixed address, with a clock that a history moves.
type historian struct {
	*registry
	clock *clock
}

func newHistorian(t testing.TB, storeURL string) historian {
	c := &clock{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	h := historian{clock: c, registry: newRegistry(t, storeURL, options{
		base:    "http://registry.example",
		http:    func(o *httpapi.Options) { o.Now = c.Now },
		catalog: func(o *catalog.Options) { o.Now, o.Loose = c.Now, 3 },
	})}
	// What the answers say is compared here, and not held to openapi.json, which takes
	// most of the time.
	transport := &http.Transport{DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	h.client = &http.Client{Transport: transport}
	return h
}
