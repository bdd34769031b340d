package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// writesPerSecond is how many publishes a second come in beside the reads.
const writesPerSecond = 200

// measureMixed reads on 64 connections without and with publishes beside it, in turns.
func (b *bench) measureMixed(ctx context.Context, s *stage) error {
	results := table{
		title: fmt.Sprintf("Reads of %s skills on 64 connections while %d publishes a second come in", number(float64(s.skills)), writesPerSecond),
		columns: []string{"", "reads a second, quiet", "with writes", "ms p99, quiet", "with writes", "ratio",
			"publishes a second that were made"},
	}
	serial := 0
	for _, c := range []*contender{s.sqlite, s.postgres} {
		for _, w := range workloads(s.skills)[:2] {
			b.say("%s with writes, %s", w.title, c.name)
			var quiet, busy, quietTail, busyTail, ratio, made []float64
			l := load{url: c.url(w), connections: 64, duration: 3 * b.turn}
			for range b.rounds {
				alone, err := l.run(ctx, b.folder)
				if err != nil {
					return err
				}
				serial++
				writes := b.beginWrites(c.address, s.skills, serial)
				beside, err := l.run(ctx, b.folder)
				rate, failed := writes()
				if err != nil {
					return err
				}
				if failed != nil {
					return failed
				}
				quiet, busy, made = append(quiet, alone.rate), append(busy, beside.rate), append(made, rate)
				quietTail, busyTail = append(quietTail, float64(alone.p99)), append(busyTail, float64(beside.p99))
				ratio = append(ratio, float64(beside.p99)/float64(alone.p99))
			}
			results.add(w.title+", "+storeTitle(c), number(median(quiet)), number(median(busy)),
				milliseconds(median(quietTail)), milliseconds(median(busyTail)), share(median(ratio)), number(median(made)))
		}
	}
	results.print(b.out)
	return nil
}

// beginWrites publishes new versions of skills of the catalog at a steady rate, until the
// function that it returns is called; that one returns the rate that came of it.
func (b *bench) beginWrites(address string, skills, serial int) (end func() (float64, error)) {
	const connections = 8
	stop := make(chan struct{})
	due := make(chan int)
	begun := time.Now()
	var wg sync.WaitGroup
	var mu sync.Mutex
	var made int
	var failed error
	wg.Go(func() { // what is late is not made up for
		defer close(due)
		tick := time.NewTicker(time.Second / writesPerSecond)
		defer tick.Stop()
		for i := 0; time.Since(begun) < turnLimit-time.Second; i++ {
			select {
			case <-stop:
				return
			case <-tick.C:
			}
			select {
			case <-stop:
				return
			case due <- i:
			}
		}
	})
	for range connections {
		wg.Go(func() {
			p, err := dialPublisher(address)
			if err == nil {
				defer p.conn.Close()
			}
			for i := range due {
				if err == nil {
					n := rand.IntN(skills)
					err = p.send(publication(descriptor(skillID(n), fmt.Sprintf("1.%d.%d", serial, i), n)))
				}
				mu.Lock()
				if made++; err != nil {
					failed = err
				}
				mu.Unlock()
			}
		})
	}
	return func() (float64, error) {
		close(stop)
		wg.Wait()
		return float64(made) / time.Since(begun).Seconds(), failed
	}
}

func storeTitle(c *contender) string {
	if c.name == "sqlite" {
		return "SQLite"
	}
	return "PostgreSQL"
}
