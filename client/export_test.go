package client

import (
	"context"
	"time"
)

// Pauses has the client note its pauses between attempts instead of making them.
func Pauses(c *Client) *[]time.Duration {
	var pauses []time.Duration
	c.jitter = func() float64 { return 1 }
	c.sleep = func(ctx context.Context, d time.Duration) error {
		pauses = append(pauses, d)
		return ctx.Err()
	}
	return &pauses
}
