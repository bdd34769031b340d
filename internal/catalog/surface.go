package catalog

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"sync"

	"github.com/skillregistry/skillregistry/internal/access"
)

// Surface is a document that lists the latest versions of all skills that a caller sees, in
// the form of some convention.
type Surface int

// The surfaces, each in a file of its own.
const (
	// AgentSkills is the index of Agent Skills discovery 0.2.0.
	AgentSkills Surface = iota
	// AgentSkillsFiles is the index of Agent Skills discovery 0.1.0.
	AgentSkillsFiles
	// AICatalog is the AI Catalog, by which the Agentic Resource Discovery finds skills.
	AICatalog
	// LLMsText is llms.txt.
	LLMsText
	surfaces
)

// form is what a surface says of one skill. Surfaces that say the same share it, and what
// is rendered of it is kept with the runs.
type form int

const (
	agentSkillForm form = iota
	aiCatalogForm
	llmsForm
	forms
)

// layout is what a surface consists of.
type layout struct {
	form form
	// head stands before the skills, between stands between two, tail behind them.
	head, between, tail *piece
	// first stands before the skills as if it were one of them; nil is nothing.
	first *rendered
}

// layouts returns the layout of each surface.
func layouts(o Options, d *deflater) *[surfaces]layout {
	l := new([surfaces]layout)
	l[AgentSkills], l[AgentSkillsFiles] = agentSkillsLayouts(d)
	l[AICatalog] = aiCatalogLayout(o, d)
	l[LLMsText] = llmsLayout(o, d)
	return l
}

// item returns what is said of a skill's latest release in a form.
func (r *renderer) item(f form, s *skill) []byte {
	switch f {
	case agentSkillForm:
		return r.agentSkill(s)
	case aiCatalogForm:
		return r.aiCatalogEntry(s)
	case llmsForm:
		return r.llmsLine(s)
	default:
		return nil
	}
}

// rendered is what a form says of the skills of one run, with the hash of it.
type rendered struct {
	*piece
	hash [sha256.Size]byte
}

// render returns what the form says of skills in a row.
func (r *renderer) render(f form, entries []*entry, between []byte) *rendered {
	items := make([][]byte, len(entries))
	for i, e := range entries {
		items[i] = r.item(f, e.skill)
	}
	text := bytes.Join(items, between)
	return &rendered{piece: r.piece(text), hash: sha256.Sum256(text)}
}

// drawn are the surfaces of one snapshot, as those have them who see nothing private. Each
// is put together once, however many ask for it at a time.
type drawn [surfaces]struct {
	once   sync.Once
	entity *Entity
}

// Surface returns a surface for a caller, in the order of the ids.
func (s *Snapshot) Surface(c access.Caller, wanted Surface) *Entity {
	l := s.layouts[wanted]
	if len(c.PrivateNamespaces()) > 0 {
		var all []*rendered
		for e := range s.view(c, 0).entries("") {
			all = append(all, s.renderer.render(l.form, []*entry{e}, nil))
		}
		return l.entity(all)
	}
	d := &s.drawn[wanted]
	d.once.Do(func() {
		all := make([]*rendered, 0, s.runs.byFirst.Len())
		s.runs.byFirst.Scan(func(_ string, run *run) bool {
			all = append(all, run.forms[l.form].get(func() *rendered {
				return s.renderer.render(l.form, run.entries, l.between.plain)
			}))
			return true
		})
		d.entity = l.entity(all)
	})
	return d.entity
}

// entity returns the surface that consists of the parts.
func (l *layout) entity(parts []*rendered) *Entity {
	if l.first != nil {
		parts = slices.Insert(parts, 0, l.first)
	}
	tag := sha256.New()
	tag.Write(l.head.plain)
	pieces := make([]*piece, 1, 2*len(parts)+2)
	pieces[0] = l.head
	size := len(l.head.plain) + len(l.tail.plain)
	for i, p := range parts {
		if i > 0 {
			pieces = append(pieces, l.between)
			size += len(l.between.plain)
		}
		pieces = append(pieces, p.piece)
		size += len(p.plain)
		tag.Write(p.hash[:])
	}
	return &Entity{tag: newTag(tag.Sum(nil)), size: int64(size), pieces: append(pieces, l.tail)}
}
