package describe

import (
	stdjson "encoding/json"
	"slices"
)

// old converts what OpenAPI's schemas say in another way than JSON Schema 2020-12, and what
// can't come along.
func (s *schema) old(to map[string]any, of node) {
	s.reference(to, of)
	s.exclusive(to, of, "exclusiveMinimum", "minimum")
	s.exclusive(to, of, "exclusiveMaximum", "maximum")
	s.dependent(to, of)
	if example := of.child("example"); example.there && to["examples"] == nil && s.raw(example.value) {
		to["examples"] = []any{example.value}
	}
	if of.child("nullable").isTrue() {
		s.nullable(to, of.child("nullable"))
	}
	s.r.loseEach(Schema, of, "left out: the alternatives stand in oneOf, anyOf and allOf alone", "discriminator")
	s.r.loseEach(Schema, of, "left out: a schema in a descriptor has one base, and references are JSON Pointers",
		"$id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$vocabulary")
}

// reference converts $ref. In OpenAPI 3.0 nothing counts beside it.
func (s *schema) reference(to map[string]any, of node) {
	ref := of.child("$ref")
	if !ref.there {
		return
	}
	if _, ok := ref.value.(string); !ok {
		s.r.lose(Schema, ref, "left out: this is no text")
		return
	}
	if s.r.is30() {
		for name := range to {
			if name != "description" {
				s.r.lose(Schema, of.child(name), "left out: beside $ref, OpenAPI 3.0 passes over it")
				delete(to, name)
			}
		}
	}
	if target, _ := s.r.target(ref); target.there {
		to["$ref"] = s.refer(target)
		s.take(1, 0, len(ref.text()))
	}
}

// exclusive converts the booleans of OpenAPI 3.0 to the numbers of today.
func (s *schema) exclusive(to map[string]any, of node, name, limit string) {
	at := of.child(name)
	switch v := at.value.(type) {
	case nil:
	case stdjson.Number:
		to[name] = v
	case bool:
		if n, ok := to[limit].(stdjson.Number); ok && v {
			to[name] = n
			delete(to, limit)
		}
	default:
		s.r.lose(Schema, at, "left out: this is no number")
	}
}

func (s *schema) dependent(to map[string]any, of node) {
	at := of.child("dependentRequired")
	if !at.there {
		return
	}
	all := map[string]any{}
	for _, m := range at.members() {
		if list, ok := s.nameList(m.node); ok {
			all[m.name] = list
		} else {
			s.r.lose(Schema, m.node, "left out: this is no %s", nameList)
		}
	}
	to["dependentRequired"] = all
}

// nullable converts the nullable of OpenAPI 3.0, which widens a type that stands beside it
// and says nothing where there is none.
func (s *schema) nullable(to map[string]any, at node) {
	switch t := to["type"].(type) {
	case string:
		if t != "null" {
			to["type"] = []any{t, "null"}
		}
	case []any:
		if !slices.Contains(t, any("null")) {
			to["type"] = append(slices.Clone(t), "null")
		}
	default:
		s.r.lose(Schema, at, "left out: without a type beside it, it says nothing")
	}
}

// typeOf returns the one type of the values that a converted schema takes, null aside, or ""
// where it does not say one.
func typeOf(value any) string {
	t := typer{root: value, steps: mostSteps}
	return t.of(value)
}

// mostSteps bounds how many schemas are looked at to find a type: alternatives of references
// to alternatives may be many.
const mostSteps = 1000

type typer struct {
	root  any
	steps int
}

func (t *typer) of(value any) string {
	t.steps--
	s, ok := value.(map[string]any)
	if !ok || t.steps < 0 {
		return ""
	}
	if s["type"] != nil {
		return typeNamed(s["type"])
	}
	if ref, ok := s["$ref"].(string); ok {
		return t.of(referred(t.root, ref))
	}
	if list, ok := s["allOf"].([]any); ok {
		for _, part := range list {
			if one := t.of(part); one != "" {
				return one
			}
		}
	}
	for _, name := range []string{"oneOf", "anyOf"} {
		if list, ok := s[name].([]any); ok {
			return common(list, t.of)
		}
	}
	if list, ok := s["enum"].([]any); ok {
		return common(list, typeOfValue)
	}
	switch {
	case s["properties"] != nil:
		return "object"
	case s["items"] != nil:
		return "array"
	}
	return ""
}

// referred returns what a converted reference means.
func referred(root any, ref string) any {
	if ref == "#" {
		return root
	}
	object, _ := root.(map[string]any)
	defs, _ := object["$defs"].(map[string]any)
	return defs[ref[len("#/$defs/"):]]
}

// typeNamed returns the one type that a type keyword names, null aside.
func typeNamed(value any) string {
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	one := ""
	for _, item := range list {
		switch name, _ := item.(string); {
		case name == "null" || name == one:
		case one == "":
			one = name
		case one == "number" && name == "integer" || one == "integer" && name == "number":
			one = "number"
		default:
			return ""
		}
	}
	return one
}

// common returns what of gives for all values, those of null aside, or "".
func common(list []any, of func(any) string) string {
	one := ""
	for _, item := range list {
		switch t := of(item); {
		case t == "null":
		case t == "", one != "" && one != t:
			return ""
		default:
			one = t
		}
	}
	return one
}

func typeOfValue(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case stdjson.Number:
		if wholeNumber.MatchString(v.String()) {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

// isOf reports whether a value is certainly of a type.
func isOf(value any, name string) bool {
	t := typeOfValue(value)
	return t == name || t == "integer" && name == "number"
}
