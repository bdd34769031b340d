package catalog

import (
	"math"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/search"
)

// indexed is an index of all skills as they were at some time, in volumes by when they last
// changed before that: those that change now and then don't have all the others indexed
// anew. It never changes. The zero value is the index of nothing.
type indexed struct {
	volumes []volume
	upTo    int64 // the time of the last change that it has
}

// volume is the index of the skills whose last change was after some time, and not after
// that of the next volume.
type volume struct {
	index *search.Index
	marks []mark // of each skill
	after int64
	dead  []uint32 // those that are in a later volume, or gone; sorted
}

// growth is how many times larger a volume is than all those behind it.
const growth = 4

// extend returns the index of a snapshot. What is alive in the small volumes goes into a
// new one, together with what changed since.
func (x *indexed) extend(s *Snapshot) *indexed {
	changed := s.changedAfter(x.upTo, math.MaxInt)
	kept, after, size := len(x.volumes), x.upTo, len(changed)
	for kept > 0 && x.volumes[kept-1].alive() < growth*size {
		kept--
		after, size = x.volumes[kept].after, size+x.volumes[kept].alive()
	}
	next := &indexed{upTo: s.lastChange()}
	for _, v := range x.volumes[:kept] {
		v.dead = slices.Clone(v.dead)
		for _, s := range changed {
			if n, found := v.index.Number(s.id); found {
				v.dead = append(v.dead, uint32(n))
			}
		}
		slices.Sort(v.dead)
		v.dead = slices.Compact(v.dead)
		next.volumes = append(next.volumes, v)
	}
	skills := changed
	if kept < len(x.volumes) {
		skills = s.changedAfter(after, math.MaxInt)
	}
	next.volumes = append(next.volumes, newVolume(skills, after))
	return next
}

func newVolume(skills []*skill, after int64) volume {
	listed := slices.DeleteFunc(slices.Clone(skills), func(s *skill) bool { return s.entry == nil })
	slices.SortFunc(listed, func(a, b *skill) int { return strings.Compare(a.id, b.id) })
	v := volume{after: after, marks: make([]mark, 0, len(listed))}
	v.index = search.NewIndex(func(yield func(search.Document) bool) {
		for _, s := range listed {
			p := newPage(s)
			v.marks = append(v.marks, p.mark)
			if !yield(p.Document) {
				return
			}
		}
	})
	return v
}

func (v *volume) alive() int { return v.index.Len() - len(v.dead) }

// page is one skill as it is searched.
type page struct {
	search.Document
	mark
}

// mark says who may see a skill, and of which type it is.
type mark uint8

const (
	markOpen       mark = 1 << (iota + 2) // below it stands the number of the type
	markRestricted                        // and open
	marks
	markType = markOpen - 1
)

// access returns the access level of the skill.
func (m mark) access() protocol.Access {
	switch {
	case m&markOpen == 0:
		return protocol.Private
	case m&markRestricted != 0:
		return protocol.Restricted
	default:
		return protocol.Public
	}
}

func newMark(e *entry) mark {
	m := mark(slices.Index(protocol.CapabilityTypes(), e.kind))
	if e.open {
		m |= markOpen
	}
	if e.skill.latest.Access == protocol.Restricted {
		m |= markRestricted
	}
	return m
}

// newPage writes the page of a skill; of one that is in no index, an empty one.
func newPage(s *skill) *page {
	if s.entry == nil {
		return &page{}
	}
	var d struct {
		ID          string   `json:"id"`
		Name        string   `json:"name"`
		Description string   `json:"description"`
		Tags        []string `json:"tags"`
		Provider    struct {
			Name string `json:"name"`
		} `json:"provider"`
		Inputs []struct {
			Name        string `json:"name"`
			Description string `json:"description"`
		} `json:"inputs"`
	}
	_ = json.Unmarshal(s.latest.document, &d) // its entry was read from it already
	text := search.Text{ID: s.id, Name: d.Name, Provider: d.Provider.Name, Description: d.Description, Tags: d.Tags}
	for _, input := range d.Inputs {
		text.Inputs = append(text.Inputs, input.Name, input.Description)
	}
	return &page{search.NewDocument(text), newMark(s.entry)}
}
