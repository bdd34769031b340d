package protocoltest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Change is one change to a valid document.
type Change struct {
	// What says what is changed.
	What string
	// Fields are the pointers of exactly the violations that the changed document has;
	// none, if it is still valid.
	Fields []string

	class  class
	path   []string
	value  any
	remove bool
}

// class is the kind of rule that a change is about. There are far more changes of some
// kinds than of others.
type class int

const (
	ofMember class = iota
	ofType
	ofValue
	ofRelation
	ofSchema
)

// Changes lists changes at every node of a valid document of the given kind, in lists at
// the first item and the last: each member left out, each member with a value of each
// wrong type, values that break its rule, values that keep it, and a member that nobody
// knows.
func Changes(kind string, tree map[string]any) []Change {
	c := changes{}
	c.object(nil, tree, specOf(kind))
	if kind == "descriptor" {
		c.schemas(tree)
		c.class = ofRelation
		c.inputs(tree)
		c.oauth2(tree)
	}
	c.class = ofRelation
	if skills, ok := tree["skills"].([]any); ok && len(skills) > 1 {
		last := strconv.Itoa(len(skills) - 1)
		c.set("the id of another skill", []string{"skills", last, "id"}, skills[0].(map[string]any)["id"], "/skills/"+last+"/id")
	}
	return c.all
}

// Apply returns the changed document; tree itself is not changed.
func (c Change) Apply(tree map[string]any) map[string]any {
	return edit(tree, c.path, c.value, c.remove).(map[string]any)
}

// Apart reports whether two changes have nothing to do with each other, so that a
// document with both has the violations of both.
func (c Change) Apart(other Change) bool { return c.path[0] != other.path[0] }

func edit(node any, path []string, value any, remove bool) any {
	switch node := node.(type) {
	case map[string]any:
		node = maps.Clone(node)
		switch {
		case len(path) > 1:
			node[path[0]] = edit(node[path[0]], path[1:], value, remove)
		case remove:
			delete(node, path[0])
		default:
			node[path[0]] = value
		}
		return node
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil {
			panic(err)
		}
		node = slices.Clone(node)
		if len(path) > 1 {
			node[i] = edit(node[i], path[1:], value, remove)
		} else {
			node[i] = value
		}
		return node
	}
	panic(fmt.Sprintf("nothing to change at %q in %v", path, node))
}

type changes struct {
	class class // of what is added next
	all   []Change
}

func (c *changes) set(what string, path []string, value any, fields ...string) {
	c.all = append(c.all, Change{What: what + " at " + pointer(path), Fields: fields, class: c.class, path: slices.Clone(path), value: value})
}

func (c *changes) remove(path []string, fields ...string) {
	c.all = append(c.all, Change{What: "nothing at " + pointer(path), Fields: fields, class: c.class, path: slices.Clone(path), remove: true})
}

// object adds the changes within an object.
func (c *changes) object(path []string, tree map[string]any, s spec) {
	c.class = ofMember
	if s.values == nil {
		c.set("an unknown member", step(path, "x-unknown/member"), []any{nil})
	}
	for _, m := range s.members {
		at := step(path, m.name)
		value, there := tree[m.name]
		if !there {
			continue
		}
		c.class = ofMember
		if m.required {
			c.remove(at, pointer(at))
		} else if pointer(at) != "/auth/oauth2" {
			c.remove(at)
		}
		c.value(at, value, m.spec)
	}
	if s.values != nil {
		for _, name := range slices.Sorted(maps.Keys(tree)) {
			c.value(step(path, name), tree[name], *s.values)
		}
	}
}

// value adds the changes of one value and within it.
func (c *changes) value(path []string, value any, s spec) {
	c.class = ofType
	if s.types != nil {
		for _, other := range []any{nil, true, 5, 1.5, "text", []any{}, map[string]any{}} {
			if !slices.ContainsFunc(s.types, func(t string) bool { return isOfType(other, t) }) {
				c.set(fmt.Sprintf("%v of a wrong type", other), path, other, pointer(path))
			}
		}
	}
	c.class = ofValue
	for _, bad := range s.bad {
		c.set(fmt.Sprintf("%.80q against the rule", fmt.Sprint(bad)), path, bad, pointer(path))
	}
	for _, good := range s.good {
		if pointer(path) == "/auth/type" || len(path) == 3 && path[2] == "id" {
			break // the rest of the document may depend on it
		}
		c.set(fmt.Sprintf("%.80q", fmt.Sprint(good)), path, good)
	}
	switch value := value.(type) {
	case map[string]any:
		if s.members != nil || s.values != nil {
			c.object(path, value, s)
		}
	case []any:
		if s.items != nil {
			for i, item := range value {
				if i == 0 || i == len(value)-1 {
					c.value(step(path, strconv.Itoa(i)), item, *s.items)
				}
			}
		}
	}
}

func isOfType(value any, name string) bool {
	switch value.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case int:
		return name == "integer" || name == "number"
	case float64:
		return name == "number"
	case string:
		return name == "string"
	case []any:
		return name == "array"
	default:
		return name == "object"
	}
}

// inputs adds the changes that break the rules between the members of parameters.
func (c *changes) inputs(tree map[string]any) {
	inputs := tree["inputs"].([]any)
	wrong := map[string]any{"string": 5, "number": "5", "integer": 1.5, "boolean": "true", "object": []any{}, "array": map[string]any{}}
	for i, input := range inputs {
		parameter := input.(map[string]any)
		at := []string{"inputs", strconv.Itoa(i)}
		valueType := parameter["type"].(string)
		c.set("a default of another type", step(at, "default"), wrong[valueType], pointer(step(at, "default")))
		c.set("null as the default", step(at, "default"), nil, pointer(step(at, "default")))
		if enum, ok := parameter["enum"].([]any); ok {
			last := step(step(at, "enum"), strconv.Itoa(len(enum)-1))
			c.set("a choice of another type", last, wrong[valueType], pointer(last))
			if outside, ok := outsideOf(valueType); ok {
				c.set("a default that is no choice", step(at, "default"), outside, pointer(step(at, "default")))
			}
		}
		if i > 0 {
			c.set("the name of another parameter", step(at, "name"), inputs[0].(map[string]any)["name"], pointer(step(at, "name")))
		}
	}
	if tree["protocol"] != nil {
		many := make([]any, 201)
		for i := range many {
			many[i] = map[string]any{"name": strconv.Itoa(i), "type": "string"}
		}
		c.set("too many parameters", []string{"inputs"}, many, "/inputs")
	}
}

// outsideOf is a value of a type that no generated enum has.
func outsideOf(valueType string) (any, bool) {
	switch valueType {
	case "string":
		return "no such choice in any generated document", true
	case "number", "integer":
		return 987654321987654, true
	case "object":
		return map[string]any{"no such": "choice"}, true
	case "array":
		return []any{"no such choice", "in any", "generated", "document"}, true
	}
	return nil, false
}

// schemas adds schema members that are no JSON Schemas, with the place of the fault.
func (c *changes) schemas(tree map[string]any) {
	c.class = ofSchema
	o := func(keyword string, value any) map[string]any { return map[string]any{keyword: value} }
	for _, fault := range []struct {
		schema any
		field  string
	}{
		{o("type", "nonsense"), "/type"},
		{o("type", "String"), "/type"},
		{o("type", 5), "/type"},
		{o("type", []any{}), "/type"},
		{o("type", []any{"string", "string"}), "/type"},
		{o("type", []any{"string", "text"}), "/type/1"},
		{o("type", []any{"string", nil}), "/type/1"},
		{o("$ref", "http://127.0.0.1:9/never-fetched.json"), "/$ref"},
		{o("$ref", "other.json"), "/$ref"},
		{o("$ref", ""), "/$ref"},
		{o("$ref", "#a b"), "/$ref"},
		{o("$dynamicRef", "https://example.com/#a"), "/$dynamicRef"},
		{o("$anchor", "1"), "/$anchor"},
		{o("$anchor", "#a"), "/$anchor"},
		{o("$id", 5), "/$id"},
		{o("$vocabulary", o("https://example.com/", "yes")), "/$vocabulary/https:~1~1example.com~1"},
		{o("properties", []any{}), "/properties"},
		{o("properties", o("a/b~c", 5)), "/properties/a~1b~0c"},
		{o("properties", o("", o("minLength", -1))), "/properties//minLength"},
		{o("patternProperties", o("^a", "text")), "/patternProperties/^a"},
		{o("dependentRequired", o("a", "b")), "/dependentRequired/a"},
		{o("dependentSchemas", o("a", nil)), "/dependentSchemas/a"},
		{o("required", "a"), "/required"},
		{o("required", true), "/required"},
		{o("required", []any{"a", "a"}), "/required"},
		{o("required", []any{5}), "/required/0"},
		{o("items", []any{o("type", "string")}), "/items"},
		{o("items", o("items", o("type", "x"))), "/items/items/type"},
		{o("additionalProperties", nil), "/additionalProperties"},
		{o("not", "x"), "/not"},
		{o("if", o("then", 5)), "/if/then"},
		{o("else", []any{}), "/else"},
		{o("allOf", []any{}), "/allOf"},
		{o("anyOf", o("type", "string")), "/anyOf"},
		{o("oneOf", []any{true, 5}), "/oneOf/1"},
		{o("prefixItems", []any{o("maximum", "5")}), "/prefixItems/0/maximum"},
		{o("contains", 5), "/contains"},
		{o("enum", "a"), "/enum"},
		{o("examples", o("a", 1)), "/examples"},
		{o("multipleOf", 0), "/multipleOf"},
		{o("multipleOf", -1.5), "/multipleOf"},
		{o("minimum", true), "/minimum"},
		{o("exclusiveMaximum", true), "/exclusiveMaximum"},
		{o("maxLength", -1), "/maxLength"},
		{o("maxItems", 1.5), "/maxItems"},
		{o("minProperties", "1"), "/minProperties"},
		{o("uniqueItems", "true"), "/uniqueItems"},
		{o("deprecated", 1), "/deprecated"},
		{o("title", 5), "/title"},
		{o("pattern", 5), "/pattern"},
		{o("format", nil), "/format"},
		{o("contentSchema", 1), "/contentSchema"},
		{o("$defs", o("a", o("$defs", o("b", 1)))), "/$defs/a/$defs/b"},
		{o("definitions", o("a", 1)), "/definitions/a"},
		{o("unevaluatedProperties", "false"), "/unevaluatedProperties"},
		{o("$comment", 1), "/$comment"},
	} {
		c.set(fmt.Sprintf("the schema %v", fault.schema), []string{"output", "schema"}, fault.schema, "/output/schema"+fault.field)
		for i := range min(1, len(tree["inputs"].([]any))) {
			at := []string{"inputs", strconv.Itoa(i), "schema"}
			c.set(fmt.Sprintf("the schema %v", fault.schema), at, fault.schema, pointer(at)+fault.field)
		}
	}
}

// oauth2 adds an authentication that lacks the member that its type needs.
func (c *changes) oauth2(tree map[string]any) {
	c.set("oauth2 without its member", []string{"auth"}, map[string]any{"type": "oauth2"}, "/auth/oauth2")
	if auth := tree["auth"].(map[string]any); auth["type"] == "oauth2" {
		c.remove([]string{"auth", "oauth2"}, "/auth/oauth2")
	}
}

func step(path []string, name string) []string { return append(slices.Clone(path), name) }

func pointer(path []string) string {
	var b strings.Builder
	for _, name := range path {
		b.WriteByte('/')
		b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
	}
	return b.String()
}
