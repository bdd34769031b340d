package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/client"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// failing answers the first requests by itself, and lets the rest through to the
// registry. It counts them all.
func failing(t *testing.T, times int, fail http.HandlerFunc) (url string, requests *atomic.Int64) {
	t.Helper()
	requests = new(atomic.Int64)
	return proxied(t, func(next http.Handler) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if requests.Add(1) <= int64(times) {
				fail(w, r)
				return
			}
			next.ServeHTTP(w, r)
		}
	}), requests
}

// answering is a refusal in the registry's form.
func answering(status int, retryAfter, retry string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if retryAfter != "" {
			w.Header().Set("Retry-After", retryAfter)
		}
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"error":{"code":"A_CODE","message":"not now"%s}}`, retry)
	}
}

// hangingUp takes the request and gives no answer.
func hangingUp(w http.ResponseWriter, _ *http.Request) {
	panic(http.ErrAbortHandler)
}

func TestWhatMayBeSentTwiceIsSentAgain(t *testing.T) {
	t.Parallel()
	get := func(ctx context.Context, c *client.Client) error {
		for _, err := range c.Index(ctx, client.IndexQuery{}) {
			return err
		}
		return nil
	}
	publish := func(ctx context.Context, c *client.Client) error {
		_, err := c.Publish(ctx, protocoltest.Valid("com.example.a", "1.0.0", "public", "api"), client.PublishOptions{})
		return err
	}
	createKey := func(ctx context.Context, c *client.Client) error {
		_, err := c.CreateKey(ctx, client.KeyRequest{Name: "a", Scopes: []string{"admin"}})
		return err
	}
	const pause1, pause2, pause3 = 200 * time.Millisecond, 400 * time.Millisecond, 800 * time.Millisecond
	for _, c := range []struct {
		name   string
		do     func(context.Context, *client.Client) error
		times  int
		fail   http.HandlerFunc
		pauses []time.Duration
		status int // of the error in the end; 0 is none, -1 that it can't be reached
	}{
		{"a read, once unavailable", get, 1, answering(503, "", ""), []time.Duration{pause1}, 0},
		{"a read, three times unavailable", get, 3, answering(503, "", ""), []time.Duration{pause1, pause2, pause3}, 0},
		{"a read, unavailable for good", get, 9, answering(503, "", ""), []time.Duration{pause1, pause2, pause3}, 503},
		{"a read that a gateway fails", get, 1, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "<html>", http.StatusBadGateway) }, []time.Duration{pause1}, 0},
		{"a read that the registry fails", get, 1, answering(500, "", ""), nil, 500},
		{"a read that is refused", get, 1, answering(403, "", ""), nil, 403},
		{"a read without an answer", get, 1, hangingUp, []time.Duration{pause1}, 0},
		{"a read that never has an answer", get, 9, hangingUp, []time.Duration{pause1, pause2, pause3}, -1},
		{"a publish, once unavailable", publish, 1, answering(503, "", ""), []time.Duration{pause1}, 0},
		{"a publish without an answer", publish, 1, hangingUp, []time.Duration{pause1}, 0},
		{"a publish, too many of them", publish, 1, answering(429, "2", ""), []time.Duration{2*time.Second + pause1}, 0},
		{"a pause in milliseconds", publish, 1, answering(429, "2", `,"retry":{"suggested_delay_ms":50,"max_attempts":3}`), []time.Duration{50*time.Millisecond + pause1}, 0},
		{"a pause that is too long to wait for", publish, 1, answering(429, "3600", ""), nil, 429},
		{"a new key, unavailable", createKey, 1, answering(503, "", ""), nil, 503},
		{"a new key without an answer", createKey, 1, hangingUp, nil, -1},
		{"a new key, too many of them", createKey, 1, answering(429, "", ""), []time.Duration{pause1}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			url, requests := failing(t, c.times, c.fail)
			// No connections are kept, since net/http would repeat a request by itself on one
			// that was closed.
			k, err := client.New(url, client.Options{Key: adminKey, HTTPClient: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}})
			if err != nil {
				t.Fatal(err)
			}
			pauses := client.Pauses(k)
			err = c.do(t.Context(), k)
			var unreachable *client.UnreachableError
			switch {
			case c.status == 0 && err != nil, c.status > 0 && status(err) != c.status, c.status < 0 && !errors.As(err, &unreachable):
				t.Errorf("got error %v, want status %d", err, c.status)
			}
			if unreachable != nil && unreachable.Attempts != len(c.pauses)+1 {
				t.Errorf("got %d attempts in the error, want %d", unreachable.Attempts, len(c.pauses)+1)
			}
			if !slices.Equal(*pauses, c.pauses) {
				t.Errorf("got the pauses %v, want %v", *pauses, c.pauses)
			}
			if got, want := requests.Load(), int64(len(c.pauses)+1); got != want {
				t.Errorf("got %d requests, want %d", got, want)
			}
		})
	}
}

func TestARefusalTellsHowLongToWait(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]time.Duration{
		"3600":                 time.Hour,
		"":                     0,
		"-5":                   0,
		"soon":                 0,
		"99999999999999999999": 0,
		time.Now().Add(10 * time.Minute).UTC().Format(http.TimeFormat):  10 * time.Minute,
		time.Now().Add(-10 * time.Minute).UTC().Format(http.TimeFormat): 0,
	} {
		url, _ := failing(t, 1, answering(500, header, ""))
		var refused *client.Error
		if err := open(t, url, "").Ready(t.Context()); !errors.As(err, &refused) {
			t.Fatalf("got error %v", err)
		}
		if difference := (refused.RetryAfter - want).Abs(); difference > time.Minute {
			t.Errorf("Retry-After %q: got %v, want %v", header, refused.RetryAfter, want)
		}
	}
}

func TestTheContextEndsARequestAndAPause(t *testing.T) {
	t.Parallel()
	url, _ := failing(t, 9, answering(503, "20", ""))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	begun := time.Now()
	_, err := open(t, url, "").Get(ctx, "com.example.a", "")
	if took := time.Since(begun); !errors.Is(err, context.DeadlineExceeded) || took > 10*time.Second {
		t.Errorf("in a pause: got error %v after %v, want the context's", err, took)
	}
	hanging := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer hanging.Close()
	ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := open(t, hanging.URL, "").ListKeys(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("in a request: got error %v, want the context's", err)
	}
}

func TestAnAnswerIsReadToItsLimitOnly(t *testing.T) {
	t.Parallel()
	endless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				return
			}
		}
	}))
	defer endless.Close()
	c, err := client.New(endless.URL, client.Options{MaxResponse: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Get(t.Context(), "com.example.a", ""); err == nil || !strings.Contains(err.Error(), "larger than 1000 bytes") {
		t.Errorf("got error %v, want one that names the limit", err)
	}
}

func TestAKeyFollowsNoRedirect(t *testing.T) {
	t.Parallel()
	var visited atomic.Bool
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { visited.Store(true) }))
	defer elsewhere.Close()
	url, _ := failing(t, 9, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere.URL, http.StatusFound) })
	_, err := open(t, url, adminKey).Publish(t.Context(), []byte("{}"), client.PublishOptions{})
	if status(err) != http.StatusFound || !strings.Contains(err.Error(), elsewhere.URL) {
		t.Errorf("got error %v, want one that names the other address", err)
	}
	if visited.Load() {
		t.Error("the redirect was followed")
	}
}

func TestWhatIsNoRegistryIsSaidToBeNone(t *testing.T) {
	t.Parallel()
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>Welcome</html>") }))
	defer page.Close()
	c := open(t, page.URL, "")
	_, getErr := c.Get(t.Context(), "com.example.a", "")
	_, keysErr := c.ListKeys(t.Context())
	_, createErr := c.CreateKey(t.Context(), client.KeyRequest{})
	_, publishErr := c.Publish(t.Context(), nil, client.PublishOptions{})
	_, validateErr := c.Validate(t.Context(), "descriptor", nil)
	_, versionsErr := c.Versions(t.Context(), "com.example.a")
	for name, err := range map[string]error{"get": getErr, "keys": keysErr, "create": createErr, "publish": publishErr, "validate": validateErr, "versions": versionsErr} {
		if err == nil || !strings.Contains(err.Error(), "not the answer of a skill registry") {
			t.Errorf("%s: got error %v, want one that says so", name, err)
		}
	}
	for _, err := range c.Index(t.Context(), client.IndexQuery{}) {
		if err == nil {
			t.Error("index: got no error")
		}
	}
}

func TestAWrongAddressOrKeyIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"", "skills.example.com", "ftp://skills.example.com", "https://", "https://u:p@skills.example.com", "https://a/?b", "https://a/?", "https://a/#b", "https://a b"} {
		if _, err := client.New(url, client.Options{}); err == nil {
			t.Errorf("address %q: got no error", url)
		}
	}
	for _, key := range []string{"a\nb", "a b", "ä"} {
		if _, err := client.New("https://skills.example.com", client.Options{Key: key}); err == nil || strings.Contains(err.Error(), key) {
			t.Errorf("key %q: got error %v, want one without the key", key, err)
		}
	}
	for given, want := range map[string]string{"https://skills.example.com/": "https://skills.example.com", "http://a:1/b//": "http://a:1/b"} {
		c, err := client.New(given, client.Options{})
		if err != nil || c.BaseURL() != want {
			t.Errorf("address %q: got %v and error %v, want %s", given, c, err, want)
		}
	}
}

func TestEveryRequestNamesTheProgramAndTheKey(t *testing.T) {
	t.Parallel()
	type seen struct{ agent, authorization string }
	requests := make(chan seen, 2)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests <- seen{r.UserAgent(), r.Header.Get("Authorization")}
	}))
	defer server.Close()
	for _, c := range []struct {
		options client.Options
		want    seen
	}{
		{client.Options{}, seen{"skillregistry-client", ""}},
		{client.Options{Key: adminKey, UserAgent: "tests/1"}, seen{"tests/1", "Bearer " + adminKey}},
	} {
		k, err := client.New(server.URL, c.options)
		if err != nil {
			t.Fatal(err)
		}
		if err := k.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := <-requests; got != c.want {
			t.Errorf("got %+v, want %+v", got, c.want)
		}
	}
}
