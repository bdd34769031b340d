package store

import (
	"context"
	"slices"

	"github.com/skillregistry/skillregistry/internal/access"
)

// SetStatus gives a version another status, for a reason. One that has both already
// stays as it is. It returns a *VersionNotFoundError where there is no such version.
func (s *Store) SetStatus(ctx context.Context, c StatusChange) error {
	found := false
	err := s.write(ctx, "set a status", func(ctx context.Context, tx *writeTx) error {
		past, err := releases(ctx, tx.conn, c.SkillID)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(past, func(r release) bool { return r.Version == c.Version && r.Status != access.Deleted })
		if found = i >= 0; !found || past[i].Status == c.Status && past[i].reason == c.Reason {
			return nil
		}
		after := slices.Clone(past)
		after[i].Status, after[i].reason = c.Status, c.Reason
		tx.changeSkill(c.SkillID, past, after, c.At)
		tx.exec(`
			update versions set status = $1, reason = $2, status_at = case when status = $1 then status_at else $3 end, revision = $4
			where skill_id = $5 and version_key = $6`,
			string(c.Status), c.Reason, moment{c.At}, tx.mark.Revision, c.SkillID, past[i].key)
		tx.record(Event{At: c.At, Actor: c.By, Action: ActionSetStatus, SkillID: c.SkillID, Version: c.Version, Status: c.Status})
		return nil
	})
	if err == nil && !found {
		return &VersionNotFoundError{SkillID: c.SkillID, Version: c.Version}
	}
	return err
}

// Delete deletes versions for good: nothing is left of them but that they can't be
// published again. It returns a *VersionNotFoundError where there is nothing to delete.
func (s *Store) Delete(ctx context.Context, d Deletion) error {
	found := false
	err := s.write(ctx, "delete", func(ctx context.Context, tx *writeTx) error {
		past, err := releases(ctx, tx.conn, d.SkillID)
		if err != nil {
			return err
		}
		after := slices.Clone(past)
		var keys []string
		found = false
		for i, r := range past {
			switch {
			case d.Version != "" && r.Version != d.Version:
			case r.Status != access.Deleted:
				keys = append(keys, r.key)
				after[i].Status = access.Deleted
				after[i].files = ""
			case tx.doubt != 0 && r.revision == tx.doubt:
				found = true // by the attempt in doubt
			}
		}
		if len(keys) == 0 {
			return nil
		}
		found = true
		tx.changeSkill(d.SkillID, past, after, d.At)
		for _, key := range keys {
			tx.exec(`delete from files where skill_id = $1 and version_key = $2`, d.SkillID, key)
			tx.exec(`
				update versions set status = $1, reason = '', status_at = $2, digest = '', document = $3, revision = $4
				where skill_id = $5 and version_key = $6`,
				string(access.Deleted), moment{d.At}, []byte{}, tx.mark.Revision, d.SkillID, key)
		}
		tx.record(Event{At: d.At, Actor: d.By, Action: ActionDelete, SkillID: d.SkillID, Version: d.Version})
		return nil
	})
	if err == nil && !found {
		return &VersionNotFoundError{SkillID: d.SkillID, Version: d.Version}
	}
	return err
}
