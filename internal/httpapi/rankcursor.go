package httpapi

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// rankCursorVersion opens each cursor of a search, so that it can be told from others.
const rankCursorVersion = "2:"

// newRankCursor returns the cursor of the page that begins after a skill. It is made from
// the id of a skill that the caller has just seen and from what that scores for its query,
// and so tells nothing new.
func newRankCursor(after catalog.Rank) string {
	return base64.RawURLEncoding.EncodeToString([]byte(rankCursorVersion + strconv.Itoa(after.Score) + ":" + after.ID))
}

// parseRankCursor returns the rank of a cursor, and reports whether it is one.
func parseRankCursor(cursor string) (after catalog.Rank, ok bool) {
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return catalog.Rank{}, false
	}
	rest, _ := strings.CutPrefix(string(text), rankCursorVersion)
	score, id, _ := strings.Cut(rest, ":")
	after = catalog.Rank{ID: id}
	after.Score, err = strconv.Atoi(score)
	return after, err == nil && after.Score > 0 && protocol.ValidID(id) && newRankCursor(after) == cursor
}
