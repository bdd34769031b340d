package describe

import (
	stdjson "encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// The bounds of the schemas in one descriptor, below those that a registry has for the
// whole of it.
const (
	mostValues  = 15_000
	mostObjects = 1_500
	mostBytes   = 768 << 10
	// mostDepth is how deep a schema nests, with what is around it in a descriptor left
	// over.
	mostDepth = 56
	// mostHops bounds a chain of references.
	mostHops = 32
)

// room is what is left for the schemas of a descriptor.
type room struct{ values, objects, bytes int }

func newRoom() *room { return &room{mostValues, mostObjects, mostBytes} }

// schema is a JSON Schema on its way from an OpenAPI document into a descriptor: what it
// refers to comes along in its $defs.
type schema struct {
	r    *run
	left room
	// names are those in $defs, by the pointer that they come from.
	names map[string]string
	taken map[string]bool
	queue []node
	defs  map[string]any
	// fault is why there can't be one.
	fault string
}

// schema converts the schema at a place, and takes from the room what it needs. It is nil
// where there is none, or none that a descriptor has room for.
func (r *run) schema(at node, left *room) any {
	if !at.there {
		return nil
	}
	s := schema{r: r, left: *left, names: map[string]string{}, taken: map[string]bool{}, defs: map[string]any{}}
	before := len(r.pending)
	root := s.whole(at)
	r.converted += left.values - s.left.values
	if s.fault == "" && depthOf(root) > mostDepth {
		s.fault = fmt.Sprintf("it nests deeper than %d", mostDepth)
	}
	if s.fault != "" {
		r.pending = r.pending[:before]
		r.lose(Schema, at, "left out: %s", s.fault)
		return nil
	}
	*left = s.left
	return root
}

// whole converts a schema and then, one after the other, all that it refers to.
func (s *schema) whole(at node) any {
	target, ok := s.r.followed(at)
	if !ok {
		return true
	}
	if target.pointer != at.pointer && len(at.members()) == 1 {
		s.names[target.pointer] = "" // a reference to it is one to the whole
		at = target
	}
	root := s.convert(at)
	for len(s.queue) > 0 && s.fault == "" {
		next := s.queue[0]
		s.queue = s.queue[1:]
		s.defs[s.names[next.pointer]] = s.convert(next)
	}
	if object, ok := root.(map[string]any); ok && len(s.defs) > 0 {
		object["$defs"] = s.defs
	}
	return root
}

// followed goes from reference to reference to what is meant. It reports whether there is
// such a thing, and notes a loss where not.
func (r *run) followed(at node) (node, bool) {
	from := at
	for range mostHops {
		ref := at.child("$ref")
		if _, ok := ref.value.(string); !ok {
			return at, true
		}
		if at, _ = r.target(ref); !at.there {
			return node{}, false
		}
	}
	r.lose(Schema, from, "references lead in a circle")
	return node{}, false
}

// target returns what a reference leads to. Where that is nowhere in the document, it notes
// a loss and says why.
func (r *run) target(ref node) (node, string) {
	to := ref.text()
	pointer, local := strings.CutPrefix(to, "#")
	why := ""
	switch {
	case !local:
		why = "refers to " + shown(to) + ", and nothing outside of the document is read"
	case pointer == "" || pointer[0] != '/':
		why = "refers to " + shown(to) + ", which is no JSON Pointer"
	default:
		if plain, err := url.PathUnescape(pointer); err == nil {
			pointer = plain
		}
		if target := r.root.find(pointer); target.there {
			return target, ""
		}
		why = "refers to " + shown(to) + ", which is not there"
	}
	r.lose(Schema, ref, "%s", why)
	return node{}, why
}

// refer returns the reference in $defs to a place in the document.
func (s *schema) refer(to node) string {
	name, known := s.names[to.pointer]
	if !known {
		name = s.name(to.pointer)
		s.names[to.pointer] = name
		s.queue = append(s.queue, to)
	}
	if name == "" {
		return "#"
	}
	return "#/$defs/" + name
}

var unplain = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// name makes a name for $defs that needs no escaping.
func (s *schema) name(pointer string) string {
	last := pointer[strings.LastIndexByte(pointer, '/')+1:]
	name := unplain.ReplaceAllString(last, "_")
	for n := 2; s.taken[name] || name == ""; n++ {
		name = fmt.Sprintf("%s-%d", unplain.ReplaceAllString(last, "_"), n)
	}
	s.taken[name] = true
	return name
}

// take counts a value against the room. It reports whether there is any left.
func (s *schema) take(values, objects, bytes int) bool {
	s.left.values -= values
	s.left.objects -= objects
	s.left.bytes -= bytes
	switch {
	case s.fault != "":
	case s.left.values < 0 || s.left.objects < 0 || s.left.bytes < 0:
		s.fault = "with the schemas before it, it is larger than a descriptor has room for"
	case s.r.converted+(mostValues-s.left.values) > maxConverted:
		s.fault = fmt.Sprintf("the descriptors of this document have more than %d values in all", maxConverted)
	}
	return s.fault == ""
}

// convert returns one schema, without what it refers to. What can't be there is noted and
// left out.
func (s *schema) convert(at node) any {
	if !s.take(1, 1, 16) {
		return true
	}
	if _, ok := at.value.(bool); ok {
		return at.value
	}
	if !at.isObject() {
		s.r.lose(Schema, at, "left open: this is no schema")
		return true
	}
	to := map[string]any{}
	for _, m := range at.members() {
		s.take(1, 0, len(m.name))
		if s.fault != "" {
			return true
		}
		s.keyword(to, at, m)
	}
	s.old(to, at)
	return to
}

// keyword converts one member of a schema.
func (s *schema) keyword(to map[string]any, of node, m member) {
	kind, known := keywords[m.name]
	if !known {
		kind = keepAny // what a draft does not name is kept, extensions included
	}
	value, ok := s.byKind(kind, m.node)
	switch {
	case kind == handled:
	case !ok:
		s.r.lose(Schema, m.node, "left out: this is no %s", kind)
	default:
		to[m.name] = value
	}
}

// keywordKind is what the value of a keyword has to be.
type keywordKind string

const (
	aSchema    keywordKind = "schema"
	schemaMap  keywordKind = "object of schemas"
	schemaList keywordKind = "list of schemas"
	aText      keywordKind = "text"
	aBoolean   keywordKind = "boolean"
	aCount     keywordKind = "whole number"
	aNumber    keywordKind = "number"
	aPositive  keywordKind = "number above zero"
	nameList   keywordKind = "list of distinct names"
	aList      keywordKind = "list"
	aType      keywordKind = "type"
	keepAny    keywordKind = "value"
	handled    keywordKind = ""
)

var keywords = func() map[string]keywordKind {
	all := map[string]keywordKind{}
	for kind, names := range map[keywordKind]string{
		aSchema:    "contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties not if then else contentSchema items",
		schemaMap:  "properties patternProperties dependentSchemas",
		schemaList: "allOf anyOf oneOf prefixItems",
		aText:      "title description pattern format contentEncoding contentMediaType $comment",
		aBoolean:   "deprecated readOnly writeOnly uniqueItems",
		aCount:     "maxLength minLength maxItems minItems maxContains minContains maxProperties minProperties",
		aNumber:    "maximum minimum",
		aPositive:  "multipleOf",
		nameList:   "required",
		aList:      "enum examples",
		aType:      "type",
		keepAny:    "default const",
		handled: "$ref $schema $id $anchor $dynamicAnchor $dynamicRef $vocabulary $defs definitions dependentRequired " +
			"exclusiveMinimum exclusiveMaximum nullable example discriminator",
	} {
		for name := range strings.FieldsSeq(names) {
			all[name] = kind
		}
	}
	return all
}()

var (
	wholeNumber = regexp.MustCompile(`^-?[0-9]+(\.0+)?$`)
	notZero     = regexp.MustCompile(`^[0-9.]*[1-9]`)
)

// byKind converts a value of a kind. It reports whether it is one.
func (s *schema) byKind(kind keywordKind, at node) (any, bool) {
	n, isNumber := at.value.(stdjson.Number)
	switch kind {
	case aSchema:
		if _, ok := at.value.(bool); !ok && !at.isObject() {
			return nil, false
		}
		return s.convert(at), true
	case schemaMap:
		if !at.isObject() {
			return nil, false
		}
		s.take(1, 1, 0)
		to := map[string]any{}
		for _, m := range at.members() {
			s.take(0, 0, len(m.name))
			to[m.name] = s.convert(m.node)
		}
		return to, true
	case schemaList:
		list := []any{}
		for _, item := range at.items() {
			list = append(list, s.convert(item))
		}
		return list, len(list) > 0
	case aText:
		text, ok := at.value.(string)
		return at.value, ok && s.take(1, 0, len(text))
	case aBoolean:
		_, ok := at.value.(bool)
		return at.value, ok
	case aCount:
		return n, isNumber && wholeNumber.MatchString(n.String()) && n[0] != '-'
	case aNumber:
		return n, isNumber
	case aPositive:
		return n, isNumber && notZero.MatchString(n.String())
	case nameList:
		return s.nameList(at)
	case aList:
		_, ok := at.value.([]any)
		return at.value, ok && s.raw(at.value)
	case aType:
		return s.types(at)
	default:
		return at.value, s.raw(at.value)
	}
}

func (s *schema) nameList(at node) (any, bool) {
	list, ok := at.value.([]any)
	if !ok {
		return nil, false
	}
	seen := map[string]bool{}
	for _, item := range list {
		name, ok := item.(string)
		if !ok || seen[name] {
			return nil, false
		}
		seen[name] = true
	}
	return list, s.raw(at.value)
}

var typeNames = []string{"null", "boolean", "object", "array", "number", "string", "integer"}

func (s *schema) types(at node) (any, bool) {
	list, ok := at.value.([]any)
	if !ok {
		list = []any{at.value}
	}
	seen := map[string]bool{}
	for _, item := range list {
		name, _ := item.(string)
		if !slices.Contains(typeNames, name) || seen[name] {
			return nil, false
		}
		seen[name] = true
	}
	return at.value, len(list) > 0
}

// raw takes the room for a value that is no schema.
func (s *schema) raw(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		ok := s.take(1, 1, 0)
		for _, name := range slices.Sorted(maps.Keys(v)) { // so that it stops at the same place
			ok = ok && s.take(0, 0, len(name)) && s.raw(v[name])
		}
		return ok
	case []any:
		ok := s.take(1, 0, 0)
		for _, item := range v {
			ok = ok && s.raw(item)
		}
		return ok
	case string:
		return s.take(1, 0, len(v))
	default:
		return s.take(1, 0, 8)
	}
}

// depthOf returns how deep objects and lists nest in a value.
func depthOf(value any) int {
	deepest := 0
	switch v := value.(type) {
	case map[string]any:
		for _, member := range v {
			deepest = max(deepest, depthOf(member))
		}
	case []any:
		for _, item := range v {
			deepest = max(deepest, depthOf(item))
		}
	default:
		return 0
	}
	return deepest + 1
}
