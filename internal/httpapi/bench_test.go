package httpapi_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// clients is how many connections a benchmark asks on at once.
const clients = 8

// BenchmarkIndex serves the whole index of 1,000 skills beside a bare net/http handler
// that writes the same bytes, both over loopback, in turns. Each round is 200 requests
// to either; %-of-bare compares their rates.
func BenchmarkIndex(b *testing.B) {
	g := onSQLite(b, options{})
	for i := range 1000 {
		doc := protocoltest.Valid(fmt.Sprintf("com.example.skill-%04d", i), "1.0.0", "public", "api")
		if a := g.publish(doc); a.status != http.StatusCreated {
			b.Fatal(a)
		}
	}
	for _, encoding := range []string{"identity", "gzip"} {
		b.Run(encoding, func(b *testing.B) {
			body := g.get("/.well-known/skills", header("Accept-Encoding", encoding)).body
			bare := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.Header().Set("Content-Length", strconv.Itoa(len(body)))
				w.Write(body)
			}))
			defer bare.Close()
			request := "GET /.well-known/skills HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: " + encoding + "\r\n\r\n"
			var registry, plain time.Duration
			const requests = 200
			for b.Loop() {
				plain += ask(b, bare.Listener.Addr().String(), request, requests)
				registry += ask(b, strings.TrimPrefix(g.address, "http://"), request, requests)
			}
			report(b, "bare", plain, requests*b.N)
			report(b, "registry", registry, requests*b.N)
			b.ReportMetric(100*plain.Seconds()/registry.Seconds(), "%-of-bare")
			b.ReportMetric(float64(len(body)), "bytes")
		})
	}
}

func report(b *testing.B, who string, took time.Duration, n int) {
	b.ReportMetric(float64(n)/took.Seconds(), who+"/s")
}

// ask sends a request n times over some connections, and returns how long that took. It
// reads answers with as little work as it can, so that the servers have the processors.
func ask(b *testing.B, address, request string, n int) time.Duration {
	b.Helper()
	connections := make([]net.Conn, clients)
	for i := range connections {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			b.Fatal(err)
		}
		defer conn.Close()
		connections[i] = conn
	}
	start := time.Now()
	err := parallel(n, func(client, _ int) error { return askOnce(connections[client], request) })
	took := time.Since(start)
	if err != nil {
		b.Fatal(err)
	}
	return took
}

func askOnce(conn net.Conn, request string) error {
	if _, err := io.WriteString(conn, request); err != nil {
		return err
	}
	r := bufio.NewReaderSize(conn, 64<<10)
	length := -1
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return err
		}
		if value, ok := strings.CutPrefix(line, "Content-Length: "); ok {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return err
			}
		}
		if line == "\r\n" {
			break
		}
	}
	if length < 0 {
		return errors.New("an answer without Content-Length")
	}
	_, err := r.Discard(length)
	return err
}

// parallel calls do n times, from as many goroutines as there are clients.
func parallel(n int, do func(client, i int) error) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	errs := make([]error, clients)
	for client := range clients {
		wg.Go(func() {
			for i := int(next.Add(1)); i <= n && errs[client] == nil; i = int(next.Add(1)) {
				errs[client] = do(client, i)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// BenchmarkPublish publishes over HTTP beside the bare commits of the same store, in
// turns. Each round is 100 publications either way; %-of-commits compares their rates.
func BenchmarkPublish(b *testing.B) {
	for name, url := range map[string]func(testing.TB) string{"sqlite": storetest.SQLite, "postgres": storetest.PostgreSQL} {
		b.Run(name, func(b *testing.B) {
			g := newRegistry(b, url(b), options{})
			validator, err := protocol.NewValidator(protocol.Limits{})
			if err != nil {
				b.Fatal(err)
			}
			address := strings.TrimPrefix(g.address, "http://")
			var overHTTP, commits time.Duration
			const publications = 100
			count := 0
			doc := func(round, i int) []byte {
				return protocoltest.Valid(fmt.Sprintf("com.example.r%d.s%d", round, i), "1.0.0", "public", "api")
			}
			for b.Loop() {
				count++
				docs := make([]*protocol.Document, publications+1)
				requests := make([]string, publications+1)
				for i := range docs {
					if docs[i], err = validator.Parse(doc(2*count, i)); err != nil {
						b.Fatal(err)
					}
					body := doc(2*count+1, i)
					requests[i] = fmt.Sprintf("POST /v1/skills HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", adminKey, len(body), body)
				}
				start := time.Now()
				err = parallel(publications, func(_, i int) error {
					published, err := g.store.Publish(b.Context(), store.Publication{Document: docs[i], At: time.Now()})
					if err == nil && !published.Created {
						err = errors.New("it was there already")
					}
					return err
				})
				commits += time.Since(start)
				if err != nil {
					b.Fatal(err)
				}
				connections := make([]net.Conn, clients)
				for i := range connections {
					if connections[i], err = net.Dial("tcp", address); err != nil {
						b.Fatal(err)
					}
				}
				start = time.Now()
				err = parallel(publications, func(client, i int) error { return askOnce(connections[client], requests[i]) })
				overHTTP += time.Since(start)
				if err != nil {
					b.Fatal(err)
				}
				for _, conn := range connections {
					conn.Close()
				}
			}
			if a := g.get(fmt.Sprintf("/v1/skills/com.example.r%d.s%d", 2*count+1, publications)); a.status != http.StatusOK {
				b.Fatal(a)
			}
			report(b, "commits", commits, publications*b.N)
			report(b, "http", overHTTP, publications*b.N)
			b.ReportMetric(100*commits.Seconds()/overHTTP.Seconds(), "%-of-commits")
		})
	}
}
