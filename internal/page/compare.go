package page

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/compatibility"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// maxDifferences is how many members are shown that differ.
const maxDifferences = 300

// Difference is a member that is not the same in two versions.
type Difference struct {
	// Member is its place, with the names of inputs instead of their numbers.
	Member string
	// Older and Newer are its values in JSON; empty where it is not there.
	Older, Newer string
}

// Kind says what became of the member.
func (d Difference) Kind() string {
	switch {
	case d.Older == "":
		return "added"
	case d.Newer == "":
		return "removed"
	default:
		return "changed"
	}
}

// Compare returns the page with what is not the same in two versions of a skill, and what of
// it breaks callers of the first. The versions to choose from are given, highest first.
func (s *Site) Compare(from, to catalog.View, lives []catalog.Life) ([]byte, error) {
	data := struct {
		Title       string
		From, To    catalog.View
		Lives       []catalog.Life
		Promises    bool
		Breaking    []protocol.Violation
		Differences []Difference
		More        int
	}{
		Title: from.Name + ": " + from.Life.Version + " and " + to.Life.Version,
		From:  from, To: to, Lives: lives,
		Promises: compatibility.Promises(from.Life.Version, to.Life.Version),
		Breaking: compatibility.Changes(from.Descriptor, to.Descriptor),
	}
	older, err := tree(from.Descriptor)
	if err != nil {
		return nil, err
	}
	newer, err := tree(to.Descriptor)
	if err != nil {
		return nil, err
	}
	// The version is what was asked for.
	delete(older, "version")
	delete(newer, "version")
	var d differences
	d.add("", older, newer)
	data.Differences, data.More = d.shown, d.more
	return write(s.compare, data)
}

// tree returns a descriptor as it is in JSON.
func tree(d *protocol.Descriptor) (map[string]any, error) {
	text, err := protocol.Serialize(*d)
	if err != nil {
		return nil, err
	}
	object, _ := protocol.Tree(text).(map[string]any)
	return object, nil
}

// differences gathers what differs, and no place of what does not: a document of a megabyte
// may have a name that long, with thousands of members in it.
type differences struct {
	shown []Difference
	more  int
}

// absent is the value of what is not there.
type absent struct{}

// add adds what differs in two values at a place. What has members differs in these.
func (d *differences) add(place string, older, newer any) {
	before, after := inside(older), inside(newer)
	if a, b := leaf(older, before), leaf(newer, after); a != b {
		d.note(Difference{place, cut(a, maxLetters), cut(b, maxLetters)})
	}
	names := make(map[string]any, len(before)+len(after))
	maps.Copy(names, before)
	maps.Copy(names, after)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		d.add(place+"/"+cut(name, maxStep), member(before, name), member(after, name))
	}
}

func (d *differences) note(one Difference) {
	if len(d.shown) == maxDifferences {
		d.more++
		return
	}
	d.shown = append(d.shown, one)
}

func member(of map[string]any, name string) any {
	if value, ok := of[name]; ok {
		return value
	}
	return absent{}
}

// leaf returns a value that has no members in JSON; empty for another.
func leaf(value any, members map[string]any) string {
	if value == (absent{}) || members != nil {
		return ""
	}
	return inJSON(value)
}

// inside returns the members of a value, and the items of an array by their names, if each
// has one of its own, or by their numbers; nil where there are none.
func inside(value any) map[string]any {
	switch v := value.(type) {
	case map[string]any:
		if len(v) > 0 {
			return v
		}
	case []any:
		if len(v) == 0 {
			return nil
		}
		named, numbered := make(map[string]any, len(v)), make(map[string]any, len(v))
		for i, item := range v {
			numbered[strconv.Itoa(i)] = item
			object, _ := item.(map[string]any)
			if name, ok := object["name"].(string); ok {
				named[name] = item
			}
		}
		if len(named) == len(v) {
			return named
		}
		return numbered
	}
	return nil
}

// inJSON returns a value that was read from JSON as it was there.
func inJSON(value any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(value)
	return strings.TrimSpace(b.String())
}

const (
	// maxLetters is how much of a value a table has room for, and maxStep how much of one
	// name on the way to it.
	maxLetters = 400
	maxStep    = 200
)

// shortJSON returns a value in JSON, and not more of it than a table has room for.
func shortJSON(value any) string { return cut(inJSON(value), maxLetters) }

// cut returns a text, and not more of it than so many letters.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for i := range text {
		if most--; most < 0 {
			return text[:i] + "…"
		}
	}
	return text
}
