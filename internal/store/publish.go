package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// Publish stores a version. Publishing the same content again is no error and changes
// nothing; other content under the same version, build part aside, is a
// *VersionExistsError.
func (s *Store) Publish(ctx context.Context, p Publication) (Published, error) {
	var published Published
	var refused error
	err := s.write(ctx, "publish", func(ctx context.Context, tx *writeTx) error {
		past, err := releases(ctx, tx.conn, p.Document.Descriptor.ID)
		if err != nil {
			return err
		}
		if taken := find(past, p.Document.Descriptor.Version); taken != nil {
			published, refused = taken.answer(p)
			// An attempt in doubt that was carried out after all created it. The revision
			// alone does not tell: if it was not carried out, another publisher took it.
			published.Created = refused == nil && tx.doubt != 0 && taken.revision == tx.doubt &&
				taken.publishedAt.Equal(round(p.At))
			return nil
		}
		published, refused = Published{PublishedAt: round(p.At), Created: true}, nil
		add(tx, p, past)
		return nil
	})
	if err != nil {
		return Published{}, err
	}
	return published, refused
}

// CheckPublish returns what Publish would return now, and changes nothing.
func (s *Store) CheckPublish(ctx context.Context, p Publication) (Published, error) {
	d := p.Document.Descriptor
	taken := release{skillID: d.ID}
	err := s.read(ctx, "check a publication", func(ctx context.Context) error {
		row := s.reader.QueryRowContext(ctx, `
			select version, status, digest, published_at from versions
			where skill_id = $1 and version_key = $2`,
			d.ID, protocol.VersionWithoutBuild(d.Version))
		return row.Scan(&taken.Version, &taken.Status, &taken.digest, &taken.publishedAt)
	})
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return Published{PublishedAt: round(p.At), Created: true}, nil
	case err != nil:
		return Published{}, err
	default:
		return taken.answer(p)
	}
}

// release is a version of a skill without its document.
type release struct {
	visible
	skillID, key, digest string
	publishedAt          moment
	revision             int64
}

// visible is what a release shows to those who see it, beside what never changes.
type visible struct {
	access.Release
	reason string
	// files is the digest of its files; empty where it has none.
	files string
}

// answer returns what a publication gets that meets this release in its place.
func (r release) answer(p Publication) (Published, error) {
	if r.digest != p.Document.Digest {
		return Published{}, &VersionExistsError{SkillID: r.skillID, Version: r.Version, Deleted: r.Status == access.Deleted}
	}
	return Published{PublishedAt: r.publishedAt.Time}, nil
}

// releases returns all releases of a skill.
func releases(ctx context.Context, conn *sql.Conn, skillID string) ([]release, error) {
	if !storable(skillID) {
		return nil, nil
	}
	rows, err := conn.QueryContext(ctx, `
		select v.version_key, v.version, v.access, v.status, v.reason, v.digest, v.published_at, v.revision, coalesce(f.digest, '')
		from versions v left join files f on f.skill_id = v.skill_id and f.version_key = v.version_key
		where v.skill_id = $1 order by v.version_key`, skillID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []release
	for rows.Next() {
		r := release{skillID: skillID}
		if err := rows.Scan(&r.key, &r.Version, &r.Access, &r.Status, &r.reason, &r.digest, &r.publishedAt, &r.revision, &r.files); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, rows.Err()
}

// find returns the release that has the place of a version, or nil.
func find(all []release, version string) *release {
	key := protocol.VersionWithoutBuild(version)
	i := slices.IndexFunc(all, func(r release) bool { return r.key == key })
	if i < 0 {
		return nil
	}
	return &all[i]
}

// add stores a version of a skill whose other releases are past.
func add(tx *writeTx, p Publication, past []release) {
	d := p.Document.Descriptor
	after := append(slices.Clip(past), release{visible: visible{
		Release: access.Release{Version: d.Version, Status: access.Active, Access: d.Access},
	}})
	tx.changeSkill(d.ID, past, after, p.At)
	tx.exec(`
		insert into versions (skill_id, version_key, version, access, status, reason, digest, published_at, revision, document)
		values ($1, $2, $3, $4, $5, '', $6, $7, $8, $9)`,
		d.ID, protocol.VersionWithoutBuild(d.Version), d.Version, string(d.Access), string(access.Active),
		p.Document.Digest, moment{p.At}, tx.mark.Revision, p.Document.Canonical)
	tx.record(Event{At: p.At, Actor: p.By, Action: ActionPublish, SkillID: d.ID, Version: d.Version})
}
