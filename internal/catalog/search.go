package catalog

import (
	"cmp"
	"context"
	"crypto/sha256"
	"slices"
	"strconv"
	"strings"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/search"
)

// SearchQuery says which skills are searched for.
type SearchQuery struct {
	// Match says what their descriptors are to have.
	Match *search.Query
	// Types are the capability types wanted; the empty set is all.
	Types Types
	// Access are the access levels wanted; none is all.
	Access []protocol.Access
	// After is the skill behind which the answer begins; the zero value is the beginning.
	After Rank
	// Limit is how many skills there are at most.
	Limit int
}

// Rank is a skill's place in the order of an answer: the best score first, then the ids. It
// is made of the skill and the query alone. The zero value is before all.
type Rank struct {
	Score int
	ID    string
}

func (r Rank) compare(o Rank) int {
	return cmp.Or(cmp.Compare(o.Score, r.Score), strings.Compare(r.ID, o.ID))
}

// Search returns the index entries of the skills that the caller sees and the query finds,
// best first, with how many there are in all; and the rank to go on after, which is zero at
// the end. The first search has the skills indexed and waits for it; the error is the
// context's.
func (s *Snapshot) Search(ctx context.Context, c access.Caller, q SearchQuery) (e *Entity, next Rank, err error) {
	found, err := s.search(ctx, c, q)
	if err != nil {
		return nil, Rank{}, err
	}
	pieces := []*piece{s.frame.skills}
	for i, r := range found.ranks {
		if i > 0 {
			pieces = append(pieces, s.frame.comma)
		}
		skill, _ := s.skills.Get(r.ID)
		pieces = append(pieces, skill.entry.piece)
	}
	pieces = append(pieces, s.renderer.piece([]byte(`],"total":`+strconv.Itoa(found.total)+`}`)))
	e = &Entity{pieces: pieces}
	tag := sha256.New()
	for _, p := range pieces {
		e.size += int64(len(p.plain))
		tag.Write(p.plain)
	}
	if found.next != (Rank{}) {
		tag.Write([]byte("more")) // as in an index
	}
	e.tag = newTag(tag.Sum(nil))
	return e, found.next, nil
}

// found are the skills of one answer.
type found struct {
	ranks []Rank
	total int
	next  Rank
}

func (s *Snapshot) search(ctx context.Context, c access.Caller, q SearchQuery) (found, error) {
	library, err := s.finder.open(ctx, s)
	if err != nil {
		return found{}, err
	}
	sight := newSight(c, q)
	best := top{most: q.Limit + 1}
	total := 0
	for i, v := range library.volumes {
		v.index.Find(q.Match, func(scores []uint16) {
			for _, gone := range [][]uint32{v.dead, library.changed[i]} {
				for _, n := range gone {
					scores[n] = 0
				}
			}
			behind, met := v.index.Number(q.After.ID)
			if met {
				behind++
			}
			enough := 0 // what is not worth more is not among the best
			for n, points := range scores {
				score := int(points)
				if score == 0 || !sight.sees(v.marks[n], v.index.ID(n)) {
					continue
				}
				total++
				if score <= enough || q.After.Score > 0 && (score > q.After.Score || score == q.After.Score && n < behind) {
					continue
				}
				if !best.add(Rank{score, v.index.ID(n)}) {
					enough = score // those of the same score that follow have a later id
				}
			}
		})
	}
	for skill, p := range library.loose {
		score := q.Match.Score(p.Document)
		if skill.entry == nil || score == 0 || !sight.sees(p.mark, skill.id) {
			continue
		}
		total++
		if r := (Rank{score, skill.id}); q.After == (Rank{}) || r.compare(q.After) > 0 {
			best.add(r)
		}
	}
	f := found{ranks: best.ranks, total: total}
	if len(f.ranks) > q.Limit {
		f.ranks = f.ranks[:q.Limit]
		f.next = f.ranks[q.Limit-1]
	}
	return f, nil
}

// sight says which skills a caller sees among those that are wanted.
type sight struct {
	wanted [marks]bool
	caller access.Caller
	all    bool // private ones, too
}

func newSight(c access.Caller, q SearchQuery) sight {
	s := sight{caller: c, all: slices.Contains(c.PrivateNamespaces(), access.Everything)}
	for m := range s.wanted {
		s.wanted[m] = (q.Types == 0 || q.Types&(1<<(mark(m)&markType)) != 0) &&
			(len(q.Access) == 0 || slices.Contains(q.Access, mark(m).access()))
	}
	return s
}

// sees reports whether a skill is in sight.
func (s *sight) sees(m mark, id string) bool {
	return s.wanted[m] && (m&markOpen != 0 || s.all || s.caller.MayReadPrivate(id))
}

// top keeps the best of many.
type top struct {
	most  int
	ranks []Rank // in their order
}

// add takes in a rank, and reports whether it is among the best so far.
func (t *top) add(r Rank) bool {
	i, _ := slices.BinarySearchFunc(t.ranks, r, Rank.compare)
	if i == t.most {
		return false
	}
	if len(t.ranks) == t.most {
		t.ranks = t.ranks[:t.most-1]
	}
	t.ranks = slices.Insert(t.ranks, i, r)
	return true
}
