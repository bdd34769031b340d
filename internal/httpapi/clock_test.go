package httpapi_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// The clock of a machine jumps, forth and back: writes go on, the order of changes stays
// that in which they were made, and a key lives as long as it says. (How often one may ask
// is measured by a clock that does not jump.)
func TestClockThatJumps(t *testing.T) {
	t.Parallel()
	g, c := limited(t)
	began := c.Now()
	asked := fmt.Sprintf(`{"name":"an hour","scopes":["read"],"namespaces":["com.example"],"expires_at":%q}`, began.Add(time.Hour).Format(time.RFC3339))
	ending := g.send("POST", "/v1/keys", asAdmin(), jsonBody([]byte(asked))).wantStatus(201).text("/key")
	// Everyone's feed and an administrator's have orders of their own.
	feeds := map[string][]change{"everyone's": nil, "an administrator's": {asAdmin()}}
	cursors := map[string]string{}
	for who, as := range feeds {
		cursors[who] = g.get("/v1/changes?after=now", as...).wantStatus(200).text("/cursor")
	}

	var ids []string
	for i, jump := range []time.Duration{0, 10 * 365 * 24 * time.Hour, -20 * 365 * 24 * time.Hour, time.Microsecond, 90 * 24 * time.Hour, -time.Hour} {
		c.advance(began.Add(jump).Sub(c.Now()))
		id := fmt.Sprintf("com.example.s%d", i)
		g.publish(protocoltest.Valid(id, "1.0.0", "public", "api")).wantStatus(201)
		g.get("/v1/skills/" + id).wantStatus(200)
		ids = append(ids, id)
		want := http.StatusOK
		if jump >= time.Hour {
			want = http.StatusUnauthorized
		}
		if got := g.get("/.well-known/skills", as(ending)).status; got != want {
			t.Errorf("a key that has an hour, %v later: got status %d, want %d", jump, got, want)
		}
	}
	for who, as := range feeds {
		for i, id := range ids {
			a := g.get("/v1/changes?limit=1&after="+cursors[who], as...).wantStatus(200)
			if got := a.text("/changes/0/id"); got != id {
				t.Errorf("%s change %d: got %s, want %s", who, i, got, id)
			}
			cursors[who] = a.text("/cursor")
		}
	}
}
