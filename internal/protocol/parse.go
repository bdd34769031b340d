package protocol

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
)

// Validator reads documents and checks them against the protocol. It is safe for
// concurrent use.
type Validator struct {
	limits Limits
	engine *engine
	shapes map[Kind]*shape
}

// NewValidator returns a validator that reads within limits. It fails only when the
// embedded schema is not fit for use.
func NewValidator(limits Limits) (*Validator, error) {
	engine, err := newEngine(schemaJSON)
	if err != nil {
		return nil, err
	}
	shapes, err := newShapes(schemaJSON)
	if err != nil {
		return nil, err
	}
	return &Validator{limits: limits, engine: engine, shapes: shapes}, nil
}

// Parse reads a descriptor. The error is, in this order, a *SyntaxError when data is not
// strict JSON, a *ValidationError when it has too many values or is no object, an
// *IncompatibleError when its protocol MAJOR is another one, and a *ValidationError with every violation of the
// schema and of the rules beside it, by pointer.
func (v *Validator) Parse(data []byte) (*Document, error) {
	tree, report, err := v.read(KindDescriptor, data)
	if err != nil {
		return nil, err
	}
	if len(report.Violations) > 0 {
		return nil, &ValidationError{Violations: report.Violations}
	}
	form, err := canonical(data)
	if err != nil {
		return nil, err
	}
	document := &Document{Canonical: form, Digest: Digest(form), Warnings: v.warnings(KindDescriptor, tree)}
	if err := json.Unmarshal(form, &document.Descriptor); err != nil {
		return nil, fmt.Errorf("reading a valid descriptor: %w", err)
	}
	return document, nil
}

// Report is what a check found. A document without violations is valid.
type Report struct {
	Violations []Violation
	Warnings   []Warning
}

// Check reads a document of the given kind and reports what Parse would, in the same
// order and words. A protocol MAJOR that can't be read here is the one violation then,
// at /protocol/version. The error is a *SyntaxError when data is not strict JSON.
func (v *Validator) Check(kind Kind, data []byte) (Report, error) {
	tree, report, err := v.read(kind, data)
	if incompatible, ok := errors.AsType[*IncompatibleError](err); ok {
		return Report{Violations: []Violation{{
			Field:    "/protocol/version",
			Expected: "a protocol version in " + SupportedRange,
			Actual:   showString(incompatible.DescriptorVersion),
		}}}, nil
	}
	if err != nil {
		return Report{}, err
	}
	report.Warnings = v.warnings(kind, tree)
	return report, nil
}

// read reads a document and collects its violations. The tree is nil where there is
// nothing more to say of it. The error is a *SyntaxError or an *IncompatibleError.
func (v *Validator) read(kind Kind, data []byte) (map[string]any, Report, error) {
	value, err := readStrict(data, v.limits)
	if tooMany, ok := errors.AsType[*ValidationError](err); ok {
		return nil, Report{Violations: tooMany.Violations}, nil
	}
	if err != nil {
		return nil, Report{}, err
	}
	tree, ok := value.(map[string]any)
	if !ok {
		return nil, Report{Violations: []Violation{{Expected: "an object", Actual: showTyped(value)}}}, nil
	}
	if kind == KindDescriptor || kind == KindIndex {
		if err := checkMajor(tree); err != nil {
			return nil, Report{}, err
		}
	}
	var found findings
	if err := v.engine.validate(kind, tree, &found); err != nil {
		return nil, Report{}, err
	}
	checkRules(kind, tree, &found)
	return tree, Report{Violations: found.violations()}, nil
}

// checkMajor returns an *IncompatibleError when a document says that it is written in
// another MAJOR. A version that is not well formed is left to the schema.
func checkMajor(document map[string]any) error {
	version, _ := wholeOf(document).child("protocol").child("version").value.(string)
	if !validProtocolVersion(version) {
		return nil
	}
	return CheckCompatibility(version)
}
