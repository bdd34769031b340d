package agentskills_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/skillregistry/skillregistry/internal/agentskills"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// FuzzUnpack holds that whatever comes in is judged without a fault of our own, and that
// what is accepted is packed, and comes back.
func FuzzUnpack(f *testing.F) {
	plain := tarOf(f, entry("SKILL.md", skill), entry("./a/b", "x"))
	f.Add(plain)
	f.Add(plain[:530])
	f.Fuzz(func(t *testing.T, plain []byte) {
		files, err := agentskills.Unpack(zip(t, plain), limit)
		// What is fuzzed is the tar: what is not compressed is looked at no further.
		if _, err := agentskills.Unpack(plain, limit); err == nil && len(plain) > limit {
			t.Fatalf("%d bytes were taken", len(plain))
		}
		if err != nil {
			foreseen(t, err)
			return
		}
		packed, err := agentskills.Pack(files)
		if err != nil {
			t.Fatalf("%q can't be packed: %v", files, err)
		}
		again, err := agentskills.Unpack(packed, 2*limit)
		if err != nil || len(again) != len(files) {
			t.Fatalf("%q came back as %q, %v", files, again, err)
		}
		for i, f := range files {
			if again[i].Name != f.Name || string(again[i].Content) != string(f.Content) {
				t.Fatalf("%q came back as %q", files, again)
			}
		}
	})
}

// FuzzFrontMatter holds that what is accepted has what everyone expects of it.
func FuzzFrontMatter(f *testing.F) {
	f.Add([]byte(skill))
	f.Add([]byte("---\r\nname: a\r\ndescription: >-\r\n  b\r\nmetadata: {version: 1.0}\r\n---"))
	f.Add([]byte("---\nx: &x [*x]\n<<: *x\nname: \"\\ud800\"\ndescription: !!binary YQ==\n---\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := agentskills.ParseFrontMatter(text)
		if err != nil {
			foreseen(t, err)
			if !reflect.DeepEqual(got, agentskills.FrontMatter{}) {
				t.Fatalf("%q gave %+v with %v", text, got, err)
			}
			return
		}
		if !validName.MatchString(got.Name) || len(got.Name) > 64 || got.Description == "" {
			t.Fatalf("%q gave %+v", text, got)
		}
		if _, err := protocol.AppendJSON(nil, got); err != nil {
			t.Fatalf("%q gave %+v, which is no JSON: %v", text, got, err)
		}
	})
}

// foreseen holds an error to those that are answered in words, and to words that can be
// sent.
func foreseen(t *testing.T, err error) {
	t.Helper()
	var none *agentskills.ArchiveError
	var invalid *protocol.ValidationError
	if !errors.As(err, &none) && (!errors.As(err, &invalid) || len(invalid.Violations) == 0) {
		t.Fatalf("got %v, an error that nobody foresees", err)
	}
	if _, err := protocol.AppendJSON(nil, []any{none, invalid}); err != nil {
		t.Fatalf("%v and %v can't be sent: %v", none, invalid, err)
	}
}
