package httpapi

import (
	"encoding/base64"
	"strings"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// cursorVersion opens each cursor, so that a later kind can be told from this one.
const cursorVersion = "1:"

// appendCursor appends the cursor of the page that begins after the skill. It is made
// from an id that the caller has just seen, and so tells nothing new.
func appendCursor(to []byte, after string) []byte {
	text := append(append(make([]byte, 0, 256), cursorVersion...), after...)
	return base64.RawURLEncoding.AppendEncode(to, text)
}

// parseCursor returns the skill id of a cursor, and reports whether it is one.
func parseCursor(cursor string) (after string, ok bool) {
	text, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || strings.ContainsAny(cursor, "\r\n") {
		return "", false
	}
	after, ok = strings.CutPrefix(string(text), cursorVersion)
	return after, ok && protocol.ValidID(after)
}
