package protocol_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

func TestMain(m *testing.M) { protocoltest.Main(m) }

func newValidator(t testing.TB) *protocol.Validator {
	t.Helper()
	v, err := protocol.NewValidator(protocol.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// fieldsOf returns the fields of violations, sorted.
func fieldsOf(violations []protocol.Violation) []string {
	fields := []string{}
	for _, v := range violations {
		fields = append(fields, v.Field)
	}
	slices.Sort(fields)
	return fields
}

// Feature: skill-sharing-protocol, Property 4: a document that conforms is parsed; one
// that does not yields errors that name the violating fields.
func TestProperty04ViolationsNameTheWrongMembers(t *testing.T) {
	v := newValidator(t)
	for _, kind := range protocol.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			protocoltest.Property(t, 4, "a document that conforms is parsed; one that does not yields errors that name the violating fields", func(rt *rapid.T) {
				doc := protocoltest.Document(string(kind)).Draw(rt, "valid")
				report, err := v.Check(kind, doc.JSON)
				if err != nil || len(report.Violations) > 0 {
					rt.Fatalf("Check(%s, %s) = %+v, %v, want no violations", kind, doc.JSON, report.Violations, err)
				}
				fault := protocoltest.Invalid(string(kind)).Draw(rt, "invalid")
				report, err = v.Check(kind, fault.JSON)
				if err != nil {
					rt.Fatalf("Check(%s, %s): %v", kind, fault.JSON, err)
				}
				want := slices.Sorted(slices.Values(fault.Fields))
				if got := fieldsOf(report.Violations); !slices.Equal(got, want) {
					rt.Fatalf("Check(%s, %s) with %s names %q, want %q: %+v", kind, fault.JSON, fault.What, got, want, report.Violations)
				}
				if kind != protocol.KindDescriptor {
					return
				}
				_, err = v.Parse(fault.JSON)
				invalid, ok := errors.AsType[*protocol.ValidationError](err)
				if !ok || !slices.Equal(invalid.Violations, report.Violations) {
					rt.Fatalf("Parse(%s) = %v, want the violations of Check: %+v", fault.JSON, err, report.Violations)
				}
			})
		})
	}
}

func TestEveryChangeOfAValidDocumentIsJudgedRight(t *testing.T) {
	v := newValidator(t)
	for _, kind := range protocol.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			for seed := range 2 {
				doc := protocoltest.Document(string(kind)).Example(seed)
				for _, change := range protocoltest.Changes(string(kind), doc.Tree) {
					data, err := json.Marshal(change.Apply(doc.Tree))
					if err != nil {
						t.Fatal(err)
					}
					report, err := v.Check(kind, data)
					if got, want := fieldsOf(report.Violations), slices.Sorted(slices.Values(change.Fields)); err != nil || !slices.Equal(got, want) {
						t.Errorf("Check(%s, %.300s) with %s = %+v, %v, want violations at %q", kind, data, change.What, report.Violations, err, want)
					}
				}
			}
		})
	}
}
