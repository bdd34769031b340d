package describe

import (
	stdjson "encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// node is a value in a document, and where it is.
type node struct {
	value   any
	pointer string
	// there is false where the document has nothing at the pointer.
	there bool
}

func (n node) child(name string) node {
	object, _ := n.value.(map[string]any)
	value, there := object[name]
	return node{value: value, pointer: n.pointer + "/" + escape(name), there: there}
}

// path is child of child.
func (n node) path(names ...string) node {
	for _, name := range names {
		n = n.child(name)
	}
	return n
}

func (n node) items() []node {
	list, _ := n.value.([]any)
	nodes := make([]node, len(list))
	for i, value := range list {
		nodes[i] = node{value: value, pointer: n.pointer + "/" + strconv.Itoa(i), there: true}
	}
	return nodes
}

// members are an object's, in the order of their names.
func (n node) members() []member {
	object, _ := n.value.(map[string]any)
	all := make([]member, 0, len(object))
	for _, name := range slices.Sorted(maps.Keys(object)) {
		all = append(all, member{name, n.child(name)})
	}
	return all
}

type member struct {
	name string
	node
}

func (n node) isObject() bool {
	_, ok := n.value.(map[string]any)
	return ok
}

// text is a string, or a number as it was written: YAML takes a version for one.
func (n node) text() string {
	switch v := n.value.(type) {
	case string:
		return v
	case stdjson.Number:
		return v.String()
	}
	return ""
}

func (n node) isTrue() bool { return n.value == true }

// texts are the strings in a list.
func (n node) texts() []string {
	var all []string
	for _, item := range n.items() {
		if text := item.text(); text != "" {
			all = append(all, text)
		}
	}
	return all
}

// escape makes a name a step of a JSON Pointer.
func escape(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// find returns what a JSON Pointer leads to.
func (n node) find(pointer string) node {
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		step = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
		if list, ok := n.value.([]any); ok {
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(list) {
				return node{}
			}
			n = n.items()[i]
			continue
		}
		n = n.child(step)
	}
	return n
}
