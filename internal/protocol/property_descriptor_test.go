package protocol_test

import (
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

func TestMain(m *testing.M) { protocoltest.Main(m) }

// Feature: skill-sharing-protocol, Property 1: every valid descriptor has all the required
// members; one that lacks any is refused.
func TestProperty01RequiredMembersAreThere(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	required := []string{
		"protocol", "id", "name", "version", "capability_type", "description", "provider", "endpoint", "inputs", "output", "auth", "access",
	}
	protocoltest.Property(t, 1, "every valid descriptor has all the required members; one that lacks any is refused", func(rt *rapid.T) {
		doc := protocoltest.Descriptor().Draw(rt, "descriptor")
		document, err := v.Parse(doc.JSON)
		if err != nil {
			rt.Fatalf("Parse(%s) = %v, want a document", doc.JSON, err)
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(document.Canonical, &members); err != nil {
			rt.Fatal(err)
		}
		for _, name := range required {
			if members[name] == nil {
				rt.Errorf("Parse(%s) has no %s", doc.JSON, name)
			}
		}
		lacking := rapid.SliceOfNDistinct(rapid.SampledFrom(required), 1, len(required), rapid.ID).Draw(rt, "lacking")
		tree := maps.Clone(doc.Tree)
		var want []string
		for _, name := range lacking {
			delete(tree, name)
			want = append(want, "/"+name)
		}
		slices.Sort(want)
		data := protocoltest.Render(rt, tree)
		if got := violatedBy(rt, v, data); !slices.Equal(got, want) {
			rt.Fatalf("Parse(%s) names %q, want %q", data, got, want)
		}
	})
}

// Feature: skill-sharing-protocol, Property 2: capability_type, access and auth.type take
// exactly the values of the protocol.
func TestProperty02EnumerationsTakeExactlyTheirValues(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	capabilityTypes := []string{"plugin", "api", "knowledge", "task"}
	accessLevels := []string{"public", "restricted", "private"}
	authTypes := []string{"api_key", "oauth2", "custom", "none"}
	all := slices.Concat(capabilityTypes, accessLevels, authTypes)
	value := rapid.OneOf(
		rapid.SampledFrom(all),
		rapid.SampledFrom(all),
		rapid.SampledFrom(all), // most often a value of this enumeration or of another
		rapid.Map(rapid.SampledFrom(all), strings.ToUpper),
		rapid.Map(rapid.SampledFrom(all), func(s string) string { return s + "s" }),
		rapid.Map(rapid.SampledFrom(all), func(s string) string { return s + "\n" }),
		rapid.String(),
	)
	protocoltest.Property(t, 2, "capability_type, access and auth.type take exactly the values of the protocol", func(rt *rapid.T) {
		capabilityType, access, authType := value.Draw(rt, "capability_type"), value.Draw(rt, "access"), value.Draw(rt, "auth.type")
		doc := protocoltest.Descriptor(
			protocoltest.With("capability_type", capabilityType),
			protocoltest.With("access", access),
			protocoltest.With("auth", map[string]any{"type": authType, "oauth2": map[string]any{
				"authorization_url": "https://a.example/auth", "token_url": "https://a.example/token", "scopes": map[string]any{},
			}}),
		).Draw(rt, "descriptor")
		var want []string
		if !slices.Contains(accessLevels, access) {
			want = append(want, "/access")
		}
		if !slices.Contains(authTypes, authType) {
			want = append(want, "/auth/type")
		}
		if !slices.Contains(capabilityTypes, capabilityType) {
			want = append(want, "/capability_type")
		}
		if got := violatedBy(rt, v, doc.JSON); !slices.Equal(got, want) {
			rt.Fatalf("Parse with capability_type %q, access %q, auth.type %q names %q, want %q", capabilityType, access, authType, got, want)
		}
	})
}

func TestValueOfAnotherEnumerationIsRefused(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	enumerations := map[string][]string{
		"/capability_type": {"plugin", "api", "knowledge", "task"},
		"/access":          {"public", "restricted", "private"},
		"/auth/type":       {"api_key", "custom", "none"},
		"/output/type":     {"string", "number", "integer", "boolean", "object", "array"},
	}
	for pointer, own := range enumerations {
		for _, values := range enumerations {
			for _, value := range slices.Concat(values, []string{"", "API", "Public", "None", "null", "any"}) {
				data := plainJSON(t, put(protocoltest.Tree("com.example.a", "1.0.0", "public", "api"), pointer, value))
				var want []string
				if !slices.Contains(own, value) {
					want = []string{pointer}
				}
				if got := violatedBy(t, v, data); !slices.Equal(got, want) {
					t.Errorf("Parse with %s %q names %q, want %q", pointer, value, got, want)
				}
			}
		}
	}
}

// Feature: skill-sharing-protocol, Property 3: parse(serialize(d)) == d.
func TestProperty03SerializedDescriptorParsesToItself(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	protocoltest.Property(t, 3, "parse(serialize(d)) == d", func(rt *rapid.T) {
		doc := protocoltest.Descriptor().Draw(rt, "descriptor")
		first, err := v.Parse(doc.JSON)
		if err != nil {
			rt.Fatalf("Parse(%s) = %v, want a document", doc.JSON, err)
		}
		data, err := protocol.Serialize(first.Descriptor)
		if err != nil {
			rt.Fatalf("Serialize after Parse(%s): %v", doc.JSON, err)
		}
		if string(data) != string(first.Canonical) {
			rt.Fatalf("Serialize after Parse(%s) = %s, want %s", doc.JSON, data, first.Canonical)
		}
		second, err := v.Parse(data)
		if err != nil {
			rt.Fatalf("Parse(%s) = %v, want a document", data, err)
		}
		if !reflect.DeepEqual(second, first) {
			rt.Fatalf("Parse(Serialize(d)) = %+v, want %+v", second, first)
		}
		// The document itself says the same as what was sent, digit by digit.
		if got, want := decode(rt, data), decode(rt, doc.JSON); !reflect.DeepEqual(got, want) {
			rt.Fatalf("Serialize after Parse(%s) = %s, which says something else", doc.JSON, data)
		}
	})
}

// Feature: skill-sharing-protocol, Property 4: a document that conforms is parsed; one
// that does not yields errors that name the violating fields.
func TestProperty04ViolationsNameTheWrongMembers(t *testing.T) {
	t.Parallel()
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
				if got := violatedBy(rt, v, fault.JSON); !slices.Equal(got, want) {
					rt.Fatalf("Parse(%s) with %s names %q, want %q", fault.JSON, fault.What, got, want)
				}
			})
		})
	}
}

func TestEveryChangeOfAValidDocumentIsJudgedRight(t *testing.T) {
	t.Parallel()
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
					want := slices.Sorted(slices.Values(change.Fields))
					if got := fieldsOf(report.Violations); err != nil || !slices.Equal(got, want) {
						t.Errorf("Check(%s, %.300s) with %s = %+v, %v, want violations at %q", kind, data, change.What, report.Violations, err, want)
					}
				}
			}
		})
	}
}

func newValidator(t testing.TB) *protocol.Validator {
	t.Helper()
	v, err := protocol.NewValidator(protocol.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// violatedBy returns the fields that Parse names, sorted; nil when it accepts the
// document.
func violatedBy(t interface{ Fatalf(string, ...any) }, v *protocol.Validator, data []byte) []string {
	_, err := v.Parse(data)
	if err == nil {
		return nil
	}
	invalid, ok := errors.AsType[*protocol.ValidationError](err)
	if !ok {
		t.Fatalf("Parse(%s) = %v, want a *ValidationError", data, err)
	}
	return fieldsOf(invalid.Violations)
}

// fieldsOf returns the fields of violations, sorted.
func fieldsOf(violations []protocol.Violation) []string {
	var fields []string
	for _, v := range violations {
		fields = append(fields, v.Field)
	}
	slices.Sort(fields)
	return fields
}

func plainJSON(t *testing.T, tree any) []byte {
	t.Helper()
	data, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// decode reads JSON with every number's digits.
func decode(t interface{ Fatalf(string, ...any) }, data []byte) any {
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("decoding %s: %v", data, err)
	}
	return value
}
