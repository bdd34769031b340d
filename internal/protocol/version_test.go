package protocol_test

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

func TestVersionsAreOrderedBySemVer(t *testing.T) {
	t.Parallel()
	ordered := []string{
		"no version", "0.0.0-0", "0.0.0", "0.0.1", "0.1.0",
		"1.0.0--", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0",
		"1.0.9", "1.0.10", "1.0.18446744073709551615", "1.0.18446744073709551616", "1.0.99999999999999999999", "1.0.100000000000000000000",
		"2.0.0-1", "2.0.0-2", "2.0.0-10", "2.0.0-0a", "2.0.0",
	}
	for i, a := range ordered {
		for j, b := range ordered {
			if got, want := protocol.CompareVersions(a, b), cmp.Compare(i, j); got != want {
				t.Errorf("CompareVersions(%q, %q) = %d, want %d", a, b, got, want)
			}
		}
	}
	for _, b := range []string{"1.0.0+a", "1.0.0+b.5", "1.0.0"} {
		if got := protocol.CompareVersions("1.0.0+z", b); got != 0 {
			t.Errorf("CompareVersions(1.0.0+z, %s) = %d, want 0", b, got)
		}
	}
}

func TestVersionsAreTakenApart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version, withoutBuild string
		prerelease            bool
	}{
		{"1.0.0", "1.0.0", false},
		{"1.0.0+b-5.a", "1.0.0", false},
		{"1.0.0-rc.1", "1.0.0-rc.1", true},
		{"1.0.0-rc.1+b", "1.0.0-rc.1", true},
		{"1.0.0--+-", "1.0.0--", true},
	} {
		if got := protocol.VersionWithoutBuild(c.version); got != c.withoutBuild {
			t.Errorf("VersionWithoutBuild(%s) = %s, want %s", c.version, got, c.withoutBuild)
		}
		if got := protocol.IsPrerelease(c.version); got != c.prerelease {
			t.Errorf("IsPrerelease(%s) = %t, want %t", c.version, got, c.prerelease)
		}
	}
}

// What Go says of ids and versions is what the schema says of them.
func TestSchemaAndGoAgreeOnIDsAndVersions(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	id := rapid.OneOf(
		protocoltest.ID(),
		rapid.StringMatching(`[a-z0-9._-]{0,6}`),
		rapid.Map(protocoltest.ID(), func(s string) string { return s + "\n" }),
		rapid.Map(rapid.IntRange(195, 205), func(n int) string { return strings.Repeat("a", n) }),
		rapid.SampledFrom([]string{"index.json", "com.Example", "a/b", "äöü", "a.b\x00"}),
		rapid.String(),
	)
	version := rapid.OneOf(
		protocoltest.Version(),
		rapid.StringMatching(`v?[0-9]{1,2}(\.[0-9]{1,2}){0,4}([-+][0-9a-zA-Z.+-]{0,6})?`),
		rapid.Map(protocoltest.Version(), func(s string) string { return s + "\n" }),
		rapid.Map(rapid.IntRange(195, 205), func(n int) string { return "1.0." + strings.Repeat("1", n-4) }),
		rapid.SampledFrom([]string{"1", "1.2", "v1.0.0", "1.0.0-ü", "latest"}),
		rapid.String(),
	)
	protocoltest.Check(t, func(rt *rapid.T) {
		id, version := id.Draw(rt, "id"), version.Draw(rt, "version")
		tree := protocoltest.Tree(id, version, "public", "api")
		got := violatedBy(rt, v, protocoltest.Render(rt, tree))
		if said, valid := !slices.Contains(got, "/id"), protocol.ValidID(id); said != valid {
			rt.Errorf("the schema says that the id %q is valid: %t, ValidID says %t", id, said, valid)
		}
		if said, valid := !slices.Contains(got, "/version"), protocol.ValidVersion(version); said != valid {
			rt.Errorf("the schema says that the version %q is valid: %t, ValidVersion says %t", version, said, valid)
		}
	})
}

func TestCompatibilityIsTheSameMajor(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"1.0.0", "1.99.12345678901234567890", "1.0.1"} {
		if err := protocol.CheckCompatibility(version); err != nil {
			t.Errorf("CheckCompatibility(%s) = %v, want nil", version, err)
		}
	}
	for _, version := range []string{"2.0.0", "0.9.0", "10.0.0", "11.0.0", "18446744073709551617.0.0"} {
		err := protocol.CheckCompatibility(version)
		got, ok := errors.AsType[*protocol.IncompatibleError](err)
		if want := (protocol.IncompatibleError{DescriptorVersion: version, SupportedRange: protocol.SupportedRange}); !ok || *got != want {
			t.Errorf("CheckCompatibility(%s) = %v, want %+v", version, err, want)
		}
	}
	for _, version := range []string{"", "1", "1.0", "v1.0.0", "1.0.0-rc1", "1.0.0+b", "01.0.0", "1.0.0.0", "1.0.-1", "１.0.0", "1.0.0\n"} {
		err := protocol.CheckCompatibility(version)
		got, ok := errors.AsType[*protocol.ValidationError](err)
		if !ok || len(got.Violations) != 1 || got.Violations[0].Field != "/protocol/version" {
			t.Errorf("CheckCompatibility(%q) = %v, want a *ValidationError at /protocol/version", version, err)
		}
	}
}
