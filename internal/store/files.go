package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
)

// Files says what files a version brings, but for their content.
type Files struct {
	// Digest is sha256: over the archive that holds them.
	Digest string
	// Names are those of the files, sorted.
	Names []string
	// Description is what they say that the skill does.
	Description string
}

// Attachment asks for files to be attached to a version.
type Attachment struct {
	SkillID, Version string
	Files            Files
	// Archive holds the files; Files.Digest is its digest.
	Archive []byte
	// At is when they are attached, to the microsecond.
	At time.Time
	By Actor
}

// FilesExistError says that a version brings other files already.
type FilesExistError struct{ SkillID, Version string }

func (e *FilesExistError) Error() string {
	return fmt.Sprintf("%s %s has other files", e.SkillID, e.Version)
}

// FilesNotFoundError says that a version brings no files, or is not there.
type FilesNotFoundError struct{ SkillID, Version string }

func (e *FilesNotFoundError) Error() string {
	return fmt.Sprintf("%s %s has no files", e.SkillID, e.Version)
}

// AttachFiles stores the files of a version, once and for all, and reports whether this
// call did. The same files again are no error and change nothing; others are a
// *FilesExistError. Where there is no such version it returns a *VersionNotFoundError.
func (s *Store) AttachFiles(ctx context.Context, a Attachment) (created bool, err error) {
	names, err := json.Marshal(append([]string{}, a.Files.Names...))
	if err != nil {
		return false, fmt.Errorf("attach files: %w", err)
	}
	var refused error
	err = s.write(ctx, "attach files", func(ctx context.Context, tx *writeTx) error {
		created, refused = false, nil
		past, err := releases(ctx, tx.conn, a.SkillID)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(past, func(r release) bool { return r.Version == a.Version && r.Status != access.Deleted })
		switch {
		case i < 0:
			refused = &VersionNotFoundError{SkillID: a.SkillID, Version: a.Version}
			return nil
		case past[i].files == a.Files.Digest:
			// Nothing else gives a version files under the revision of an attempt in doubt.
			created = tx.doubt != 0 && past[i].revision == tx.doubt
			return nil
		case past[i].files != "":
			refused = &FilesExistError{SkillID: a.SkillID, Version: a.Version}
			return nil
		}
		created = true
		after := slices.Clone(past)
		after[i].files = a.Files.Digest
		tx.changeSkill(a.SkillID, past, after, a.At)
		tx.exec(`
			insert into files (skill_id, version_key, digest, names, description, archive)
			values ($1, $2, $3, $4, $5, $6)`,
			a.SkillID, past[i].key, a.Files.Digest, string(names), a.Files.Description, a.Archive)
		tx.exec(`update versions set revision = $1 where skill_id = $2 and version_key = $3`, tx.mark.Revision, a.SkillID, past[i].key)
		tx.record(Event{At: a.At, Actor: a.By, Action: ActionAttachFiles, SkillID: a.SkillID, Version: a.Version})
		return nil
	})
	if err != nil {
		return false, err
	}
	return created, refused
}

// Archive returns the archive with the files of a version. It returns a
// *FilesNotFoundError where there are none.
func (s *Store) Archive(ctx context.Context, skillID, version string) (archive []byte, err error) {
	missing := &FilesNotFoundError{SkillID: skillID, Version: version}
	if !storable(skillID) || !storable(version) {
		return nil, missing
	}
	err = s.read(ctx, "read files", func(ctx context.Context) error {
		return s.reader.QueryRowContext(ctx, `
			select f.archive from files f
			join versions v on v.skill_id = f.skill_id and v.version_key = f.version_key
			where v.skill_id = $1 and v.version = $2`, skillID, version).Scan(&archive)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, missing
	}
	return archive, err
}

// scannedFiles are the columns of files, null where a version has none.
type scannedFiles struct{ digest, names, description sql.NullString }

func (f scannedFiles) files() (*Files, error) {
	if !f.digest.Valid {
		return nil, nil
	}
	files := &Files{Digest: f.digest.String, Description: f.description.String}
	if err := json.Unmarshal([]byte(f.names.String), &files.Names); err != nil {
		return nil, fmt.Errorf("the names of files: %w", err)
	}
	return files, nil
}
