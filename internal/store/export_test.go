package store

import "database/sql"

// Writer is the handle that writes, for tests that break it.
func (s *Store) Writer() *sql.DB { return s.writer }

// KeepRefusals bounds the refusals that are kept, for tests that fill them up.
func (s *Store) KeepRefusals(n int) { s.keptRefusals = n }
