package catalog

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
)

// Source is the store, as the catalog reads it.
type Source interface {
	// Revision returns the revision of the last write.
	Revision(ctx context.Context) (int64, error)
	// Changes yields the state of everything whose last change came after the given
	// revision, and returns the mark that it is the state of.
	Changes(ctx context.Context, after int64, yield func(store.Change) error) (store.Mark, error)
	// Archive returns the archive with the files of a version, or a
	// *store.FilesNotFoundError.
	Archive(ctx context.Context, skillID, version string) ([]byte, error)
	// Shared reports whether others may write to the store, so that asking for its
	// revision is worth sharing among readers.
	Shared() bool
}

// Options configure a Catalog.
type Options struct {
	// BaseURL begins every address in an answer; it ends without a slash.
	BaseURL string
	// Provider is the provider of the index.
	Provider protocol.Provider
	// StaleIfError bounds how long reads go on while the store does not answer; 0 ends
	// them at once.
	StaleIfError time.Duration
	// Admin is the configured admin key; the zero value is none.
	Admin access.ConfiguredAdmin
	// Loose is how many skills that changed a search looks at one by one, before they are
	// put into an index; 0 is 64.
	Loose int
	// Now is the clock.
	Now func() time.Time
	// Span begins a span of a trace, which ends when the function that it returns is
	// called; nil is no trace.
	Span func(ctx context.Context, name string) (context.Context, func(error))
}

func (o *Options) span(ctx context.Context, name string) (context.Context, func(error)) {
	if o.Span == nil {
		return ctx, func(error) {}
	}
	return o.Span(ctx, name)
}

const (
	// checkTimeout bounds one question for the store's revision.
	checkTimeout = time.Second
	// loadTimeout bounds the reading of what changed.
	loadTimeout = time.Minute
	// patience is after how long a reader looks whether the store still answers. It is
	// longer than two questions without an answer take.
	patience = 3 * time.Second
	// waitLimit bounds how long a reader waits for what is known to have changed, from a
	// store that answers.
	waitLimit = 10 * time.Second
)

// Catalog holds the current snapshot and keeps it current.
type Catalog struct {
	source   Source
	options  Options
	current  atomic.Pointer[Snapshot]
	builder  *builder // used by the one running check
	archives *archives
	tally    tally

	mu       sync.Mutex
	running  bool
	next     *check    // the check that readers arriving now wait for; nil when nobody does
	verified time.Time // when the last check that succeeded began
	heard    time.Time // when the check under way began, or last heard from the store

	replaced chan struct{} // closed when there is another snapshot than the current one
	waiting  int           // how many are in Wait
	unwanted chan struct{} // closed when the last of them leaves
}

// check is one comparison of the snapshot with the store.
type check struct {
	done chan struct{}
	err  error // set before done is closed
}

// Open loads everything from the source.
func Open(ctx context.Context, source Source, o Options) (*Catalog, error) {
	b, err := newBuilder(o)
	if err != nil {
		return nil, err
	}
	c := &Catalog{source: source, options: o, builder: b, archives: newArchives(keptArchives, heldArchives), verified: o.Now(), replaced: make(chan struct{})}
	if err := b.advance(ctx, source); err != nil {
		return nil, fmt.Errorf("loading the catalog: %w", err)
	}
	c.current.Store(b.snapshot())
	return c, nil
}

// Snapshot returns a snapshot with every write that was acknowledged, by whatever
// replica, before the call. When the store does not answer, it returns the last one
// and its age, at least a second, for as long as Options.StaleIfError allows, and a
// *store.UnavailableError after that, or when the store has more to tell than can be
// waited for. It returns the context's error when that ends first.
func (c *Catalog) Snapshot(ctx context.Context) (s *Snapshot, age time.Duration, err error) {
	if !c.source.Shared() {
		revision, err := c.source.Revision(ctx)
		if s := c.current.Load(); err == nil && s.mark.Revision == revision {
			return s, 0, nil
		}
	}
	err = c.await(ctx, c.join())
	var silent *silentError
	switch {
	case err == nil:
		return c.current.Load(), 0, nil
	case !errors.As(err, &silent):
		return nil, 0, err
	}
	c.mu.Lock()
	age = c.options.Now().Sub(c.verified)
	c.mu.Unlock()
	if age > c.options.StaleIfError {
		return nil, 0, unavailable(silent.err)
	}
	return c.current.Load(), max(age, time.Second), nil
}

// silentError says that the store does not answer.
type silentError struct{ err error }

func (e *silentError) Error() string { return e.err.Error() }

// await waits for a check. A store that does not answer is a *silentError; one that
// does, and has more to tell than can be waited for, is a *store.UnavailableError.
func (c *Catalog) await(ctx context.Context, k *check) error {
	look := time.NewTimer(patience)
	defer look.Stop()
	for waited := patience; ; waited += checkTimeout {
		select {
		case <-k.done:
			if k.err != nil {
				return &silentError{k.err}
			}
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-look.C:
		}
		c.mu.Lock()
		silence := c.options.Now().Sub(c.heard)
		c.mu.Unlock()
		err := fmt.Errorf("what changed was not read in %s", waited)
		switch {
		case silence > checkTimeout:
			return &silentError{err}
		case waited >= waitLimit:
			return unavailable(err)
		}
		look.Reset(checkTimeout)
	}
}

// hear notes that the store answers.
func (c *Catalog) hear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard = c.options.Now()
}

// Provider returns whose registry it is.
func (c *Catalog) Provider() protocol.Provider { return c.options.Provider }

// IsAdminKey reports whether a text is the configured admin key.
func (c *Catalog) IsAdminKey(text string) bool {
	_, ok := c.options.Admin.Caller(text)
	return ok
}

// Ready reports, by a nil error, that the store answers and the snapshot is current.
func (c *Catalog) Ready(ctx context.Context) error {
	_, age, err := c.Snapshot(ctx)
	if err == nil && age > 0 {
		err = unavailable(fmt.Errorf("no answer for %s", age.Round(time.Second)))
	}
	return err
}

func unavailable(err error) error {
	return &store.UnavailableError{Op: "reading the catalog", Err: err}
}

// join returns the check that begins next, and sees to it that it begins.
func (c *Catalog) join() *check {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.next == nil {
		c.next = &check{done: make(chan struct{})}
		if !c.running {
			c.running = true
			go c.run()
		}
	}
	return c.next
}

// run makes one check after the other until nobody waits for one.
func (c *Catalog) run() {
	for {
		c.mu.Lock()
		k := c.next
		c.next = nil
		c.running = k != nil
		c.mu.Unlock()
		if k == nil {
			return
		}
		k.err = c.check()
		close(k.done)
	}
}

// check makes the snapshot current. What took long is not trusted: this process may
// have been stopped in the middle of it, and what it was told is of before that.
func (c *Catalog) check() error {
	began := c.options.Now()
	err := c.catchUp()
	if err == nil && c.options.Now().Sub(began) > checkTimeout {
		err = c.catchUp()
	}
	return err
}

// catchUp makes the snapshot as current as it was when it began.
func (c *Catalog) catchUp() (err error) {
	began := c.options.Now()
	traced, end := c.options.span(context.Background(), "check the revision")
	defer func() {
		c.tally.count(c.options.Now().Sub(began), err)
		end(err)
	}()
	c.hear()
	ctx, cancel := context.WithTimeout(traced, checkTimeout)
	defer cancel()
	revision, err := c.source.Revision(ctx)
	if err != nil {
		return err
	}
	c.hear()
	if revision != c.current.Load().mark.Revision {
		if err := c.load(traced, revision); err != nil {
			return err
		}
	}
	c.mu.Lock()
	c.verified = began
	c.mu.Unlock()
	return nil
}

// load takes a new snapshot, of at least the given revision.
func (c *Catalog) load(ctx context.Context, revision int64) error {
	ctx, cancel := context.WithTimeout(ctx, loadTimeout)
	defer cancel()
	b := c.builder
	if revision < c.current.Load().mark.Revision {
		// The store was put back to an earlier state: nothing here can be built upon.
		var err error
		if b, err = newBuilder(c.options); err != nil {
			return err
		}
	}
	if err := b.advance(ctx, heard{c.source, c.hear}); err != nil {
		return err
	}
	c.builder = b
	c.put(b.snapshot())
	return nil
}

// heard is a source that calls hear whenever there is a word from the store.
type heard struct {
	Source
	hear func()
}

// Changes yields what the source does.
func (h heard) Changes(ctx context.Context, after int64, yield func(store.Change) error) (store.Mark, error) {
	return h.Source.Changes(ctx, after, func(c store.Change) error {
		h.hear()
		return yield(c)
	})
}
