package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// balancer sends each request to the next of the replicas that were ready when it last
// asked them, and never to a second one: what fails there fails for the caller.
type balancer struct {
	*httptest.Server
	mu    sync.Mutex
	known []*backend
	turn  int
}

type backend struct {
	target   *url.URL
	ready    bool
	answered int
}

func newBalancer(t *testing.T) *balancer {
	t.Helper()
	b := new(balancer)
	proxy := &httputil.ReverseProxy{
		Transport: &http.Transport{MaxIdleConnsPerHost: 100},
		Rewrite: func(r *httputil.ProxyRequest) {
			if target := b.next(); target != nil {
				r.SetURL(target)
			}
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			http.Error(w, err.Error(), http.StatusBadGateway)
		},
	}
	b.Server = httptest.NewServer(proxy)
	t.Cleanup(b.Close)
	probing, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var probes sync.WaitGroup
	probes.Go(func() {
		for probing.Err() == nil {
			b.probe(probing)
			time.Sleep(50 * time.Millisecond)
		}
	})
	t.Cleanup(probes.Wait)
	t.Cleanup(stop)
	return b
}

// next returns where the next request goes; nil is nowhere.
func (b *balancer) next() *url.URL {
	b.mu.Lock()
	defer b.mu.Unlock()
	for range b.known {
		b.turn++
		if next := b.known[b.turn%len(b.known)]; next.ready {
			next.answered++
			return next.target
		}
	}
	return nil
}

// probe asks every replica whether it is ready.
func (b *balancer) probe(ctx context.Context) {
	b.mu.Lock()
	known := slices.Clone(b.known)
	b.mu.Unlock()
	for _, asked := range known {
		ready := false
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, asked.target.String()+"/readyz", nil)
		if err == nil {
			var answer *http.Response
			if answer, err = http.DefaultClient.Do(request); err == nil {
				ready = answer.StatusCode == http.StatusOK
				_ = answer.Body.Close()
			}
		}
		b.mu.Lock()
		asked.ready = ready
		b.mu.Unlock()
	}
}

func (b *balancer) add(t *testing.T, address string) *backend {
	t.Helper()
	target, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	added := &backend{target: target}
	b.mu.Lock()
	b.known = append(b.known, added)
	b.mu.Unlock()
	b.await(t, added, true)
	return added
}

// await waits until a replica gets requests, or gets none any more.
func (b *balancer) await(t *testing.T, of *backend, ready bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		b.mu.Lock()
		is := of.ready
		b.mu.Unlock()
		if is == ready {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: ready is %t, want %t", of.target, is, ready)
		}
	}
}

// rolled is what callers saw while the replicas were replaced.
type rolled struct {
	mu        sync.Mutex
	lost      []string
	answered  int
	published []string
}

func (r *rolled) saw(status int, err error, what string, want ...int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answered++
	if err == nil && slices.Contains(want, status) {
		return true
	}
	r.lost = append(r.lost, fmt.Sprintf("%s: status %d, error %v", what, status, err))
	return false
}

// Callers behind a balancer read, publish and wait for changes while each replica is
// replaced in turn, as a rolling update does it.
func TestRollingBothReplicasUnderLoadLosesNoRequest(t *testing.T) {
	t.Parallel()
	database := storetest.PostgreSQL(t)
	replica := func() (*process, string) {
		p := start(t, nil, "serve", "--addr", "127.0.0.1:0", "--base-url", "https://registry.example", "--database-url", database,
			"--admin-key", adminKey, "--rate-limit", "0", "--shutdown-delay", "2s", "--shutdown-timeout", "20s")
		return p, listeningURL(t, p.stderr)
	}
	b := newBalancer(t)
	type member struct {
		*process
		backend *backend
	}
	var fleet []member
	for range 2 {
		p, address := replica()
		fleet = append(fleet, member{p, b.add(t, address)})
	}

	var seen rolled
	var over atomic.Bool
	var callers sync.WaitGroup
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}, Timeout: time.Minute}
	ask := func(method, path, body string) (int, error) {
		request, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), method, b.URL+path, strings.NewReader(body))
		if err != nil {
			return 0, err
		}
		if body != "" {
			request.Header.Set("Authorization", "Bearer "+adminKey)
			request.Header.Set("Content-Type", "application/json")
		}
		answer, err := client.Do(request)
		if err != nil {
			return 0, err
		}
		defer answer.Body.Close()
		var read bytes.Buffer
		if _, err := io.Copy(&read, answer.Body); err != nil {
			return 0, err
		}
		return answer.StatusCode, nil
	}
	for caller := range 4 {
		callers.Go(func() {
			for n := 0; !over.Load(); n++ {
				id := fmt.Sprintf("com.example.c%d.n%d", caller, n)
				status, err := ask(http.MethodPost, "/v1/skills", valid(id, "1.0.0"))
				if seen.saw(status, err, "publishing "+id, http.StatusCreated) {
					seen.mu.Lock()
					seen.published = append(seen.published, id)
					seen.mu.Unlock()
				}
				// Whichever replica answers knows what another one took.
				status, err = ask(http.MethodGet, "/v1/skills/"+id, "")
				seen.saw(status, err, "reading "+id, http.StatusOK)
				time.Sleep(5 * time.Millisecond)
			}
		})
		callers.Go(func() {
			for !over.Load() {
				status, err := ask(http.MethodGet, "/v1/changes?after=now&wait=1s", "")
				seen.saw(status, err, "waiting for changes", http.StatusOK)
				status, err = ask(http.MethodGet, "/.well-known/skills", "")
				seen.saw(status, err, "the index", http.StatusOK)
			}
		})
	}
	for i := range fleet {
		p, address := replica()
		next := member{p, b.add(t, address)}
		old := fleet[i]
		old.signal(t, syscall.SIGTERM)
		b.await(t, old.backend, false)
		old.wantEnd(t, statusOK)
		fleet[i] = next
	}
	time.Sleep(200 * time.Millisecond) // the new ones by themselves
	over.Store(true)
	callers.Wait()

	if len(seen.lost) > 0 {
		t.Errorf("%d of %d requests were lost, the first ones:\n%s", len(seen.lost), seen.answered, strings.Join(seen.lost[:min(5, len(seen.lost))], "\n"))
	}
	b.mu.Lock()
	for _, served := range b.known {
		if served.answered == 0 {
			t.Errorf("%s got no request", served.target)
		}
	}
	b.mu.Unlock()
	for _, id := range seen.published {
		if status, err := ask(http.MethodGet, "/v1/skills/"+id, ""); err != nil || status != http.StatusOK {
			t.Errorf("%s was published, and reading it gets status %d, error %v", id, status, err)
		}
	}
	t.Logf("%d requests, %d publishes", seen.answered, len(seen.published))
}
