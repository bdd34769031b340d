package protocol

import (
	"strings"

	"golang.org/x/mod/semver"
)

// SupportedRange is the range of protocol versions that this package reads.
const SupportedRange = "1.x.x"

const (
	// supportedMajor is the MAJOR of Version.
	supportedMajor = "1"
	// maxVersionLength bounds a version, in characters.
	maxVersionLength = 200
)

// ValidVersion reports whether v is a version by SemVer 2.0.0, of at most 200
// characters. It is the rule that the schema states for a skill's version.
func ValidVersion(v string) bool {
	if len(v) > maxVersionLength || !semver.IsValid("v"+v) {
		return false
	}
	// semver also takes v1 and v1.2 for versions.
	core, _, _ := strings.Cut(VersionWithoutBuild(v), "-")
	return strings.Count(core, ".") == 2
}

// CompareVersions returns -1, 0 or +1 as the version a has lower, the same or higher
// precedence than b by SemVer 2.0.0. Build parts have no say, and numbers may have any
// length. A string that is no version is lower than all versions.
func CompareVersions(a, b string) int {
	return semver.Compare("v"+a, "v"+b)
}

// VersionWithoutBuild returns v without its build part. Versions that differ in
// nothing else are the same version.
func VersionWithoutBuild(v string) string {
	v, _, _ = strings.Cut(v, "+")
	return v
}

// IsPrerelease reports whether v has a pre-release part, such as 1.0.0-rc.1.
func IsPrerelease(v string) bool {
	return semver.Prerelease("v"+v) != ""
}

// CheckCompatibility reports whether a document of the given protocol version can be
// read here. It returns nil when the MAJOR is the supported one, an *IncompatibleError
// when it is another one, and a *ValidationError at /protocol/version when the version
// is not MAJOR.MINOR.PATCH.
func CheckCompatibility(documentVersion string) error {
	if !validProtocolVersion(documentVersion) {
		return &ValidationError{Violations: []Violation{{
			Field:    "/protocol/version",
			Expected: "a protocol version MAJOR.MINOR.PATCH of plain integers, such as " + Version,
			Actual:   showString(documentVersion),
		}}}
	}
	if major, _, _ := strings.Cut(documentVersion, "."); major != supportedMajor {
		return &IncompatibleError{DescriptorVersion: documentVersion, SupportedRange: SupportedRange}
	}
	return nil
}

// validProtocolVersion reports whether v is strictly MAJOR.MINOR.PATCH. It is the rule
// that the schema states for protocol versions.
func validProtocolVersion(v string) bool {
	return ValidVersion(v) && !strings.ContainsAny(v, "-+")
}
