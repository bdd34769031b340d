package protocol

import (
	"strconv"
	"strings"
)

// place is a place in a document and what is there.
type place struct {
	pointer string
	value   any
	present bool
}

// wholeOf is the place of the document itself.
func wholeOf(document any) place {
	return place{value: document, present: true}
}

// child is the place of a member of an object or, by its index, of an item of an array,
// whether or not something is there.
func (p place) child(name string) place {
	child := place{pointer: p.pointer + "/" + escape(name)}
	switch parent := p.value.(type) {
	case map[string]any:
		child.value, child.present = parent[name]
	case []any:
		if i, err := strconv.Atoi(name); err == nil && 0 <= i && i < len(parent) {
			child.value, child.present = parent[i], true
		}
	}
	return child
}

// item is the place of an item of an array.
func (p place) item(i int) place { return p.child(strconv.Itoa(i)) }

// items is what the array at p holds; nothing, if there is no array.
func (p place) items() []any {
	items, _ := p.value.([]any)
	return items
}

// escape makes a name a step of a JSON Pointer.
func escape(name string) string {
	if !strings.ContainsAny(name, "~/") {
		return name
	}
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}
