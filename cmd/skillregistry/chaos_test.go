//go:build linux

package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/agentskills"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// The suite of faults, which "make chaos" runs in full and "make test" in a short form.
// Whatever happens to the registry, the machine below it and its database: what was
// acknowledged is there and whole, what was refused is not, and the registry answers
// again within seconds, by itself.
//
// Here are the kills, the disk that is full and the database without a connection to
// spare. Others stand where the rest of their subject does:
//
//   - a database that stops, is killed, hangs, fails over: outage_test.go, pause_test.go,
//     failover_test.go, by the target "replicas"
//   - a database that is away, silent, drops connections: internal/store/fault_test.go
//   - a connection that breaks at the commit: internal/store/doubt_test.go
//   - a file that can't be written: internal/store/fault_test.go
//   - a database of a newer version of the program: internal/store/migrate_test.go
//   - SIGTERM with requests under way: process_test.go
//   - clocks that jump: clock_test.go of internal/httpapi

// killsVariable says how often a registry is killed on each store.
const killsVariable = "SKILLREGISTRY_TEST_KILLS"

func kills(t *testing.T) int {
	t.Helper()
	text := os.Getenv(killsVariable)
	if text == "" {
		return 4
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s: got %q, want a number of kills", killsVariable, text)
	}
	return n
}

// backLimit is how long a registry may take to answer again. A machine that is idle
// sees it within one second.
const backLimit = 20 * time.Second

// ledger is what publishers were told.
type ledger struct {
	mu sync.Mutex
	// digests are of what was acknowledged, by address.
	digests map[string]string
	refused []string // addresses of what was refused
	// unknown are documents of which nobody was told, by address.
	unknown map[string]string
	lost    int
}

func newLedger() *ledger {
	return &ledger{digests: map[string]string{}, unknown: map[string]string{}}
}

// publish publishes a version of a skill, and writes down what came of it. It reports
// whether there was an answer.
func (l *ledger) publish(t *testing.T, url, id, document string) bool {
	address := "/v1/skills/" + id + "/versions/1.0.0"
	status, body, err := post(t, url, document)
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err != nil || status >= 500:
		l.unknown[address] = document
		return false
	case status == http.StatusCreated:
		l.digests[address] = digestIn.FindString(body)
	case status == http.StatusUnprocessableEntity:
		l.refused = append(l.refused, address)
	default:
		t.Errorf("publishing %s: got status %d and %.200s", id, status, body)
	}
	return true
}

// awaitAcknowledged waits until something was acknowledged.
func (l *ledger) awaitAcknowledged(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		l.mu.Lock()
		acknowledged := len(l.digests)
		l.mu.Unlock()
		if acknowledged > 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("nothing was acknowledged within a minute")
		}
	}
}

// attach attaches files to what publish published, and writes down what came of it. It
// reports whether there was an answer.
func (l *ledger) attach(t *testing.T, url, id string) bool {
	address := "/v1/skills/" + id + "/versions/1.0.0/files"
	archive, err := agentskills.Pack([]agentskills.File{
		{Name: agentskills.SkillFile, Content: []byte("---\nname: a\ndescription: b\n---\n" + id)},
	})
	if err != nil {
		t.Errorf("packing files: %v", err)
	}
	status, body, err := postTo(t, url+address, "application/gzip", string(archive))
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err != nil || status >= 500:
		l.unknown[address] = string(archive)
		return false
	case status == http.StatusCreated:
		l.digests[address] = digestIn.FindString(body)
	default:
		t.Errorf("attaching files to %s: got status %d and %.200s", id, status, body)
	}
	return true
}

// check holds a registry to the ledger.
func (l *ledger) check(t *testing.T, url string) {
	t.Helper()
	for address, digest := range l.digests {
		status, body := fetch(t, url+address)
		if got := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(body))); status != http.StatusOK || got != digest {
			l.lost++
			t.Errorf("%s was acknowledged: got status %d and %s, want 200 and %s", address, status, got, digest)
		}
	}
	for _, address := range l.refused {
		if status, _ := fetch(t, url+address); status != http.StatusNotFound {
			t.Errorf("%s was refused: got status %d, want 404", address, status)
		}
	}
	for address, document := range l.unknown {
		// Nobody was told; it is there as a whole, or not at all.
		if status, body := fetch(t, url+address); status != http.StatusNotFound && (status != http.StatusOK || len(body) != len(document)) {
			t.Errorf("%s has an unknown outcome: got status %d and %.200s, want it whole or 404", address, status, body)
		}
	}
}

func (l *ledger) String() string {
	return fmt.Sprintf("%d writes acknowledged and %d refused, %d of unknown outcome, %d lost", len(l.digests), len(l.refused), len(l.unknown), l.lost)
}

var digestIn = regexp.MustCompile(`sha256:[0-9a-f]{64}`)

// post publishes a document as administrator.
func post(t *testing.T, url, document string) (status int, body string, err error) {
	return postTo(t, url+"/v1/skills", "application/json", document)
}

func postTo(t *testing.T, address, mediaType, content string) (status int, body string, err error) {
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(content))
	if err != nil {
		return 0, "", err
	}
	request.Header.Set("Authorization", "Bearer "+adminKey)
	request.Header.Set("Content-Type", mediaType)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(text), err
}

// startOn starts a registry on a database and returns its address, within the time that
// it may take.
func startOn(t *testing.T, databaseURL string) (*process, string) {
	t.Helper()
	begun := time.Now()
	p, addr := serving(t, "--database-url", databaseURL, "--rate-limit", "0")
	if took := time.Since(begun); took > backLimit {
		t.Errorf("the registry took %v to answer, want %v at most", took, backLimit)
	}
	return p, "http://" + addr
}

func TestAKillLosesNothing(t *testing.T) {
	t.Parallel()
	n := kills(t)
	storetest.Each(t, func(t *testing.T, databaseURL string) {
		all := newLedger()
		for round := range n {
			p, url := startOn(t, databaseURL)
			said := newLedger()
			var publishers sync.WaitGroup
			for i := range 4 {
				publishers.Go(func() {
					for k := 0; ; k++ {
						id := fmt.Sprintf("com.example.r%d.p%d.n%d", round, i, k)
						document := valid(id, "1.0.0")
						if k%5 == 4 {
							document = strings.Replace(document, `"name":"`, `"nome":"`, 1)
						}
						if !said.publish(t, url, id, document) || k%5 == 1 && !said.attach(t, url, id) {
							return
						}
					}
				})
			}
			if round%2 == 0 {
				said.awaitAcknowledged(t) // in the others the kill may come first
			}
			time.Sleep(time.Duration(rand.Int64N(int64(300 * time.Millisecond))))
			p.signal(t, syscall.SIGKILL)
			publishers.Wait()
			p.wait(t)
			next, url := startOn(t, databaseURL)
			said.check(t, url)
			next.signal(t, syscall.SIGKILL)
			next.wait(t)
			all.add(said)
		}
		_, url := startOn(t, databaseURL)
		all.check(t, url)
		t.Logf("%d kills under load, and as many while reading: %v", n, all)
	})
}

// add adds what another ledger says.
func (l *ledger) add(other *ledger) {
	for address, digest := range other.digests {
		l.digests[address] = digest
	}
	for address, document := range other.unknown {
		l.unknown[address] = document
	}
	l.refused = append(l.refused, other.refused...)
	l.lost += other.lost
}

// setFileSize limits how large the files may become that a process writes, as a disk does
// that is full; "unlimited" takes the limit away.
func setFileSize(t *testing.T, p *process, bytes string) {
	t.Helper()
	out, err := exec.Command("prlimit", "--pid", strconv.Itoa(p.cmd.Process.Pid), "--fsize="+bytes+":").CombinedOutput()
	if err != nil {
		t.Fatalf("prlimit: %v: %s", err, out)
	}
}

func TestADiskThatIsFull(t *testing.T) {
	t.Parallel()
	databaseURL := storetest.SQLite(t)
	p, url := startOn(t, databaseURL)
	said := newLedger()
	said.publish(t, url, "com.example.before", valid("com.example.before", "1.0.0"))
	for round := range 3 {
		const full = "65536" // bytes: little more than an empty registry has
		setFileSize(t, p, full)
		refused := false
		for i := 0; i < 200 && !refused; i++ {
			id := fmt.Sprintf("com.example.full%d.n%d", round, i)
			status, body, err := post(t, url, valid(id, "1.0.0"))
			switch refused = status == http.StatusServiceUnavailable; {
			case refused:
				said.refused = append(said.refused, "/v1/skills/"+id+"/versions/1.0.0")
			case status == http.StatusCreated:
				said.digests["/v1/skills/"+id+"/versions/1.0.0"] = digestIn.FindString(body)
			default:
				t.Fatalf("publish on a disk that fills: got status %d, error %v and %s; want 201 or 503", status, err, body)
			}
		}
		if !refused {
			t.Fatalf("the disk is never full")
		}
		said.check(t, url)
		// A start reads, too.
		p.signal(t, syscall.SIGKILL)
		p.wait(t)
		p = startBinary(t, "prlimit", nil, "--fsize="+full+":", os.Getenv(binaryVariable),
			"serve", "--addr", "127.0.0.1:0", "--admin-key", adminKey, "--database-url", databaseURL, "--rate-limit", "0")
		url = listeningURL(t, p.stderr)
		said.check(t, url)
		status, body, err := post(t, url, valid("com.example.still", "1.0.0"))
		if err != nil || status != http.StatusServiceUnavailable {
			t.Errorf("publish after a start on a full disk: got status %d, error %v and %s; want 503", status, err, body)
		}

		setFileSize(t, p, "unlimited")
		waitUntilPublished(t, said, url, fmt.Sprintf("com.example.room%d", round))
		said.check(t, url)
	}
	// An orderly stop takes away what SQLite then has no room to make anew.
	p.signal(t, syscall.SIGTERM)
	p.wantEnd(t, statusOK)
	p = startBinary(t, "prlimit", nil, "--fsize=1024:", os.Getenv(binaryVariable), "migrate", "--database-url", databaseURL, "--log-level", "error")
	p.wantEnd(t, statusFailed)
	wantOneLine(t, "stderr", p.stderr.String(), "skillregistry: --database-url: ", "the disk is full")
	_, url = startOn(t, databaseURL)
	said.check(t, url)
	t.Logf("a disk that was full 3 times: %v", said)
}

func TestADatabaseWithoutAConnectionToSpare(t *testing.T) {
	t.Parallel()
	database := storetest.NewCluster(t)
	database.Execute(t, "create role registry login password 'of the test'")
	database.Execute(t, "create schema registry authorization registry")
	addr := database.Addr()
	_, url := startOn(t, "postgres://registry:of%20the%20test@"+addr+"/postgres?sslmode=disable")
	said := newLedger()
	said.publish(t, url, "com.example.before", valid("com.example.before", "1.0.0"))
	said.check(t, url) // what was read once can be read without a database

	database.Execute(t, "alter role registry connection limit 0")
	database.Execute(t, "select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = 'registry'")
	for i := range 3 {
		id := fmt.Sprintf("com.example.during%d", i)
		status, body, err := post(t, url, valid(id, "1.0.0"))
		if err != nil || status != http.StatusServiceUnavailable {
			t.Errorf("publish without a connection: got status %d, error %v and %s; want 503", status, err, body)
		}
		said.refused = append(said.refused, "/v1/skills/"+id+"/versions/1.0.0")
	}
	said.check(t, url)

	database.Execute(t, "alter role registry connection limit -1")
	waitUntilPublished(t, said, url, "com.example.after")
	said.check(t, url)
	t.Logf("without a connection: %v", said)
}

// waitUntilPublished waits until a registry takes writes again.
func waitUntilPublished(t *testing.T, said *ledger, url, id string) {
	t.Helper()
	for begun := time.Now(); !said.publish(t, url, id, valid(id, "1.0.0")); time.Sleep(20 * time.Millisecond) {
		if time.Since(begun) > backLimit {
			t.Fatalf("%s: the registry takes no write after %v", id, backLimit)
		}
	}
	delete(said.unknown, "/v1/skills/"+id+"/versions/1.0.0")
}

func TestTwoThatMigrateAtOnce(t *testing.T) {
	t.Parallel()
	for round := range 3 {
		t.Run(strconv.Itoa(round), func(t *testing.T) {
			t.Parallel()
			storetest.Each(t, func(t *testing.T, databaseURL string) {
				var both []*process
				for range 2 {
					both = append(both, start(t, nil, "migrate", "--database-url", databaseURL, "--log-level", "error"))
				}
				done := 0
				for _, p := range both {
					if p.wait(t) == statusOK {
						done++
						continue
					}
					// One process at a time has a file.
					wantOneLine(t, "stderr", p.stderr.String(), "another process is using it")
				}
				if shared := strings.HasPrefix(databaseURL, "postgres:"); done == 0 || shared && done < 2 {
					t.Errorf("%d of 2 brought the store up to date", done)
				}
				startOn(t, databaseURL)
			})
		})
	}
}
