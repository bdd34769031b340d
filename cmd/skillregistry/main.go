package main

import (
	"context"
	"crypto/rand"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/mattn/go-isatty"
)

func main() {
	p := program{
		name:     os.Args[0],
		environ:  os.Environ(),
		stdin:    os.Stdin,
		stdout:   os.Stdout,
		stderr:   os.Stderr,
		terminal: isatty.IsTerminal(os.Stderr.Fd()),
		now:      time.Now,
		random:   rand.Reader,
		patience: 30 * time.Second,
	}
	os.Exit(p.run(untilSignal(), os.Args[1:]))
}

// untilSignal returns a context that ends with the first SIGTERM or SIGINT. The second
// one ends the process at once, with the status that a shell gives to a signal; the
// default action would not do, because the kernel spares process 1 from it.
func untilSignal() context.Context {
	ctx, stop := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		<-signals
		stop()
		status := statusFailed
		if second, ok := (<-signals).(syscall.Signal); ok {
			status = 128 + int(second)
		}
		os.Exit(status)
	}()
	return ctx
}
