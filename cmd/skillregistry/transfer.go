package main

import (
	"fmt"
	"time"
)

// transferPause is how long a transfer goes on in silence: most are over by then.
const transferPause = time.Second

// transfer counts the bytes that are written to it, and shows on a terminal how many
// there are when it is long.
type transfer struct {
	p *program
	// what says what is done.
	what string

	bytes int64
	begun time.Time
	shown time.Time // zero while there is no line on the terminal
}

func (p *program) transfer(what string) *transfer { return &transfer{p: p, what: what, begun: p.now()} }

func (t *transfer) Write(data []byte) (int, error) {
	t.bytes += int64(len(data))
	now := t.p.now()
	if t.p.terminal && now.Sub(t.begun) >= transferPause && now.Sub(t.shown) >= progressPause {
		fmt.Fprintf(t.p.stderr, "\r\x1b[K%s: %d MiB", t.what, t.bytes>>20)
		t.shown = now
	}
	return len(data), nil
}

// end takes the line away.
func (t *transfer) end() {
	if !t.shown.IsZero() {
		fmt.Fprint(t.p.stderr, "\r\x1b[K")
	}
}
