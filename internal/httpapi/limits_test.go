package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/httpapi"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
	"github.com/skillregistry/skillregistry/internal/store"
)

// clock is a clock that a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// limited returns a registry that takes one request a second from each caller, with a
// burst of ten, behind a trusted proxy on loopback.
func limited(t *testing.T) (*registry, *clock) {
	c := &clock{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	return onSQLite(t, options{http: func(o *httpapi.Options) {
		o.RateLimit, o.Now = 1, c.Now
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	}}), c
}

// from sends a request on behalf of a client.
func from(address string) change { return header("X-Forwarded-For", "9.9.9.9, "+address) }

func TestWritesAndValidationsAreLimited(t *testing.T) {
	t.Parallel()
	doc := protocoltest.Valid("com.example.a", "1.0.0", "public", "api")
	tests := map[string]func(g *registry, who change) *answer{
		"publications": func(g *registry, who change) *answer { return g.send("POST", "/v1/skills", who, jsonBody(doc)) },
		"dry runs": func(g *registry, who change) *answer {
			return g.send("POST", "/v1/skills?dry_run=true", who, jsonBody(doc))
		},
		"validations": func(g *registry, who change) *answer {
			return g.send("POST", "/v1/validate?kind=descriptor", who, jsonBody(doc))
		},
		"new keys": func(g *registry, who change) *answer { return g.send("POST", "/v1/keys", who, jsonBody([]byte("{}"))) },
		"revocations": func(g *registry, who change) *answer {
			return g.send("DELETE", "/v1/keys/abc", who)
		},
		"anonymous validations": func(g *registry, _ change) *answer {
			return g.send("POST", "/v1/validate?kind=descriptor", jsonBody(doc))
		},
		"failed log-ins": func(g *registry, _ change) *answer { return g.get("/.well-known/skills", as("wrong")) },
		"log-ins that can't be read": func(g *registry, _ change) *answer {
			return g.get("/.well-known/skills", header("Authorization", "Basic YTpi"))
		},
		"writes without credentials": func(g *registry, _ change) *answer { return g.send("POST", "/v1/skills", jsonBody(doc)) },
	}
	for name, do := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g, c := limited(t)
			for i := range 10 {
				if a := do(g, asAdmin()); a.status == http.StatusTooManyRequests {
					t.Fatalf("request %d of a burst of 10: %v", i+1, a)
				}
			}
			a := do(g, asAdmin()).wantError(429, httpapi.CodeRateLimited).wantHeader("Retry-After", "1")
			if a.at("/error/retry/max_attempts") == nil || a.text("/error/code") == "" {
				t.Errorf("%v; want retry", a)
			}
			delay, err := strconv.Atoi(fmt.Sprint(a.at("/error/retry/suggested_delay_ms")))
			if err != nil || delay < 1 || delay > 1000 {
				t.Errorf("%v; want a delay of a second at most", a)
			}
			// Reads go on, whoever asks.
			for range 30 {
				g.get("/.well-known/skills").wantStatus(200)
				g.get("/.well-known/skills", asAdmin()).wantStatus(200)
			}
			c.advance(time.Second)
			if a := do(g, asAdmin()); a.status == http.StatusTooManyRequests {
				t.Errorf("after a second: %v", a)
			}
			do(g, asAdmin()).wantStatus(429)
		})
	}
}

func TestCallersDoNotShareTheirLimit(t *testing.T) {
	t.Parallel()
	g, c := limited(t)
	c.advance(0)
	one, _ := g.key([]string{"publish"}, "com.example")
	other, _ := g.key([]string{"publish"}, "com.example")
	validate := func(changes ...change) int {
		return g.send("POST", "/v1/validate?kind=index", append(changes, jsonBody([]byte("{}")))...).status
	}
	exhaust := func(changes ...change) {
		t.Helper()
		for range 10 {
			validate(changes...)
		}
		if got := validate(changes...); got != 429 {
			t.Fatalf("after a burst: %d, want 429", got)
		}
	}
	exhaust(as(one), from("203.0.113.1"))
	for name, changes := range map[string][]change{
		"another key of the same address":         {as(other), from("203.0.113.1")},
		"nobody of the same address":              {from("203.0.113.1")},
		"the address beside it":                   {from("203.0.113.2")},
		"an IPv6 address":                         {from("2001:db8:0:1::1")},
		"an IPv6 address of another network":      {from("2001:db8:0:2::1")},
		"the proxy itself":                        {},
		"an administrator of no other's business": {asAdmin(), from("203.0.113.1")},
	} {
		if got := validate(changes...); got != 200 {
			t.Errorf("%s is answered with %d, want 200", name, got)
		}
	}
	if got := validate(as(one), from("203.0.113.77")); got != 429 {
		t.Errorf("the same key from another address: %d, want 429", got)
	}
	exhaust(from("2001:db8:0:7::1"))
	if got := validate(from("2001:db8:0:7:ffff::2")); got != 429 {
		t.Errorf("another address of the same /64: %d, want 429", got)
	}
	exhaust(from("203.0.113.9"))
	if got := validate(header("X-Forwarded-For", "1.2.3.4, 203.0.113.9")); got != 429 {
		t.Errorf("a client that forges the header: %d, want 429", got)
	}
}

func TestRateOrder(t *testing.T) {
	t.Parallel()
	g, c := limited(t)
	reader, _ := g.key([]string{"read"}, "com.example")
	for range 10 {
		g.send("POST", "/v1/skills", as(reader)).wantError(403, protocol.CodePermissionDenied)
	}
	g.send("POST", "/v1/skills", as(reader)).wantError(429, httpapi.CodeRateLimited)
	c.advance(time.Second)
	g.send("POST", "/v1/skills", as(reader)).wantError(403, protocol.CodePermissionDenied)
	// A wrong key is told so before its holder's rate is looked at.
	g.send("POST", "/v1/skills", as("wrong")).wantError(401, protocol.CodeAuthRequired)
}

func TestSlowBodyEnds(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{http: func(o *httpapi.Options) { o.BodyTimeout = 200 * time.Millisecond }})
	conn, err := net.Dial("tcp", strings.TrimPrefix(g.address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "POST /v1/validate?kind=index HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
	if err := conn.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(conn)
	if err != nil || !strings.HasPrefix(string(text), "HTTP/1.1 408 ") || !strings.Contains(string(text), `"REQUEST_TIMEOUT"`) {
		t.Errorf("a body that does not arrive is answered with %q (error %v), want 408 and the end", text, err)
	}
}

// The deadline is the body's alone: what the store takes longer for is not taken for a
// client that went away, whose failures nobody would hear of.
func TestSlowStoreIsNoSlowBody(t *testing.T) {
	t.Parallel()
	lines := &log{}
	g := onSQLite(t, options{
		http: func(o *httpapi.Options) { o.BodyTimeout, o.Logger = 100*time.Millisecond, lines.logger() },
		source: func(s *store.Store) source {
			return &scripted{Store: s, delay: 400 * time.Millisecond, publish: func(context.Context) error { return errors.New("unheard of") }}
		},
	})
	g.publish(protocoltest.Valid("com.example.a", "1.0.0", "public", "api")).wantError(500, httpapi.CodeInternal)
	if text := lines.text(); !strings.Contains(text, "level=ERROR") {
		t.Errorf("a failure behind a slow store is not logged as an error:\n%s", text)
	}
}

// scripted is a store that publishes as a test says.
type scripted struct {
	*store.Store
	delay   time.Duration
	publish func(context.Context) error
}

func (s *scripted) Publish(ctx context.Context, p store.Publication) (store.Published, error) {
	time.Sleep(s.delay)
	if s.publish != nil {
		if err := s.publish(ctx); err != nil {
			return store.Published{}, err
		}
	}
	if err := ctx.Err(); err != nil {
		return store.Published{}, err
	}
	return s.Store.Publish(ctx, p)
}

func TestUnknownErrorsAreOpaque(t *testing.T) {
	t.Parallel()
	failures := map[string]func(context.Context) error{
		"an error that nobody knows": func(context.Context) error { return errors.New("secret words of the database") },
		"a panic":                    func(context.Context) error { panic("secret words of the database") },
		"a panic with an error":      func(context.Context) error { panic(errors.New("secret words of the database")) },
	}
	for name, fail := range failures {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lines := &log{}
			g := onSQLite(t, options{
				http:   func(o *httpapi.Options) { o.Logger = lines.logger() },
				source: func(s *store.Store) source { return &scripted{Store: s, publish: fail} },
			})
			a := g.publish(protocoltest.Valid("com.example.a", "1.0.0", "public", "api")).wantError(500, httpapi.CodeInternal)
			if strings.Contains(string(a.body), "secret") || strings.Contains(string(a.body), "goroutine") {
				t.Errorf("%v tells too much", a)
			}
			text := lines.text()
			if !strings.Contains(text, "level=ERROR") || !strings.Contains(text, "secret words of the database") || !strings.Contains(text, a.header.Get("X-Request-Id")) {
				t.Errorf("the log has to say what it was, by request id %s:\n%s", a.header.Get("X-Request-Id"), text)
			}
			g.get("/.well-known/skills").wantStatus(200)
		})
	}
}

func TestClientThatGoesAwayIsNoError(t *testing.T) {
	t.Parallel()
	lines := &log{}
	began, goOn := make(chan struct{}), make(chan struct{})
	g := onSQLite(t, options{
		http: func(o *httpapi.Options) { o.Logger = lines.logger() },
		source: func(s *store.Store) source {
			return &scripted{Store: s, publish: func(context.Context) error { close(began); <-goOn; return nil }}
		},
	})
	ctx, cancel := context.WithCancel(t.Context())
	doc := protocoltest.Valid("com.example.a", "1.0.0", "public", "api")
	done := make(chan error, 1)
	go func() {
		_, err := g.try("POST", "/v1/skills", asAdmin(), jsonBody(doc), func(r *http.Request) { *r = *r.WithContext(ctx) })
		done <- err
	}()
	<-began
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Fatalf("the client got %v", err)
	}
	time.Sleep(50 * time.Millisecond) // for the server to notice
	close(goOn)
	// The write comes to its end all the same.
	for deadline := time.Now().Add(10 * time.Second); g.get("/v1/skills/com.example.a").status != 200; {
		if time.Now().After(deadline) {
			t.Fatal("the publication of a client that went away never arrives")
		}
	}
	if text := lines.text(); strings.Contains(text, "level=ERROR") || strings.Contains(text, "level=WARN") {
		t.Errorf("a client that went away is logged as an error:\n%s", text)
	}
}

func TestBodyThatEndsEarlyIsNoError(t *testing.T) {
	t.Parallel()
	lines := &log{}
	g := onSQLite(t, options{http: func(o *httpapi.Options) { o.Logger = lines.logger() }})
	conn, err := net.Dial("tcp", strings.TrimPrefix(g.address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(conn, "POST /v1/validate?kind=index HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
	conn.Close()
	for deadline := time.Now().Add(10 * time.Second); !strings.Contains(lines.text(), "route=/v1/validate"); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the request is never logged")
		}
	}
	if text := lines.text(); strings.Contains(text, "level=ERROR") || strings.Contains(text, "level=WARN") {
		t.Errorf("a body that ends early is logged as an error:\n%s", text)
	}
}
