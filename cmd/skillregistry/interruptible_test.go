package main

import (
	"bytes"
	"context"
	"io"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// A verb that waits for its input ends with the first signal, as any other.
func TestAVerbThatWaitsForItsInputIsInterrupted(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"publish":    {"publish", "-"},
		"validate":   {"validate", "-"},
		"import":     {"import", "-", "--database-url", storetest.SQLite(t)},
		"import mcp": {"import", "mcp", "-"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr bytes.Buffer
			p := testProgram(&stdout, &stderr)
			ctx, interrupt := context.WithCancel(t.Context())
			reading, nobody := io.Pipe()
			defer nobody.Close()
			p.environ = []string{"SKILLREGISTRY_KEY=" + adminKey}
			p.stdin = firstRead{reading, interrupt}
			ended := make(chan int, 1)
			go func() { ended <- p.run(ctx, args) }()
			select {
			case status := <-ended:
				wantText(t, "stderr", stderr.String(), "interrupted")
				if status == statusOK {
					t.Errorf("got exit status %d, want that of a failure", status)
				}
			case <-time.After(time.Minute):
				t.Error("it still waits for its input")
			}
		})
	}
}

// firstRead interrupts when it is read from.
type firstRead struct {
	io.Reader
	interrupt func()
}

func (r firstRead) Read(p []byte) (int, error) {
	r.interrupt()
	return r.Reader.Read(p)
}
