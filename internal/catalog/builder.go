package catalog

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"

	"github.com/tidwall/btree"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/store"
)

// builder holds the state that the next snapshot is copied from. Maps are copied on
// write, so a copy costs nothing and what did not change is shared. It is used by one
// goroutine at a time.
type builder struct {
	state Snapshot
}

func newBuilder(o Options) (*builder, error) {
	base, err := url.Parse(o.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("base URL: %w", err)
	}
	r := &renderer{baseURL: o.BaseURL, path: base.EscapedPath()}
	frame, err := newFrame(o.Provider, &r.deflater)
	if err != nil {
		return nil, fmt.Errorf("rendering the index: %w", err)
	}
	return &builder{state: Snapshot{renderer: r, frame: frame, layouts: layouts(o, &r.deflater), admin: o.Admin, finder: newFinder(o.Loose)}}, nil
}

// advance moves the state forward by everything that changed after its revision. After
// an error the state is what it was.
func (b *builder) advance(ctx context.Context, source Source) error {
	changed := make(map[string]*skill)
	var keys []access.Key
	mark, err := source.Changes(ctx, b.state.mark.Revision, func(c store.Change) error {
		switch {
		case c.Key != nil:
			keys = append(keys, *c.Key)
		case c.Version != nil:
			id := c.Version.SkillID
			s := changed[id]
			if s == nil {
				s = &skill{id: id}
				if before, ok := b.state.skills.Get(id); ok {
					s.releases = slices.Clone(before.releases)
				}
				changed[id] = s
			}
			s.put(*c.Version)
			s.changed = c.SkillChange
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, s := range changed {
		if err := s.finish(b.state.renderer); err != nil {
			return err
		}
	}
	for _, s := range changed {
		b.put(s)
	}
	for _, k := range keys {
		b.state.keys.Set(k.ID, k)
	}
	b.state.mark = mark
	return nil
}

// put puts a finished skill in the place of its former self.
func (b *builder) put(s *skill) {
	before, ok := b.state.skills.Set(s.id, s)
	if ok {
		b.state.size.add(before, -1)
		b.state.feed.delete(before)
		if before.entry != nil {
			b.remove(before.entry)
		}
	}
	if !ok {
		b.state.agentSkills.Set(agentSkillKey(s.id), struct{}{})
	}
	b.state.size.add(s, 1)
	b.state.feed.put(s)
	if s.entry != nil {
		b.add(s.entry)
	}
}

func (b *builder) add(e *entry) {
	to := b.state.shelves.shelf(e.kind, e.open)
	if to == nil {
		return
	}
	to.put(e)
	if e.open {
		b.state.runs.put(e)
	}
}

func (b *builder) remove(e *entry) {
	from := b.state.shelves.shelf(e.kind, e.open)
	if from == nil {
		return
	}
	from.delete(e.id)
	if e.open {
		b.state.runs.delete(e.id)
	}
}

// snapshot returns the state as it stands.
func (b *builder) snapshot() *Snapshot {
	s := &Snapshot{
		mark: b.state.mark, size: b.state.size, renderer: b.state.renderer, frame: b.state.frame, admin: b.state.admin, answers: newAnswers(),
		agentSkills: copyMap(&b.state.agentSkills), layouts: b.state.layouts, drawn: new(drawn),
		skills: copyMap(&b.state.skills), keys: copyMap(&b.state.keys),
		runs:   runs{copyMap(&b.state.runs.byFirst)},
		feed:   feed{public: copyMap(&b.state.feed.public), all: copyMap(&b.state.feed.all)},
		finder: b.state.finder,
	}
	s.indexed.Store(s.finder.latest.Load())
	for i := range s.shelves.open {
		s.shelves.open[i] = b.state.shelves.open[i].copy()
		s.shelves.private[i] = b.state.shelves.private[i].copy()
	}
	return s
}

func (s *shelf) copy() shelf { return shelf{entries: copyMap(&s.entries), totals: s.totals} }

// copyMap returns a copy that shares everything until one of the two is written to.
func copyMap[K cmp.Ordered, V any](m *btree.Map[K, V]) btree.Map[K, V] { return *m.Copy() }
