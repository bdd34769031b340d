package httpapi_test

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// TestKeyIsRotatedWithoutAGap changes the key of publishers and readers at work: the new
// one is made, handed out, and only then the old one revoked. Nobody is refused.
func TestKeyIsRotatedWithoutAGap(t *testing.T) {
	t.Parallel()
	const workers = 4
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		old, oldID := g.key([]string{"publish"}, n)
		g.published([4]string{n + ".secret", "1.0.0", "private", "api"})
		var current atomic.Pointer[string]
		current.Store(&old)
		var stop atomic.Bool
		var served atomic.Int64
		var working sync.WaitGroup
		// busy is held while a key is in use: whoever hands out another one waits for those
		// who have the old one in their hands.
		var busy sync.RWMutex
		for i := range workers {
			working.Go(func() {
				for v := 0; !stop.Load(); v++ {
					busy.RLock()
					key := *current.Load()
					a, err := g.try("POST", "/v1/skills", as(key), jsonBody(protocoltest.Valid(fmt.Sprintf("%s.w%d", n, i), fmt.Sprintf("1.%d.0", v), "private", "api")))
					if err == nil && a.status == http.StatusCreated {
						a, err = g.try("GET", "/v1/skills/"+n+".secret", as(key))
					}
					busy.RUnlock()
					if err != nil || a.status >= 300 {
						t.Errorf("%v, %v", a, err)
						return
					}
					served.Add(1)
				}
			})
		}
		until := func(more int64) {
			for want, deadline := served.Load()+more, time.Now().Add(20*time.Second); served.Load() < want && time.Now().Before(deadline); {
				time.Sleep(time.Millisecond)
			}
		}
		until(20)
		fresh, freshID := g.key([]string{"publish"}, n)
		for _, key := range []string{old, fresh} {
			g.get("/v1/skills/"+n+".secret", as(key)).wantStatus(200)
		}
		busy.Lock()
		current.Store(&fresh)
		busy.Unlock()
		until(20)
		g.send("DELETE", "/v1/keys/"+oldID, asAdmin()).wantStatus(204)
		g.get("/.well-known/skills", as(old)).wantError(401, protocol.CodeAuthRequired)
		until(20)
		stop.Store(true)
		working.Wait()
		if served.Load() < 60 {
			t.Errorf("only %d rounds were served", served.Load())
		}
		byOld, _ := g.audit("key=" + oldID)
		byFresh, _ := g.audit("key=" + freshID)
		if published := int64(len(byOld) + len(byFresh) - 3); published != served.Load() {
			t.Errorf("%d publications are in the audit log, want %d", published, served.Load())
		}
	})
}

func TestKeysSayWhenTheyWereLastUsed(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		used, id := g.key([]string{"read"}, g.namespace())
		_, idle := g.key([]string{"read"}, g.namespace())
		before := time.Now().Truncate(time.Second)
		list := g.get("/v1/keys", asAdmin()).wantStatus(200)
		if list.at("/keys/0/last_used_at") != nil || list.at("/keys/1/last_used_at") != nil {
			t.Errorf("%v; want that neither was used", list)
		}
		g.get("/.well-known/skills", as(used)).wantStatus(200)
		g.get("/.well-known/skills", as(used+"x")).wantStatus(401)
		list = g.get("/v1/keys", asAdmin()).wantStatus(200)
		for i, want := range map[string]bool{id: true, idle: false} {
			for k := range 2 {
				if list.text(fmt.Sprintf("/keys/%d/id", k)) != i {
					continue
				}
				at, err := time.Parse(time.RFC3339, list.text(fmt.Sprintf("/keys/%d/last_used_at", k)))
				if (err == nil) != want || want && (at.Before(before) || at.After(time.Now())) {
					t.Errorf("%v; want the last use of %s: %v, after %v", list, i, want, before)
				}
			}
		}
	})
}
