package protocol

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// FuzzOracle holds that both validators give the same verdict, and name the same members.
func FuzzOracle(f *testing.F) {
	for i, kind := range Kinds() {
		f.Add(i, protocoltest.Document(string(kind)).Example(1).JSON)
		for seed := range 20 {
			f.Add(i, protocoltest.Invalid(string(kind)).Example(seed).JSON)
		}
	}
	f.Add(0, protocoltest.Valid("com.example.a", "1.0.0", "public", "api"))
	engine, oracles := newTestEngine(f), newOracles(f)
	f.Fuzz(func(t *testing.T, n int, data []byte) {
		kind := Kinds()[uint(n)%uint(len(Kinds()))]
		value, err := readStrict(data, Limits{})
		tree, ok := value.(map[string]any)
		if err != nil || !ok {
			return
		}
		got := schemaFields(t, engine, kind, tree)
		if len(got) >= maxFindings {
			return // the list is cut
		}
		if want := oracles.fields(t, kind, tree); !slices.Equal(got, want) {
			t.Errorf("%s %q: violations at %q, the oracle says %q", kind, data, got, want)
		}
	})
}

// FuzzPointer holds that a pointer leads to the member that it was made for, and that the
// order of pointers is one.
func FuzzPointer(f *testing.F) {
	for _, names := range [][3]string{{"a", "b", "c"}, {"", "~", "/"}, {"~0", "~1", "~01"}, {"2", "10", "010"}, {"9223372036854775808", "-0", "+1"}, {"é", "\x00", "a/b"}} {
		f.Add(names[0], names[1], names[2])
	}
	f.Fuzz(func(t *testing.T, a, b, c string) {
		whole := wholeOf(map[string]any{a: map[string]any{b: "there"}})
		at := whole.child(a).child(b)
		if at.value != "there" || !at.present {
			t.Errorf("the place %q, %q holds %v", a, b, at.value)
		}
		var names []string
		for name := range jsontext.Pointer(at.pointer).Tokens() {
			names = append(names, name)
		}
		if !slices.Equal(names, []string{a, b}) {
			t.Errorf("the pointer %q of %q, %q is read as %q", at.pointer, a, b, names)
		}
		p := []string{"/" + escape(a), "/" + escape(b), "/" + escape(c), at.pointer}
		for _, x := range p {
			for _, y := range p {
				if got, back := comparePointers(x, y), comparePointers(y, x); got != -back || (got == 0) != (x == y) {
					t.Errorf("comparePointers(%q, %q) = %d, the other way round %d", x, y, got, back)
				}
			}
		}
		slices.SortFunc(p, comparePointers)
		if comparePointers(p[0], p[2]) > 0 || comparePointers(p[0], p[3]) > 0 || comparePointers(p[1], p[3]) > 0 {
			t.Errorf("%s: the order of pointers is none", strings.Join(p, " "))
		}
	})
}
