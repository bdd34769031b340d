package compatibility

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// direction says who is bound by a schema: callers, whose values must go on to be taken, or
// the answers, whose values must go on to be what they were.
type direction bool

const (
	calling   direction = true
	answering direction = false
)

// schemaOf is a JSON Schema as package encoding/json reads it, with numbers as they are
// written; nil is one that admits everything.
type schemaOf = any

// maxSteps bounds what the schemas of two descriptors cost: choices among choices multiply.
// A step is a value that is looked at. What can't be compared within them counts as changed.
const maxSteps = 200_000

// values are those that a parameter or an output may have: what their declarations say
// together.
type values struct{ schema map[string]any }

// valuesOf returns the values that a type, an enum and a schema admit together.
func valuesOf(valueType string, enum []jsontext.Value, schema jsontext.Value) values {
	v := values{schema: map[string]any{"type": valueType}}
	if enum != nil {
		all := make([]any, len(enum))
		for i, e := range enum {
			all[i] = protocol.Tree(e)
		}
		v.schema["enum"] = all
	}
	if schema != nil {
		v.schema["allOf"] = []any{protocol.Tree(schema)}
	}
	return v
}

// schema holds the values of a parameter or an output to what they were.
func (c *changes) schema(d direction, field string, older, newer values) {
	if equal(older.schema, newer.schema, nil) {
		return // also where what it refers to can't be found
	}
	s := comparison{changes: c, direction: d, assumed: make(map[pair]int)}
	s.older, s.newer = rootOf(ownSchema(older.schema)), rootOf(ownSchema(newer.schema))
	s.sameRoots = equal(s.older.schema, s.newer.schema, nil)
	enumOlder, hadEnum := older.schema["enum"].([]any)
	enumNewer, hasEnum := newer.schema["enum"].([]any)
	if d == calling && hasEnum {
		s.enum(field+"/enum", enumOlder, hadEnum, enumNewer)
	}
	narrow, wide := older.schema, newer.schema
	if d == answering {
		narrow, wide = wide, narrow
	}
	// What the type and the enum say goes into what is compared with the other's schema.
	if all, ok := wide["allOf"].([]any); ok {
		s.within(merged(narrow), all[0], field+"/schema")
	}
}

// ownSchema returns the schema member of a declaration: what references in it lead into.
func ownSchema(declaration map[string]any) any {
	if all, ok := declaration["allOf"].([]any); ok {
		return all[0]
	}
	return nil
}

// merged returns a declaration's schema with what its type and enum say, where it does not
// say that itself.
func merged(declaration map[string]any) any {
	own, ok := ownSchema(declaration).(map[string]any)
	if !ok && ownSchema(declaration) == false {
		return false
	}
	if found, _, ok := resolved(rootOf(own), own); ok {
		own = found
	}
	all := maps.Clone(own)
	if all == nil {
		all = map[string]any{}
	}
	for _, keyword := range []string{"type", "enum"} {
		if value, given := declaration[keyword]; given {
			if _, said := all[keyword]; !said {
				all[keyword] = value
			}
		}
	}
	return all
}

// root is what references begin from.
type root struct {
	schema schemaOf
	// renames reports whether there is a schema in it that references begin from instead.
	renames bool
}

func rootOf(schema schemaOf) root { return root{schema, renames(schema)} }

// comparison is one of two schemas, with those that references in them lead into.
type comparison struct {
	*changes
	direction    direction
	older, newer root
	sameRoots    bool
	// assumed are the pairs that are being compared, and how deep in values that began.
	assumed map[pair]int
	// depth is how deep in values the comparison is.
	depth int
	// probing is set where the comparison only wants to know.
	probing bool
	failed  bool
}

// fail notes that there are values that the narrow side has and the wide side has not.
func (s *comparison) fail(field, was, is string) {
	s.failed = true
	if !s.probing {
		s.add(field, was, is)
	}
}

// probe reports whether one schema is within another, and notes nothing.
func (s *comparison) probe(narrow, wide schemaOf) bool {
	p := *s
	p.probing, p.failed = true, false
	s.steps -= len(s.assumed)
	p.assumed = maps.Clone(s.assumed)
	p.within(narrow, wide, "")
	return !p.failed
}

// sides returns what stands in the older and the newer schema, of what is narrow and wide.
func (s *comparison) sides(narrow, wide any) (older, newer any) {
	if s.direction == calling {
		return narrow, wide
	}
	return wide, narrow
}

// differ notes that a keyword does not have the values that it had.
func (s *comparison) differ(field string, narrow, wide any) {
	if s.probing || s.full() {
		s.fail(field, "", "")
		return
	}
	older, newer := s.sides(narrow, wide)
	s.fail(field, shown(older), shown(newer))
}

// shown shows a value of a schema; nil is one that is not there.
func shown(value any) string {
	if value == nil {
		return "nothing"
	}
	const most = 100
	if sizeOf(value, most) > most {
		return "a large value"
	}
	text, err := json.Marshal(value)
	if err != nil {
		return "another value"
	}
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}

// within holds that every value that the narrow schema admits is admitted by the wide one.
// The field is the place in the newer descriptor.
func (s *comparison) within(narrow, wide schemaOf, field string) {
	if narrow == false || wide == nil || wide == true || s.same(narrow, wide) {
		return
	}
	if s.steps--; wide == false || s.steps < 0 {
		s.differ(field, narrow, wide)
		return
	}
	n, _ := narrow.(map[string]any) // true, and what is not there, have no keywords
	w, _ := wide.(map[string]any)
	n, w, at, found := s.followed(n, w)
	if !found {
		s.differ(field, narrow, wide)
		return
	}
	if at != (pair{}) {
		depth, begun := s.assumed[at]
		switch {
		case begun && depth == s.depth:
			s.differ(field, narrow, wide) // a circle that no value ever leaves
			return
		case begun:
			return // what is within for the parts of a value is within for the whole
		}
		s.assumed[at] = s.depth
		defer delete(s.assumed, at)
	}
	for _, keyword := range sortedKeys(w) {
		at := field + "/" + escaped(keyword)
		rule, known := s.rules[keyword]
		s.steps -= 1 + lengthOf(n[keyword]) + lengthOf(w[keyword])
		switch {
		case annotates(keyword):
		case known:
			rule(s, n, w, at)
		case !s.same(map[string]any{keyword: n[keyword]}, map[string]any{keyword: w[keyword]}):
			s.differ(at, n[keyword], w[keyword])
		}
	}
}

// lengthOf returns how many values stand in a value.
func lengthOf(value any) int {
	switch v := value.(type) {
	case map[string]any:
		return len(v)
	case []any:
		return len(v)
	}
	return 0
}

// sizeOf returns how many values a value is made of, itself included, or more than most.
func sizeOf(value any, most int) int {
	size := 1
	add := func(v any) bool {
		size += sizeOf(v, most-size)
		return size <= most
	}
	switch v := value.(type) {
	case map[string]any:
		for _, member := range v {
			if !add(member) {
				break
			}
		}
	case []any:
		for _, item := range v {
			if !add(item) {
				break
			}
		}
	}
	return size
}

// same reports whether two values in the schemas are equal and mean the same.
func (s *comparison) same(a, b any) bool {
	return equal(a, b, &s.steps) && (s.sameRoots || !refers(a))
}

// inside is within for a part of the values.
func (s *comparison) inside(narrow, wide schemaOf, field string) {
	s.depth++
	s.within(narrow, wide, field)
	s.depth--
}

// pair is a schema of each side, one of them behind a reference at least.
type pair struct{ narrow, wide string }

// followed returns both schemas behind their references, with the pair that they are, and
// reports whether they could be found.
func (s *comparison) followed(n, w map[string]any) (narrow, wide map[string]any, at pair, found bool) {
	nRoot, wRoot := s.older, s.newer
	if s.direction == answering {
		nRoot, wRoot = wRoot, nRoot
	}
	s.steps -= len(n) + len(w)
	narrow, nReference, nFound := resolved(nRoot, n)
	wide, wReference, wFound := resolved(wRoot, w)
	if nReference == "" && wReference == "" {
		return n, w, pair{}, true
	}
	return narrow, wide, pair{or(nReference, fmt.Sprintf("%p", n)), or(wReference, fmt.Sprintf("%p", w))}, nFound && wFound
}

// resolved returns the schema that a schema's references lead to, with the last of them, and
// reports whether there is one.
func resolved(root root, schema map[string]any) (found map[string]any, reference string, ok bool) {
	const most = 100
	for range most {
		next, isReference := schema["$ref"].(string)
		if !isReference {
			return schema, reference, true
		}
		reference = next
		if schema, ok = resolve(root, schema, next); !ok {
			return schema, reference, false
		}
	}
	return schema, reference, false
}

// resolve returns the schema that a reference leads to, with nothing but annotations beside
// it, and reports whether it could be found.
func resolve(root root, at map[string]any, reference string) (map[string]any, bool) {
	for keyword := range at {
		if keyword != "$ref" && !annotates(keyword) {
			return at, false
		}
	}
	pointer, ok := strings.CutPrefix(reference, "#")
	if !ok || strings.ContainsRune(pointer, '%') || pointer != "" && pointer[0] != '/' || root.renames {
		return at, false // elsewhere, by an anchor, or from another base
	}
	value := root.schema
	if pointer != "" {
		for token := range jsontext.Pointer(pointer).Tokens() {
			switch v := value.(type) {
			case map[string]any:
				value = v[token]
			case []any:
				i, err := strconv.Atoi(token)
				if err != nil || i < 0 || i >= len(v) {
					return at, false
				}
				value = v[i]
			default:
				return at, false
			}
		}
	}
	found, ok := value.(map[string]any)
	return found, ok
}

// renames reports whether there is a schema in a value that references in it begin from.
func renames(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		if _, named := v["$id"]; named {
			return true
		}
		for _, member := range v {
			if renames(member) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, renames)
	}
	return false
}

// refers reports whether there is a reference anywhere in a value.
func refers(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			if name == "$ref" || name == "$dynamicRef" || refers(member) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, refers)
	}
	return false
}

// annotates reports whether a keyword says nothing of which values there are.
func annotates(keyword string) bool {
	return slices.Contains([]string{
		"$schema", "$id", "$anchor", "$dynamicAnchor", "$vocabulary", "$comment", "$defs", "definitions", "title", "description",
		"default", "deprecated", "readOnly", "writeOnly", "examples",
	}, keyword) || strings.HasPrefix(keyword, "x-")
}

func object(value any) map[string]any {
	o, _ := value.(map[string]any)
	return o
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// escaped returns a name as a part of a JSON Pointer.
func escaped(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }
