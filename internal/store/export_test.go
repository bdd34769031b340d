package store

import (
	"context"
	"database/sql"
)

// Writer is the handle that writes, for tests that break it.
func (s *Store) Writer() *sql.DB { return s.writer }

// StoreUses stores the last uses of keys now, for tests that don't wait for it.
func (s *Store) StoreUses(ctx context.Context) { s.storeUses(ctx) }

// KeepRefusals bounds the refusals that are kept, for tests that fill them up.
func (s *Store) KeepRefusals(n int) { s.keptRefusals = n }
