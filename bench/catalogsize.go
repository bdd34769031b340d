package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"
)

// beginning is how registries started.
type beginning struct {
	ready    float64 // seconds until one was; the median of some starts
	heap     int64   // bytes alive afterwards
	resident int64   // bytes of the process
}

// begin starts a registry some times over, and leaves the last one running.
func (s *stage) begin(ctx context.Context, name, database string) (*contender, beginning, error) {
	rounds := s.bench.rounds
	if s.skills > 200_000 {
		rounds = 1
	}
	var ready []float64
	for {
		c, err := s.bench.starter.startRegistry(ctx, name, database)
		if err != nil {
			return nil, beginning{}, err
		}
		ready = append(ready, c.ready.Seconds())
		if len(ready) < rounds {
			c.stop()
			continue
		}
		s.closers = append(s.closers, c.stop)
		resident := c.resident()
		h, err := readHeap(c.profiles, true)
		return c, beginning{ready: median(ready), heap: h.inUse, resident: resident}, err
	}
}

// measureEmpty returns the heap of a registry without skills.
func (b *bench) measureEmpty(ctx context.Context) (int64, error) {
	c, err := b.starter.startRegistry(ctx, "empty", "sqlite:"+filepath.Join(b.folder, "empty.db"))
	if err != nil {
		return 0, err
	}
	defer c.stop()
	h, err := readHeap(c.profiles, true)
	return h.inUse, err
}

// measureCatalog adds what a catalog of one size takes to the table.
func (b *bench) measureCatalog(ctx context.Context, s *stage, sizes *table) error {
	for _, store := range []struct {
		title string
		*contender
		beginning
	}{{"SQLite", s.sqlite, s.sqliteStart}, {"PostgreSQL", s.postgres, s.postgresStart}} {
		b.say("%d skills: publishing with %s", s.skills, store.title)
		var rates []float64
		for round := range b.rounds {
			requests := publications(fmt.Sprintf("size%d", round), publishesPerTurn)
			took, err := overHTTP(store.address, requests, 8)
			if err != nil {
				return err
			}
			rates = append(rates, publishesPerTurn/took.Seconds())
		}
		each := float64(store.heap-b.emptyHeap) / float64(s.skills)
		sizes.add(fmt.Sprintf("%s, %s", number(float64(s.skills)), store.title), fmt.Sprintf("%.2f", store.ready),
			number(each), number(each-descriptorSize), number(float64(store.resident)/1e6), number(median(rates)))
	}
	return nil
}

// publishesPerTurn bounds a turn of publishing.
const publishesPerTurn = 400

// turnLimit bounds a turn that is counted and not timed.
const turnLimit = 30 * time.Second
