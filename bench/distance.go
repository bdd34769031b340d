package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"time"
)

// added is by how much the database is further away.
const added = 5 * time.Millisecond

// measureDistance reads on many connections from a registry beside its database and from
// one whose every question takes longer, in turns.
func (b *bench) measureDistance(ctx context.Context, s *stage) error {
	u, err := url.Parse(s.postgresURL)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer l.Close()
	go relay(l, u.Host)
	u.Host = l.Addr().String()
	far, err := b.starter.startRegistry(ctx, "far", u.String())
	if err != nil {
		return err
	}
	defer far.stop()
	results := table{
		title:   fmt.Sprintf("Reads on 256 connections, with %s added to each question to PostgreSQL", added),
		columns: []string{"", "reads a second, near", "far", "ratio", "ms p50 / p99, near", "far"},
	}
	for _, w := range workloads(s.skills)[:2] {
		b.say("%s, far from the database", w.title)
		f := field{turns: make(map[string][]turn)}
		for range b.rounds {
			for name, c := range map[string]*contender{"bare": s.postgres, "far": far} {
				m, err := load{url: c.url(w), connections: 256, duration: 2 * b.turn}.run(ctx, b.folder)
				if err != nil {
					return err
				}
				f.turns[name] = append(f.turns[name], turn{measured: m})
			}
		}
		results.add(w.title, f.rate("bare"), f.rate("far"), f.share("far"), f.latency("bare"), f.latency("far"))
	}
	results.print(b.out)
	return nil
}

// relay passes connections on, and holds what the client sends for the added time. What
// follows closely on something else is not held longer for it.
func relay(l net.Listener, to string) {
	for {
		client, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer client.Close()
			server, err := net.Dial("tcp", to)
			if err != nil {
				return
			}
			defer server.Close()
			go func() {
				defer client.Close()
				_, _ = io.Copy(client, server)
			}()
			hold(server, client)
		}()
	}
}

// hold copies with the added delay, until either side is gone.
func hold(to io.Writer, from io.Reader) {
	type chunk struct {
		due   time.Time
		bytes []byte
	}
	chunks := make(chan chunk, 1024)
	go func() {
		defer close(chunks)
		for {
			buffer := make([]byte, 16<<10)
			n, err := from.Read(buffer)
			if n > 0 {
				chunks <- chunk{time.Now().Add(added), buffer[:n]}
			}
			if err != nil {
				return
			}
		}
	}()
	for c := range chunks {
		time.Sleep(time.Until(c.due))
		if _, err := to.Write(c.bytes); err != nil {
			for range chunks { // until the reading side meets its end
			}
			return
		}
	}
}
