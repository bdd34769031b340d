package page

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// Row is one line of a table of values: an input, or a member of one.
type Row struct {
	// Name is the name of the member; that of an item of an array is "each item".
	Name  string
	Depth int
	Type  string
	// Required reports whether it has to be there; Item whether it is no member.
	Required, Item bool
	Description    string
	Notes          []Note
}

// Note is something that is said of a value.
type Note struct {
	Label  string
	Values []string
}

const (
	maxRows    = 200
	maxNesting = 6
	// maxSteps bounds how many members of schemas are looked at: what refers to itself
	// never ends.
	maxSteps  = 2000
	maxValues = 24
	// maxMeaning is how many letters are shown of what a member means: a schema that is
	// referred to often says it as often.
	maxMeaning = 2000
)

// table makes rows of schemas.
type table struct {
	rows  []Row
	root  any
	steps int
}

// inputRows returns the table of the inputs.
func inputRows(inputs []protocol.Parameter) []Row {
	t := table{}
	for _, p := range inputs {
		row := Row{Name: p.Name, Type: p.Type, Required: p.Required != nil && *p.Required}
		if p.Description != nil {
			row.Description = *p.Description
		}
		if p.Default != nil {
			row.Notes = append(row.Notes, Note{"default", []string{shortJSON(protocol.Tree(p.Default))}})
		}
		if len(p.Enum) > 0 {
			var all []any
			for _, v := range p.Enum {
				all = append(all, protocol.Tree(v))
			}
			row.Notes = append(row.Notes, Note{"one of", values(all)})
		}
		t.root = protocol.Tree(p.Schema)
		t.add(row, t.root)
	}
	return t.rows
}

// outputRows returns the table of what is inside of the output.
func outputRows(o protocol.Output) []Row {
	t := table{root: protocol.Tree(o.Schema)}
	schema := t.resolved(t.root)
	t.inside(0, schema)
	return t.rows
}

// add adds a row, with what a schema says of the value, and the rows below it.
func (t *table) add(row Row, said any) {
	if len(t.rows) >= maxRows {
		return
	}
	schema := t.resolved(said)
	if row.Type == "" || row.Type == "array" {
		row.Type = t.typeOf(schema, row.Type)
	}
	if text, ok := schema["description"].(string); ok && row.Description == "" {
		row.Description = cut(text, maxMeaning)
	}
	row.Name = cut(row.Name, maxLetters)
	row.Notes = append(row.Notes, notes(schema, row.Notes)...)
	t.rows = append(t.rows, row)
	if row.Depth < maxNesting {
		t.inside(row.Depth+1, schema)
	}
}

// inside adds the rows of what is inside of a value.
func (t *table) inside(depth int, schema map[string]any) {
	required := requiredOf(schema)
	if properties, ok := schema["properties"].(map[string]any); ok {
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			t.add(Row{Name: name, Depth: depth, Required: required[name]}, properties[name])
		}
	}
	if items := t.resolved(schema["items"]); items["properties"] != nil || items["items"] != nil {
		t.add(Row{Name: "each item", Item: true, Depth: depth}, items)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		choices, _ := schema[keyword].([]any)
		for i, choice := range choices {
			if c := t.resolved(choice); c["properties"] != nil || c["items"] != nil {
				t.add(Row{Name: fmt.Sprintf("choice %d", i+1), Item: true, Depth: depth}, c)
			}
		}
	}
}

// resolved returns a schema with what it refers to, and what it is all of, as one.
func (t *table) resolved(said any) map[string]any {
	schema, ok := said.(map[string]any)
	if !ok || t.steps >= maxSteps {
		return nil
	}
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	t.steps += 1 + len(properties) + len(required)
	var others []any
	if reference, ok := schema["$ref"].(string); ok {
		others = append(others, pointed(t.root, reference))
	}
	if all, ok := schema["allOf"].([]any); ok {
		others = append(others, all...)
	}
	if others == nil {
		return schema
	}
	merged := make(map[string]any)
	for _, other := range append(others, without(schema, "$ref", "allOf")) {
		for name, value := range t.resolved(other) {
			before, isObject := merged[name].(map[string]any)
			if now, ok := value.(map[string]any); ok && isObject && name == "properties" {
				both := maps.Clone(before)
				maps.Copy(both, now)
				value = both
			}
			if before, ok := merged[name].([]any); ok && name == "required" {
				now, _ := value.([]any)
				value = slices.Concat(before, now)
			}
			merged[name] = value
		}
	}
	return merged
}

// requiredOf returns the names of the members that have to be there.
func requiredOf(schema map[string]any) map[string]bool {
	all, _ := schema["required"].([]any)
	names := make(map[string]bool, len(all))
	for _, each := range all {
		if name, ok := each.(string); ok {
			names[name] = true
		}
	}
	return names
}

func without(schema map[string]any, names ...string) map[string]any {
	rest := maps.Clone(schema)
	for _, name := range names {
		delete(rest, name)
	}
	return rest
}

// pointed returns what a local reference refers to; nil where there is nothing.
func pointed(root any, reference string) any {
	path, ok := strings.CutPrefix(reference, "#")
	if !ok || path != "" && path[0] != '/' {
		return nil
	}
	for _, step := range strings.Split(path, "/")[1:] {
		object, ok := root.(map[string]any)
		if !ok {
			return nil
		}
		root = object[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]
	}
	return root
}

// typeOf returns what a value is, in a few words.
func (t *table) typeOf(schema map[string]any, known string) string {
	name := known
	switch said := schema["type"].(type) {
	case string:
		name = said
	case []any:
		var all []string
		for _, each := range said {
			all = append(all, fmt.Sprint(each))
		}
		name = strings.Join(all, " or ")
	}
	switch {
	case name == "array":
		// What is in an array of arrays has a row of its own.
		if items := t.resolved(schema["items"]); items["type"] == "array" {
			return "array of array"
		} else if of := t.typeOf(items, ""); of != "any" {
			return "array of " + of
		}
	case name == "" && schema["properties"] != nil:
		return "object"
	case name == "":
		return "any"
	}
	return name
}

// notes returns what a schema says of a value, and is not said yet.
func notes(schema map[string]any, said []Note) (all []Note) {
	add := func(label string, values ...string) {
		if !slices.ContainsFunc(said, func(n Note) bool { return n.Label == label }) {
			all = append(all, Note{label, values})
		}
	}
	if value, ok := schema["default"]; ok {
		add("default", shortJSON(value))
	}
	if value, ok := schema["const"]; ok {
		add("always", shortJSON(value))
	}
	if all, ok := schema["enum"].([]any); ok {
		add("one of", values(all)...)
	}
	for _, bound := range [][2]string{
		{"format", "format"}, {"pattern", "pattern"}, {"minimum", "at least"}, {"exclusiveMinimum", "more than"},
		{"maximum", "at most"}, {"exclusiveMaximum", "less than"}, {"multipleOf", "multiple of"},
		{"minLength", "characters, at least"}, {"maxLength", "characters, at most"},
		{"minItems", "items, at least"}, {"maxItems", "items, at most"},
	} {
		switch value := schema[bound[0]].(type) {
		case string:
			add(bound[1], cut(value, maxLetters))
		case json.Number:
			add(bound[1], value.String())
		}
	}
	return all
}

// values shows values, and not more than a table has room for.
func values(all []any) (shown []string) {
	for _, v := range all[:min(len(all), maxValues)] {
		shown = append(shown, shortJSON(v))
	}
	if more := len(all) - maxValues; more > 0 {
		shown = append(shown, fmt.Sprintf("and %d more", more))
	}
	return shown
}
