package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// Options say which database a Store keeps its data in, and how.
type Options struct {
	// URL is sqlite:PATH or postgres://…
	URL string
	// Timeout bounds each call; a stream of changes may take longer as long as it
	// moves. Zero is 10 seconds.
	Timeout time.Duration
	// ReadOnly opens a database that is there already, for Export alone. A SQLite file may
	// be another process's then.
	ReadOnly bool
	// Logger is told what could not be written behind the backs of callers; nil is none.
	Logger *slog.Logger
	// Span begins a span of a trace, which ends when the function that it returns is
	// called; nil is no trace.
	Span func(ctx context.Context, name string) (context.Context, func(error))
}

// Store is the durable store. It is safe for concurrent use.
type Store struct {
	dialect dialect
	timeout time.Duration
	// Writers wait for one another in any case; with a handle of their own they don't
	// keep readers from getting a connection.
	reader, writer *sql.DB
	release        func() error
	latest         latest
	log            *slog.Logger
	span           func(context.Context, string) (context.Context, func(error)) // nil: no trace

	refusals     refusals
	keptRefusals int
	uses         uses

	mu     sync.Mutex
	closed bool
	calls  sync.WaitGroup
}

// errClosed is what calls after Close meet.
var errClosed = errors.New("it is closed")

// Open opens the database, which it creates if it is a file that is not there yet.
// Call Migrate before anything else but Export.
//
// A URL that can't be used, and a file that another process holds, are plain errors
// of one line, without the secrets of the URL. A database that can't be reached is
// an *UnavailableError: it may be reached later.
func Open(ctx context.Context, o Options) (*Store, error) {
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	s, err := openKind(ctx, o)
	if err != nil {
		return nil, err
	}
	s.log, s.keptRefusals, s.span = o.Logger, keptRefusals, o.Span
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	return s, nil
}

func openKind(ctx context.Context, o Options) (*Store, error) {
	kind, rest, _ := strings.Cut(o.URL, ":")
	switch kind {
	case "sqlite":
		if o.ReadOnly {
			return openSQLiteReadOnly(ctx, rest, o.Timeout)
		}
		return openSQLite(ctx, rest, o.Timeout)
	case "postgres", "postgresql":
		return openPostgres(ctx, o.URL, o.Timeout)
	default:
		return nil, errors.New("the database URL has to be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE")
	}
}

// Shared reports whether others may write to the same database.
func (s *Store) Shared() bool { return s.dialect.shared }

// Ping reports whether the store answers.
func (s *Store) Ping(ctx context.Context) error {
	_, err := s.readRevision(ctx, "ping")
	return err
}

// Revision returns the revision of the last write. Every write whose call returned
// before this one began is counted.
func (s *Store) Revision(ctx context.Context) (int64, error) {
	if s.dialect.shared {
		return s.readRevision(ctx, "revision")
	}
	return s.latest.get(func() (int64, error) { return s.readRevision(ctx, "revision") })
}

func (s *Store) readRevision(ctx context.Context, op string) (revision int64, err error) {
	err = s.read(ctx, op, func(ctx context.Context) error {
		return s.reader.QueryRowContext(ctx, `select revision from registry`).Scan(&revision)
	})
	return revision, err
}

// closePatience bounds how long a store that is closed tries to write what nobody waits for.
const closePatience = 3 * time.Second

// Close stores what was noted and is not stored yet, waits for the calls under way, and
// lets go of the database. Later calls return an *UnavailableError.
func (s *Store) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closePatience)
	defer cancel()
	s.storeRefusals(ctx)
	s.storeUses(ctx)
	s.refusals.stop()
	s.uses.stop()
	s.mu.Lock()
	closed := s.closed
	s.closed = true
	s.mu.Unlock()
	if closed {
		return nil
	}
	s.calls.Wait()
	s.latest.forget()
	// The last connection to a SQLite file folds its log into it: it has to be one
	// that writes.
	return errors.Join(s.reader.Close(), s.writer.Close(), s.release())
}

// enter counts a call in, unless the store is closed. The call ends with s.calls.Done.
func (s *Store) enter(op string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return &UnavailableError{Op: op, Err: errClosed}
	}
	s.calls.Add(1)
	return nil
}

// read runs do, which only reads, within the time of a call, and again where a
// connection was lost.
func (s *Store) read(ctx context.Context, op string, do func(context.Context) error) (err error) {
	if err := s.enter(op); err != nil {
		return err
	}
	defer s.calls.Done()
	if s.span != nil {
		traced, end := s.span(ctx, "store: "+op)
		ctx = traced
		defer func() { end(err) }()
	}
	bounded, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	for attempt := 1; ; attempt++ {
		err := do(bounded)
		if err == nil {
			return nil
		}
		if attempt == attempts || !s.again(bounded, err) {
			return s.fail(ctx, op, err)
		}
	}
}

// attempts is how often the same transaction is tried.
const attempts = 3

// again reports whether what met err is worth another attempt now, and makes way for it.
func (s *Store) again(ctx context.Context, err error) bool {
	gone, fault := over(ctx), s.dialect.classify(err)
	if fault == lost || s.dialect.shared && errors.Is(gone, context.DeadlineExceeded) {
		s.dropIdle()
	}
	return gone == nil && (fault == lost || fault == contended)
}

// dropIdle closes the connections that nobody uses: what broke one connection, or keeps
// it from answering, has often done so to all of them.
func (s *Store) dropIdle() {
	for _, db := range []*sql.DB{s.reader, s.writer} {
		db.SetMaxIdleConns(-1)
		db.SetMaxIdleConns(s.dialect.idle)
	}
}

// fail turns what a call met in the end into the error that it returns.
func (s *Store) fail(ctx context.Context, op string, err error) error {
	gone := over(ctx)
	switch {
	case gone != nil:
		return fmt.Errorf("%s: %w", op, gone)
	case s.dialect.classify(err) != permanent:
		return &UnavailableError{Op: op, Err: oneLine{err}}
	default:
		return fmt.Errorf("%s: %w", op, err)
	}
}

// over returns the error of a context that ended. A connection may meet a deadline a
// moment before its context does.
func over(ctx context.Context) error {
	if deadline, ok := ctx.Deadline(); ok && ctx.Err() == nil && !time.Now().Before(deadline) {
		return context.DeadlineExceeded
	}
	return ctx.Err()
}

// oneLine is an error whose text is one line, which the text of a driver may not be.
type oneLine struct{ error }

func (e oneLine) Error() string { return strings.Join(strings.Fields(e.error.Error()), " ") }

func (e oneLine) Unwrap() error { return e.error }
