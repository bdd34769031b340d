//go:build replicas && linux

package main

import (
	"bytes"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"
)

// wire is the network between a replica and its PostgreSQL server.
type wire struct {
	// addr is where the server is reached by way of the wire, and url its database.
	addr, url string
	target    string
	// delay is how long each way takes, drawn for each part that passes; nil is no time.
	delay func() time.Duration
	// there and back are held by whoever lets nothing pass that way.
	there, back sync.RWMutex

	mu sync.Mutex
	// busy counts the connections whose last question has no answer yet, and most is the
	// largest that it was.
	busy, most int
	// asked counts questions for the revision.
	asked int
	// heard is called with what a replica asks, before the server hears it; nil is nobody.
	heard func(part []byte)
}

// revisionQuery is in each question for the revision.
var revisionQuery = []byte("select revision from registry")

// readyForQuery ends what a server answers, but for one byte.
var readyForQuery = []byte("Z\x00\x00\x00\x05")

// newWire lays a wire to a database.
func newWire(t *testing.T, database string, delay func() time.Duration) *wire {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	w := &wire{addr: listener.Addr().String(), target: u.Host, delay: delay}
	u.Host = w.addr
	w.url = u.String()
	go func() {
		for {
			replica, err := listener.Accept()
			if err != nil {
				return
			}
			go w.connect(replica)
		}
	}()
	return w
}

// connect carries one connection until one of its ends closes it.
func (w *wire) connect(replica net.Conn) {
	defer replica.Close()
	server, err := net.Dial("tcp", w.target)
	if err != nil {
		return
	}
	defer server.Close()
	asking := false // has a question without an answer
	defer func() { w.count(&asking, false) }()
	var both sync.WaitGroup
	both.Go(func() {
		defer replica.Close()
		carry(server, replica, w.delay, &w.back, func(part []byte) {
			if len(part) > len(readyForQuery) && bytes.Equal(part[len(part)-1-len(readyForQuery):len(part)-1], readyForQuery) {
				w.count(&asking, false)
			}
		})
	})
	both.Go(func() {
		defer server.Close()
		carry(replica, server, w.delay, &w.there, func(part []byte) {
			w.count(&asking, true)
			w.mu.Lock()
			w.asked += bytes.Count(part, revisionQuery)
			heard := w.heard
			w.mu.Unlock()
			if heard != nil {
				heard(part)
			}
		})
	})
	both.Wait()
}

func (w *wire) count(asking *bool, now bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case now && !*asking:
		w.busy++
		w.most = max(w.most, w.busy)
	case !now && *asking:
		w.busy--
	}
	*asking = now
}

// listen has heard called with each part of what the replica asks from now on.
func (w *wire) listen(heard func(part []byte)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.heard = heard
}

// counts returns what was counted since it was last called.
func (w *wire) counts() (most, asked int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	most, asked = w.most, w.asked
	w.most, w.asked = w.busy, 0
	return most, asked
}

// carry carries what comes from one end to the other, in order, each part after its
// delay, without keeping the next one waiting.
func carry(from, to net.Conn, delay func() time.Duration, held *sync.RWMutex, passing func([]byte)) {
	type parcel struct {
		part []byte
		due  time.Time
	}
	parcels := make(chan parcel, 1024)
	var delivery sync.WaitGroup
	delivery.Go(func() {
		for p := range parcels {
			time.Sleep(time.Until(p.due))
			held.RLock()
			passing(p.part)
			_, err := to.Write(p.part)
			held.RUnlock()
			if err != nil {
				_ = from.Close() // ends the reading
			}
		}
	})
	for {
		part := make([]byte, 16<<10)
		n, err := from.Read(part)
		if n > 0 {
			due := time.Now()
			if delay != nil {
				due = due.Add(delay())
			}
			parcels <- parcel{part[:n], due}
		}
		if err != nil {
			break
		}
	}
	close(parcels)
	delivery.Wait()
}
