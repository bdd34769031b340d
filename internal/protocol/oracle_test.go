package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	oracle "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// A second validator, by other authors, holds the first one to the specification: both
// must give the same verdict and name the same members.

type oracles map[Kind]*oracle.Schema

func newOracles(t testing.TB) oracles {
	t.Helper()
	compiler := oracle.NewCompiler()
	compiler.AssertFormat()
	compiler.UseLoader(oracle.SchemeURLLoader{}) // nothing is ever loaded
	document, err := oracle.UnmarshalJSON(bytes.NewReader(schemaJSON))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiler.AddResource(schemaID, document); err != nil {
		t.Fatal(err)
	}
	schemas := make(oracles)
	for _, k := range Kinds() {
		schema, err := compiler.Compile(schemaID + "#/$defs/" + k.definition())
		if err != nil {
			t.Fatalf("compiling %s: %v", k, err)
		}
		schemas[k] = schema
	}
	return schemas
}

// fields returns the pointers of what the oracle has against a document, sorted.
func (o oracles) fields(t testing.TB, k Kind, document any) []string {
	t.Helper()
	err := o[k].Validate(document)
	if err == nil {
		return nil
	}
	invalid, ok := errors.AsType[*oracle.ValidationError](err)
	if !ok {
		t.Fatalf("the oracle fails: %v", err)
	}
	fields := oracleFields(invalid)
	slices.Sort(fields)
	return slices.Compact(fields)
}

func oracleFields(err *oracle.ValidationError) []string {
	var pointer string
	for _, name := range err.InstanceLocation {
		pointer += "/" + escape(name)
	}
	switch fault := err.ErrorKind.(type) {
	case *kind.Required:
		var fields []string
		for _, name := range fault.Missing {
			fields = append(fields, pointer+"/"+escape(name))
		}
		return fields
	case *kind.Schema, *kind.Reference, *kind.Group, *kind.AllOf:
		var fields []string
		for _, cause := range err.Causes {
			fields = append(fields, oracleFields(cause)...)
		}
		return fields
	}
	return []string{pointer}
}

// schemaFields returns the pointers of what our validator has against a document by the
// schema alone, sorted.
func schemaFields(t testing.TB, e *engine, k Kind, document map[string]any) []string {
	t.Helper()
	var found findings
	if err := e.validate(k, document, &found); err != nil {
		t.Fatalf("validating %s: %v", k, err)
	}
	var fields []string
	for _, violation := range found.violations() {
		fields = append(fields, violation.Field)
	}
	slices.Sort(fields)
	return fields
}

func readTree(t testing.TB, data []byte) map[string]any {
	t.Helper()
	tree, err := readStrict(data, Limits{})
	if err != nil {
		t.Fatalf("reading %s: %v", data, err)
	}
	return tree.(map[string]any)
}

func TestOracleAgreesOnGeneratedDocuments(t *testing.T) {
	engine := newTestEngine(t)
	oracles := newOracles(t)
	for _, k := range Kinds() {
		t.Run(string(k), func(t *testing.T) {
			t.Parallel()
			protocoltest.Check(t, func(rt *rapid.T) {
				data := protocoltest.Document(string(k)).Draw(rt, "valid").JSON
				if rapid.Bool().Draw(rt, "broken") {
					data = protocoltest.Invalid(string(k)).Draw(rt, "invalid").JSON
				}
				tree := readTree(t, data)
				if got, want := schemaFields(t, engine, k, tree), oracles.fields(t, k, tree); !slices.Equal(got, want) {
					rt.Fatalf("%s: violations at %q, the oracle says %q", data, got, want)
				}
			})
		})
	}
}

func TestOracleAgreesOnEveryChangeOfADocument(t *testing.T) {
	engine := newTestEngine(t)
	oracles := newOracles(t)
	for _, k := range Kinds() {
		t.Run(string(k), func(t *testing.T) {
			t.Parallel()
			checked := 0
			for seed := range 2 {
				doc := protocoltest.Document(string(k)).Example(100 + seed)
				for _, change := range protocoltest.Changes(string(k), doc.Tree) {
					data, err := json.Marshal(change.Apply(doc.Tree))
					if err != nil {
						t.Fatal(err)
					}
					tree := readTree(t, data)
					if got, want := schemaFields(t, engine, k, tree), oracles.fields(t, k, tree); !slices.Equal(got, want) {
						t.Errorf("%s of %.300s: violations at %q, the oracle says %q", change.What, data, got, want)
					}
					checked++
				}
			}
			if checked < 100 {
				t.Errorf("%d changes of %s were checked, want 100 or more", checked, k)
			}
		})
	}
}

func TestSchemaPassesItsMetaSchema(t *testing.T) {
	t.Parallel()
	compiler := oracle.NewCompiler()
	metaSchema, err := compiler.Compile("https://json-schema.org/draft/2020-12/schema")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"", "https://registry.example/schemas/1.0.0/schema.json"} {
		document, err := oracle.UnmarshalJSON(bytes.NewReader(Schema(id)))
		if err != nil {
			t.Fatal(err)
		}
		if err := metaSchema.Validate(document); err != nil {
			t.Errorf("Schema(%q) breaks its meta-schema: %v", id, err)
		}
	}
}

func newTestEngine(t testing.TB) *engine {
	t.Helper()
	e, err := newEngine(schemaJSON)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
