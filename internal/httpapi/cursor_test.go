package httpapi

import (
	"encoding/base64"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

func TestCursorsThatAreNone(t *testing.T) {
	t.Parallel()
	encode := base64.RawURLEncoding.EncodeToString
	tests := map[string]string{
		"nothing":                    "",
		"a word":                     "nonsense",
		"a byte of another alphabet": "ab+/",
		"padding":                    base64.URLEncoding.EncodeToString([]byte("1:com.example.ab")),
		"an id by itself":            encode([]byte("com.example.a")),
		"another version":            encode([]byte("2:com.example.a")),
		"no id":                      encode([]byte("1:")),
		"an id in capitals":          encode([]byte("1:COM.EXAMPLE")),
		"a byte that is no text":     encode([]byte("1:com.\xff")),
		"a line break within":        "MTpj\nb20uYQ",
		"bits that are left over":    encode([]byte("1:abc"))[:6] + "d",
	}
	for name, cursor := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if after, ok := parseCursor(cursor); ok {
				t.Errorf("parseCursor(%q) = %q, want none", cursor, after)
			}
		})
	}
}

// A text that is read as a cursor is the cursor of the id that it is read as: there is
// one cursor for each page, and nothing else is one.
func FuzzCursor(f *testing.F) {
	for _, cursor := range []string{"", "nonsense", string(appendCursor(nil, "com.example.a")), string(appendCursor(nil, "abc")) + "=", string(appendCursor(nil, "x")) + "\n", "MTo"} {
		f.Add(cursor)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if after, ok := parseCursor(text); ok {
			if again := string(appendCursor(nil, after)); again != text || !protocol.ValidID(after) {
				t.Errorf("parseCursor(%q) = %q, whose cursor is %q", text, after, again)
			}
		}
		if protocol.ValidID(text) {
			if after, ok := parseCursor(string(appendCursor(nil, text))); !ok || after != text {
				t.Errorf("the cursor of %q is read as %q, %v", text, after, ok)
			}
		}
	})
}
