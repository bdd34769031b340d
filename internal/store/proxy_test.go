package store_test

import (
	"bytes"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
)

// proxy stands between a store and its PostgreSQL server, and does what networks do.
type proxy struct {
	// url is the database's, by way of the proxy.
	url    string
	target string

	mu    sync.Mutex
	down  bool
	pairs map[net.Conn]net.Conn
	// quiet is held by whoever wants nothing to pass.
	quiet sync.RWMutex
	// onCommit says what becomes of the next commit.
	onCommit func() commitFault
}

// commitFault is what becomes of a commit.
type commitFault int

const (
	commitPasses commitFault = iota
	// requestLost cuts the connection before the server gets the commit.
	requestLost
	// answerLost cuts the connection after the server has carried it out.
	answerLost
)

// commitMessage is a commit in PostgreSQL's protocol.
var commitMessage = []byte("Q\x00\x00\x00\x0bcommit\x00")

func newProxy(t *testing.T, database string) *proxy {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{target: u.Host, pairs: map[net.Conn]net.Conn{}}
	u.Host = listener.Addr().String()
	p.url = u.String()
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go p.serve(client)
		}
	}()
	t.Cleanup(func() {
		_ = listener.Close()
		p.setDown(true)
	})
	return p
}

// setDown cuts every connection and takes no new one, or takes them again.
func (p *proxy) setDown(down bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = down
	if down {
		for client, server := range p.pairs {
			_, _ = client.Close(), server.Close()
		}
	}
}

// refuse takes no new connection.
func (p *proxy) refuse() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = true
}

// pause lets nothing pass until resume is called.
func (p *proxy) pause() (resume func()) {
	p.quiet.Lock()
	return p.quiet.Unlock
}

// atCommit says what becomes of the next commit, when it comes.
func (p *proxy) atCommit(decide func() commitFault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.onCommit = decide
}

func (p *proxy) serve(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		return
	}
	defer server.Close()
	p.mu.Lock()
	p.pairs[client] = server
	down := p.down
	p.mu.Unlock()
	if down {
		return
	}
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.pairs, client)
	}()
	answers := make(chan struct{}, 1)
	lost := false
	go func() {
		defer client.Close()
		p.pump(server, func(part []byte) error {
			p.mu.Lock()
			swallow := lost
			p.mu.Unlock()
			if swallow {
				answers <- struct{}{}
				return io.EOF
			}
			_, err := client.Write(part)
			return err
		})
	}()
	p.pump(client, func(part []byte) error {
		if bytes.Contains(part, commitMessage) {
			switch p.commit() {
			case requestLost:
				return io.EOF
			case answerLost:
				p.mu.Lock()
				lost = true
				p.mu.Unlock()
				if _, err := server.Write(part); err != nil {
					return err
				}
				<-answers
				return io.EOF
			}
		}
		_, err := server.Write(part)
		return err
	})
}

func (p *proxy) commit() commitFault {
	p.mu.Lock()
	decide := p.onCommit
	p.onCommit = nil
	p.mu.Unlock()
	if decide == nil {
		return commitPasses
	}
	return decide()
}

func (p *proxy) pump(from net.Conn, pass func([]byte) error) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		p.quiet.RLock()
		err = pass(buffer[:n])
		p.quiet.RUnlock()
		if err != nil {
			return
		}
	}
}
