package store_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// TestStoreIsWhatItsModelSays runs random histories against a store and against a model
// of plain lists, and compares every answer.
func TestStoreIsWhatItsModelSays(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s, err := store.Open(t.Context(), store.Options{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		if _, err := s.Migrate(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		var mark store.Mark
		var clock int64
		histories := 0
		rapid.Check(t, func(t *rapid.T) {
			// Histories follow each other in one database, under names of their own.
			var before []store.Change
			if before, mark, err = collect(t.Context(), s, mark.Revision); err != nil {
				t.Fatal(err)
			}
			for _, c := range before {
				clock = max(clock, c.ChangedAt)
			}
			histories++
			m := &model{
				prefix: fmt.Sprintf("h%d.", histories), start: mark.Revision, mark: mark, clock: clock,
				skills: map[string]store.SkillChange{},
			}
			for range rapid.IntRange(1, 25).Draw(t, "steps") {
				if rapid.IntRange(0, 29).Draw(t, "write") > 0 {
					m.write(t, s)
				} else {
					if err := s.Close(); err != nil {
						t.Fatal(err)
					}
					if s, err = store.Open(t.Context(), store.Options{URL: url}); err != nil {
						t.Fatal(err)
					}
				}
				m.compare(t, s)
			}
		})
	})
}

// model is a store that is obviously right.
type model struct {
	prefix string
	start  int64
	mark   store.Mark
	// rows are the versions and keys, in the order of their last changes.
	rows []modelRow
	// skills are the last changes of the skills.
	skills map[string]store.SkillChange
	clock  int64
	ticks  int
}

type modelRow struct {
	revision int64
	version  *store.Version
	key      *access.Key
}

// write makes one write of any kind.
func (m *model) write(t *rapid.T, s *store.Store) {
	switch step := rapid.IntRange(0, 34).Draw(t, "step"); {
	case step >= 29:
		m.attach(t, s)
	case step >= 24:
		m.delete(t, s)
	case step >= 19:
		m.setStatus(t, s)
	case step < 12:
		m.publish(t, s)
	case step < 16:
		m.createKey(t, s)
	default:
		m.revokeKey(t, s)
	}
}

// tick is a time of its own for each step.
func (m *model) tick() time.Time {
	m.ticks++
	return noon.Add(time.Duration(m.ticks) * time.Microsecond)
}

func (m *model) publish(t *rapid.T, s *store.Store) {
	id := m.prefix + rapid.SampledFrom([]string{"a", "b"}).Draw(t, "id")
	version := rapid.SampledFrom(ladder()).Draw(t, "version") + rapid.SampledFrom([]string{"", "", "+b"}).Draw(t, "build")
	level := rapid.SampledFrom([]protocol.Access{protocol.Public, protocol.Restricted, protocol.Private}).Draw(t, "access")
	p := publication(id, version, level, rapid.SampledFrom([]string{"x", "y"}).Draw(t, "content"))
	p.At = m.tick()

	var there *store.Version
	for _, v := range m.versions(id) {
		if rung(v.Version) == rung(version) {
			there = v
		}
	}
	want, wantErr := store.Published{PublishedAt: round(p.At), Created: true}, error(nil)
	switch {
	case there != nil && there.Status == access.Deleted:
		want, wantErr = store.Published{}, &store.VersionExistsError{SkillID: id, Version: there.Version, Deleted: true}
	case there != nil && there.Digest == p.Document.Digest:
		want = store.Published{PublishedAt: there.PublishedAt}
	case there != nil:
		want, wantErr = store.Published{}, &store.VersionExistsError{SkillID: id, Version: there.Version}
	}
	if got, err := s.CheckPublish(t.Context(), p); got != want || !reflect.DeepEqual(err, wantErr) {
		t.Fatalf("check %s %s: got %+v, %v; want %+v, %v", id, version, got, err, want, wantErr)
	}
	if got, err := s.Publish(t.Context(), p); got != want || !reflect.DeepEqual(err, wantErr) {
		t.Fatalf("publish %s %s: got %+v, %v; want %+v, %v", id, version, got, err, want, wantErr)
	}
	if there != nil {
		return
	}
	before := m.seen(id)
	m.mark.Revision++
	m.rows = append(m.rows, modelRow{revision: m.mark.Revision, version: &store.Version{
		SkillID: id, Version: version, Access: level, Status: access.Active,
		Digest: p.Document.Digest, PublishedAt: round(p.At), Document: p.Document.Canonical,
	}})
	m.moved(id, before, p.At)
}

// moved notes that a skill changed, which everyone saw in another way before.
func (m *model) moved(id, before string, at time.Time) {
	m.clock = max(m.clock+1, at.UnixMicro())
	change := m.skills[id]
	change.ChangedAt = m.clock
	if m.seen(id) != before {
		m.mark.PublicRevision++
		change.PublicRevision, change.PublicAt = m.mark.PublicRevision, m.clock
	}
	m.skills[id] = change
}

func (m *model) setStatus(t *rapid.T, s *store.Store) {
	c := store.StatusChange{
		SkillID: m.prefix + rapid.SampledFrom([]string{"a", "b"}).Draw(t, "id"),
		Version: rapid.SampledFrom(ladder()).Draw(t, "version"),
		Status:  rapid.SampledFrom([]access.Status{access.Active, access.Deprecated, access.Yanked}).Draw(t, "status"),
		Reason:  rapid.SampledFrom([]string{"", "because"}).Draw(t, "reason"),
		At:      m.tick(),
	}
	err := s.SetStatus(t.Context(), c)
	i := slices.IndexFunc(m.rows, func(r modelRow) bool {
		return r.version != nil && r.version.SkillID == c.SkillID && r.version.Version == c.Version && r.version.Status != access.Deleted
	})
	if i < 0 {
		if want := (&store.VersionNotFoundError{SkillID: c.SkillID, Version: c.Version}); !reflect.DeepEqual(err, error(want)) {
			t.Fatalf("%+v: got %v, want %v", c, err, want)
		}
		return
	}
	if err != nil {
		t.Fatalf("%+v: %v", c, err)
	}
	if v := m.rows[i].version; v.Status != c.Status || v.Reason != c.Reason {
		before, changed := m.seen(c.SkillID), *v
		if changed.Status != c.Status {
			changed.StatusAt = round(c.At)
		}
		changed.Status, changed.Reason = c.Status, c.Reason
		m.mark.Revision++
		m.rows = append(slices.Delete(m.rows, i, i+1), modelRow{revision: m.mark.Revision, version: &changed})
		m.moved(c.SkillID, before, c.At)
	}
}

func (m *model) attach(t *rapid.T, s *store.Store) {
	a := attachment(m.prefix+rapid.SampledFrom([]string{"a", "b"}).Draw(t, "id"), rapid.SampledFrom(ladder()).Draw(t, "version"),
		rapid.SampledFrom([]string{"x", "x", "y"}).Draw(t, "content"))
	a.At = m.tick()
	created, err := s.AttachFiles(t.Context(), a)
	i := slices.IndexFunc(m.rows, func(r modelRow) bool {
		return r.version != nil && r.version.SkillID == a.SkillID && r.version.Version == a.Version && r.version.Status != access.Deleted
	})
	var want error
	switch {
	case i < 0:
		want = &store.VersionNotFoundError{SkillID: a.SkillID, Version: a.Version}
	case m.rows[i].version.Files == nil:
		before, changed := m.seen(a.SkillID), *m.rows[i].version
		changed.Files = &a.Files
		m.mark.Revision++
		m.rows = append(slices.Delete(m.rows, i, i+1), modelRow{revision: m.mark.Revision, version: &changed})
		m.moved(a.SkillID, before, a.At)
		if !created {
			t.Fatalf("%s %s: the files are said to have been there", a.SkillID, a.Version)
		}
		return
	case m.rows[i].version.Files.Digest != a.Files.Digest:
		want = &store.FilesExistError{SkillID: a.SkillID, Version: a.Version}
	}
	if created || !reflect.DeepEqual(err, want) {
		t.Fatalf("%s %s: got %t, %v; want %v", a.SkillID, a.Version, created, err, want)
	}
}

func (m *model) delete(t *rapid.T, s *store.Store) {
	d := store.Deletion{
		SkillID: m.prefix + rapid.SampledFrom([]string{"a", "b"}).Draw(t, "id"),
		Version: rapid.SampledFrom(append(ladder(), "")).Draw(t, "version"),
		At:      m.tick(),
	}
	err := s.Delete(t.Context(), d)
	before := m.seen(d.SkillID)
	var gone []modelRow
	m.rows = slices.DeleteFunc(m.rows, func(r modelRow) bool {
		v := r.version
		hit := v != nil && v.SkillID == d.SkillID && (v.Version == d.Version || d.Version == "") && v.Status != access.Deleted
		if hit {
			gone = append(gone, modelRow{revision: m.mark.Revision + 1, version: &store.Version{
				SkillID: v.SkillID, Version: v.Version, Access: v.Access, Status: access.Deleted,
				StatusAt: round(d.At), PublishedAt: v.PublishedAt,
			}})
		}
		return hit
	})
	if gone == nil {
		if want := (&store.VersionNotFoundError{SkillID: d.SkillID, Version: d.Version}); !reflect.DeepEqual(err, error(want)) {
			t.Fatalf("%+v: got %v, want %v", d, err, want)
		}
		return
	}
	if err != nil {
		t.Fatalf("%+v: %v", d, err)
	}
	// The store gives the rows of one write in the order of their names.
	slices.SortFunc(gone, func(a, b modelRow) int { return strings.Compare(a.version.Version, b.version.Version) })
	m.mark.Revision++
	m.rows = append(m.rows, gone...)
	m.moved(d.SkillID, before, d.At)
}

func (m *model) createKey(t *rapid.T, s *store.Store) {
	k := key(fmt.Sprintf("%s%d", m.prefix, len(m.rows)))
	k.CreatedAt = m.tick()
	if err := s.CreateKey(t.Context(), k, store.Actor{}); err != nil {
		t.Fatalf("create key %s: %v", k.ID, err)
	}
	k.CreatedAt, k.ExpiresAt = round(k.CreatedAt), round(k.ExpiresAt)
	m.mark.Revision++
	m.rows = append(m.rows, modelRow{revision: m.mark.Revision, key: &k})
}

func (m *model) revokeKey(t *rapid.T, s *store.Store) {
	id, at := fmt.Sprintf("%s%d", m.prefix, rapid.IntRange(0, 8).Draw(t, "key")), m.tick()
	err := s.RevokeKey(t.Context(), id, at, store.Actor{})
	i := slices.IndexFunc(m.rows, func(r modelRow) bool { return r.key != nil && r.key.ID == id })
	if i < 0 {
		var missing *store.KeyNotFoundError
		if !errors.As(err, &missing) {
			t.Fatalf("revoke key %s, which is not there: got %v", id, err)
		}
		return
	}
	if err != nil {
		t.Fatalf("revoke key %s: %v", id, err)
	}
	k := *m.rows[i].key
	if k.RevokedAt.IsZero() {
		k.RevokedAt = round(at)
		m.mark.Revision++
		m.rows = append(slices.Delete(m.rows, i, i+1), modelRow{revision: m.mark.Revision, key: &k})
	}
}

// compare compares what the store says of everything since a random point.
func (m *model) compare(t *rapid.T, s *store.Store) {
	after := m.start + rapid.Int64Range(0, m.mark.Revision-m.start).Draw(t, "after")
	var want []store.Change
	for _, r := range m.rows {
		if r.revision <= after {
			continue
		}
		c := store.Change{Version: r.version, Key: r.key}
		if r.version != nil {
			c.SkillChange = m.skills[r.version.SkillID]
		}
		want = append(want, c)
	}
	got, mark, err := collect(t.Context(), s, after)
	if err != nil || mark != m.mark {
		t.Fatalf("after %d: the mark is %+v, %v; want %+v", after, mark, err, m.mark)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("after %d: got\n%s, want\n%s", after, describe(got), describe(want))
	}
	if r, err := s.Revision(t.Context()); err != nil || r != m.mark.Revision {
		t.Fatalf("revision: got %d, %v; want %d", r, err, m.mark.Revision)
	}
}

func (m *model) versions(id string) (all []*store.Version) {
	for _, r := range m.rows {
		if r.version != nil && r.version.SkillID == id {
			all = append(all, r.version)
		}
	}
	return all
}

// seen is what everyone sees of a skill: nothing, if its latest version is private, or
// its highest when all are yanked.
func (m *model) seen(id string) string {
	var open []string
	var latest, highest *store.Version
	for _, v := range m.versions(id) {
		if v.Status == access.Deleted {
			continue
		}
		if v.Access != protocol.Private {
			open = append(open, fmt.Sprint(v.Version, v.Access, v.Status, v.Reason, v.Files))
		}
		if highest == nil || rung(v.Version) > rung(highest.Version) {
			highest = v
		}
		if v.Status != access.Yanked && (latest == nil || rank(v.Version) > rank(latest.Version)) {
			latest = v
		}
	}
	if latest == nil {
		latest = highest
	}
	if latest == nil || latest.Access == protocol.Private {
		return ""
	}
	slices.Sort(open)
	return strings.Join(open, " ")
}

// ladder has versions from low to high.
func ladder() []string { return []string{"0.9.0", "1.0.0-rc.1", "1.0.0", "1.10.0", "2.0.0-0"} }

// rung is the place of a version in the ladder.
func rung(version string) int {
	version, _, _ = strings.Cut(version, "+")
	return slices.Index(ladder(), version)
}

// rank orders versions by how much they are the latest: releases before pre-releases.
func rank(version string) int {
	if strings.Contains(version, "-") {
		return rung(version)
	}
	return rung(version) + len(ladder())
}
