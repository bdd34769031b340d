package catalog

import (
	"context"
	"time"
)

// pollEvery is how often the store is asked for news while anybody waits for some.
const pollEvery = 250 * time.Millisecond

// Wait returns when the current snapshot is another than s, or when ctx ends. However
// many wait, the store is asked for news four times a second.
func (c *Catalog) Wait(ctx context.Context, s *Snapshot) {
	c.mu.Lock()
	if c.current.Load() != s {
		c.mu.Unlock()
		return
	}
	replaced := c.replaced
	if c.waiting++; c.waiting == 1 {
		c.unwanted = make(chan struct{})
		go c.poll(c.unwanted)
	}
	c.mu.Unlock()

	select {
	case <-replaced:
	case <-ctx.Done():
	}

	c.mu.Lock()
	if c.waiting--; c.waiting == 0 {
		close(c.unwanted)
	}
	c.mu.Unlock()
}

// put makes a snapshot the current one, and wakes who waits for it.
func (c *Catalog) put(s *Snapshot) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.current.Store(s)
	close(c.replaced)
	c.replaced = make(chan struct{})
}

// poll asks the store for news until nobody wants any.
func (c *Catalog) poll(unwanted <-chan struct{}) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		select {
		case <-unwanted:
			return
		case <-tick.C:
		}
		select {
		case <-unwanted:
			return
		case <-c.join().done:
		}
	}
}
