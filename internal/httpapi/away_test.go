package httpapi_test

import (
	"context"
	"crypto/rand"
	"errors"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/httpapi"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
	"github.com/skillregistry/skillregistry/internal/store"
)

// leaving is a store that a test can take away.
type leaving struct {
	// beforeArchive is called before an archive is read; nil is nothing.
	beforeArchive func(context.Context)
	*store.Store
	readsFail, writesFail atomic.Bool
}

func (l *leaving) reads() error { return goneIf(&l.readsFail) }

func (l *leaving) writes() error { return goneIf(&l.writesFail) }

func goneIf(fail *atomic.Bool) error {
	if fail.Load() {
		return &store.UnavailableError{Op: "test", Err: errors.New("secret words of the database")}
	}
	return nil
}

func (l *leaving) leave() { l.readsFail.Store(true); l.writesFail.Store(true) }

func (l *leaving) comeBack() { l.readsFail.Store(false); l.writesFail.Store(false) }

// Shared makes the catalog ask for the revision each time.
func (l *leaving) Shared() bool { return true }

func (l *leaving) Revision(ctx context.Context) (int64, error) {
	if err := l.reads(); err != nil {
		return 0, err
	}
	return l.Store.Revision(ctx)
}

func (l *leaving) Changes(ctx context.Context, after int64, yield func(store.Change) error) (store.Mark, error) {
	if err := l.reads(); err != nil {
		return store.Mark{}, err
	}
	return l.Store.Changes(ctx, after, yield)
}

func (l *leaving) Archive(ctx context.Context, skillID, version string) ([]byte, error) {
	if err := l.reads(); err != nil {
		return nil, err
	}
	if l.beforeArchive != nil {
		l.beforeArchive(ctx)
	}
	return l.Store.Archive(ctx, skillID, version)
}

func (l *leaving) AttachFiles(ctx context.Context, a store.Attachment) (bool, error) {
	if err := l.writes(); err != nil {
		return false, err
	}
	return l.Store.AttachFiles(ctx, a)
}

func (l *leaving) Publish(ctx context.Context, p store.Publication) (store.Published, error) {
	if err := l.writes(); err != nil {
		return store.Published{}, err
	}
	return l.Store.Publish(ctx, p)
}

func (l *leaving) CheckPublish(ctx context.Context, p store.Publication) (store.Published, error) {
	if err := l.writes(); err != nil {
		return store.Published{}, err
	}
	return l.Store.CheckPublish(ctx, p)
}

func (l *leaving) SetStatus(ctx context.Context, c store.StatusChange) error {
	if err := l.writes(); err != nil {
		return err
	}
	return l.Store.SetStatus(ctx, c)
}

func (l *leaving) Delete(ctx context.Context, d store.Deletion) error {
	if err := l.writes(); err != nil {
		return err
	}
	return l.Store.Delete(ctx, d)
}

func (l *leaving) CreateKey(ctx context.Context, k access.Key, by store.Actor) error {
	if err := l.writes(); err != nil {
		return err
	}
	return l.Store.CreateKey(ctx, k, by)
}

func (l *leaving) RevokeKey(ctx context.Context, id string, at time.Time, by store.Actor) error {
	if err := l.writes(); err != nil {
		return err
	}
	return l.Store.RevokeKey(ctx, id, at, by)
}

// onLeavingStore returns a registry whose store can be taken away, and whose reads go
// on for a while.
func onLeavingStore(t *testing.T, staleIfError time.Duration) (*registry, *leaving, *log) {
	l := &leaving{}
	lines := &log{}
	g := onSQLite(t, options{
		source:  func(s *store.Store) source { l.Store = s; return l },
		catalog: func(o *catalog.Options) { o.StaleIfError = staleIfError },
		http:    func(o *httpapi.Options) { o.Logger = lines.logger() },
	})
	return g, l, lines
}

func TestReadsGoOnForAWhileWithoutTheStore(t *testing.T) {
	t.Parallel()
	g, l, _ := onLeavingStore(t, time.Minute)
	g.published([4]string{"com.example.a", "1.0.0", "public", "api"}, [4]string{"com.example.p", "1.0.0", "private", "api"})
	key, _ := g.key([]string{"read"}, "com.example")
	before := g.get("/.well-known/skills").wantStatus(200).wantHeader("Age", "")
	l.leave()
	for _, path := range []string{"/.well-known/skills", "/v1/skills/com.example.a", "/v1/skills/com.example.a/versions", "/v1/skills/com.example.a/versions/1.0.0"} {
		for _, who := range []change{header("X-None", ""), as(key)} {
			a := g.get(path, who).wantStatus(200)
			if age, err := strconv.Atoi(a.header.Get("Age")); err != nil || age < 1 || age > 60 {
				t.Errorf("%s: Age is %q, want whole seconds, one at least", path, a.header.Get("Age"))
			}
		}
	}
	g.get("/v1/skills/com.example.p", as(key)).wantStatus(200)
	g.get("/v1/skills/com.example.none").wantError(404, protocol.CodeSkillNotFound)
	g.get("/.well-known/skills", as("wrong")).wantError(401, protocol.CodeAuthRequired)
	if a := g.get("/.well-known/skills", header("If-None-Match", before.header.Get("ETag"))).wantStatus(304); a.header.Get("Age") == "" {
		t.Error("a 304 from an old snapshot has no Age")
	}
	l.comeBack()
	g.get("/.well-known/skills").wantStatus(200).wantHeader("Age", "")
}

func TestWithoutTheStore(t *testing.T) {
	t.Parallel()
	g, l, lines := onLeavingStore(t, 0)
	doc := jsonBody(protocoltest.Valid("com.example.a", "1.0.0", "public", "api"))
	l.leave()
	refused := func(a *answer) {
		t.Helper()
		a.wantError(503, protocol.CodeEndpointUnreachable).wantHeader("Retry-After", "1").wantHeader("Age", "")
		if a.at("/error/retry/suggested_delay_ms") == nil || a.at("/error/retry/max_attempts") == nil {
			t.Errorf("%v; want retry", a)
		}
		if strings.Contains(string(a.body), "secret words") {
			t.Errorf("%v tells what the database said", a)
		}
	}
	for _, path := range []string{"/.well-known/skills", "/v1/skills/com.example.a", "/readyz"} {
		refused(g.get(path))
	}
	g.send("HEAD", "/readyz").wantStatus(503)
	refused(g.get("/v1/keys", asAdmin()))
	refused(g.send("POST", "/v1/skills", doc, asAdmin()))
	refused(g.send("POST", "/v1/keys", jsonBody([]byte("{}")), asAdmin()))
	refused(g.send("DELETE", "/v1/keys/abc", asAdmin()))
	// What needs no store goes on.
	for _, path := range []string{"/livez", "/version", "/openapi.json", "/schemas/1.0.0/schema.json"} {
		g.get(path).wantStatus(200)
	}
	g.send("POST", "/v1/validate?kind=descriptor", doc).wantStatus(200)
	g.send("POST", "/v1/skills", doc).wantError(401, protocol.CodeAuthRequired)
	if text := lines.text(); !strings.Contains(text, "secret words") || strings.Contains(text, "level=ERROR") {
		t.Errorf("the log has to say why, as a warning:\n%s", text)
	}
	l.comeBack()
	g.send("POST", "/v1/skills", doc, asAdmin()).wantStatus(201)
	g.get("/readyz").wantStatus(200)
}

// A key that another replica has revoked must not write while this one can't know.
func TestWritesDoNotTakeAnOldSnapshotsWord(t *testing.T) {
	t.Parallel()
	g, l, _ := onLeavingStore(t, time.Minute)
	doc := jsonBody(protocoltest.Valid("com.example.a", "1.0.0", "public", "api"))
	l.readsFail.Store(true)
	g.get("/.well-known/skills", asAdmin()).wantStatus(200)
	for _, path := range []string{"/v1/skills", "/v1/skills?dry_run=true", "/v1/keys"} {
		g.send("POST", path, doc, asAdmin()).wantError(503, protocol.CodeEndpointUnreachable).wantHeader("Age", "")
	}
	g.send("DELETE", "/v1/keys/abc", asAdmin()).wantError(503, protocol.CodeEndpointUnreachable)
	l.comeBack()
	g.get("/v1/skills/com.example.a").wantStatus(404)
}

// A key that another replica has made is good, and this one can't know: a client that
// took the refusal for the last word would throw the key away.
func TestAnOldSnapshotsWordAgainstAKeyIsNotTheLast(t *testing.T) {
	t.Parallel()
	g, l, _ := onLeavingStore(t, time.Minute)
	l.leave()
	key, secret, err := access.NewKey(access.KeyRequest{
		Name: "test", Scopes: []access.Scope{access.Publish}, Namespaces: []access.Namespace{"com.example"},
	}, time.Now(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Store.CreateKey(t.Context(), key, store.Actor{}); err != nil {
		t.Fatal(err)
	}
	doc := jsonBody(protocoltest.Valid("com.example.a", "1.0.0", "public", "api"))
	for _, path := range []string{"/.well-known/skills", "/v1/skills/com.example.a", "/v1/changes", "/v1/keys"} {
		if a := g.get(path, as(secret)).wantError(401, protocol.CodeAuthRequired); a.header.Get("Age") == "" {
			t.Errorf("%v from an old snapshot has no Age", a)
		}
	}
	if a := g.send("POST", "/v1/validate?kind=descriptor", doc, as(secret)).wantError(401, protocol.CodeAuthRequired); a.header.Get("Age") == "" {
		t.Errorf("%v from an old snapshot has no Age", a)
	}
	g.send("POST", "/v1/skills", doc, as(secret)).wantError(503, protocol.CodeEndpointUnreachable).wantHeader("Age", "")
	l.comeBack()
	g.get("/.well-known/skills", as(secret)).wantStatus(200).wantHeader("Age", "")
	g.send("POST", "/v1/skills", doc, as(secret)).wantStatus(201)
}

// The store may also go between the check of the key and the write.
func TestStoreThatGoesAwayBeforeTheWrite(t *testing.T) {
	t.Parallel()
	g, l, _ := onLeavingStore(t, time.Minute)
	l.writesFail.Store(true)
	doc := jsonBody(protocoltest.Valid("com.example.a", "1.0.0", "public", "api"))
	g.send("POST", "/v1/skills", doc, asAdmin()).wantError(503, protocol.CodeEndpointUnreachable).wantHeader("Retry-After", "1")
	g.send("POST", "/v1/skills?dry_run=true", doc, asAdmin()).wantError(503, protocol.CodeEndpointUnreachable)
	g.send("DELETE", "/v1/keys/abc", asAdmin()).wantError(503, protocol.CodeEndpointUnreachable)
	l.comeBack()
	g.send("POST", "/v1/skills", doc, asAdmin()).wantStatus(201)
}
