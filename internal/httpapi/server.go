package httpapi

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/page"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
)

// Store takes the writes. A nil error means that the change is on disk; the next
// snapshot of the catalog has it. A store that can't be reached, or can't write, is a
// *store.UnavailableError. Each call bounds its own time.
type Store interface {
	// Publish stores a version, unless it is there with the same content. It returns a
	// *store.VersionExistsError when it is there with other content.
	Publish(context.Context, store.Publication) (store.Published, error)
	// CheckPublish returns what Publish would, and stores nothing.
	CheckPublish(context.Context, store.Publication) (store.Published, error)
	// SetStatus gives a version another status. It returns a *store.VersionNotFoundError
	// where there is no such version.
	SetStatus(context.Context, store.StatusChange) error
	// AttachFiles stores the files of a version, and reports whether they are new. It
	// returns a *store.FilesExistError when there are others, and a
	// *store.VersionNotFoundError where there is no such version.
	AttachFiles(context.Context, store.Attachment) (created bool, err error)
	// Delete deletes versions for good. It returns a *store.VersionNotFoundError where
	// there is nothing to delete.
	Delete(context.Context, store.Deletion) error
	CreateKey(ctx context.Context, key access.Key, by store.Actor) error
	// RevokeKey ends a key for good; again is no error. It returns a
	// *store.KeyNotFoundError when there is no such key.
	RevokeKey(ctx context.Context, id string, at time.Time, by store.Actor) error
	// UseKey notes that a key was used. It does not wait for anything.
	UseKey(id string, at time.Time)
	// KeyUses returns when each key was last used.
	KeyUses(context.Context) (map[string]time.Time, error)
	// Refuse notes that a write was refused. It does not wait for anything.
	Refuse(store.Event)
	// Events returns events of the audit log, and the number of the last one there is.
	Events(context.Context, store.EventsQuery) (events []store.Event, last int64, err error)
}

// BuildInfo says which build is running.
type BuildInfo struct {
	Version   string
	Commit    string
	GoVersion string
}

// Options are what the HTTP interface is made of. Validator, Store, Catalog and
// BaseURL are needed.
type Options struct {
	Validator *protocol.Validator
	// Checker judges what is to be validated only, so that this does not keep publishers
	// waiting; nil is the Validator.
	Checker *protocol.Validator
	Store   Store
	Catalog *catalog.Catalog
	// BaseURL begins every absolute URL that is given out: http or https, with or
	// without a slash at its end.
	BaseURL string
	Version BuildInfo
	// MaxBody bounds a request's body in bytes; 0 is 1 MiB.
	MaxBody int64
	// MaxDepth bounds how deep the JSON of a request nests; 0 is protocol's default. The
	// Validator has a limit of its own, for documents.
	MaxDepth int
	// BodyTimeout bounds how long the body of a request may take to arrive; 0 is 30 s.
	BodyTimeout time.Duration
	// RateLimit is how many writes, validations and failed log-ins a second each caller
	// has, with a burst of ten times that; 0 is no limit.
	RateLimit float64
	// BreakingChanges says what becomes of publications that break callers.
	BreakingChanges BreakingChanges
	// TrustedProxies are the peers whose X-Forwarded-For is believed.
	TrustedProxies []netip.Prefix
	// Draining is closed when callers should go elsewhere, for the server will stop: from
	// then on /readyz says no, and every HTTP/1.1 connection ends with its next answer. All
	// else is answered as before. Nil is never.
	Draining <-chan struct{}
	// Stopping is closed when the server is about to stop, so that no answer is held any
	// longer; nil is never.
	Stopping <-chan struct{}
	// Logger takes one line for each request; nil is none.
	Logger *slog.Logger
	// Now is the clock; nil is time.Now.
	Now func() time.Time
	// Random makes keys and request ids; nil is crypto/rand. It must be safe for
	// concurrent use.
	Random io.Reader
}

const (
	defaultMaxBody     = 1 << 20
	defaultBodyTimeout = 30 * time.Second
)

type server struct {
	Options
	rules      []rule
	limit      *limiter
	publishing turnstile
	checking   turnstile
	requestIDs *requestIDs

	openAPI, schema, version, apiCatalog, live, ready *document

	site   *page.Site
	assets map[string]asset

	discovery string // the Link header of the index
}

// New returns the handler of the whole public interface. It also is a chi.Routes, so
// that its routes can be listed.
func New(o Options) (http.Handler, error) {
	if o.Validator == nil || o.Store == nil || o.Catalog == nil {
		return nil, errors.New("the HTTP interface needs a validator, a store and a catalog")
	}
	base, err := checkBaseURL(o.BaseURL)
	if err != nil {
		return nil, err
	}
	o.BaseURL = base
	if o.Checker == nil {
		o.Checker = o.Validator
	}
	if o.MaxBody <= 0 {
		o.MaxBody = defaultMaxBody
	}
	if o.BodyTimeout <= 0 {
		o.BodyTimeout = defaultBodyTimeout
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	s := &server{Options: o, rules: rules(), limit: newLimiter(o.RateLimit, maxBuckets, o.Now)}
	s.publishing, s.checking = newTurnstile(2, 200), newTurnstile(2, 30)
	if s.requestIDs, err = newRequestIDs(o.Random); err != nil {
		return nil, err
	}
	if err := s.prepareDocuments(); err != nil {
		return nil, err
	}
	if err := s.preparePages(); err != nil {
		return nil, err
	}
	return s.router(), nil
}

func checkBaseURL(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil {
		return "", fmt.Errorf("base URL: %w", err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return "", fmt.Errorf("base URL %q: want http or https, a host, and nothing behind the path", text)
	}
	return strings.TrimRight(text, "/"), nil
}
