package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/skillregistry/skillregistry/internal/catalog"
)

// maxWait is how long an answer of the change feed may be held.
const maxWait = time.Minute

// getChanges answers with what changed for the caller since a cursor. While that is
// nothing, the answer is held for as long as was asked. Who asks is looked up anew each
// time round: a key may be revoked meanwhile.
func (s *server) getChanges(w http.ResponseWriter, r *http.Request) error {
	v, err := s.read(w, r)
	if err != nil {
		return err
	}
	asked, err := parseChangesQuery(r)
	if err != nil {
		return err
	}
	after, err := asked.cursor(v)
	if err != nil {
		return err
	}
	patience, cancel := s.patience(r.Context(), asked.wait)
	defer cancel()
	for {
		changes, next := v.snapshot.Changes(v.caller, after, asked.limit)
		if next != after || patience.Err() != nil {
			return s.serve(w, r, changes)
		}
		began := time.Now()
		s.Catalog.Wait(patience, v.snapshot)
		exchangeOf(r).held += time.Since(began)
		w.Header().Del("Age")
		if v, err = s.read(w, r); err != nil {
			return err
		}
	}
}

// patience returns a context that ends after the wait, and when the server stops.
func (s *server) patience(ctx context.Context, wait time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	if wait > 0 && s.Stopping != nil {
		go func() {
			select {
			case <-s.Stopping:
				cancel()
			case <-ctx.Done():
			}
		}()
	}
	return ctx, cancel
}

// changesQuery is what the change feed is asked for.
type changesQuery struct {
	// after is the text of a cursor, or a word; empty is the beginning.
	after string
	limit int
	wait  time.Duration
}

func parseChangesQuery(r *http.Request) (asked changesQuery, err error) {
	q, err := parseQuery(r)
	if err != nil {
		return changesQuery{}, err
	}
	var given bool
	if asked.after, given, err = q.one("after", expectedCursor); err != nil {
		return changesQuery{}, err
	}
	if given && asked.after == "" {
		return changesQuery{}, &queryError{"after", expectedCursor, "empty"}
	}
	if asked.limit, err = q.limit(maxLimit); err != nil {
		return changesQuery{}, err
	}
	if asked.limit == 0 {
		asked.limit = maxLimit
	}
	asked.wait, err = q.wait()
	return asked, err
}

const expectedCursor = "the cursor of an earlier answer to the same key, or now"

// cursor returns the place that the query means. The error is a *queryError: a cursor
// may be another caller's, or of a database that was put back since.
func (q changesQuery) cursor(v visit) (catalog.Cursor, error) {
	switch q.after {
	case "":
		return v.snapshot.Beginning(v.caller), nil
	case "now":
		return v.snapshot.Now(v.caller), nil
	}
	at, ok := v.snapshot.ParseCursor(v.caller, q.after)
	if !ok {
		return catalog.Cursor{}, &queryError{"after", expectedCursor, quoted(q.after)}
	}
	return at, nil
}
