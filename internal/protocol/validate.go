package protocol

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/kaptinlin/jsonschema"
)

// engine validates documents against the schema. It owns what there is to know about the
// validator library: what looks roundabout here guards against one of its habits, and
// has a test of its own.
type engine struct {
	// mu is held during validation, because the library compiles patterns while it
	// validates and writes them into the schema that all share.
	mu sync.Mutex
	// lean tells whether a document is valid, and schemas what is wrong with one that
	// is not.
	lean, schemas map[Kind]*jsonschema.Schema
}

func newEngine(schema []byte) (*engine, error) {
	schemas, err := compile(schema)
	if err != nil {
		return nil, fmt.Errorf("compiling the schema: %w", err)
	}
	text, err := leanSchema(schema)
	if err != nil {
		return nil, err
	}
	lean, err := compile(text)
	if err != nil {
		return nil, fmt.Errorf("compiling the lean schema: %w", err)
	}
	return &engine{lean: lean, schemas: schemas}, nil
}

// compile returns the schema of each kind of document.
func compile(schema []byte) (map[Kind]*jsonschema.Schema, error) {
	compiler := jsonschema.NewCompiler()
	clear(compiler.Loaders)        // it would fetch http and https references
	compiler.SetAssertFormat(true) // it would take any text for a date-time
	root, err := compiler.Compile(schema)
	if err != nil {
		return nil, err
	}
	// It would accept everything where a reference leads nowhere.
	if unresolved := root.UnresolvedReferenceURIs(); len(unresolved) > 0 {
		return nil, fmt.Errorf("unresolved references: %s", strings.Join(unresolved, ", "))
	}
	schemas := make(map[Kind]*jsonschema.Schema)
	for _, kind := range Kinds() {
		definition, ok := root.Defs[kind.definition()]
		if !ok {
			return nil, fmt.Errorf("no definition of the %s", kind)
		}
		schemas[kind] = definition
	}
	return schemas, nil
}

// validate adds every violation of the schema by a document as readStrict gives it.
func (e *engine) validate(kind Kind, document map[string]any, found *findings) error {
	schema, ok := e.schemas[kind]
	if !ok {
		return fmt.Errorf("there is no kind of document %q", kind)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.lean[kind].ValidateMap(document).IsValid() {
		return nil
	}
	result := schema.ValidateMap(document)
	collect(result, wholeOf(document), found)
	if found.empty() {
		return errors.New("the validator refuses a document and does not say why")
	}
	return nil
}

// collect adds the faults in a tree of results, the first of which is one. A result's
// location is relative to the result above it and is not escaped, so that pointers are
// built on the way down; the order of results is random, so that they are sorted.
func collect(result *jsonschema.EvaluationResult, at place, found *findings) {
	for keyword, fault := range result.Errors {
		collectFault(keyword, fault, result, at, found)
	}
	slices.SortStableFunc(result.Details, func(a, b *jsonschema.EvaluationResult) int {
		return strings.Compare(a.InstanceLocation, b.InstanceLocation)
	})
	for _, detail := range result.Details {
		if found.more {
			return
		}
		condition := detail.EvaluationPath == "/if" || detail.EvaluationPath == "/not"
		if condition || detail.IsValid() { // a condition that does not hold is no fault
			continue // before a pointer is built, which may be as long as the document
		}
		if name, ok := strings.CutPrefix(detail.InstanceLocation, "/"); ok {
			collect(detail, at.child(name), found)
		} else {
			collect(detail, at, found)
		}
	}
}

// collectFault adds the fault that one keyword found at a place. A result has at most
// one fault of each keyword.
func collectFault(keyword string, fault *jsonschema.EvaluationError, result *jsonschema.EvaluationResult, at place, found *findings) {
	param := func(name string) string { return fmt.Sprint(fault.Params[name]) }
	was := showValue(at.value)
	switch keyword {
	case "$ref", "allOf", "properties", "additionalProperties", "items", "then", "else":
		// The results below say what is wrong.
	case "required":
		// Where the member's own schema is known, the library has also held null
		// against it: that result says what belongs there.
		expected := cmp.Or(phrase(description(result)), "a member that is required")
		for _, name := range missingMembers(fault) {
			found.add(at.child(name), rankMissing, expected, missing)
		}
	case "type":
		found.add(at, rankType, typeWords(strings.Split(param("expected"), ", ")), showTyped(at.value))
	case "enum":
		found.add(at, rankEnum, "one of: "+param("expected"), was)
	case "minLength":
		found.add(at, rankSize, "at least "+count(param("min_length"), "character"), was)
	case "maxLength":
		found.add(at, rankSize, "at most "+count(param("max_length"), "character"), count(param("length"), "character"))
	case "minItems":
		found.add(at, rankSize, "at least "+count(param("min_items"), "item"), was)
	case "maxItems":
		found.add(at, rankSize, "at most "+count(param("max_items"), "item"), was)
	case "maxProperties":
		found.add(at, rankSize, "at most "+count(param("max_properties"), "member"), was)
	case "minimum":
		found.add(at, rankSize, "at least "+param("minimum"), was)
	case "maximum":
		found.add(at, rankSize, "at most "+param("maximum"), was)
	case "exclusiveMinimum":
		found.add(at, rankSize, "more than "+param("exclusive_minimum"), was)
	case "uniqueItems":
		found.add(at, rankSize, "items that are all different", was)
	case "pattern", "format":
		found.add(at, rankForm, cmp.Or(phrase(description(result)), "another form of text"), was)
	case "not":
		expected := "another value"
		for _, detail := range result.Details {
			if detail.EvaluationPath == "/not" {
				expected = cmp.Or(phrase(description(detail)), expected)
			}
		}
		found.add(at, rankForm, expected, was)
	default:
		// Our schema has no other keyword; if it gets one, it shall not pass unseen.
		found.add(at, rankOther, fault.Error(), was)
	}
}

// missingMembers returns the members that a fault of required is about, which the library
// joins in a parameter: 'a' or 'a', 'b'.
func missingMembers(fault *jsonschema.EvaluationError) []string {
	joined, ok := fault.Params["properties"].(string)
	if !ok {
		joined, _ = fault.Params["property"].(string)
	}
	return strings.Split(strings.Trim(joined, "'"), "', '")
}

// description is what the schema that gave a result says of itself, or "".
func description(result *jsonschema.EvaluationResult) string {
	if d, ok := result.Annotations["description"].(*string); ok {
		return *d
	}
	return ""
}
