package main

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
)

// fill puts skills into an empty database, in one transaction: through the door it
// would take a commit for each.
func fill(ctx context.Context, url string, skills int) error {
	s, err := store.Open(ctx, store.Options{URL: url})
	if err != nil {
		return err
	}
	_, err = s.Migrate(ctx, nil)
	if closing := s.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	if file, ok := strings.CutPrefix(url, "sqlite:"); ok {
		return fillSQLite(ctx, file, skills)
	}
	return fillPostgres(ctx, url, skills)
}

// firstChange is when the first skill was published, in microseconds since 1970.
const firstChange = 1_760_000_000_000_000

const (
	skillColumns   = "id, changed_at, public_revision, public_at, revision"
	versionColumns = "skill_id, version_key, version, access, status, reason, digest, published_at, revision, document"
	moveRegistry   = "update registry set revision = $1, public_revision = $1, clock = $2"
)

// skillRow and versionRow are the rows of one skill, which write number n+1 published.
func skillRow(n int) []any {
	at := int64(firstChange + n)
	return []any{skillID(n), at, int64(n + 1), at, int64(n + 1)}
}

func versionRow(n int, publishedAt any) []any {
	text := descriptor(skillID(n), "1.0.0", n)
	access := []string{"public", "restricted"}[n/4%2]
	return []any{skillID(n), "1.0.0", "1.0.0", access, "active", "", protocol.Digest(text), publishedAt, int64(n + 1), text}
}

func fillSQLite(ctx context.Context, file string, skills int) error {
	db, err := sql.Open("sqlite", "file:"+file+"?_pragma=journal_mode(wal)")
	if err != nil {
		return err
	}
	defer db.Close()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	insertSkill, err := tx.PrepareContext(ctx, `insert into skills (`+skillColumns+`) values ($1, $2, $3, $4, $5)`)
	if err != nil {
		return err
	}
	insertVersion, err := tx.PrepareContext(ctx, `insert into versions (`+versionColumns+`) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`)
	if err != nil {
		return err
	}
	for n := range skills {
		if _, err := insertSkill.ExecContext(ctx, skillRow(n)...); err != nil {
			return err
		}
		at := time.UnixMicro(int64(firstChange + n)).UTC().Format("2006-01-02T15:04:05.000000Z")
		if _, err := insertVersion.ExecContext(ctx, versionRow(n, at)...); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, moveRegistry, skills, firstChange+skills); err != nil {
		return err
	}
	return tx.Commit()
}

// fillPostgres also fills the table of the obvious design.
func fillPostgres(ctx context.Context, url string, skills int) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	tx, err := conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(context.WithoutCancel(ctx))
	copyRows := func(table, columns string, row func(n int) ([]any, error)) error {
		_, err := tx.CopyFrom(ctx, pgx.Identifier{table}, strings.Split(columns, ", "), pgx.CopyFromSlice(skills, row))
		if err != nil {
			return fmt.Errorf("filling %s: %w", table, err)
		}
		return nil
	}
	if err := copyRows("skills", skillColumns, func(n int) ([]any, error) { return skillRow(n), nil }); err != nil {
		return err
	}
	if err := copyRows("versions", versionColumns, func(n int) ([]any, error) {
		return versionRow(n, time.UnixMicro(int64(firstChange+n))), nil
	}); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, moveRegistry, skills, firstChange+skills); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, createObvious); err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, `vacuum analyze`)
	return err
}
