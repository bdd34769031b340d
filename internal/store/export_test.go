package store

import "database/sql"

// Writer is the handle that writes, for tests that break it.
func (s *Store) Writer() *sql.DB { return s.writer }
