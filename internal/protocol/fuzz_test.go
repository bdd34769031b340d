package protocol_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// FuzzParse holds that whatever comes in is judged without a fault of our own, and that
// what is accepted comes back.
func FuzzParse(f *testing.F) {
	f.Add(protocoltest.Valid("com.example.a", "1.0.0", "public", "api"))
	v := newValidator(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		sent := bytes.Clone(data)
		document, err := v.Parse(data)
		if !bytes.Equal(data, sent) {
			t.Fatalf("Parse changed its input from %q to %q", sent, data)
		}
		report, checkErr := v.Check(protocol.KindDescriptor, data)
		if err != nil {
			if reflect.TypeOf(err) == reflect.TypeFor[*protocol.SyntaxError]() {
				if checkErr == nil || checkErr.Error() != err.Error() {
					t.Fatalf("Check(%q) = %v, Parse says %v", data, checkErr, err)
				}
				return
			}
			_, incompatible := errors.AsType[*protocol.IncompatibleError](err)
			if _, invalid := errors.AsType[*protocol.ValidationError](err); !invalid && !incompatible {
				t.Fatalf("Parse(%q) = %v, an error that nobody foresees", data, err)
			}
			if checkErr != nil || len(report.Violations) == 0 {
				t.Fatalf("Check(%q) = %+v, %v, Parse says %v", data, report, checkErr, err)
			}
			return
		}
		if checkErr != nil || len(report.Violations) > 0 {
			t.Fatalf("Check(%q) = %+v, %v, Parse accepts it", data, report, checkErr)
		}
		again, err := v.Parse(document.Canonical)
		if err != nil || !reflect.DeepEqual(again, document) {
			t.Fatalf("Parse(%q) = %+v, %v, want what its original gives: %+v", document.Canonical, again, err, document)
		}
		serialized, err := protocol.Serialize(document.Descriptor)
		if err != nil || !bytes.Equal(serialized, document.Canonical) {
			t.Fatalf("Serialize = %q, %v, want %q", serialized, err, document.Canonical)
		}
		if !protocol.ValidID(document.Descriptor.ID) || !protocol.ValidVersion(document.Descriptor.Version) {
			t.Fatalf("Parse accepts the id %q and version %q", document.Descriptor.ID, document.Descriptor.Version)
		}
	})
}

// FuzzCanonicalize holds that canonical bytes say the same, and are their own canonical
// form.
func FuzzCanonicalize(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		canonical, err := protocol.Canonicalize(data, protocol.Limits{})
		if err != nil {
			if _, ok := errors.AsType[*protocol.SyntaxError](err); !ok {
				t.Fatalf("Canonicalize(%q) = %v, want a *SyntaxError", data, err)
			}
			return
		}
		if !json.Valid(data) {
			t.Fatalf("Canonicalize(%q) accepts what is no JSON", data)
		}
		if got, want := decode(t, canonical), decode(t, data); !reflect.DeepEqual(got, want) {
			t.Fatalf("Canonicalize(%q) = %q, which says something else", data, canonical)
		}
		again, err := protocol.Canonicalize(canonical, protocol.Limits{})
		if err != nil || !bytes.Equal(again, canonical) {
			t.Fatalf("Canonicalize(%q) = %q, %v, want no change", canonical, again, err)
		}
	})
}

// FuzzID holds that a valid id can stand in a path as it is.
func FuzzID(f *testing.F) {
	f.Fuzz(func(t *testing.T, id string) {
		if !protocol.ValidID(id) {
			return
		}
		if len(id) < 3 || len(id) > 200 || id == "index.json" {
			t.Errorf("ValidID(%q) = true", id)
		}
		for i, c := range []byte(id) {
			letter := 'a' <= c && c <= 'z' || '0' <= c && c <= '9'
			separator := c == '.' || c == '_' || c == '-'
			between := i > 0 && i < len(id)-1 && !bytes.ContainsAny([]byte(id[i-1:i]), "._-")
			if !letter && (!separator || !between) {
				t.Errorf("ValidID(%q) = true, with %q at %d", id, c, i)
			}
		}
	})
}

// FuzzVersion holds that the order of versions is one, and that a valid version is taken
// apart without loss.
func FuzzVersion(f *testing.F) {
	f.Fuzz(func(t *testing.T, a, b string) {
		if got, want := protocol.CompareVersions(a, b), -protocol.CompareVersions(b, a); got != want {
			t.Errorf("CompareVersions(%q, %q) = %d, the other way round %d", a, b, got, -want)
		}
		if !protocol.ValidVersion(a) {
			return
		}
		if got := protocol.CompareVersions(a, a); got != 0 {
			t.Errorf("CompareVersions(%q, itself) = %d", a, got)
		}
		base := protocol.VersionWithoutBuild(a)
		if !protocol.ValidVersion(base) || protocol.CompareVersions(a, base) != 0 || protocol.IsPrerelease(a) != protocol.IsPrerelease(base) {
			t.Errorf("VersionWithoutBuild(%q) = %q, which is not the same version", a, base)
		}
		if protocol.ValidVersion(b) && !protocol.IsPrerelease(a) && protocol.IsPrerelease(b) && protocol.CompareVersions(a, b) == 0 {
			t.Errorf("CompareVersions(%q, %q) = 0, one is a pre-release", a, b)
		}
	})
}
