package protocol

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/kaptinlin/jsonschema"
)

// engine validates documents against the embedded schema. It owns what there is to know
// about the validator library: everything here that looks roundabout guards against one
// of its habits, and has a test of its own.
type engine struct {
	// mu is held during validation, because the library compiles patterns while it
	// validates, and writes them into the shared schema.
	mu      sync.Mutex
	schemas map[Kind]*jsonschema.Schema
}

func newEngine(schema []byte) (*engine, error) {
	compiler := jsonschema.NewCompiler()
	clear(compiler.Loaders) // it would fetch http and https references
	compiler.SetAssertFormat(true)
	root, err := compiler.Compile(schema)
	if err != nil {
		return nil, fmt.Errorf("compiling the schema: %w", err)
	}
	e := &engine{schemas: make(map[Kind]*jsonschema.Schema)}
	for _, kind := range Kinds() {
		e.schemas[kind] = root.Defs[kind.definition()]
		if e.schemas[kind] == nil {
			return nil, fmt.Errorf("compiling the schema: it has no definition %q", kind.definition())
		}
	}
	// A reference that leads nowhere would accept everything.
	if unresolved := root.UnresolvedReferenceURIs(); len(unresolved) > 0 {
		return nil, fmt.Errorf("compiling the schema: unresolved references %s", strings.Join(unresolved, ", "))
	}
	return e, nil
}

// validate adds every violation of the schema by document, as readStrict gives it.
func (e *engine) validate(kind Kind, document map[string]any, found *findings) error {
	schema := e.schemas[kind]
	if schema == nil {
		return fmt.Errorf("there is no kind of document %q", kind)
	}
	e.mu.Lock()
	result := schema.ValidateMap(document)
	e.mu.Unlock()
	if result.IsValid() {
		return nil
	}
	before := found.len()
	collect(result, place{value: document, present: true}, found)
	if found.len() == before {
		return errors.New("the validator refuses a document and does not say why")
	}
	return nil
}

// place is a place in a document and what is there.
type place struct {
	pointer string
	value   any
	present bool
}

func (p place) child(name string) place {
	child := place{pointer: p.pointer + "/" + escape(name)}
	switch parent := p.value.(type) {
	case map[string]any:
		child.value, child.present = parent[name]
	case []any:
		if i, ok := index(name, len(parent)); ok {
			child.value, child.present = parent[i], true
		}
	}
	return child
}

// collect walks down the tree of results. A result's location is relative to the result
// above it and is not escaped, so that pointers are built on the way.
func collect(result *jsonschema.EvaluationResult, at place, found *findings) {
	if result.IsValid() {
		return
	}
	for keyword, fault := range result.Errors {
		collectFault(keyword, fault, result, at, found)
	}
	for _, detail := range result.Details {
		switch detail.EvaluationPath {
		case "/if", "/not": // not held against the document
			continue
		}
		if step, ok := strings.CutPrefix(detail.InstanceLocation, "/"); ok {
			collect(detail, at.child(step), found)
		} else {
			collect(detail, at, found)
		}
	}
}

func collectFault(keyword string, fault *jsonschema.EvaluationError, result *jsonschema.EvaluationResult, at place, found *findings) {
	param := func(name string) string { return fmt.Sprint(fault.Params[name]) }
	switch keyword {
	case "$ref", "allOf", "properties", "additionalProperties", "items", "then", "else":
		// What is below says it.
	case "required":
		// The members that are missing are listed in one parameter. The library has
		// also held null against the schema of each, which says what belongs there.
		names := param("property")
		if fault.Code == "missing_required_properties" {
			names = param("properties")
		}
		for name := range strings.SplitSeq(strings.Trim(names, "'"), "', '") {
			expected := "this member, which is required"
			if d := description(result); strings.HasSuffix(result.EvaluationPath, "/then") && d != "" {
				expected = phrase(d)
			}
			found.add(at.child(name), rankRequired, expected, missing)
		}
	case "type":
		found.add(at, rankType, typeWords(strings.Split(param("expected"), ", ")), showTyped(at.value))
	case "enum":
		found.add(at, rankEnum, "one of: "+param("expected"), showValue(at.value))
	case "maxLength":
		found.add(at, rankSize, "at most "+count(param("max_length"), "character"), count(param("length"), "character"))
	case "minLength":
		found.add(at, rankSize, "at least "+count(param("min_length"), "character"), showValue(at.value))
	case "maxItems":
		found.add(at, rankSize, "at most "+count(param("max_items"), "item"), count(param("count"), "item"))
	case "minItems":
		found.add(at, rankSize, "at least "+count(param("min_items"), "item"), count(param("count"), "item"))
	case "maxProperties":
		found.add(at, rankSize, "at most "+count(param("max_properties"), "member"), showValue(at.value))
	case "minimum":
		found.add(at, rankSize, "at least "+param("minimum"), showValue(at.value))
	case "maximum":
		found.add(at, rankSize, "at most "+param("maximum"), showValue(at.value))
	case "exclusiveMinimum":
		found.add(at, rankSize, "more than "+param("exclusive_minimum"), showValue(at.value))
	case "uniqueItems":
		found.add(at, rankSize, "items that are all different", showValue(at.value))
	case "not":
		expected := "another value"
		for _, detail := range result.Details {
			if d := description(detail); detail.EvaluationPath == "/not" && d != "" {
				expected = phrase(d)
			}
		}
		found.add(at, rankForm, expected, showValue(at.value))
	case "pattern", "format":
		expected := "text that matches " + keyword
		if d := description(result); d != "" {
			expected = phrase(d)
		}
		found.add(at, rankForm, expected, showValue(at.value))
	default:
		// No keyword of our schema, but never silent.
		found.add(at, rankOther, fault.Error(), showValue(at.value))
	}
}

// description is what the schema that gave the result says of itself.
func description(result *jsonschema.EvaluationResult) string {
	if d, ok := result.Annotations["description"].(*string); ok && d != nil {
		return *d
	}
	return ""
}
