package store

import (
	"context"
	"database/sql"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/skillregistry/skillregistry/migrations"
)

// Export writes everything that the store holds, as of one moment, whatever is written
// meanwhile, and returns how much that is. Two stores that hold the same give the same
// bytes, whichever their databases are. Of keys there are hashes in it, never a secret.
//
// It takes the time that w takes. The database has to be as Migrate leaves it. After an
// error what was written is not an export, and Import refuses it.
func (s *Store) Export(ctx context.Context, w io.Writer) (Counts, error) {
	const op = "export"
	if err := s.enter(op); err != nil {
		return Counts{}, err
	}
	defer s.calls.Done()
	lines := newLineWriter(w)
	err := s.export(ctx, lines)
	if failed := lines.out.Flush(); failed != nil {
		return Counts{}, fmt.Errorf("%s: %w", op, failed)
	}
	if err != nil {
		return Counts{}, s.fail(ctx, op, err)
	}
	return lines.counts, nil
}

func (s *Store) export(ctx context.Context, lines *lineWriter) error {
	conn, err := s.reader.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer rollBack(conn)
	if _, err := conn.ExecContext(ctx, s.dialect.beginExport); err != nil {
		return err
	}
	pending, err := s.pendingMigrations(ctx, conn, migrations.Files())
	if err != nil {
		return fmt.Errorf("finding out how the database is laid out: %w", err)
	}
	if len(pending) > 0 {
		return fmt.Errorf("the database is one of an older version of this program (it lacks %s): migrate it first", pending[0].name)
	}
	for _, part := range []func(context.Context, *sql.Conn, *lineWriter) error{
		exportRegistry, exportSkills, exportVersions, exportFiles, exportKeys, exportEvents,
	} {
		if err := part(ctx, conn, lines); err != nil {
			return err
		}
	}
	return lines.end()
}

func exportRegistry(ctx context.Context, conn *sql.Conn, lines *lineWriter) error {
	r := registryLine{Format: exportFormat, FormatVersion: exportVersion}
	row := conn.QueryRowContext(ctx, `select revision, public_revision, clock, events from registry`)
	if err := row.Scan(&r.Revision, &r.PublicRevision, &r.Clock, &r.Events); err != nil {
		return err
	}
	return lines.write(line{Registry: &r})
}

func exportSkills(ctx context.Context, conn *sql.Conn, lines *lineWriter) error {
	return exportRows(ctx, conn, lines, `
		select id, changed_at, public_revision, public_at, revision from skills order by id`,
		func(rows *sql.Rows) (line, error) {
			var s skillLine
			err := rows.Scan(&s.ID, &s.ChangedAt, &s.PublicRevision, &s.PublicAt, &s.Revision)
			return line{Skill: &s}, err
		})
}

func exportVersions(ctx context.Context, conn *sql.Conn, lines *lineWriter) error {
	return exportRows(ctx, conn, lines, `
		select skill_id, version, access, status, reason, status_at, digest, published_at, revision, document
		from versions order by skill_id, version_key`,
		func(rows *sql.Rows) (line, error) {
			var v versionLine
			err := rows.Scan(&v.SkillID, &v.Version, &v.Access, &v.Status, &v.Reason, &v.StatusAt, &v.Digest, &v.PublishedAt,
				&v.Revision, &v.Document)
			if err != nil {
				return line{}, err
			}
			return line{Version: &v}, v.check()
		})
}

func exportFiles(ctx context.Context, conn *sql.Conn, lines *lineWriter) error {
	return exportRows(ctx, conn, lines, `
		select skill_id, version_key, digest, names, description, archive from files order by skill_id, version_key`,
		func(rows *sql.Rows) (line, error) {
			var f filesLine
			if err := rows.Scan(&f.SkillID, &f.VersionKey, &f.Digest, (*[]byte)(&f.Names), &f.Description, &f.Archive); err != nil {
				return line{}, err
			}
			return line{Files: &f}, f.check()
		})
}

func exportKeys(ctx context.Context, conn *sql.Conn, lines *lineWriter) error {
	return exportRows(ctx, conn, lines, `
		select id, name, secret_hash, scopes, namespaces, created_at, expires_at, revoked_at, last_used_at, revision
		from keys order by id`,
		func(rows *sql.Rows) (line, error) {
			var k keyLine
			var hash []byte
			err := rows.Scan(&k.ID, &k.Name, &hash, (*[]byte)(&k.Scopes), (*[]byte)(&k.Namespaces),
				&k.CreatedAt, &k.ExpiresAt, &k.RevokedAt, &k.LastUsedAt, &k.Revision)
			k.SecretHash = hex.EncodeToString(hash)
			return line{Key: &k}, err
		})
}

func exportEvents(ctx context.Context, conn *sql.Conn, lines *lineWriter) error {
	return exportRows(ctx, conn, lines, `
		select number, at, actor, address, request_id, action, skill_id, version, status, key_id, code, requests
		from audit order by number`,
		func(rows *sql.Rows) (line, error) {
			var e eventLine
			err := rows.Scan(&e.Number, &e.At, &e.Actor, &e.Address, &e.RequestID, &e.Action,
				&e.SkillID, &e.Version, &e.Status, &e.KeyID, &e.Code, &e.Requests)
			return line{Event: &e}, err
		})
}

// exportRows writes a line for each row.
func exportRows(ctx context.Context, conn *sql.Conn, lines *lineWriter, query string, scan func(*sql.Rows) (line, error)) error {
	rows, err := conn.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		l, err := scan(rows)
		if err != nil {
			return err
		}
		if err := lines.write(l); err != nil {
			return err
		}
	}
	return rows.Err()
}
