package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
)

// Changes calls yield with every version and key whose last change has a revision
// above after, in the order of these revisions, and returns the mark up to which they
// reach. All of it is one snapshot: a change that yield was not called with has a
// revision above the mark. The mark is below after where the database was put back to
// an earlier state.
//
// An error of yield ends the stream and is returned as it is. yield must not keep the
// store from being closed: Close waits for it.
func (s *Store) Changes(ctx context.Context, after int64, yield func(Change) error) (Mark, error) {
	const op = "read changes"
	if err := s.enter(op); err != nil {
		return Mark{}, err
	}
	defer s.calls.Done()
	for attempt := 1; ; attempt++ {
		stream := stream{store: s, after: after, yield: yield}
		mark, err := stream.run(ctx)
		switch {
		case err == nil:
			return mark, nil
		case stream.refused != nil:
			return Mark{}, stream.refused
		case stream.yielded || attempt == attempts || !s.again(ctx, err):
			return Mark{}, s.fail(ctx, op, err)
		}
	}
}

// stream is one pass over the changes.
type stream struct {
	store *Store
	after int64
	yield func(Change) error

	// patience ends the stream when the database has not moved for too long.
	patience *time.Timer
	yielded  bool
	refused  error
}

func (st *stream) run(ctx context.Context) (Mark, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	st.patience = time.AfterFunc(st.store.timeout, cancel)
	defer st.patience.Stop()

	conn, err := st.store.reader.Conn(ctx)
	if err != nil {
		return Mark{}, err
	}
	defer conn.Close()
	defer rollBack(conn)
	if _, err := conn.ExecContext(ctx, st.store.dialect.beginRead); err != nil {
		return Mark{}, err
	}
	var mark Mark
	row := conn.QueryRowContext(ctx, `select revision, public_revision from registry`)
	if err := row.Scan(&mark.Revision, &mark.PublicRevision); err != nil {
		return Mark{}, err
	}
	if mark.Revision <= st.after {
		return mark, nil
	}
	keys, err := st.keys(ctx, conn)
	if err != nil {
		return Mark{}, err
	}
	return mark, st.merge(ctx, conn, keys)
}

// keyAt is a key and the revision of its last change.
type keyAt struct {
	key      access.Key
	revision int64
}

// keys returns the keys that changed, in order. They are few beside the versions.
func (st *stream) keys(ctx context.Context, conn *sql.Conn) ([]keyAt, error) {
	rows, err := conn.QueryContext(ctx, `
		select id, name, secret_hash, scopes, namespaces, created_at, expires_at, revoked_at, revision
		from keys where revision > $1 order by revision, id`, st.after)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var keys []keyAt
	for rows.Next() {
		key, err := scanKey(rows)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, rows.Err()
}

func scanKey(rows *sql.Rows) (keyAt, error) {
	var k keyAt
	var hash, scopes, namespaces []byte
	var created, expires, revoked moment
	err := rows.Scan(&k.key.ID, &k.key.Name, &hash, &scopes, &namespaces, &created, &expires, &revoked, &k.revision)
	if err != nil {
		return keyAt{}, err
	}
	if copy(k.key.SecretHash[:], hash) != len(k.key.SecretHash) || len(hash) != len(k.key.SecretHash) {
		return keyAt{}, fmt.Errorf("key %s has a hash of %d bytes", k.key.ID, len(hash))
	}
	if err := json.Unmarshal(scopes, &k.key.Scopes); err != nil {
		return keyAt{}, fmt.Errorf("scopes of key %s: %w", k.key.ID, err)
	}
	if err := json.Unmarshal(namespaces, &k.key.Namespaces); err != nil {
		return keyAt{}, fmt.Errorf("namespaces of key %s: %w", k.key.ID, err)
	}
	k.key.CreatedAt, k.key.ExpiresAt, k.key.RevokedAt = created.Time, expires.Time, revoked.Time
	return k, nil
}

// merge streams the versions that changed, with the keys in their places between them.
func (st *stream) merge(ctx context.Context, conn *sql.Conn, keys []keyAt) error {
	rows, err := conn.QueryContext(ctx, `
		select v.skill_id, v.version, v.access, v.status, v.reason, v.status_at, v.digest, v.published_at, v.document,
			f.digest, f.names, f.description, v.revision, s.changed_at, s.public_revision, s.public_at
		from versions v join skills s on s.id = v.skill_id
			left join files f on f.skill_id = v.skill_id and f.version_key = v.version_key
		where v.revision > $1 order by v.revision, v.skill_id, v.version_key`, st.after)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var v Version
		var since, published moment
		var revision int64
		var skill SkillChange
		var files scannedFiles
		err := rows.Scan(&v.SkillID, &v.Version, &v.Access, &v.Status, &v.Reason, &since, &v.Digest, &published, &v.Document,
			&files.digest, &files.names, &files.description, &revision, &skill.ChangedAt, &skill.PublicRevision, &skill.PublicAt)
		if err != nil {
			return err
		}
		if v.Status == access.Deleted {
			v.Document = nil // which one driver gives as empty
		}
		v.StatusAt, v.PublishedAt = since.Time, published.Time
		if v.Files, err = files.files(); err != nil {
			return fmt.Errorf("%s %s: %w", v.SkillID, v.Version, err)
		}
		for ; len(keys) > 0 && keys[0].revision < revision; keys = keys[1:] {
			if err := st.pass(Change{Key: &keys[0].key}); err != nil {
				return err
			}
		}
		if err := st.pass(Change{Version: &v, SkillChange: skill}); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for ; len(keys) > 0; keys = keys[1:] {
		if err := st.pass(Change{Key: &keys[0].key}); err != nil {
			return err
		}
	}
	return nil
}

// pass hands one change on, for which the consumer may take its time.
func (st *stream) pass(c Change) error {
	st.patience.Stop()
	st.yielded = true
	if err := st.yield(c); err != nil {
		st.refused = err
		return err
	}
	st.patience.Reset(st.store.timeout)
	return nil
}
