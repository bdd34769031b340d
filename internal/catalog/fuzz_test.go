package catalog

import (
	"testing"

	"github.com/skillregistry/skillregistry/internal/access"
)

// FuzzFeedCursor holds that a cursor has one text, and is nobody else's.
func FuzzFeedCursor(f *testing.F) {
	s := &Snapshot{}
	s.mark.PublicRevision = 40
	one := access.Caller{KeyID: "a", Scopes: []access.Scope{access.Read}, Namespaces: []access.Namespace{"com.example"}}
	other := access.Caller{KeyID: "b", Scopes: []access.Scope{access.Read}, Namespaces: []access.Namespace{"org.example"}}
	callers := []access.Caller{{}, one, other}
	for _, c := range callers {
		f.Add(s.Now(c).String())
	}
	for _, text := range []string{"", "p", "p-1", "p007", "p41", "p9223372036854775808", "k1.2", "k1.0.000000000000", "k1.0.x.y", "p1\x00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		readers := 0
		for _, c := range callers {
			at, ok := s.ParseCursor(c, text)
			if !ok {
				continue
			}
			readers++
			if at.String() != text || at.public < 0 || at.public > s.mark.PublicRevision || at.private < 0 {
				t.Errorf("ParseCursor(%q) = %+v, whose text is %q", text, at, at)
			}
		}
		if readers > 1 {
			t.Errorf("%q is the cursor of %d callers, want one at most", text, readers)
		}
	})
}
