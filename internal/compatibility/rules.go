package compatibility

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
)

// rule holds what one keyword of the wide schema asks of the narrow one. The field is the
// place of the keyword.
type rule func(s *comparison, narrow, wide map[string]any, field string)

// rules are those of the keywords that are understood. All others have to be what they were.
func rules() map[string]rule {
	return map[string]rule{
		"type":  typeRule,
		"enum":  func(s *comparison, n, w map[string]any, field string) { s.values(n, w, w["enum"], field) },
		"const": func(s *comparison, n, w map[string]any, field string) { s.values(n, w, []any{w["const"]}, field) },

		"minimum":          boundRule("minimum", "exclusiveMinimum", false, -1),
		"exclusiveMinimum": boundRule("exclusiveMinimum", "minimum", true, -1),
		"maximum":          boundRule("maximum", "exclusiveMaximum", false, 1),
		"exclusiveMaximum": boundRule("exclusiveMaximum", "maximum", true, 1),
		"multipleOf":       multipleRule,

		"minLength": countRule("minLength", "string", -1), "maxLength": countRule("maxLength", "string", 1),
		"minItems": countRule("minItems", "array", -1), "maxItems": countRule("maxItems", "array", 1),
		"minProperties": countRule("minProperties", "object", -1), "maxProperties": countRule("maxProperties", "object", 1),
		"pattern": sameRule("pattern", "string"), "format": sameRule("format", ""),
		"uniqueItems": uniqueRule,

		"items": itemsRule, "prefixItems": prefixRule,
		"contains":         togetherRule("contains", "minContains", "maxContains"),
		"minContains":      togetherRule("contains", "minContains", "maxContains"),
		"maxContains":      togetherRule("contains", "minContains", "maxContains"),
		"unevaluatedItems": wholeRule, "unevaluatedProperties": wholeRule,
		"required": requiredRule, "properties": propertiesRule, "additionalProperties": additionalRule,
		"allOf": allRule, "anyOf": anyRule,
	}
}

// types returns the types that a schema admits; nil is all.
func types(schema map[string]any) []string {
	switch t := schema["type"].(type) {
	case string:
		return []string{t}
	case []any:
		var names []string
		for _, name := range t {
			if text, ok := name.(string); ok {
				names = append(names, text)
			}
		}
		return names
	}
	if values, ok := valuesIn(schema); ok {
		var names []string
		for _, v := range values {
			names = append(names, typeOf(v))
		}
		return names
	}
	return nil
}

// valuesIn returns the values that an enum or a const names.
func valuesIn(schema map[string]any) ([]any, bool) {
	if value, ok := schema["const"]; ok {
		return []any{value}, true
	}
	values, ok := schema["enum"].([]any)
	return values, ok
}

func typeOf(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case json.Number:
		if n := number(v); n != nil && n.IsInt() {
			return "integer"
		}
		return "number"
	default:
		return "object"
	}
}

// mayBe reports whether a schema admits values of a type; the empty one is any.
func mayBe(schema map[string]any, wanted string) bool {
	admitted := types(schema)
	return wanted == "" || admitted == nil || slices.Contains(admitted, wanted) ||
		wanted == "number" && slices.Contains(admitted, "integer")
}

func typeRule(s *comparison, n, w map[string]any, field string) {
	admitted, wide := types(n), types(w)
	within := admitted != nil
	for _, t := range admitted {
		if !slices.Contains(wide, t) && !(t == "integer" && slices.Contains(wide, "number")) {
			within = false
		}
	}
	if !within {
		s.differ(field, n["type"], w["type"])
	}
}

// values holds that the narrow schema names values, and only those.
func (s *comparison) values(n, w map[string]any, wide any, field string) {
	narrow, named := valuesIn(n)
	admitted, _ := wide.([]any)
	if !named {
		older, newer := s.sides(nil, admitted)
		s.fail(field, shownOr(older), shownOr(newer))
		return
	}
	s.steps -= sizeOf(any(narrow), maxSteps) + sizeOf(any(admitted), maxSteps)
	if s.steps < 0 {
		s.differ(field, nil, nil)
		return
	}
	known := keysOf(admitted)
	for _, v := range narrow {
		if !known[key(v)] {
			if s.direction == calling {
				s.fail(field, shown(v)+" among them", "missing")
			} else {
				s.fail(field, shown(v)+" not among them", shown(v))
			}
		}
	}
}

func shownOr(values any) string {
	if all, ok := values.([]any); ok && all != nil {
		return "one of " + shown(all)
	}
	return "any value"
}

// enum holds the enum of a parameter, outside of its schema, to what callers may give.
func (s *comparison) enum(field string, older []any, hadEnum bool, newer []any) {
	n := map[string]any{}
	if hadEnum {
		n["enum"] = older
	}
	s.values(n, nil, newer, field)
}

// key returns a text that two values share exactly if they are equal.
func key(value any) string { return string(appendKey(nil, value)) }

func appendKey(to []byte, value any) []byte {
	switch v := value.(type) {
	case json.Number:
		text := v.String()
		if n := number(v); n != nil {
			text = n.RatString()
		}
		return append(append(append(to, 'n'), text...), ';')
	case string:
		return append(append(strconv.AppendInt(append(to, 's'), int64(len(v)), 10), ':'), v...)
	case []any:
		to = append(to, '[')
		for _, item := range v {
			to = appendKey(to, item)
		}
		return append(to, ']')
	case map[string]any:
		to = append(to, '{')
		for _, name := range sortedKeys(v) {
			to = appendKey(appendKey(to, name), v[name])
		}
		return append(to, '}')
	default:
		return fmt.Append(to, v) // true, false or nil
	}
}

func keysOf(values []any) map[string]bool {
	keys := make(map[string]bool, len(values))
	for _, v := range values {
		keys[key(v)] = true
	}
	return keys
}

// number returns the exact value of a number; nil for what is none.
func number(value any) *big.Rat {
	text, ok := value.(json.Number)
	if !ok {
		return nil
	}
	n, ok := new(big.Rat).SetString(text.String())
	if !ok {
		return nil
	}
	return n
}

// boundRule holds a bound of numbers, below (-1) or above (1), by itself or by the other
// keyword for the same side.
func boundRule(keyword, other string, exclusive bool, side int) rule {
	return func(s *comparison, n, w map[string]any, field string) {
		wide := number(w[keyword])
		if wide == nil || !mayBe(n, "number") {
			return
		}
		for name, excludes := range map[string]bool{keyword: exclusive, other: !exclusive} {
			narrow := number(n[name])
			if narrow == nil {
				continue
			}
			if order := narrow.Cmp(wide) * side; order < 0 || order == 0 && (excludes || !exclusive) {
				return
			}
		}
		s.differ(field, n[keyword], w[keyword])
	}
}

func multipleRule(s *comparison, n, w map[string]any, field string) {
	wide := number(w["multipleOf"])
	if wide == nil || wide.Sign() == 0 || !mayBe(n, "number") {
		return
	}
	narrow := number(n["multipleOf"])
	if narrow == nil && !slices.Contains(types(n), "number") && slices.Contains(types(n), "integer") {
		narrow = big.NewRat(1, 1)
	}
	if narrow == nil || !new(big.Rat).Quo(narrow, wide).IsInt() {
		s.differ(field, n["multipleOf"], w["multipleOf"])
	}
}

// countRule holds a least (-1) or greatest (1) length of values of a type.
func countRule(keyword, of string, side int) rule {
	return func(s *comparison, n, w map[string]any, field string) {
		wide, narrow := number(w[keyword]), number(n[keyword])
		if wide == nil || !mayBe(n, of) || side < 0 && wide.Sign() == 0 {
			return
		}
		if narrow == nil || narrow.Cmp(wide)*side > 0 {
			s.differ(field, n[keyword], w[keyword])
		}
	}
}

// sameRule holds a keyword for values of a type to what it was.
func sameRule(keyword, of string) rule {
	return func(s *comparison, n, w map[string]any, field string) {
		if mayBe(n, of) && !equal(n[keyword], w[keyword], &s.steps) {
			s.differ(field, n[keyword], w[keyword])
		}
	}
}

// togetherRule holds keywords to what they were that mean something together only.
func togetherRule(keywords ...string) rule {
	return func(s *comparison, n, w map[string]any, field string) {
		for _, keyword := range keywords {
			if !s.same(n[keyword], w[keyword]) {
				s.differ(field, n[keyword], w[keyword])
				return
			}
		}
	}
}

// wholeRule holds a schema to what it was whose keywords are about what all others leave.
func wholeRule(s *comparison, n, w map[string]any, field string) {
	if !s.same(n, w) {
		s.differ(field, n, w)
	}
}

func uniqueRule(s *comparison, n, w map[string]any, field string) {
	if w["uniqueItems"] == true && n["uniqueItems"] != true && mayBe(n, "array") {
		s.differ(field, n["uniqueItems"], w["uniqueItems"])
	}
}

func itemsRule(s *comparison, n, w map[string]any, field string) {
	if !mayBe(n, "array") {
		return
	}
	before, _ := n["prefixItems"].([]any)
	after, _ := w["prefixItems"].([]any)
	if len(before) != len(after) {
		s.uncertainAbout(n, w, "items", field) // the same keyword is about other items
		return
	}
	s.inside(n["items"], w["items"], field)
}

func prefixRule(s *comparison, n, w map[string]any, field string) {
	before, _ := n["prefixItems"].([]any)
	after, _ := w["prefixItems"].([]any)
	if !mayBe(n, "array") {
		return
	}
	for i, item := range after {
		narrow := n["items"]
		if i < len(before) {
			narrow = before[i]
		}
		s.inside(narrow, item, fmt.Sprint(field, "/", i))
	}
	if len(before) > len(after) {
		s.uncertainAbout(n, w, "prefixItems", field)
	}
}

// uncertainAbout says that a keyword can't be compared.
func (s *comparison) uncertainAbout(n, w map[string]any, keyword, field string) {
	s.differ(field, n[keyword], w[keyword])
}

func requiredRule(s *comparison, n, w map[string]any, field string) {
	before, _ := n["required"].([]any)
	after, _ := w["required"].([]any)
	if !mayBe(n, "object") {
		return
	}
	known := keysOf(before)
	for _, name := range after {
		if known[key(name)] {
			continue
		}
		if s.direction == calling {
			s.fail(field, shown(name)+" not among them", shown(name))
		} else {
			s.fail(field, shown(name)+" among them", "missing")
		}
	}
}

func propertiesRule(s *comparison, n, w map[string]any, field string) {
	if !mayBe(n, "object") {
		return
	}
	before, after := object(n["properties"]), object(w["properties"])
	if s.direction == calling && w["patternProperties"] == nil {
		for _, name := range sortedKeys(before) {
			if _, still := after[name]; !still && before[name] != false {
				s.fail(field, fmt.Sprintf("%q among them", name), "missing")
			}
		}
	}
	for _, name := range sortedKeys(after) {
		at := field + "/" + escaped(name)
		narrow, declared := before[name]
		rest, said := n["additionalProperties"]
		switch {
		case declared:
			s.inside(narrow, after[name], at)
		case n["patternProperties"] != nil:
			s.differ(at, nil, after[name])
		case said && rest != true:
			s.inside(rest, after[name], at)
		case s.direction == answering:
			s.fail(field, fmt.Sprintf("%q among them", name), "missing")
		}
	}
}

func additionalRule(s *comparison, n, w map[string]any, field string) {
	if !mayBe(n, "object") {
		return
	}
	if !equal(n["patternProperties"], w["patternProperties"], &s.steps) {
		s.uncertainAbout(n, w, "additionalProperties", field)
		return
	}
	wide := w["additionalProperties"]
	s.inside(n["additionalProperties"], wide, field)
	// What the narrow side declares and the wide one does not is among the rest there.
	before, after := object(n["properties"]), object(w["properties"])
	if s.direction == calling && w["properties"] != nil && w["patternProperties"] == nil {
		return // the rule of properties tells which are missing
	}
	s.steps -= len(before)
	for _, name := range sortedKeys(before) {
		if _, declared := after[name]; !declared {
			s.inside(before[name], wide, field)
		}
	}
}

func allRule(s *comparison, n, w map[string]any, field string) {
	if s.same(n["allOf"], w["allOf"]) {
		return
	}
	all, _ := w["allOf"].([]any)
	for i, part := range all {
		s.within(n, part, fmt.Sprint(field, "/", i))
	}
}

func anyRule(s *comparison, n, w map[string]any, field string) {
	if s.same(n["anyOf"], w["anyOf"]) {
		return
	}
	choices, ok := n["anyOf"].([]any)
	if !ok {
		choices = []any{n}
	}
	wide, _ := w["anyOf"].([]any)
	for _, choice := range choices {
		if s.steps < 0 || !slices.ContainsFunc(wide, func(w any) bool { return s.steps >= 0 && s.probe(choice, w) }) {
			s.differ(field, n["anyOf"], w["anyOf"])
			return
		}
	}
}

// equal reports whether two values are equal as JSON has it: numbers by value, objects
// whatever the order of their members. Each value that is looked at takes one of the steps,
// and without any left the answer is no; nil is no bound.
func equal(a, b any, steps *int) bool {
	if steps != nil {
		if *steps--; *steps < 0 {
			return false
		}
	}
	within := func(a, b any) bool { return equal(a, b, steps) }
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		if !ok || a == b {
			return ok
		}
		x, y := number(a), number(b)
		return x != nil && y != nil && x.Cmp(y) == 0
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, within)
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, within)
	default:
		return a == b
	}
}
