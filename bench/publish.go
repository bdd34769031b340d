package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
)

// publications returns requests that publish skills of a family, each a new one.
func publications(family string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = publication(descriptor(familyID(family, i), "1.0.0", i))
	}
	return all
}

func familyID(family string, i int) string { return fmt.Sprintf("com.example.%s.s%07d", family, i) }

func publication(body []byte) string {
	return fmt.Sprintf("POST /v1/skills HTTP/1.1\r\nHost: registry.example.com\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		adminKey, len(body), body)
}

// overHTTP sends requests, each of which has to be answered 201, over some connections,
// and returns how long that took. It does as little as it can itself, so that the
// registry has the processors.
func overHTTP(address string, requests []string, connections int) (time.Duration, error) {
	clients := make([]*publisher, connections)
	for i := range clients {
		c, err := dialPublisher(address)
		if err != nil {
			return 0, err
		}
		defer c.conn.Close()
		clients[i] = c
	}
	return parallel(len(requests), connections, func(worker, i int) error { return clients[worker].send(requests[i]) })
}

// parallel calls do for each number below n, from some goroutines, and returns how
// long that took.
func parallel(n, workers int, do func(worker, i int) error) (time.Duration, error) {
	var next atomic.Int64
	var wg sync.WaitGroup
	errs := make([]error, workers)
	begun := time.Now()
	for worker := range workers {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(n) && errs[worker] == nil; i = next.Add(1) - 1 {
				errs[worker] = do(worker, int(i))
			}
		})
	}
	wg.Wait()
	return time.Since(begun), errors.Join(errs...)
}

// publisher is one connection that publishes.
type publisher struct {
	conn   net.Conn
	reader *bufio.Reader
}

func dialPublisher(address string) (*publisher, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	// The whole of a turn: nothing here may hang.
	if err := conn.SetDeadline(time.Now().Add(turnLimit)); err != nil {
		return nil, err
	}
	return &publisher{conn: conn, reader: bufio.NewReader(conn)}, nil
}

func (p *publisher) send(request string) error {
	if _, err := io.WriteString(p.conn, request); err != nil {
		return err
	}
	status, err := p.reader.ReadString('\n')
	if err != nil {
		return err
	}
	length := 0
	for line := status; line != "\r\n"; {
		if line, err = p.reader.ReadString('\n'); err != nil {
			return err
		}
		if value, ok := strings.CutPrefix(line, "Content-Length: "); ok {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return err
			}
		}
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(p.reader, body); err != nil {
		return err
	}
	if !strings.Contains(status, " 201 ") {
		return fmt.Errorf("a publication was answered %s: %.300s", strings.TrimSpace(status), body)
	}
	return nil
}

// measurePublish publishes over HTTP, through the store alone, and commits the same
// bytes without either, in turns.
func (b *bench) measurePublish(ctx context.Context) error {
	results := table{
		title:   "Publishes a second",
		columns: []string{"store, connections", "bare commits", "store alone", "over HTTP", "of the store alone", "of bare commits"},
	}
	s := &stage{bench: b}
	defer s.close()
	for _, name := range []string{"SQLite", "PostgreSQL"} {
		served, alone, err := s.publishDatabases(ctx, name)
		if err != nil {
			return err
		}
		registry, err := s.started(b.starter.startRegistry(ctx, "publish-"+name, served))
		if err != nil {
			return err
		}
		direct, err := store.Open(ctx, store.Options{URL: alone})
		if err != nil {
			return err
		}
		defer direct.Close()
		if _, err := direct.Migrate(ctx, nil); err != nil {
			return err
		}
		commits, err := openBare(ctx, name, s, b.folder)
		if err != nil {
			return err
		}
		defer commits.Close()
		for _, connections := range []int{1, 8} {
			b.say("publishing with %s on %d connections", name, connections)
			var bare, stored, http, ofStore, ofBare []float64
			for round := range b.rounds {
				family := fmt.Sprintf("c%dr%d", connections, round)
				n := publishesPerTurn
				if connections == 1 {
					n /= 4
				}
				rates, err := publishInTurns(ctx, family, n, connections, commits, direct, registry.address, b.validator)
				if err != nil {
					return err
				}
				bare, stored, http = append(bare, rates[0]), append(stored, rates[1]), append(http, rates[2])
				ofStore, ofBare = append(ofStore, rates[2]/rates[1]), append(ofBare, rates[2]/rates[0])
			}
			results.add(fmt.Sprintf("%s, %d", name, connections), number(median(bare)), number(median(stored)), number(median(http)),
				share(median(ofStore)), share(median(ofBare)))
		}
	}
	results.print(b.out)
	return nil
}

// publishInTurns returns how many a second were bare commits, publications to the store
// alone, and publications over HTTP.
func publishInTurns(ctx context.Context, family string, n, connections int, commits *bareCommits, direct *store.Store, address string, v *protocol.Validator) (rates [3]float64, err error) {
	documents := make([]*protocol.Document, n)
	for i := range documents {
		if documents[i], err = v.Parse(descriptor(familyID(family, i), "1.0.0", i)); err != nil {
			return rates, err
		}
	}
	requests := publications(family, n)
	for i, turn := range []func() (time.Duration, error){
		func() (time.Duration, error) {
			return parallel(n, connections, func(_, i int) error {
				return commits.insert(ctx, documents[i].Descriptor.ID, documents[i].Canonical)
			})
		},
		func() (time.Duration, error) {
			return parallel(n, connections, func(_, i int) error {
				published, err := direct.Publish(ctx, store.Publication{Document: documents[i], At: time.Now()})
				if err == nil && !published.Created {
					err = errors.New("it was there already")
				}
				return err
			})
		},
		func() (time.Duration, error) { return overHTTP(address, requests, connections) },
	} {
		took, err := turn()
		if err != nil {
			return rates, err
		}
		rates[i] = float64(n) / took.Seconds()
	}
	return rates, nil
}

// publishDatabases returns two empty databases: one to be served, one for the store alone.
func (s *stage) publishDatabases(ctx context.Context, name string) (served, alone string, err error) {
	if name == "SQLite" {
		return "sqlite:" + filepath.Join(s.bench.folder, "served.db"), "sqlite:" + filepath.Join(s.bench.folder, "alone.db"), nil
	}
	if served, err = s.createDatabase(ctx); err != nil {
		return "", "", err
	}
	alone, err = s.createDatabase(ctx)
	return served, alone, err
}
