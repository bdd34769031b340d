package catalog

import (
	"crypto/sha256"
	"encoding/binary"
	"iter"
	"slices"
	"strings"

	"github.com/tidwall/btree"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// shelf holds the entries of one capability type and one side of the line between
// open and private, in the order of their ids, with the totals that an index of all
// of them needs. Every index is a merge of shelves.
type shelf struct {
	entries btree.Map[string, *entry]
	totals  totals
}

// totals sums up the entries of an index, in whatever order they come and go.
type totals struct {
	count int
	size  int64 // of the plain bytes, without what stands between
	// sum adds up the hashes of the entries. Two sets of entries that differ have, but
	// for luck that nobody has, different sums; the order of an index follows from the
	// set, so the sum names the bytes.
	sum [sha256.Size / 8]uint64
}

func (t *totals) add(e *entry) {
	t.count++
	t.size += int64(len(e.plain))
	for i := range t.sum {
		t.sum[i] += binary.BigEndian.Uint64(e.hash[8*i:])
	}
}

func (t *totals) remove(e *entry) {
	t.count--
	t.size -= int64(len(e.plain))
	for i := range t.sum {
		t.sum[i] -= binary.BigEndian.Uint64(e.hash[8*i:])
	}
}

func (t *totals) merge(o totals) {
	t.count += o.count
	t.size += o.size
	for i := range t.sum {
		t.sum[i] += o.sum[i]
	}
}

// put puts in an entry of an id that is not there.
func (s *shelf) put(e *entry) {
	s.entries.Set(e.id, e)
	s.totals.add(e)
}

func (s *shelf) delete(id string) {
	if before, ok := s.entries.Delete(id); ok {
		s.totals.remove(before)
	}
}

// span is a range of ids: from the first, if not empty, to before the last, if not empty.
type span struct{ from, to string }

// everywhere is the span of all ids.
var everywhere = span{}

// spans returns the ranges of ids that the namespaces cover, in order. They may overlap.
func spans(namespaces []access.Namespace) []span {
	var all []span
	for _, n := range namespaces {
		switch n {
		case access.Everything:
			return []span{everywhere}
		case "": // covers nothing
		default:
			// The id itself, and all those behind its dot; "/" follows ".".
			all = append(all, span{string(n), string(n) + "\x00"}, span{string(n) + ".", string(n) + "/"})
		}
	}
	slices.SortFunc(all, func(a, b span) int { return strings.Compare(a.from, b.from) })
	return all
}

// walker goes through the entries of one shelf that lie in some spans.
type walker struct {
	entries btree.MapIter[string, *entry]
	spans   []span // those still ahead, the current one first
}

// walk returns a walker that stands on the first entry after the given id, and
// reports whether there is one.
func (s *shelf) walk(spans []span, after string) (*walker, bool) {
	w := &walker{entries: s.entries.Iter(), spans: spans}
	return w, w.settle(after)
}

// settle moves forward to the first entry after the given id.
func (w *walker) settle(after string) bool {
	for ; len(w.spans) > 0; w.spans = w.spans[1:] {
		s := w.spans[0]
		from := max(s.from, after)
		if s.to != "" && from >= s.to || !w.entries.Seek(from) {
			continue
		}
		if after != "" && w.entries.Key() == after && !w.entries.Next() {
			continue
		}
		if s.to == "" || w.entries.Key() < s.to {
			return true
		}
	}
	return false
}

func (w *walker) next() bool {
	last := w.entries.Key()
	if w.entries.Next() && (w.spans[0].to == "" || w.entries.Key() < w.spans[0].to) {
		return true
	}
	w.spans = w.spans[1:]
	return w.settle(last)
}

// view is what one caller may see of some types: shelves, each with its spans.
type view []part

type part struct {
	shelf *shelf
	spans []span
}

// view returns the caller's view of the types; the empty set is all.
func (s *Snapshot) view(c access.Caller, types Types) view {
	private := spans(c.PrivateNamespaces())
	var v view
	for i := range s.shelves.open {
		if types != 0 && types&(1<<i) == 0 {
			continue
		}
		v = append(v, part{&s.shelves.open[i], []span{everywhere}})
		if len(private) > 0 {
			v = append(v, part{&s.shelves.private[i], private})
		}
	}
	return v
}

// entries returns the entries after the given id, in the order of their ids.
func (v view) entries(after string) iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		var walkers []*walker
		for _, p := range v {
			if w, ok := p.shelf.walk(p.spans, after); ok {
				walkers = append(walkers, w)
			}
		}
		for len(walkers) > 0 {
			first := 0
			for i, w := range walkers[1:] {
				if w.entries.Key() < walkers[first].entries.Key() {
					first = i + 1
				}
			}
			w := walkers[first]
			if !yield(w.entries.Value()) {
				return
			}
			if !w.next() {
				walkers = slices.Delete(walkers, first, first+1)
			}
		}
	}
}

// whole returns the totals of the view when they are known without a walk.
func (v view) whole() (t totals, ok bool) {
	for _, p := range v {
		if p.spans[0] != everywhere {
			return totals{}, false
		}
		t.merge(p.shelf.totals)
	}
	return t, true
}

// IndexQuery says which part of an index is wanted.
type IndexQuery struct {
	// Types are the capability types wanted; the empty set is all.
	Types Types
	// After is the id behind which the answer begins; empty is the beginning.
	After string
	// Limit is how many entries there are at most; 0 is no limit.
	Limit int
}

// Index returns the Skill Index for a caller, in the order of the ids, and the id
// to go on after; that one is empty at the end.
func (s *Snapshot) Index(c access.Caller, q IndexQuery) (e *Entity, next string) {
	if len(c.PrivateNamespaces()) > 0 {
		return s.index(c, q)
	}
	a, ok := s.answers.get(q)
	if !ok {
		a.entity, a.next = s.index(c, q)
		s.answers.put(q, a)
	}
	return a.entity, a.next
}

func (s *Snapshot) index(c access.Caller, q IndexQuery) (e *Entity, next string) {
	v := s.view(c, q.Types)
	t, ok := v.whole()
	whole := ok && q.After == "" && (q.Limit == 0 || t.count <= q.Limit)
	everyone := q.Types == 0 && len(c.PrivateNamespaces()) == 0
	switch {
	case whole && everyone:
		return s.frame.index(s.runs.all(), t, ""), ""
	case whole:
		all := make([]*piece, 0, t.count)
		for e := range v.entries("") {
			all = append(all, e.piece)
		}
		return s.frame.index(all, t, ""), ""
	case everyone:
		page, t, next := s.runs.page(q.After, q.Limit)
		return s.frame.index(page, t, next), next
	}
	var page []*piece
	t = totals{}
	last := ""
	for e := range v.entries(q.After) {
		if q.Limit > 0 && t.count == q.Limit {
			next = last
			break
		}
		page = append(page, e.piece)
		t.add(e)
		last = e.id
	}
	return s.frame.index(page, t, next), next
}

// frame is what stands around and between the entries of an index.
type frame struct {
	head, comma, tail *piece
	changes           *piece // the beginning of an answer of the change feed
	skills            *piece // the beginning of an answer to a search
	deflater          *deflater
}

func newFrame(provider protocol.Provider, d *deflater) (*frame, error) {
	empty, err := protocol.AppendJSON(nil, protocol.Index{
		Protocol: protocol.ProtocolVersion{Version: protocol.Version},
		Provider: provider,
		Skills:   []protocol.IndexEntry{},
	})
	if err != nil {
		return nil, err
	}
	middle := len(empty) - len("]}")
	return &frame{
		head:  d.piece(empty[:middle]),
		comma: d.piece([]byte(",")),
		tail:  d.piece(empty[middle:]),

		changes:  d.piece([]byte(`{"changes":[`)),
		skills:   d.piece([]byte(`{"skills":[`)),
		deflater: d,
	}, nil
}

// feed returns the answer of the change feed that begins with the pieces.
func (f *frame) feed(pieces []*piece, next Cursor) *Entity {
	pieces = append(pieces, f.deflater.piece([]byte(`],"cursor":"`+next.String()+`"}`)))
	e := &Entity{pieces: pieces}
	tag := sha256.New()
	for _, p := range pieces {
		e.size += int64(len(p.plain))
		tag.Write(p.plain)
	}
	e.tag = newTag(tag.Sum(nil))
	return e
}

// index returns the index of entries that have the totals, behind which it goes on after
// the id next. The last page of a walk and the same page with one behind it have the same
// bytes, but not the same tag: a cache that took one for the other would end the walk early.
func (f *frame) index(entries []*piece, t totals, next string) *Entity {
	separators := max(t.count-1, 0) * len(f.comma.plain)
	tag := sha256.New()
	tag.Write(f.head.plain)
	_ = binary.Write(tag, binary.BigEndian, t.sum)
	if next != "" {
		tag.Write([]byte("more"))
	}
	pieces := make([]*piece, 1, 2*len(entries)+2)
	pieces[0] = f.head
	for i, p := range entries {
		if i > 0 {
			pieces = append(pieces, f.comma)
		}
		pieces = append(pieces, p)
	}
	return &Entity{
		tag:    newTag(tag.Sum(nil)),
		size:   int64(len(f.head.plain)+separators+len(f.tail.plain)) + t.size,
		pieces: append(pieces, f.tail),
	}
}
