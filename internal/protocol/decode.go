package protocol

import (
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/go-json-experiment/json"
)

// DecodeStrict reads data as strict JSON, nested at most maxDepth deep (0 means 64), into
// the struct that into points to. Members that the struct does not name are ignored, and
// null stands for a member that is not there. The error is a *SyntaxError, or a
// *ValidationError at the first member whose value has the wrong type, or when there are
// too many values.
func DecodeStrict(data []byte, maxDepth int, into any) error {
	tree, err := readStrict(data, Limits{MaxDepth: maxDepth})
	if err != nil {
		return err
	}
	err = json.Unmarshal(data, into)
	if fault, ok := errors.AsType[*json.SemanticError](err); ok {
		at := wholeOf(tree)
		for name := range fault.JSONPointer.Tokens() {
			at = at.child(name)
		}
		return &ValidationError{Violations: []Violation{{
			Field:    at.pointer,
			Expected: goTypeWords(fault.GoType),
			Actual:   showTyped(at.value),
		}}}
	}
	if err != nil {
		return fmt.Errorf("reading JSON: %w", err)
	}
	return nil
}

// goTypeWords says in words what JSON a Go type is read from.
func goTypeWords(t reflect.Type) string {
	if t == nil {
		return "another value"
	}
	if t == reflect.TypeFor[time.Time]() {
		return "a time by RFC 3339, such as 2026-01-31T12:00:00Z"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return goTypeWords(t.Elem())
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Float32, reflect.Float64:
		return "a number"
	default:
		return "an integer"
	}
}
