package httpapi_test

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// What is secret leaves no trace: a history with its secret deeds, and the same one
// without them, are one to who may not know of them. Every route is asked for everything
// in play, and the answers are compared to the byte.

func TestSecretsLeaveNoTraceForStrangers(t *testing.T) {
	t.Parallel()
	leaveNoTrace(t, func(string) *caller { return anyone() })
}

// What a key does not cover is secret from it where it is from strangers.
func TestSecretsLeaveNoTraceForKeysOfOtherNamespaces(t *testing.T) {
	t.Parallel()
	leaveNoTrace(t, func(namespace string) *caller {
		return &caller{name: "a key of a part", scope: "publish", namespace: namespace + ".in"}
	})
}

// portions is how many cases it takes to ask for everything.
const portions = 8

func leaveNoTrace(t *testing.T, observer func(namespace string) *caller) {
	t.Helper()
	for name, url := range map[string]func(testing.TB) string{"sqlite": storetest.SQLite, "postgres": storetest.PostgreSQL} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var p *pair
			var secrets, answers int
			protocoltest.Check(t, func(rt *rapid.T) {
				if p == nil || !p.alike {
					p = &pair{with: newHistorian(t, url(t)), without: newHistorian(t, url(t))}
				}
				p.t, p.alike, p.answers = rt, false, 0
				p.tick()
				namespace := p.with.namespace()
				secrets += p.tell(drawHistory(rt, namespace, observer(namespace)), namespace)
				p.alike, answers = true, answers+p.answers
			})
			t.Logf("%d secret deeds; %d pairs of answers compared", secrets, answers)
			if secrets < 100 {
				t.Errorf("there were %d secret deeds in all, want enough to hide", secrets)
			}
		})
	}
}

// pair is two registries to which the same happened, but for what is secret.
type pair struct {
	t             *rapid.T
	with, without historian
	// alike reports whether nothing has told them apart so far. A pair that a case has
	// told apart is of no use to the next.
	alike    bool
	observer *caller
	answers  int
}

// each does something with both registries.
func (p *pair) each(do func(historian)) {
	do(p.with)
	do(p.without)
}

// tick moves the clocks. Secrets have times of their own, which nobody else's deeds
// follow from.
func (p *pair) tick() { p.each(func(h historian) { h.clock.advance(time.Second) }) }

// tell lets a history happen, with its secrets and without, compares all that its
// observer is told, and returns how many secrets there were.
func (p *pair) tell(h *history, namespace string) (secrets int) {
	p.observer = h.observer
	keyID := p.admit()
	known := inPlay{versions: []string{"1.0.0", "2.0.0-0"}, keys: []string{keyID, "none"}}
	known.ids = append(slices.Clone(h.ids), namespace+".never", namespace+".held-hidden", namespace+".told")
	var tags []string
	remember := func() {
		known.cursors = append(known.cursors, p.ask(asking{method: "GET", path: "/v1/changes?after=now"}).text("/cursor"))
		tags = append(tags, p.ask(asking{method: "GET", path: "/.well-known/skills"}).header.Get("ETag"))
	}
	p.hold(namespace+".held-hidden", namespace+".told")
	remember()
	middle := rapid.IntRange(0, len(h.deeds)-1).Draw(p.t, "middle")
	for i, d := range h.deeds {
		p.tick()
		if d.do(p.with.registry); h.secret(d) {
			secrets++
		} else {
			d.do(p.without.registry)
		}
		if i == middle {
			remember()
		}
	}
	known.digests = p.with.archives()
	surfaces := known.surfaces(routesOf(p.with.t, p.with.handler))
	// There is not the time to ask for everything in each case, nor the need.
	for i := rapid.IntRange(0, portions-1).Draw(p.t, "portion"); i < len(surfaces); i += portions {
		p.look(surfaces[i])
	}
	for _, tag := range tags {
		p.ask(asking{"GET", "/.well-known/skills", []change{header("If-None-Match", tag)}})
	}
	p.clear(known.ids, keyID)
	return secrets
}

// admit gives both registries the key of the observer, or one of nobody, and returns its
// id.
func (p *pair) admit() string {
	c := p.observer
	request := access.KeyRequest{Name: "x", Scopes: []access.Scope{access.Read}, Namespaces: []access.Namespace{"com.nobody"}}
	if c.scope != "" {
		request.Scopes, request.Namespaces = []access.Scope{access.Scope(c.scope)}, []access.Namespace{access.Namespace(c.namespace)}
	}
	key, secret, err := access.NewKey(request, p.with.clock.Now(), rand.Reader)
	if err != nil {
		p.t.Fatal(err)
	}
	p.each(func(h historian) {
		if err := h.store.CreateKey(h.t.Context(), key, store.Actor{}); err != nil {
			p.t.Fatal(err)
		}
	})
	if c.scope != "" {
		c.who = []change{as(secret)}
	}
	return key.ID
}

// ask asks both registries the same as the observer, and fails where they do not answer
// the same.
func (p *pair) ask(a asking) *answer {
	var without string
	var asking sync.WaitGroup
	asking.Go(func() { _, without = p.told(p.without, a) })
	got, with := p.told(p.with, a)
	asking.Wait()
	p.compare(with, without)
	return got
}

func (p *pair) compare(with, without string) {
	if with != without {
		p.t.Fatalf("to %s, with secrets:\n%s\nwithout:\n%s", p.observer.name, with, without)
	}
	p.answers++
}

// told returns an answer, and all of it that may tell something: not the date, nor the
// request id.
func (p *pair) told(h historian, a asking) (*answer, string) {
	got, err := h.try(a.method, a.path, slices.Concat(p.observer.who, a.changes)...)
	if err != nil {
		return &answer{}, fmt.Sprintf("%s %s: %v", a.method, a.path, err)
	}
	var headers []string
	for name, values := range got.header {
		if name != "Date" && name != "X-Request-Id" {
			headers = append(headers, name+": "+strings.Join(values, ", "))
		}
	}
	slices.Sort(headers)
	return got, fmt.Sprintf("%s %s: %d %s\n%s", a.method, a.path, got.status, strings.Join(headers, "; "), got.body)
}

// look asks for something, and for what can be read also compressed and with the tag that
// it has; for an index, from page to page.
func (p *pair) look(a asking) {
	got := p.ask(a)
	if a.method != http.MethodGet {
		return
	}
	if tag := got.header.Get("ETag"); tag != "" {
		p.ask(asking{a.method, a.path, []change{header("Accept-Encoding", "gzip")}})
		p.ask(asking{a.method, a.path, []change{header("If-None-Match", tag)}})
	}
	for next := got.next(); next != ""; next = p.ask(asking{"GET", next, nil}).next() {
	}
}

// hold has a request for changes held while there are secret deeds, until something
// happens that is none.
func (p *pair) hold(hidden, open string) {
	after := p.ask(asking{method: "GET", path: "/v1/changes?after=now"}).text("/cursor")
	held := map[*clock]chan string{}
	p.each(func(h historian) {
		answer := make(chan string, 1)
		held[h.clock] = answer
		go func() {
			_, told := p.told(h, asking{method: "GET", path: "/v1/changes?wait=1m&after=" + after})
			answer <- told
		}()
	})
	time.Sleep(2 * time.Millisecond) // mostly enough for them to be held
	p.tick()
	p.with.publish(protocoltest.Valid(hidden, "1.0.0", "private", "api"))
	p.each(func(h historian) { h.get("/readyz") }) // which has the catalog look for what is new
	p.tick()
	p.each(func(h historian) {
		h.publish(protocoltest.Valid(open, "1.0.0", "public", "api"))
		h.get("/readyz")
	})
	p.compare(<-held[p.with.clock], <-held[p.without.clock])
}

// clear deletes everything, so that the index of the next case is short.
func (p *pair) clear(ids []string, keyID string) {
	p.each(func(h historian) {
		for _, id := range ids {
			h.send("DELETE", "/v1/skills/"+id, asAdmin())
		}
		h.send("DELETE", "/v1/keys/"+keyID, asAdmin())
	})
}
