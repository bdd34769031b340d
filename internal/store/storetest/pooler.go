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

// Pooler starts a PgBouncer before a cluster that gives each transaction another of the
// given number of connections, and returns the address of the database by way of it.
func Pooler(t testing.TB, c *Cluster, connections int) string {
	t.Helper()
	bouncer := poolerProgram(t)
	folder := serverFolder(t)
	port := strconv.Itoa(freePort(t))
	users, settings, log := filepath.Join(folder, "users"), filepath.Join(folder, "settings"), filepath.Join(folder, "log")
	writeAsServer(t, users, fmt.Sprintf("%q %q\n", "postgres", c.password))
	writeAsServer(t, settings, fmt.Sprintf(`[databases]
* = host=127.0.0.1 port=%d
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %s
unix_socket_dir =
auth_type = plain
auth_file = %s
logfile = %s
pool_mode = transaction
default_pool_size = %d
server_round_robin = 1
`, c.port, port, users, log, connections))
	server := asServer(t, bouncer, settings)
	server.SysProcAttr.Pdeathsig = syscall.SIGKILL
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	url := c.URLBy(net.JoinHostPort("127.0.0.1", port))
	for begun := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		conn, err := pgx.Connect(ctx, url)
		if err == nil {
			_ = conn.Close(ctx)
		}
		cancel()
		if err == nil {
			return url
		}
		if time.Since(begun) > startLimit {
			text, _ := os.ReadFile(log)
			t.Fatalf("the pooler takes no connections: %v; its log:\n%s", err, text)
		}
	}
}

// poolerProgram returns the path of PgBouncer, which Debian keeps where not every PATH
// leads.
func poolerProgram(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"pgbouncer", "/usr/sbin/pgbouncer"} {
		if found, err := exec.LookPath(name); err == nil {
			return found
		}
	}
	t.Fatal("pgbouncer is not there: run make test, or .ci/need pgbouncer=pgbouncer")
	return ""
}
