package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	firstPause = 200 * time.Millisecond
	longPause  = 5 * time.Second
	// maxWait is the longest pause that is waited for when the registry asks for it;
	// a longer one is the caller's to wait.
	maxWait = 30 * time.Second
)

// request is one request to the registry.
type request struct {
	method string
	// path begins with a slash and may carry a query.
	path string
	// body is sent where it is not nil.
	body []byte
	// mediaType is of the body; empty is JSON.
	mediaType string
	// repeatable says that sending it twice does no more than sending it once.
	repeatable bool
}

// response is an answer that succeeded.
type response struct {
	status int
	header http.Header
	body   []byte
}

// do sends the request, again where that is safe and may help, and returns the answer
// if it is a success.
func (c *Client) do(ctx context.Context, r request) (*response, error) {
	for attempt := 1; ; attempt++ {
		answer, err := c.send(ctx, r)
		if err == nil {
			return answer, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		pause, again := c.again(r, err, attempt)
		if !again {
			var unreachable *UnreachableError
			if errors.As(err, &unreachable) {
				unreachable.Attempts = attempt
			}
			return nil, err
		}
		if err := c.sleep(ctx, pause); err != nil {
			return nil, err
		}
	}
}

// again decides whether the request is sent once more, and how long to wait before.
func (c *Client) again(r request, err error, attempt int) (time.Duration, bool) {
	if attempt >= c.attempts {
		return 0, false
	}
	var asked time.Duration
	var refused *Error
	var unreachable *UnreachableError
	switch {
	case errors.As(err, &refused):
		asked = refused.RetryAfter
		switch refused.StatusCode {
		case http.StatusTooManyRequests:
			// It was not looked at, so that it may be sent again whatever it is.
		case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
			if !r.repeatable {
				return 0, false
			}
		default:
			return 0, false
		}
	case errors.As(err, &unreachable):
		if !r.repeatable {
			return 0, false
		}
	default:
		return 0, false
	}
	if asked > maxWait {
		return 0, false
	}
	pause := min(firstPause<<min(attempt-1, 10), longPause)
	// Half of it by chance, so that those who were turned away together don't come
	// back together.
	pause = pause/2 + time.Duration(c.jitter()*float64(pause/2))
	return asked + pause, true
}

// send sends the request once.
func (c *Client) send(ctx context.Context, r request) (*response, error) {
	var body io.Reader
	if r.body != nil {
		body = bytes.NewReader(r.body)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, c.base+r.path, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", c.userAgent)
	req.Header.Set("Accept", "application/json")
	if r.body != nil {
		req.Header.Set("Content-Type", cmp.Or(r.mediaType, "application/json"))
	}
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, &UnreachableError{URL: c.base, Attempts: 1, Err: withoutURL(err)}
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, c.maxResponse+1))
	if err != nil {
		return nil, &UnreachableError{URL: c.base, Attempts: 1, Err: fmt.Errorf("reading the answer: %w", err)}
	}
	if int64(len(data)) > c.maxResponse {
		return nil, fmt.Errorf("the answer to %s %s is larger than %d bytes", r.method, r.path, c.maxResponse)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return nil, answerError(resp, data, time.Now())
	}
	return &response{status: resp.StatusCode, header: resp.Header, body: data}, nil
}

// decode reads a JSON answer into v.
func (c *Client) decode(answer *response, v any) error {
	if err := json.Unmarshal(answer.body, v); err != nil {
		return &Error{
			StatusCode: answer.status,
			Message:    "not the answer of a skill registry: " + err.Error(),
			RequestID:  answer.header.Get("X-Request-Id"),
		}
	}
	return nil
}
