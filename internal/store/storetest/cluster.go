//go:build linux

package storetest

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Cluster is a PostgreSQL server of a test's own, which the test may stop, kill and
// replace. It is gone when the test ends.
type Cluster struct {
	folder, password string
	port             int
	server           *exec.Cmd
	ended            chan struct{} // closed when server has ended
}

// NewCluster starts an empty cluster.
func NewCluster(t testing.TB) *Cluster {
	t.Helper()
	c := layOut(t)
	c.Start(t)
	return c
}

// NewPair starts two clusters: what primary commits is on the disk of standby, its
// streaming replica, too.
func NewPair(t testing.TB) (primary, standby *Cluster) {
	t.Helper()
	primary = layOut(t)
	standby = primary.copyAtRest(t)
	primary.configure(t, "synchronous_standby_names = '*'")
	primary.Start(t)
	standby.follow(t, primary)
	standby.Start(t)
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if primary.Count(t, "select count(*) from pg_stat_replication where sync_state = 'sync'") == 1 {
			return primary, standby
		}
		if time.Since(begun) > startLimit {
			t.Fatalf("the standby does not follow; its log:\n%s", standby.log())
		}
	}
}

// Addr returns where the cluster listens, as HOST:PORT.
func (c *Cluster) Addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(c.port)) }

// URL returns the address of the cluster's database, as its superuser.
func (c *Cluster) URL() string { return c.URLBy(c.Addr()) }

// URLBy returns the address of the cluster's database by another way than its own
// listener: HOST:PORT, or several of them with commas between.
func (c *Cluster) URLBy(addrs string) string {
	return fmt.Sprintf("postgres://postgres:%s@%s/postgres?sslmode=disable", c.password, addrs)
}

// startLimit is how long a server may take to start or to stop on a busy machine.
const startLimit = time.Minute

// Start starts the server, where it was before, and returns when it takes connections.
func (c *Cluster) Start(t testing.TB) {
	t.Helper()
	first := c.port == 0
	for begun := time.Now(); time.Since(begun) < startLimit; time.Sleep(50 * time.Millisecond) {
		if first {
			c.port = freePort(t)
		}
		// It ends where another process took the port, or what is left of a killed
		// server is still there.
		c.launch(t)
		if c.takesConnections() {
			return
		}
	}
	t.Fatalf("the server does not start; its log:\n%s", c.log())
}

func (c *Cluster) launch(t testing.TB) {
	t.Helper()
	log, err := os.OpenFile(c.logFile(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	server := asServer(t, program(t, "postgres"), "-D", c.data(), "-p", strconv.Itoa(c.port))
	server.Stdout, server.Stderr = log, log
	server.SysProcAttr.Pdeathsig = syscall.SIGQUIT
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = server.Wait(); close(ended) }()
	c.server, c.ended = server, ended
	t.Cleanup(func() { _ = server.Process.Signal(syscall.SIGQUIT); <-ended })
}

// takesConnections waits until the server does, or has ended.
func (c *Cluster) takesConnections() bool {
	for begun := time.Now(); time.Since(begun) < startLimit; {
		select {
		case <-c.ended:
			return false
		case <-time.After(10 * time.Millisecond):
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		conn, err := pgx.Connect(ctx, c.URL())
		if err == nil {
			_ = conn.Close(ctx)
		}
		cancel()
		if err == nil {
			return true
		}
	}
	return false
}

// Stop stops the server as an administrator does who does not wait for its users.
func (c *Cluster) Stop(t testing.TB) {
	t.Helper()
	c.end(t, syscall.SIGINT)
}

// Kill ends the server as no administrator should.
func (c *Cluster) Kill(t testing.TB) {
	t.Helper()
	c.end(t, syscall.SIGKILL)
}

func (c *Cluster) end(t testing.TB, s syscall.Signal) {
	t.Helper()
	_ = c.server.Process.Signal(s)
	select {
	case <-c.ended:
	case <-time.After(startLimit):
		t.Errorf("the server did not end after %v; its log:\n%s", s, c.log())
	}
}

// Promote makes a standby the primary.
func (c *Cluster) Promote(t testing.TB) {
	t.Helper()
	c.Execute(t, "select pg_promote()")
}

// Execute runs a statement in the cluster.
func (c *Cluster) Execute(t testing.TB, statement string) {
	t.Helper()
	execute(t, c.URL(), statement)
}

// Count returns the number that a query answers.
func (c *Cluster) Count(t testing.TB, query string) (n int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, c.URL())
	if err != nil {
		t.Fatalf("connecting to the test's own cluster: %v", err)
	}
	defer conn.Close(ctx)
	if err := conn.QueryRow(ctx, query).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

func (c *Cluster) data() string { return filepath.Join(c.folder, "data") }

func (c *Cluster) logFile() string { return filepath.Join(c.folder, "server.log") }

// log returns the end of what the server says.
func (c *Cluster) log() string {
	text, err := os.ReadFile(c.logFile())
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-4096):])
}
