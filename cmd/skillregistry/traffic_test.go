//go:build replicas && linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// fleet is the replicas of one registry, and who uses them all.
type fleet struct {
	replicas []*replica
	client   *http.Client
	seen     tally
}

// tally counts what users met.
type tally struct {
	written, unknown     atomic.Int64 // writes that were acknowledged, and others
	read, stale, refused atomic.Int64 // answers that count, old ones, and none
}

func (c *tally) String() string {
	return fmt.Sprintf("%d writes and %d of unknown outcome, %d reads, %d of them marked as old, %d without an answer",
		c.written.Load(), c.unknown.Load(), c.read.Load(), c.stale.Load(), c.refused.Load())
}

func newFleet(t *testing.T, replicas ...*replica) *fleet {
	t.Helper()
	transport := &http.Transport{MaxIdleConnsPerHost: 1000}
	t.Cleanup(transport.CloseIdleConnections)
	return &fleet{replicas: replicas, client: &http.Client{Transport: transport}}
}

// versionsOfAHistory is how many versions are published in one.
const versionsOfAHistory = 6

// play plays a short history of one skill: its versions are published, public and
// private ones in any order and by two at once, a key is revoked, and everyone reads,
// each by way of any replica.
func (f *fleet) play(ctx context.Context, skill string) *history {
	h := &history{skill: skill, began: time.Now()}
	keyID, key, err := f.any().newKey(ctx, f.client, skill)
	if err != nil {
		f.seen.unknown.Add(1)
		key = ""
	}
	var writers, readers sync.WaitGroup
	versions := rand.Perm(versionsOfAHistory)
	for i := range 2 {
		writers.Go(func() {
			w := f.user(h, key)
			for n := i; n < len(versions); n += 2 {
				w.publish(ctx, versions[n]+1)
				w.read(ctx, w.any())
				w.pause(4 * time.Millisecond)
			}
		})
	}
	if key != "" {
		writers.Go(func() {
			w := f.user(h, key)
			w.pause(10 * time.Millisecond)
			w.revoke(ctx, keyID)
			w.look(ctx, w.any(), seeLatest, keyHolder)
		})
	}
	done := make(chan struct{})
	for i := range f.replicas {
		readers.Go(func() {
			r := f.user(h, key)
			for {
				select {
				case <-done:
					return
				default:
					r.read(ctx, i)
					r.pause(3 * time.Millisecond)
				}
			}
		})
	}
	writers.Wait()
	close(done)
	readers.Wait()
	return h
}

// close ends a history with what each replica shows in the end: what was acknowledged is
// still there.
func (f *fleet) close(t *testing.T, h *history) {
	t.Helper()
	u := f.user(h, "")
	for i := range f.replicas {
		eventually(t, "a last look at "+h.skill, answerLimit, func() bool {
			return u.look(t.Context(), i, seeVersions, administrator)
		})
	}
}

func (f *fleet) user(h *history, key string) *user {
	return &user{fleet: f, history: h, key: key, random: rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())), known: map[string]cached{}}
}

func (f *fleet) any() *replica { return f.replicas[rand.IntN(len(f.replicas))] }

// traffic is histories that are played all the time, on new skills, by so many at once.
type traffic struct {
	stop      context.CancelFunc
	players   sync.WaitGroup
	mu        sync.Mutex
	histories []*history
}

// begin begins the traffic. Its skills have names that start with a word.
func (f *fleet) begin(t *testing.T, word string, players int) *traffic {
	t.Helper()
	playing, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	tr := &traffic{stop: stop}
	t.Cleanup(stop)
	for i := range players {
		tr.players.Go(func() {
			for n := 0; playing.Err() == nil; n++ {
				written := f.seen.written.Load()
				// A history that began is played to its end.
				h := f.play(context.WithoutCancel(playing), fmt.Sprintf("com.example.%s.p%d.n%d", word, i, n))
				if f.seen.written.Load() == written {
					time.Sleep(50 * time.Millisecond) // the database is away
				}
				tr.mu.Lock()
				tr.histories = append(tr.histories, h)
				tr.mu.Unlock()
			}
		})
	}
	return tr
}

// end ends the traffic, and judges every history of it.
func (tr *traffic) end(t *testing.T, f *fleet) {
	t.Helper()
	tr.stop()
	tr.players.Wait()
	for _, h := range tr.histories {
		f.close(t, h)
		if !h.linearizable(t) {
			t.Fatalf("%s: no order of what was done explains this history:\n%s", h.skill, h)
		}
	}
	t.Logf("%d histories: %v", len(tr.histories), &f.seen)
}

// user is one who does one thing after the other.
type user struct {
	*fleet
	history *history
	key     string
	random  *rand.Rand
	// known is what was seen last at each address, by its tag.
	known map[string]cached
}

type cached struct {
	tag  string
	seen view
}

func (u *user) any() int { return u.random.IntN(len(u.replicas)) }

// pause waits for no longer than most.
func (u *user) pause(most time.Duration) { time.Sleep(time.Duration(u.random.Int64N(int64(most)))) }

func (u *user) publish(ctx context.Context, version int) {
	a := action{kind: doPublish, replica: u.any(), version: version, private: u.random.IntN(2) == 0, as: administrator}
	access := "public"
	if a.private {
		access = "private"
	}
	document := protocoltest.Valid(u.history.skill, fmt.Sprintf("%d.0.0", version), access, "api")
	began := time.Now()
	got := u.replicas[a.replica].ask(ctx, u.client, http.MethodPost, "/v1/skills", document, asAdmin()...)
	u.wrote(a, began, got.status == http.StatusCreated)
}

func (u *user) revoke(ctx context.Context, keyID string) {
	a := action{kind: doRevoke, replica: u.any(), as: administrator}
	began := time.Now()
	got := u.replicas[a.replica].ask(ctx, u.client, http.MethodDelete, "/v1/keys/"+keyID, nil, asAdmin()...)
	u.wrote(a, began, got.status == http.StatusNoContent || got.status == http.StatusOK)
}

func (u *user) wrote(a action, began time.Time, done bool) {
	if done {
		u.seen.written.Add(1)
	} else {
		u.seen.unknown.Add(1)
	}
	u.history.record(a, began, view{}, done)
}

// read looks at something as someone.
func (u *user) read(ctx context.Context, replica int) {
	as := reader(u.random.IntN(3))
	if u.key == "" && as == keyHolder {
		as = anonymous
	}
	kind := seeLatest
	switch n := u.random.IntN(16); {
	case n == 0:
		kind = seeIndex
	case n < 6:
		kind = seeVersions
	}
	u.look(ctx, replica, kind, as)
}

// look looks at something, and reports whether there was an answer that is not old.
func (u *user) look(ctx context.Context, replica int, kind actionKind, as reader) bool {
	path := map[actionKind]string{
		seeLatest:   "/v1/skills/" + u.history.skill,
		seeVersions: "/v1/skills/" + u.history.skill + "/versions",
		seeIndex:    "/.well-known/skills?capability_type=api",
	}[kind]
	var header []string
	switch as {
	case keyHolder:
		header = withKey(u.key)
	case administrator:
		header = asAdmin()
	}
	place := fmt.Sprint(as, path)
	known, asked := u.known[place]
	if asked {
		header = append(header, "If-None-Match", known.tag)
	}
	began := time.Now()
	got := u.replicas[replica].ask(ctx, u.client, http.MethodGet, path, nil, header...)
	var seen view
	switch {
	case got.header.Get("Age") != "":
		u.seen.stale.Add(1)
		return false
	case got.status == http.StatusUnauthorized:
		seen = view{refused: true}
	case got.status == http.StatusNotFound:
	case got.status == http.StatusNotModified && asked:
		seen = known.seen
	case got.status == http.StatusOK:
		seen = viewOf(got.body, kind, u.history.skill)
		u.known[place] = cached{got.header.Get("ETag"), seen}
	default:
		u.seen.refused.Add(1)
		return false
	}
	u.seen.read.Add(1)
	u.history.record(action{kind: kind, replica: replica, as: as}, began, seen, true)
	return true
}

// release is what every answer says of a version.
type release struct{ ID, Version, Access string }

// viewOf returns what an answer shows of a skill. What can't be read shows more than
// there ever is.
func viewOf(body []byte, kind actionKind, skill string) (seen view) {
	var latest release
	var list struct{ Versions, Skills []release }
	into := any(&list)
	if kind == seeLatest {
		into = &latest
	}
	if err := json.Unmarshal(body, into); err != nil {
		return view{versions: ^uint64(0)}
	}
	shown := list.Versions
	switch kind {
	case seeLatest:
		shown = []release{latest}
	case seeIndex:
		for _, entry := range list.Skills {
			if entry.ID == skill {
				shown = append(shown, entry)
			}
		}
	}
	for _, r := range shown {
		var n int
		if _, err := fmt.Sscanf(r.Version, "%d.0.0", &n); err != nil || n < 1 || n > versionsOfAHistory || seen.versions>>n&1 == 1 {
			return view{versions: ^uint64(0)}
		}
		seen.versions |= 1 << n
		if r.Access == "private" {
			seen.private |= 1 << n
		}
	}
	return seen
}
