package catalog

import (
	"context"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// View is one version of a skill, as it is shown to people.
type View struct {
	*protocol.Descriptor
	Life
	Digest string
	// Files are the names of the files that it brings; nil for none of its own.
	Files []string
}

// Life is where a version is in its life.
type Life struct {
	Version string
	Status  access.Status
	// Reason is why it has its status; empty where nobody said so.
	Reason string
	// StatusAt is when it got its status; zero for one that is as it was published.
	StatusAt, PublishedAt time.Time
}

func (r *release) life() Life {
	return Life{Version: r.Version, Status: r.Status, Reason: r.reason, StatusAt: r.statusAt, PublishedAt: r.publishedAt}
}

func (r *release) view() View {
	v := View{Descriptor: r.read(), Life: r.life(), Digest: protocol.Digest(r.document)}
	if r.own != nil {
		v.Files = r.own.Names
	}
	return v
}

// View returns one version of a skill, the latest where none is named, and reports whether
// there is one that the caller may see.
func (s *Snapshot) View(c access.Caller, id, version string) (View, bool) {
	if version == "" {
		r, ok := s.latest(c, id)
		if !ok {
			return View{}, false
		}
		return r.view(), true
	}
	skill, ok := s.skills.Get(id)
	if !ok {
		return View{}, false
	}
	r, ok := skill.release(version)
	if !ok || !c.Sees(id, skill.access, r.Access) {
		return View{}, false
	}
	return r.view(), true
}

// Lives lists a skill's versions that the caller sees, highest first.
func (s *Snapshot) Lives(c access.Caller, id string) (lives []Life) {
	skill, ok := s.skills.Get(id)
	if !ok {
		return nil
	}
	for _, r := range skill.releases {
		if c.Sees(id, skill.access, r.Access) {
			lives = append(lives, r.life())
		}
	}
	return lives
}

// Views are the skills of one answer to a search.
type Views struct {
	Skills []View
	// Total is how many there are in all, and Next the rank to go on after; zero at the end.
	Total int
	Next  Rank
}

// Find finds what Search does.
func (s *Snapshot) Find(ctx context.Context, c access.Caller, q SearchQuery) (Views, error) {
	found, err := s.search(ctx, c, q)
	if err != nil {
		return Views{}, err
	}
	views := Views{Total: found.total, Next: found.next}
	for _, r := range found.ranks {
		skill, _ := s.skills.Get(r.ID)
		views.Skills = append(views.Skills, skill.latest.view())
	}
	return views, nil
}
