package catalog

import (
	"bytes"
	"hash/crc32"
	"slices"
	"strings"

	"github.com/tidwall/btree"
)

// runs holds the entries that everyone sees, of all types, in the order of their ids,
// in runs of a few whose bytes are joined once: an index is then written in a few large
// pieces, which also compress better than small ones. Where a run begins follows from the
// ids alone, so every replica has the same ones.
type runs struct {
	// byFirst has each run under the id that it begins with, but for the one at the
	// beginning, which has the empty key.
	byFirst btree.Map[string, *run]
}

// runLength is how many entries a run has on average.
const runLength = 16

// run is some entries in a row. It never changes.
type run struct {
	entries []*entry
	piece   lazy[piece]
	forms   [forms]lazy[rendered]
}

// begins reports whether a run begins with the id.
func begins(id string) bool { return crc32.ChecksumIEEE([]byte(id))%runLength == 0 }

// joined returns the entries as one piece, with commas between.
func (r *run) joined() *piece {
	return r.piece.get(func() *piece {
		texts := make([][]byte, len(r.entries))
		for i, e := range r.entries {
			texts[i] = e.plain
		}
		return r.entries[0].deflater.piece(bytes.Join(texts, []byte(",")))
	})
}

// around returns the run that an id belongs to, and its key; nil where it is not there.
func (r *runs) around(id string) (key string, found *run) {
	r.byFirst.Descend(id, func(k string, run *run) bool {
		key, found = k, run
		return false
	})
	return key, found
}

// set replaces a run; one without entries is none.
func (r *runs) set(key string, entries []*entry) {
	if len(entries) == 0 {
		r.byFirst.Delete(key)
		return
	}
	r.byFirst.Set(key, &run{entries: entries})
}

// put puts in an entry of an id that is not there.
func (r *runs) put(e *entry) {
	key, found := r.around(e.id)
	var entries []*entry
	if found != nil {
		entries = found.entries
	}
	i, _ := slices.BinarySearchFunc(entries, e.id, compareID)
	if begins(e.id) {
		r.set(key, slices.Clone(entries[:i]))
		r.set(e.id, slices.Concat([]*entry{e}, entries[i:]))
		return
	}
	r.set(key, slices.Insert(slices.Clone(entries), i, e))
}

// delete takes out the entry of an id that is there.
func (r *runs) delete(id string) {
	key, found := r.around(id)
	i, _ := slices.BinarySearchFunc(found.entries, id, compareID)
	rest := slices.Delete(slices.Clone(found.entries), i, i+1)
	if !begins(id) {
		r.set(key, rest)
		return
	}
	r.byFirst.Delete(key)
	key, before := r.around(id)
	if before != nil {
		rest = slices.Concat(before.entries, rest)
	}
	r.set(key, rest)
}

func compareID(e *entry, id string) int { return strings.Compare(e.id, id) }

// all returns the pieces of all entries.
func (r *runs) all() []*piece {
	pieces := make([]*piece, 0, r.byFirst.Len())
	r.byFirst.Scan(func(_ string, run *run) bool {
		pieces = append(pieces, run.joined())
		return true
	})
	return pieces
}

// page returns the pieces of the entries after an id, at most limit of them, with their
// totals, and the id to go on after. A limit of 0 is none.
func (r *runs) page(after string, limit int) (pieces []*piece, t totals, next string) {
	more, last := false, ""
	from, _ := r.around(after)
	r.byFirst.Ascend(from, func(_ string, run *run) bool {
		i, found := slices.BinarySearchFunc(run.entries, after, compareID)
		if found {
			i++
		}
		entries := run.entries[i:]
		if limit > 0 && len(entries) > limit-t.count {
			entries, more = entries[:limit-t.count], true
		}
		for _, e := range entries {
			t.add(e)
			last = e.id
		}
		if len(entries) == len(run.entries) {
			pieces = append(pieces, run.joined())
			return !more
		}
		for _, e := range entries {
			pieces = append(pieces, e.piece)
		}
		return !more
	})
	if more {
		next = last
	}
	return pieces, t, next
}
