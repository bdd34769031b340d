package httpapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/httpapi"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// held is a request whose answer is held.
type held struct {
	t      testing.TB
	answer chan *answer
}

// hold asks for what comes next, to be held for a minute, and returns once that may be
// on its way.
func (f *feed) hold() *held {
	h := &held{t: f.t, answer: make(chan *answer, 1)}
	go func() {
		a, err := f.try("GET", "/v1/changes?wait=60s&after="+f.cursor, f.who...)
		if err != nil {
			a = &answer{t: f.t, request: err.Error()}
		}
		h.answer <- a
	}()
	time.Sleep(300 * time.Millisecond)
	return h
}

// ends returns the answer, which must come soon.
func (h *held) ends() *answer {
	h.t.Helper()
	select {
	case a := <-h.answer:
		return a
	case <-time.After(20 * time.Second):
		h.t.Fatal("the answer is held on")
		return nil
	}
}

func (h *held) goesOn() {
	h.t.Helper()
	select {
	case a := <-h.answer:
		h.t.Errorf("%v; want it to be held", a)
	case <-time.After(time.Second):
	}
}

func TestHeldAnswerComesWithTheNextChange(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		key, _ := g.key([]string{"read"}, n)
		everyone, owner := g.follow(), g.follow(as(key))
		one, two, his := everyone.hold(), everyone.hold(), owner.hold()
		// Neither a key nor a private skill is news to everyone.
		g.key([]string{"read"}, "org.other")
		g.published([4]string{n + ".p", "1.0.0", "private", "api"})
		if got, want := his.ends().changes().summary(), n+".p 1.0.0"; got != want {
			t.Errorf("the owner's answer: %q, want %q", got, want)
		}
		one.goesOn()
		two.goesOn()
		g.published([4]string{n + ".a", "1.0.0", "public", "api"})
		for _, h := range []*held{one, two} {
			if got, want := h.ends().changes().summary(), n+".a 1.0.0"; got != want {
				t.Errorf("the held answer: %q, want %q", got, want)
			}
		}
		// What is there already is not waited for.
		if got, want := everyone.since(everyone.cursor, "&wait=60s").summary(), n+".a 1.0.0"; got != want {
			t.Errorf("with something to tell: %q, want %q", got, want)
		}
	})
}

func TestHeldAnswerComesWithAChangeThroughAnotherReplica(t *testing.T) {
	t.Parallel()
	url := storetest.PostgreSQL(t)
	writes, reads := newRegistry(t, url, options{}), newRegistry(t, url, options{})
	n := writes.namespace()
	everyone := reads.follow()
	h := everyone.hold()
	writes.published([4]string{n + ".a", "1.0.0", "public", "api"})
	if got, want := h.ends().changes().summary(), n+".a 1.0.0"; got != want {
		t.Errorf("the held answer: %q, want %q", got, want)
	}
	h = reads.follow().hold()
	writes.delete(n + ".a")
	if got, want := h.ends().changes().summary(), n+".a removed"; got != want {
		t.Errorf("the held answer: %q, want %q", got, want)
	}
}

func TestHeldAnswerEndsAfterItsTimeWithNothing(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		everyone := g.follow()
		empty := g.get("/v1/changes?after=" + everyone.cursor)
		begun := time.Now()
		a := g.get("/v1/changes?wait=1s&after=" + everyone.cursor)
		if took := time.Since(begun); took < time.Second || took > 15*time.Second {
			t.Errorf("an answer that is held for a second took %s", took)
		}
		if c := a.changes(); len(c.Changes) > 0 || c.Cursor != everyone.cursor {
			t.Errorf("%v; want no changes and the cursor %s", a, everyone.cursor)
		}
		g.get("/v1/changes?wait=200ms&after="+everyone.cursor, header("If-None-Match", empty.header.Get("ETag"))).wantStatus(304)
	})
}

func TestHeldAnswerEndsWithItsKey(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		key, id := g.key([]string{"read"}, n)
		h := g.follow(as(key)).hold()
		g.send("DELETE", "/v1/keys/"+id, asAdmin()).wantStatus(204)
		h.ends().wantError(401, protocol.CodeAuthRequired)
	})
}

// A key that expires makes no change that wakes anybody.
func TestHeldAnswerTellsNothingToAKeyThatExpires(t *testing.T) {
	t.Parallel()
	c := &clock{now: time.Now()}
	g := onSQLite(t, options{http: func(o *httpapi.Options) { o.Now = c.Now }})
	body := marshal(t, map[string]any{"name": "x", "scopes": []string{"read"}, "namespaces": []string{"com.example"}, "expires_at": c.Now().Add(time.Hour)})
	key := g.send("POST", "/v1/keys", asAdmin(), jsonBody(body)).wantStatus(201).text("/key")
	h := g.follow(as(key)).hold()
	c.advance(2 * time.Hour)
	h.goesOn()
	g.published([4]string{"com.example.p", "1.0.0", "private", "api"})
	h.ends().wantError(401, protocol.CodeAuthRequired)
}

func TestHeldAnswersEndWhenTheServerStops(t *testing.T) {
	t.Parallel()
	stopping := make(chan struct{})
	g := onSQLite(t, options{http: func(o *httpapi.Options) { o.Stopping = stopping }})
	everyone := g.follow()
	all := []*held{everyone.hold(), g.follow().hold(), g.follow(asAdmin()).hold()}
	close(stopping)
	for _, h := range append(all, everyone.hold()) {
		if c := h.ends().changes(); len(c.Changes) > 0 || c.Cursor == "" {
			t.Errorf("got %+v, want no changes and a cursor", c)
		}
	}
}

// The deadline for reading a request is shorter than an answer may be held.
func TestHeldAnswerOutlivesTheDeadlineOfItsRequest(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	server := httptest.NewUnstartedServer(g.handler)
	server.Config.ReadTimeout = 300 * time.Millisecond
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetHTTP1(true)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	t.Cleanup(server.Close)
	for _, version := range []string{"HTTP/1.1", "HTTP/2.0"} {
		transport := &http.Transport{Protocols: new(http.Protocols)}
		transport.Protocols.SetHTTP1(version == "HTTP/1.1")
		transport.Protocols.SetUnencryptedHTTP2(version == "HTTP/2.0")
		t.Cleanup(transport.CloseIdleConnections)
		begun := time.Now()
		answer, err := (&http.Client{Transport: transport}).Get(server.URL + "/v1/changes?after=now&wait=1s")
		if err != nil {
			t.Fatalf("%s: %v", version, err)
		}
		answer.Body.Close()
		if took := time.Since(begun); answer.Proto != version || answer.StatusCode != 200 || took < time.Second {
			t.Errorf("%s: got %s, status %d after %s, want 200 after 1s", version, answer.Proto, answer.StatusCode, took)
		}
	}
}

func TestHeldAnswerGoesOnWithoutTheStore(t *testing.T) {
	t.Parallel()
	g, l, lines := onLeavingStore(t, time.Minute)
	h := g.follow().hold()
	l.leave()
	h.goesOn()
	if a := g.get("/v1/changes?wait=100ms&after=now").wantStatus(200); a.header.Get("Age") == "" {
		t.Errorf("%v, from an old snapshot, has no Age", a)
	}
	l.comeBack()
	g.published([4]string{"com.example.a", "1.0.0", "public", "api"})
	a := h.ends().wantHeader("Age", "")
	if got, want := a.changes().summary(), "com.example.a 1.0.0"; got != want {
		t.Errorf("the held answer: %q, want %q", got, want)
	}
	if text := lines.text(); strings.Contains(text, "level=ERROR") {
		t.Errorf("the log has errors:\n%s", text)
	}
}

// counting is a store that counts the questions for its revision.
type counting struct {
	*store.Store
	asked atomic.Int64
}

func (c *counting) Shared() bool { return true }

func (c *counting) Revision(ctx context.Context) (int64, error) {
	c.asked.Add(1)
	return c.Store.Revision(ctx)
}

func TestManyHeldAnswersAskTheStoreLittle(t *testing.T) {
	t.Parallel()
	c := &counting{}
	g := onSQLite(t, options{source: func(s *store.Store) source { c.Store = s; return c }})
	everyone := g.follow()
	var all []*held
	for range 10 {
		all = append(all, everyone.hold())
	}
	before := c.asked.Load()
	time.Sleep(2 * time.Second)
	if n := c.asked.Load() - before; n < 1 || n > 20 {
		t.Errorf("%d held answers asked the store %d times in 2s, want 8", len(all), n)
	}
	g.published([4]string{"com.example.a", "1.0.0", "public", "api"})
	for _, h := range all {
		h.ends().wantStatus(200)
	}
	time.Sleep(500 * time.Millisecond)
	before = c.asked.Load()
	time.Sleep(time.Second)
	if n := c.asked.Load() - before; n > 0 {
		t.Errorf("with no answer held, the store was asked %d times in a second", n)
	}
}
