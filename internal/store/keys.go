package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
)

// CreateKey stores a key, whose id is new, for someone.
func (s *Store) CreateKey(ctx context.Context, key access.Key, by Actor) error {
	return s.write(ctx, "create a key", func(ctx context.Context, tx *writeTx) error {
		if there, err := tx.carriedOut(ctx, key.ID); there || err != nil {
			return err
		}
		return insertKey(tx, key, by)
	})
}

// carriedOut reports whether an attempt in doubt stored the key after all.
func (tx *writeTx) carriedOut(ctx context.Context, keyID string) (there bool, err error) {
	if tx.doubt == 0 {
		return false, nil
	}
	row := tx.conn.QueryRowContext(ctx, `select exists (select 1 from keys where id = $1)`, keyID)
	return there, row.Scan(&there)
}

func insertKey(tx *writeTx, key access.Key, by Actor) error {
	scopes, err := json.Marshal(key.Scopes)
	if err != nil {
		return err
	}
	namespaces, err := json.Marshal(key.Namespaces)
	if err != nil {
		return err
	}
	tx.next()
	tx.exec(`
		insert into keys (id, name, secret_hash, scopes, namespaces, created_at, expires_at, revoked_at, revision)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		key.ID, key.Name, key.SecretHash[:], string(scopes), string(namespaces),
		moment{key.CreatedAt}, moment{key.ExpiresAt}, moment{key.RevokedAt}, tx.mark.Revision)
	tx.record(Event{At: key.CreatedAt, Actor: by, Action: ActionCreateKey, KeyID: key.ID})
	return nil
}

// RevokeKey makes a key stop working. One that is revoked already stays as it is. It
// returns a *KeyNotFoundError where there is no such key.
func (s *Store) RevokeKey(ctx context.Context, id string, at time.Time, by Actor) error {
	if !storable(id) {
		return &KeyNotFoundError{ID: id}
	}
	found := false
	err := s.write(ctx, "revoke a key", func(ctx context.Context, tx *writeTx) error {
		var revoked moment
		err := tx.conn.QueryRowContext(ctx, `select revoked_at from keys where id = $1`, id).Scan(&revoked)
		if errors.Is(err, sql.ErrNoRows) {
			found = false
			return nil
		}
		if err != nil {
			return err
		}
		found = true
		if !revoked.IsZero() {
			return nil
		}
		tx.next()
		tx.exec(`update keys set revoked_at = $1, revision = $2 where id = $3`, moment{at}, tx.mark.Revision, id)
		tx.record(Event{At: at, Actor: by, Action: ActionRevokeKey, KeyID: id})
		return nil
	})
	if err == nil && !found {
		return &KeyNotFoundError{ID: id}
	}
	return err
}
