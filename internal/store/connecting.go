package store

import (
	"context"
	"database/sql/driver"
	"sync"
)

// connecting makes the connections of a database handle. Each takes the time that it
// takes, which may be more than whoever asks for it can wait: where the first of several
// hosts is silent, the revision check would never get as far as the second. What is
// ready too late for one caller is the next one's.
type connecting struct {
	driver.Connector

	mu     sync.Mutex
	closed bool
	late   []chan connection
}

// connection is a connection, or the reason why there is none.
type connection struct {
	driver.Conn
	err error
}

// Connect returns a connection that works, as far as is known, or the context's error
// when that ends first.
func (c *connecting) Connect(ctx context.Context) (driver.Conn, error) {
	for {
		pending, old := c.take()
		if !old {
			// The time limit is the connector's own.
			go func() {
				conn, err := c.Connector.Connect(context.WithoutCancel(ctx))
				pending <- connection{conn, err}
			}()
		} else if len(pending) > 0 {
			if made := <-pending; made.err == nil {
				return made.Conn, nil
			}
			continue // what failed then may succeed now
		}
		select {
		case made := <-pending:
			return made.Conn, made.err
		case <-ctx.Done():
			c.leave(pending)
			return nil, ctx.Err()
		}
	}
}

// take returns a connection that is being made for nobody, if there is one, else room
// for a new one.
func (c *connecting) take() (pending chan connection, old bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.late); n > 0 {
		pending, c.late = c.late[n-1], c.late[:n-1]
		return pending, true
	}
	return make(chan connection, 1), false
}

// leave leaves a connection to the next caller.
func (c *connecting) leave(pending chan connection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		go discard(pending)
	} else {
		c.late = append(c.late, pending)
	}
}

// Close closes the connections that nobody came for.
func (c *connecting) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for _, pending := range c.late {
		go discard(pending)
	}
	c.late = nil
	return nil
}

func discard(pending chan connection) {
	if made := <-pending; made.err == nil {
		_ = made.Close()
	}
}
