package protocol_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// threePlainIntegers is the rule of protocol versions, written down once more.
func threePlainIntegers(version string) bool {
	parts := strings.Split(version, ".")
	if len(parts) != 3 {
		return false
	}
	for _, part := range parts {
		if part == "" || strings.Trim(part, "0123456789") != "" || len(part) > 1 && part[0] == '0' {
			return false
		}
	}
	return true
}

// Feature: skill-sharing-protocol, Property 9: the protocol version is MAJOR.MINOR.PATCH,
// non-negative integers.
func TestProperty09ProtocolVersionIsThreePlainIntegers(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	number := `(0|[1-9][0-9]{0,25})`
	version := rapid.OneOf(
		rapid.StringMatching(`1\.`+number+`\.`+number),
		rapid.StringMatching(`(01|v1|1|-1|１| 1)\.`+number+`\.`+number),
		rapid.StringMatching(`1\.0?`+number+`\.0?`+number),
		rapid.StringMatching(`1\.`+number+`\.`+number+`(-[a-z0-9]{1,3}|\+[a-z0-9]{1,3}|-|\+|\n| |\.0)`),
		rapid.StringMatching(`1(\.[0-9]){0,5}\.?`),
		rapid.StringMatching(`[0-9v.+ \-\n]{0,9}`),
		rapid.String(),
	)
	protocoltest.Property(t, 9, "the protocol version is MAJOR.MINOR.PATCH, non-negative integers", func(rt *rapid.T) {
		version := version.Draw(rt, "version")
		wellFormed := threePlainIntegers(version)
		err := protocol.CheckCompatibility(version)
		if invalid, ok := errors.AsType[*protocol.ValidationError](err); ok == wellFormed {
			rt.Fatalf("CheckCompatibility(%q) = %v, want a *ValidationError: %t", version, invalid, !wellFormed)
		}
		if wellFormed && !strings.HasPrefix(version, "1.") {
			return // another MAJOR is property 10
		}
		doc := protocoltest.Descriptor(protocoltest.With("protocol", map[string]any{"version": version})).Draw(rt, "descriptor")
		var want []string
		if !wellFormed {
			want = []string{"/protocol/version"}
		}
		if got := violatedBy(rt, v, doc.JSON); !slices.Equal(got, want) {
			rt.Fatalf("Parse with protocol version %q names %q, want %q", version, got, want)
		}
	})
}

// Feature: skill-sharing-protocol, Property 10: a descriptor whose MAJOR is above the
// supported one gives an incompatibility error.
func TestProperty10AnotherMajorIsIncompatible(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	protocoltest.Property(t, 10, "a descriptor whose MAJOR is above the supported one gives an incompatibility error", func(rt *rapid.T) {
		major := rapid.OneOf(
			rapid.StringMatching(`[2-9]|[1-9][0-9]{1,30}`),
			rapid.Just("18446744073709551617"),
			rapid.Just("0"),
		).Draw(rt, "major")
		version := major + rapid.StringMatching(`\.(0|[1-9][0-9]{0,3})\.(0|[1-9][0-9]{0,3})`).Draw(rt, "rest")
		tree := protocoltest.Descriptor().Draw(rt, "descriptor").Tree
		if rapid.Bool().Draw(rt, "other rules") {
			tree = map[string]any{"id": 5} // the rules of another MAJOR are not ours
		}
		tree["protocol"] = map[string]any{"version": version}
		data := protocoltest.Render(rt, tree)
		document, err := v.Parse(data)
		incompatible, ok := errors.AsType[*protocol.IncompatibleError](err)
		if !ok || document != nil || incompatible.DescriptorVersion != version || incompatible.SupportedRange != "1.x.x" {
			rt.Fatalf("Parse(%s) = %v, %v, want an *IncompatibleError with %s and 1.x.x", data, document, err, version)
		}
		report, err := v.Check(protocol.KindDescriptor, data)
		if got := fieldsOf(report.Violations); err != nil || !slices.Equal(got, []string{"/protocol/version"}) {
			rt.Fatalf("Check(%s) names %q, %v, want /protocol/version alone", data, got, err)
		}
		newer := "1" + strings.TrimPrefix(version, major)
		if err := protocol.CheckCompatibility(newer); err != nil {
			rt.Fatalf("CheckCompatibility(%q) = %v, want nil", newer, err)
		}
	})
}
