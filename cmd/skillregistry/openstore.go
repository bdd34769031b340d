package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/skillregistry/skillregistry/internal/store"
)

// retryPause is how long a start waits before it tries a database again.
const retryPause = time.Second

// openStore opens the store. A database that can't be reached yet is tried again for
// as long as the program's patience lasts: where everything starts together, the
// database is often the last to be up. Errors begin with name, by which its URL was given.
// The options have a logger.
func (p *program) openStore(ctx context.Context, o store.Options, name string) (*store.Store, error) {
	patience, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	var away *store.UnavailableError
	for attempt := 1; ; attempt++ {
		s, err := store.Open(patience, o)
		switch {
		case err == nil:
			return s, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.As(err, &away):
			o.Logger.Warn("the database can't be reached yet", "database_url", withoutPassword(o.URL), "attempt", attempt, "error", away.Err)
		case !errors.Is(err, context.DeadlineExceeded): // which says that patience is over
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		select {
		case <-patience.Done():
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if away != nil {
				err = away.Err
			}
			return nil, fmt.Errorf("%s %q: the database can't be reached, gave up after %s: %w",
				name, withoutPassword(o.URL), showDuration(p.patience), err)
		case <-time.After(min(retryPause, p.patience/4)):
		}
	}
}
