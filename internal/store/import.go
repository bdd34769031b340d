package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// Import fills an empty store with what Export wrote, and returns how much that is. The
// store is then as the exported one was: revisions, times, keys and events included.
// All of it is stored, once it is known to be whole, or nothing; an error that comes from
// the file names its line.
//
// It takes the time that r takes. A store that ever held anything is refused.
func (s *Store) Import(ctx context.Context, r io.Reader) (Counts, error) {
	const op = "import"
	if err := s.enter(op); err != nil {
		return Counts{}, err
	}
	defer s.calls.Done()
	lines := newLineReader(r)
	err := s.importLines(ctx, lines)
	var wrong *lineError
	switch {
	case err == nil:
		return lines.counts, nil
	case errors.As(err, &wrong) && ctx.Err() == nil:
		return Counts{}, wrong
	default:
		return Counts{}, s.fail(ctx, op, err)
	}
}

func (s *Store) importLines(ctx context.Context, lines *lineReader) error {
	conn, err := s.writer.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer rollBack(conn)
	if _, err := conn.ExecContext(ctx, s.dialect.beginAlone); err != nil {
		return err
	}
	if err := s.lockEmpty(ctx, conn); err != nil {
		return err
	}
	first, err := lines.read()
	if err != nil {
		return err
	}
	rows := importedRows{send: func(statements []statement) error { return s.dialect.send(ctx, conn, statements) }}
	if err := rows.add(lines, first.Registry.update()); err != nil {
		return err
	}
	for {
		l, err := lines.read()
		if err != nil {
			return err
		}
		if l.End != nil {
			break
		}
		row, err := l.insert()
		if err != nil {
			return &lineError{lines.number, err}
		}
		if err := rows.add(lines, row); err != nil {
			return err
		}
	}
	if err := rows.flush(); err != nil {
		return err
	}
	revision := first.Registry.Revision
	err = s.latest.move(revision, func() error {
		_, err := conn.ExecContext(ctx, `commit`)
		return err
	})
	if err != nil {
		return &doubtError{revision: revision, err: err}
	}
	return nil
}

// lockEmpty takes the lock of all writes, and refuses a store that ever held anything.
func (s *Store) lockEmpty(ctx context.Context, conn *sql.Conn) error {
	var revision, publicRevision, clock, events int64
	if err := conn.QueryRowContext(ctx, s.dialect.lock).Scan(&revision, &publicRevision, &clock, &events); err != nil {
		return err
	}
	if revision != 0 || events != 0 {
		return errors.New("the store is not empty: there have been skills, keys or events in it; a new one is needed")
	}
	return nil
}

// importedRows sends rows to the database, many at a time.
type importedRows struct {
	send func([]statement) error
	rows []statement
	// last is the line of the last row; each row comes from the line behind that of the
	// row before it.
	last int
	// size is of all their lines, in bytes.
	size int
}

// importedAtOnce is how many bytes of lines are gathered before they are sent.
const importedAtOnce = 1 << 20

// add adds the row of the line that was read last.
func (r *importedRows) add(lines *lineReader, row statement) error {
	r.rows, r.last, r.size = append(r.rows, row), lines.number, r.size+lines.size
	if r.size < importedAtOnce {
		return nil
	}
	return r.flush()
}

func (r *importedRows) flush() error {
	err := r.send(r.rows)
	if failed, ok := errors.AsType[*statementError](err); ok {
		err = fmt.Errorf("line %d: %w", r.last-len(r.rows)+1+failed.index, err)
	}
	r.rows, r.size = nil, 0
	return err
}

func (r *registryLine) update() statement {
	return statement{`update registry set revision = $1, public_revision = $2, clock = $3, events = $4`,
		[]any{r.Revision, r.PublicRevision, r.Clock, r.Events}}
}

// insert returns the statement that stores what a line holds, if that is as it has to be.
func (l line) insert() (statement, error) {
	switch {
	case l.Skill != nil:
		return l.Skill.insert(), nil
	case l.Version != nil:
		return l.Version.insert()
	case l.Files != nil:
		return l.Files.insert()
	case l.Key != nil:
		return l.Key.insert()
	default:
		return l.Event.insert(), nil
	}
}

func (s *skillLine) insert() statement {
	return statement{
		`insert into skills (id, changed_at, public_revision, public_at, revision) values ($1, $2, $3, $4, $5)`,
		[]any{s.ID, s.ChangedAt, s.PublicRevision, s.PublicAt, s.Revision},
	}
}

func (v *versionLine) insert() (statement, error) {
	return statement{`
		insert into versions (skill_id, version_key, version, access, status, reason, status_at, digest, published_at, revision, document)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		[]any{v.SkillID, protocol.VersionWithoutBuild(v.Version), v.Version, string(v.Access), string(v.Status), v.Reason, v.StatusAt,
			v.Digest, v.PublishedAt, v.Revision, []byte(v.Document)},
	}, v.check()
}

func (f *filesLine) insert() (statement, error) {
	return statement{
		`insert into files (skill_id, version_key, digest, names, description, archive) values ($1, $2, $3, $4, $5, $6)`,
		[]any{f.SkillID, f.VersionKey, f.Digest, string(f.Names), f.Description, f.Archive},
	}, f.check()
}

func (k *keyLine) insert() (statement, error) {
	hash, err := k.hash()
	return statement{`
		insert into keys (id, name, secret_hash, scopes, namespaces, created_at, expires_at, revoked_at, last_used_at, revision)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		[]any{k.ID, k.Name, hash, string(k.Scopes), string(k.Namespaces), k.CreatedAt, k.ExpiresAt, k.RevokedAt, k.LastUsedAt, k.Revision},
	}, err
}

func (e *eventLine) insert() statement {
	return statement{`
		insert into audit (number, at, actor, address, request_id, action, skill_id, version, status, key_id, code, requests)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		[]any{e.Number, e.At, e.Actor, e.Address, e.RequestID, string(e.Action),
			e.SkillID, e.Version, string(e.Status), e.KeyID, e.Code, e.Requests},
	}
}
