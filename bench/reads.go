package main

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// turn is what one contender did with one workload in one turn.
type turn struct {
	measured
	allocations float64       // of objects, a request
	cpu         time.Duration // a request
}

// field is what all contenders did with one workload on some connections, by their
// names, round by round.
type field struct {
	workload workload
	bytes    int
	turns    map[string][]turn
}

// large is the size of an answer, in bytes, from which on one connection is enough to
// keep a machine busy, and a turn has to be longer to have a number of them.
const large = 4 << 20

// race lets the contenders answer a workload in turns. The first is the registry whose
// answer the others have to give, too.
func (b *bench) race(ctx context.Context, w workload, connections int, contenders []*contender) (field, error) {
	f := field{workload: w, turns: make(map[string][]turn)}
	_, reference, err := ask(ctx, contenders[0].url(w), w, "")
	if err != nil {
		return f, err
	}
	f.bytes = len(reference.body)
	if w.known {
		f.bytes = 0
	}
	want, err := reference.plain()
	if err != nil {
		return f, err
	}
	tags := make(map[string]string)
	for _, c := range contenders {
		if tags[c.name], err = rehearse(ctx, c.url(w), w, want); err != nil {
			return f, fmt.Errorf("%s: %w", c.name, err)
		}
	}
	duration := b.turn
	if f.bytes > large {
		duration *= 4
	}
	for round := range b.rounds {
		for i := range contenders {
			c := contenders[(i+round)%len(contenders)]
			t, err := b.take(ctx, c, load{
				url: c.url(w), headers: w.headers(tags[c.name]), connections: connections, duration: duration,
			})
			if err != nil {
				return f, fmt.Errorf("%s: %w", c.name, err)
			}
			f.turns[c.name] = append(f.turns[c.name], t)
			settle()
		}
	}
	return f, nil
}

// take gives a contender one turn.
func (b *bench) take(ctx context.Context, c *contender, l load) (turn, error) {
	var before, after heap
	var err error
	if c.profiles != "" {
		if before, err = readHeap(c.profiles, false); err != nil {
			return turn{}, err
		}
	}
	cpu := c.cpu()
	m, err := l.run(ctx, b.folder)
	if err != nil {
		return turn{}, err
	}
	cpu = c.cpu() - cpu
	if c.profiles != "" {
		if after, err = readHeap(c.profiles, false); err != nil {
			return turn{}, err
		}
	}
	n := max(float64(m.requests), 1) // one that takes longer than the turn is not counted
	return turn{
		measured:    m,
		allocations: float64(after.mallocs-before.mallocs) / n,
		cpu:         time.Duration(float64(cpu) / n),
	}, nil
}

// median returns the median of a figure over the rounds, and reports whether the
// contender took part.
func (f field) median(name string, figure func(turn) float64) (float64, bool) {
	var all []float64
	for _, t := range f.turns[name] {
		all = append(all, figure(t))
	}
	return median(all), len(all) > 0
}

// cell is a median as the table shows it.
func (f field) cell(name string, figure func(turn) float64, show func(float64) string) string {
	m, ok := f.median(name, figure)
	if !ok {
		return "–"
	}
	return show(m)
}

func (f field) rate(name string) string {
	return f.cell(name, func(t turn) float64 { return t.rate }, number)
}

// share is the median, over the rounds, of a contender's rate to the bare server's in the
// same round.
func (f field) share(name string) string {
	var all []float64
	for round, t := range f.turns[name] {
		all = append(all, t.rate/f.turns["bare"][round].rate)
	}
	if all == nil {
		return "–"
	}
	return fmt.Sprintf("%.2f", median(all))
}

func (f field) latency(name string) string {
	return f.cell(name, func(t turn) float64 { return float64(t.p50) }, milliseconds) + " / " +
		f.cell(name, func(t turn) float64 { return float64(t.p99) }, milliseconds)
}

func (f field) cpu(name string) string {
	return f.cell(name, func(t turn) float64 { return float64(t.cpu) }, microseconds)
}

func (f field) mallocs(name string) string {
	return f.cell(name, func(t turn) float64 { return t.allocations }, number)
}

// measureReads races all workloads at one size, on many connections and on one.
func (b *bench) measureReads(ctx context.Context, s *stage) error {
	for _, connections := range b.connections {
		rates := table{
			title:   fmt.Sprintf("%s skills, %d connections: requests a second, and their share of the bare server's", number(float64(s.skills)), connections),
			columns: []string{"", "bytes", "bare", "nginx", "share", "SQLite", "share", "PostgreSQL", "share", "obvious", "share"},
		}
		costs := table{
			title: fmt.Sprintf("%s skills, %d connections: what a request takes", number(float64(s.skills)), connections),
			columns: []string{"", "ms p50 / p99: bare", "nginx", "SQLite", "PostgreSQL", "obvious",
				"CPU µs: bare", "nginx", "SQLite", "PostgreSQL", "allocations: bare", "SQLite", "PostgreSQL"},
		}
		for _, w := range workloads(s.skills) {
			if !b.workloads[w.name] {
				continue
			}
			contenders := []*contender{s.sqlite, s.postgres, s.bare, s.nginx}
			switch indexSize := len(s.whole); {
			case w.isWhole() && indexSize > large && connections > 1 && !w.known:
				continue // each of them would take longer than a turn
			case !w.isWhole() || indexSize <= large:
				contenders = append(contenders, s.obvious)
			}
			contenders = slices.DeleteFunc(contenders, func(c *contender) bool { return !b.contenders[c.name] })
			b.say("%d skills, %d connections: %s", s.skills, connections, w.title)
			f, err := b.race(ctx, w, connections, contenders)
			if err != nil {
				return err
			}
			rates.add(w.title, number(float64(f.bytes)), f.rate("bare"), f.rate("nginx"), f.share("nginx"),
				f.rate("sqlite"), f.share("sqlite"), f.rate("postgres"), f.share("postgres"), f.rate("obvious"), f.share("obvious"))
			costs.add(w.title, f.latency("bare"), f.latency("nginx"), f.latency("sqlite"), f.latency("postgres"), f.latency("obvious"),
				f.cpu("bare"), f.cpu("nginx"), f.cpu("sqlite"), f.cpu("postgres"),
				f.mallocs("bare"), f.mallocs("sqlite"), f.mallocs("postgres"))
		}
		rates.print(b.out)
		costs.print(b.out)
	}
	return nil
}
