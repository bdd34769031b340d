package protocol

import (
	"fmt"
	"strings"
)

// Code is the machine-readable code of an error answer.
type Code string

// The codes that the protocol names. Those that only HTTP needs stand in httpapi.
const (
	CodeValidation          Code = "VALIDATION_ERROR"
	CodeAuthRequired        Code = "AUTH_REQUIRED"
	CodePermissionDenied    Code = "PERMISSION_DENIED"
	CodeSkillNotFound       Code = "SKILL_NOT_FOUND"
	CodeVersionIncompatible Code = "VERSION_INCOMPATIBLE"
	CodeExecutionTimeout    Code = "EXECUTION_TIMEOUT"
	CodeEndpointUnreachable Code = "ENDPOINT_UNREACHABLE"
)

// ErrorAnswer is the one form of every error answer.
type ErrorAnswer struct {
	Error ErrorDetail `json:"error"`
}

// ErrorDetail says what went wrong. Details and Retry are left out where they
// would say nothing.
type ErrorDetail struct {
	Code    Code           `json:"code"`
	Message string         `json:"message"`
	Details map[string]any `json:"details,omitempty"`
	Retry   *Retry         `json:"retry,omitempty"`
}

// Retry tells a caller when the same request is worth another try.
type Retry struct {
	SuggestedDelayMS int64 `json:"suggested_delay_ms"`
	MaxAttempts      int   `json:"max_attempts"`
}

// Violation is one rule that a document breaks. Field is a JSON Pointer (RFC 6901)
// to the member that is wrong; for a missing member, to where it belongs; the empty
// string is the whole document.
type Violation struct {
	Field    string `json:"field"`
	Expected string `json:"expected"`
	Actual   string `json:"actual"`
}

// Warning is an oddity that breaks no rule. Field is as in Violation.
type Warning struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// SyntaxError says that the bytes are not strict JSON, or exceed the limits within
// which JSON is read.
type SyntaxError struct {
	// Offset counts the bytes before the fault.
	Offset int64
	// Pointer is a JSON Pointer to the innermost value around the fault.
	Pointer string
	// Reason says what is wrong, in words for the author of the document.
	Reason string
}

func (e *SyntaxError) Error() string {
	at := fmt.Sprintf("at byte %d", e.Offset)
	if e.Pointer != "" {
		at += " in " + shorten(e.Pointer)
	}
	return "not valid JSON: " + e.Reason + " " + at
}

// ValidationError lists every violation of a document, in a stable order.
type ValidationError struct {
	Violations []Violation
}

func (e *ValidationError) Error() string {
	var b strings.Builder
	b.WriteString("the document breaks ")
	if len(e.Violations) == 1 {
		b.WriteString("1 rule")
	} else {
		fmt.Fprintf(&b, "%d rules", len(e.Violations))
	}
	for i, v := range e.Violations {
		if i == 3 {
			b.WriteString("; …")
			break
		}
		sep := "; "
		if i == 0 {
			sep = ": "
		}
		field := shorten(v.Field)
		if field == "" {
			field = "the document"
		}
		fmt.Fprintf(&b, "%s%s: expected %s, got %s", sep, field, v.Expected, v.Actual)
	}
	return b.String()
}

// IncompatibleError says that a document is written in another MAJOR version of the
// protocol than this package reads.
type IncompatibleError struct {
	// DescriptorVersion is the document's protocol version.
	DescriptorVersion string
	// SupportedRange is what this package reads, such as "1.x.x".
	SupportedRange string
}

func (e *IncompatibleError) Error() string {
	return fmt.Sprintf("the document is written in protocol %s, and this registry reads %s", e.DescriptorVersion, e.SupportedRange)
}
