package store

import (
	"sync"
	"time"
)

// later does something once for all who asked for it within some time. The zero value is
// good. Safe for concurrent use.
type later struct {
	mu    sync.Mutex
	timer *time.Timer
}

// after has do run after pause, unless it is to run already.
func (l *later) after(pause time.Duration, do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer != nil {
		return
	}
	l.timer = time.AfterFunc(pause, func() {
		l.stop()
		do()
	})
}

// stop takes back what was asked for and has not begun.
func (l *later) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
}
