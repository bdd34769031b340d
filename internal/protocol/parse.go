package protocol

import (
	"fmt"

	"github.com/go-json-experiment/json"
)

// Validator reads documents and checks them against the protocol. It is safe for
// concurrent use.
type Validator struct {
	engine *engine
	limits Limits
}

// NewValidator returns a validator that reads within limits.
func NewValidator(limits Limits) (*Validator, error) {
	e, err := newEngine(schemaJSON)
	if err != nil {
		return nil, err
	}
	return &Validator{engine: e, limits: limits}, nil
}

// Parse reads a descriptor. The error is, in this order, a *SyntaxError when data is not
// strict JSON, a *ValidationError at "" when it is no object, an *IncompatibleError when
// its protocol MAJOR is another one, and a *ValidationError with every violation of the
// schema and of the rules beside it.
func (v *Validator) Parse(data []byte) (*Document, error) {
	value, err := readStrict(data, v.limits)
	if err != nil {
		return nil, err
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, &ValidationError{Violations: []Violation{notAnObject(value)}}
	}
	if version, ok := documentVersion(object); ok {
		if err := CheckCompatibility(version); err != nil {
			return nil, err
		}
	}
	violations, err := v.violations(KindDescriptor, object)
	if err != nil {
		return nil, err
	}
	if len(violations) > 0 {
		return nil, &ValidationError{Violations: violations}
	}
	form, err := canonical(data)
	if err != nil {
		return nil, err
	}
	document := &Document{Canonical: form, Digest: Digest(form), Warnings: warnings(KindDescriptor, object)}
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

// Check reads a document of the given kind and reports every violation, in the order and
// words of Parse. A protocol MAJOR that can't be read here is the one violation then, at
// /protocol/version. The error is a *SyntaxError when data is not strict JSON.
func (v *Validator) Check(kind Kind, data []byte) (Report, error) {
	value, err := readStrict(data, v.limits)
	if err != nil {
		return Report{}, err
	}
	object, ok := value.(map[string]any)
	if !ok {
		return Report{Violations: []Violation{notAnObject(value)}}, nil
	}
	if kind == KindDescriptor || kind == KindIndex {
		if version, ok := documentVersion(object); ok && CheckCompatibility(version) != nil {
			return Report{Violations: []Violation{{
				Field:    "/protocol/version",
				Expected: "a protocol version in " + SupportedRange,
				Actual:   showString(version),
			}}}, nil
		}
	}
	violations, err := v.violations(kind, object)
	if err != nil {
		return Report{}, err
	}
	return Report{Violations: violations, Warnings: warnings(kind, object)}, nil
}

// violations lists what the schema and the rules beside it say against a document.
func (v *Validator) violations(kind Kind, document map[string]any) ([]Violation, error) {
	var found findings
	if err := v.engine.validate(kind, document, &found); err != nil {
		return nil, err
	}
	checkRules(kind, document, &found)
	return found.violations(), nil
}

func notAnObject(value any) Violation {
	return Violation{Expected: "an object", Actual: showTyped(value)}
}

// documentVersion returns the protocol version that a document says it is written in,
// where it says a well-formed one.
func documentVersion(document map[string]any) (string, bool) {
	protocol, _ := document["protocol"].(map[string]any)
	version, ok := protocol["version"].(string)
	return version, ok && validProtocolVersion(version)
}
