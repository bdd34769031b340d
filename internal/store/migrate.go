package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/migrations"
)

// Migrate brings the database to the form that this program needs. Processes that
// start together do it one after the other. A database that a newer version of the
// program has migrated is refused, and so is one whose migrations were not these.
//
// If firstKey is not nil, and the store has neither keys nor skills, the key that it
// returns is stored, which keyStored reports: of processes that start together, one
// stores a key. It is called with the store locked.
func (s *Store) Migrate(ctx context.Context, firstKey func() (access.Key, error)) (keyStored bool, err error) {
	if err := s.runMigrations(ctx); err != nil {
		return false, err
	}
	if firstKey == nil {
		return false, nil
	}
	return s.storeFirstKey(ctx, firstKey)
}

func (s *Store) runMigrations(ctx context.Context) error {
	const op = "migrate"
	if err := s.enter(op); err != nil {
		return err
	}
	defer s.calls.Done()
	// Another process may be at it for longer than a call may take, so the caller
	// alone says how long to wait.
	for attempt := 1; ; attempt++ {
		err := s.migrate(ctx, migrations.Files())
		if err == nil {
			return nil
		}
		if attempt == attempts || !s.again(ctx, err) {
			return s.fail(ctx, op, err)
		}
	}
}

func (s *Store) migrate(ctx context.Context, files fs.FS) error {
	conn, err := s.writer.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer rollBack(conn)
	if _, err := conn.ExecContext(ctx, s.dialect.beginAlone); err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, `create table if not exists migrations (
		name text not null primary key, sha256 text not null, applied_at text not null)`)
	if err != nil {
		return err
	}
	pending, err := s.pendingMigrations(ctx, conn, files)
	if err != nil {
		return err
	}
	for _, m := range pending {
		if _, err := conn.ExecContext(ctx, m.text); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		_, err = conn.ExecContext(ctx, `insert into migrations (name, sha256, applied_at) values ($1, $2, $3)`,
			m.name, m.hash, time.Now().UTC().Format(time.RFC3339))
		if err != nil {
			return err
		}
	}
	_, err = conn.ExecContext(ctx, `commit`)
	return err
}

// migration is one file, with the SHA-256 of its text.
type migration struct{ name, text, hash string }

// pendingMigrations returns the migrations that have not run. A database that others than
// these were run on is refused.
func (s *Store) pendingMigrations(ctx context.Context, conn *sql.Conn, files fs.FS) (pending []migration, err error) {
	applied, err := appliedMigrations(ctx, conn)
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(files, s.dialect.folder) // in the order of their names
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		text, err := fs.ReadFile(files, path.Join(s.dialect.folder, entry.Name()))
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(text)
		m := migration{name: entry.Name(), text: string(text), hash: hex.EncodeToString(sum[:])}
		was, ok := applied[m.name]
		switch {
		case !ok:
			pending = append(pending, m)
		case was != m.hash:
			return nil, fmt.Errorf("the database was laid out by another %s than this program has; use the program that it was made with", m.name)
		}
		delete(applied, m.name)
	}
	for name := range applied {
		return nil, fmt.Errorf("the database was migrated by a newer version of this program (it has %s); run that version", name)
	}
	return pending, nil
}

// appliedMigrations returns the hashes of the migrations that have run, by name.
func appliedMigrations(ctx context.Context, conn *sql.Conn) (map[string]string, error) {
	rows, err := conn.QueryContext(ctx, `select name, sha256 from migrations`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	applied := map[string]string{}
	for rows.Next() {
		var name, hash string
		if err := rows.Scan(&name, &hash); err != nil {
			return nil, err
		}
		applied[name] = hash
	}
	return applied, rows.Err()
}

// storeFirstKey stores the key that firstKey makes, unless there is something in the
// store. The lock of all writes lets one process at a time look.
func (s *Store) storeFirstKey(ctx context.Context, firstKey func() (access.Key, error)) (stored bool, err error) {
	var key access.Key
	err = s.write(ctx, "store the first key", func(ctx context.Context, tx *writeTx) error {
		if stored, err = tx.carriedOut(ctx, key.ID); stored || err != nil {
			return err
		}
		var taken bool
		row := tx.conn.QueryRowContext(ctx, `select exists (select 1 from keys) or exists (select 1 from skills)`)
		if err := row.Scan(&taken); err != nil || taken {
			return err
		}
		made, err := firstKey()
		if err != nil {
			return err
		}
		key, stored = made, true
		return insertKey(tx, key, Actor{KeyID: Server})
	})
	return stored && err == nil, err
}
