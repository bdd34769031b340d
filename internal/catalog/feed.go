package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/btree"

	"github.com/skillregistry/skillregistry/internal/access"
)

// feed holds every skill in the order of its last change: as everyone sees it, by its
// public revision, if it ever was to be seen; and as its owners do.
type feed struct {
	public btree.Map[int64, *skill]
	all    btree.Map[int64, *skill]
}

func (f *feed) put(s *skill) {
	if s.changed.PublicRevision > 0 {
		f.public.Set(s.changed.PublicRevision, s)
	}
	f.all.Set(s.changed.ChangedAt, s)
}

func (f *feed) delete(s *skill) {
	f.public.Delete(s.changed.PublicRevision)
	f.all.Delete(s.changed.ChangedAt)
}

// Cursor is a place in the change feed of one caller. It is made of nothing but the
// changes that this caller sees.
type Cursor struct {
	// public is the public revision of the last change met of a skill of which the
	// caller sees no more than everyone.
	public int64
	// private is the time of the last change met of a skill whose private side the
	// caller sees.
	private int64
	// audience stands for those skills; empty is none.
	audience string
}

// String returns the text that ParseCursor takes.
func (c Cursor) String() string {
	if c.audience == "" {
		return fmt.Sprintf("p%d", c.public)
	}
	return fmt.Sprintf("k%d.%d.%s", c.public, c.private, c.audience)
}

// ParseCursor reads a cursor, and reports whether it is one of this caller's, of this
// snapshot or an earlier one.
func (s *Snapshot) ParseCursor(c access.Caller, text string) (Cursor, bool) {
	at := Cursor{audience: audience(c)}
	if at.audience == "" {
		rest, ok := strings.CutPrefix(text, "p")
		at.public, ok = number(rest, ok)
		return at, ok && at.public <= s.mark.PublicRevision
	}
	rest, ok := strings.CutPrefix(text, "k")
	parts := strings.Split(rest, ".")
	if !ok || len(parts) != 3 || parts[2] != at.audience {
		return Cursor{}, false
	}
	at.public, ok = number(parts[0], true)
	at.private, ok = number(parts[1], ok)
	return at, ok && at.public <= s.mark.PublicRevision && at.private <= s.lastPrivate(c)
}

// number reads digits as String writes them; before reports whether all is well so far.
func number(digits string, before bool) (int64, bool) {
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, before && err == nil && n >= 0 && strconv.FormatInt(n, 10) == digits
}

// audience names the set of skills whose private side a caller sees.
func audience(c access.Caller) string {
	var names []string
	for _, n := range c.PrivateNamespaces() {
		names = append(names, string(n))
	}
	if names == nil {
		return ""
	}
	slices.Sort(names)
	sum := sha256.Sum256([]byte(strings.Join(slices.Compact(names), "\n")))
	return hex.EncodeToString(sum[:6])
}

// Beginning returns the cursor before every change.
func (s *Snapshot) Beginning(c access.Caller) Cursor { return Cursor{audience: audience(c)} }

// Now returns the cursor behind every change that the caller sees in this snapshot.
func (s *Snapshot) Now(c access.Caller) Cursor {
	return Cursor{public: s.mark.PublicRevision, private: s.lastPrivate(c), audience: audience(c)}
}

// lastPrivate returns when a skill whose private side the caller sees last changed.
func (s *Snapshot) lastPrivate(c access.Caller) (at int64) {
	if audience(c) == "" {
		return 0
	}
	s.feed.all.Reverse(func(changed int64, s *skill) bool {
		if c.MayReadPrivate(s.id) {
			at = changed
		}
		return at == 0
	})
	return at
}

// Changes returns the state of the skills that changed for the caller after the cursor,
// at most limit of them, each once, in the order of their last changes; and the cursor
// behind them. There are none when that cursor is the given one.
func (s *Snapshot) Changes(c access.Caller, after Cursor, limit int) (e *Entity, next Cursor) {
	next = after
	public, private := s.feed.public.Iter(), s.feed.all.Iter()
	morePublic := public.Seek(after.public + 1)
	morePrivate := after.audience != "" && private.Seek(after.private+1)
	pieces := []*piece{s.frame.changes}
	add := func(p *piece) {
		if len(pieces) > 1 {
			pieces = append(pieces, s.frame.comma)
		}
		pieces = append(pieces, p)
	}
	for count := 0; count < limit; {
		switch {
		case morePublic && c.MayReadPrivate(public.Value().id):
			next.public = public.Key() // it is met among the private ones
			morePublic = public.Next()
		case morePrivate && !c.MayReadPrivate(private.Value().id):
			morePrivate = private.Next()
		case morePublic && (!morePrivate || public.Value().changed.PublicAt < private.Key()):
			skill := public.Value()
			add(skill.change(s.renderer, skill.entry != nil && skill.entry.open))
			next.public, count = public.Key(), count+1
			morePublic = public.Next()
		case morePrivate:
			skill := private.Value()
			add(skill.change(s.renderer, skill.entry != nil))
			next.private, count = private.Key(), count+1
			morePrivate = private.Next()
		default:
			return s.frame.feed(pieces, next), next
		}
	}
	return s.frame.feed(pieces, next), next
}
