package main

import (
	"context"
	"io"
	"sync"
)

// interruptible reads from a reader until a context ends: nothing else ends the wait for a
// terminal, or for a pipe into which nobody writes.
type interruptible struct {
	ctx  context.Context
	from io.Reader

	begin sync.Once
	pipe  *io.PipeReader
}

func (r *interruptible) Read(p []byte) (int, error) {
	r.begin.Do(func() {
		var in *io.PipeWriter
		r.pipe, in = io.Pipe()
		context.AfterFunc(r.ctx, func() { in.CloseWithError(&interruptedError{r.ctx.Err()}) })
		go func() {
			_, err := io.Copy(in, r.from)
			in.CloseWithError(err)
		}()
	})
	return r.pipe.Read(p)
}

// interruptedError says that a context ended while there was still something to be read.
type interruptedError struct{ err error }

func (*interruptedError) Error() string   { return "interrupted" }
func (e *interruptedError) Unwrap() error { return e.err }
