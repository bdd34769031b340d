package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	defaultAttempts    = 4
	defaultMaxResponse = 64 << 20
	defaultTimeout     = 60 * time.Second
	defaultUserAgent   = "skillregistry-client"
)

// Options are what a client may be told beside the registry's address. The zero
// value reads what everyone may read.
type Options struct {
	// Key is sent with every request; empty asks anonymously.
	Key string
	// HTTPClient sends the requests. Nil is a client of its own, which gives each
	// attempt 60 seconds and follows no redirect, so that a key goes to no other
	// address than the one it was meant for.
	HTTPClient *http.Client
	// UserAgent names the program that asks; empty is "skillregistry-client".
	UserAgent string
	// Attempts is how often a request is sent at most, the first time included;
	// 0 is 4, 1 never sends anything again.
	Attempts int
	// MaxResponse is how many bytes of an answer are read at most; 0 is 64 MiB.
	MaxResponse int64
}

// Client talks to one registry. It is safe for concurrent use.
type Client struct {
	base        string
	key         string
	http        *http.Client
	userAgent   string
	attempts    int
	maxResponse int64

	sleep  func(context.Context, time.Duration) error
	jitter func() float64 // in [0, 1)
}

// New returns a client of the registry at baseURL, an absolute http or https URL
// without query and fragment. It sends nothing yet.
func New(baseURL string, o Options) (*Client, error) {
	base, err := checkBaseURL(baseURL)
	if err != nil {
		return nil, err
	}
	if strings.ContainsFunc(o.Key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("the key has characters that no key has, such as a space or a line break")
	}
	c := &Client{
		base:        base,
		key:         o.Key,
		http:        o.HTTPClient,
		userAgent:   cmp.Or(o.UserAgent, defaultUserAgent),
		attempts:    cmp.Or(o.Attempts, defaultAttempts),
		maxResponse: cmp.Or(o.MaxResponse, defaultMaxResponse),
		sleep:       sleep,
		jitter:      rand.Float64,
	}
	if c.http == nil {
		c.http = &http.Client{
			Timeout:       defaultTimeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
	}
	return c, nil
}

// BaseURL returns the registry's address, without a slash at its end.
func (c *Client) BaseURL() string { return c.base }

func checkBaseURL(s string) (string, error) {
	u, err := url.Parse(s)
	switch {
	case err != nil,
		u.Scheme != "http" && u.Scheme != "https",
		u.Hostname() == "",
		u.User != nil,
		u.RawQuery != "" || u.ForceQuery,
		u.Fragment != "":
		return "", fmt.Errorf("%q is not the address of a registry: expected an absolute http or https URL such as https://skills.example.com", s)
	}
	return strings.TrimRight(u.String(), "/"), nil
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
