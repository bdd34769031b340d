package client

import (
	"context"
	"errors"
	"net/http"
	"net/url"
)

// Ready returns nil when the registry says that it is ready to serve, and asks once:
// whether to wait and ask again is the caller's to say.
func (c *Client) Ready(ctx context.Context) error {
	_, err := c.send(ctx, request{method: http.MethodGet, path: "/readyz"})
	return err
}

// withoutURL takes off the method and URL that net/http puts before an error: the
// registry's address stands in ours already.
func withoutURL(err error) error {
	var e *url.Error
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}
