//go:build replicas && linux

package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// TestAPausedReplicaAnswersNothingOld stops a replica in the middle of its readers, for
// longer than it may answer from an old snapshot. Meanwhile another one makes a skill
// private and revokes a key. Whoever asked while it was stopped, or was waiting for a
// check since before, is not told of what is gone.
func TestAPausedReplicaAnswersNothingOld(t *testing.T) {
	t.Parallel()
	for _, limit := range []string{"0s", "1s", "1m"} {
		t.Run(limit, func(t *testing.T) {
			t.Parallel()
			database := storetest.PostgreSQL(t)
			between := newWire(t, database, nil)
			f := newFleet(t, startReplica(t, database), startReplica(t, between.url, "--stale-if-error", limit))
			pauseBetween(t, f, between, "com.example.paused", limit == "1m")
		})
	}
}

func pauseBetween(t *testing.T, f *fleet, between *wire, skill string, marked bool) {
	t.Helper()
	near, far := f.replicas[0], f.replicas[1]
	near.publish(t, protocoltest.Valid(skill, "1.0.0", "public", "api")).wantStatus(t, "publish", http.StatusCreated)
	keyID, key, err := near.newKey(t.Context(), f.client, skill)
	if err != nil {
		t.Fatal(err)
	}
	crowd := &waiting{fleet: f, replica: far, path: "/v1/skills/" + skill, key: key}
	crowd.ask(t, "a warm connection", 4)
	for _, a := range crowd.answers() {
		a.wantStatus(t, a.who, http.StatusOK)
	}

	var unsent []*half
	for range 4 {
		unsent = append(unsent, crowd.begin(t))
	}
	between.back.Lock() // the database answers, and the answers are under way
	crowd.ask(t, "asked before the pause", 8)
	time.Sleep(100 * time.Millisecond)
	far.signal(t, syscall.SIGSTOP)
	near.publish(t, protocoltest.Valid(skill, "2.0.0", "private", "api")).wantStatus(t, "publish", http.StatusCreated)
	near.ask(t.Context(), f.client, http.MethodDelete, "/v1/keys/"+keyID, nil, asAdmin()...).wantStatus(t, "revoke", http.StatusNoContent)
	between.back.Unlock()
	crowd.ask(t, "asked in the pause", 8)
	for _, h := range unsent {
		crowd.finish(t, h)
	}
	time.Sleep(1500 * time.Millisecond)
	far.signal(t, syscall.SIGCONT)

	for _, a := range crowd.answers() {
		old := a.status == http.StatusOK && !(marked && a.header.Get("Age") != "")
		if old || a.err != nil {
			t.Errorf("%s: got %v; want that the skill is gone or the store away", a.who, a)
		}
	}
	eventually(t, "the replica is well", recoveryLimit, func() bool {
		return far.get(t, "/readyz").status == http.StatusOK && far.get(t, crowd.path).status == http.StatusNotFound
	})
}

// waiting is those who ask a replica about a skill, some of them with a key.
type waiting struct {
	*fleet
	replica   *replica
	path, key string

	asking sync.WaitGroup
	mu     sync.Mutex
	got    []answerTo
}

// answerTo is an answer, and to whom.
type answerTo struct {
	answer
	who string
}

// ask asks so many times at once.
func (w *waiting) ask(t *testing.T, who string, times int) {
	for i := range times {
		var header []string
		if i%2 == 1 {
			header = withKey(w.key)
		}
		w.asking.Go(func() {
			w.add(answerTo{w.replica.ask(t.Context(), w.client, http.MethodGet, w.path, nil, header...), who})
		})
	}
}

func (w *waiting) add(a answerTo) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.got = append(w.got, a)
}

// answers waits for the answers to all that was asked since it was last called.
func (w *waiting) answers() []answerTo {
	w.asking.Wait()
	got := w.got
	w.got = nil
	return got
}

// half is a request of which the end is not sent.
type half struct {
	connection net.Conn
	answers    *bufio.Reader
}

func (w *waiting) begin(t *testing.T) *half {
	t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(w.replica.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	fmt.Fprintf(connection, "GET %s HTTP/1.1\r\nHost: registry.example\r\n", w.path)
	return &half{connection, bufio.NewReader(connection)}
}

func (w *waiting) finish(t *testing.T, h *half) {
	const who = "began to ask before the pause"
	_ = h.connection.SetDeadline(time.Now().Add(answerLimit))
	w.asking.Go(func() {
		if _, err := io.WriteString(h.connection, "\r\n"); err != nil {
			w.add(answerTo{answer{err: err}, who})
			return
		}
		response, err := http.ReadResponse(h.answers, nil)
		if err != nil {
			w.add(answerTo{answer{err: err}, who})
			return
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		w.add(answerTo{answer{status: response.StatusCode, header: response.Header, body: body, err: err}, who})
	})
}
