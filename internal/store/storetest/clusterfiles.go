//go:build linux

package storetest

import (
	"crypto/rand"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

const (
	// BinVariable names the environment variable with the folder of PostgreSQL's programs.
	BinVariable = "SKILLREGISTRY_TEST_POSTGRES_BIN"
	// UserVariable names the one with the user who runs them: the server refuses root.
	UserVariable = "SKILLREGISTRY_TEST_POSTGRES_USER"
)

// layOut makes the files of a cluster.
func layOut(t testing.TB) *Cluster {
	t.Helper()
	c := &Cluster{folder: serverFolder(t), password: rand.Text()}
	password := filepath.Join(c.folder, "password")
	writeAsServer(t, password, c.password)
	run(t, program(t, "initdb"), "-D", c.data(), "-U", "postgres", "--pwfile="+password,
		"--auth=password", "--encoding=UTF8", "--locale=C", "--no-sync")
	c.configure(t, "listen_addresses = '127.0.0.1'", "unix_socket_directories = ''", "max_connections = 100",
		"shared_buffers = 16MB", "logging_collector = off")
	return c
}

// copyAtRest returns a copy of a cluster that does not run. Files at rest are as good a
// beginning for a standby as a base backup, and take no program that may be missing.
func (c *Cluster) copyAtRest(t testing.TB) *Cluster {
	t.Helper()
	twin := &Cluster{folder: serverFolder(t), password: c.password}
	run(t, "cp", "-R", c.data(), twin.data())
	return twin
}

// follow makes a copy the standby of a cluster.
func (c *Cluster) follow(t testing.TB, primary *Cluster) {
	t.Helper()
	c.configure(t, fmt.Sprintf("primary_conninfo = 'host=127.0.0.1 port=%d user=postgres password=%s'", primary.port, primary.password))
	writeAsServer(t, filepath.Join(c.data(), "standby.signal"), "")
}

// configure adds settings that count from the next start.
func (c *Cluster) configure(t testing.TB, settings ...string) {
	t.Helper()
	file, err := os.OpenFile(filepath.Join(c.data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range settings {
		fmt.Fprintln(file, s)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// serverFolder returns a folder that is the server user's, and is gone when the test ends.
func serverFolder(t testing.TB) string {
	t.Helper()
	// Only root may enter the folders that the test itself is given.
	folder, err := os.MkdirTemp("", "skillregistry-server.")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	own(t, folder)
	return folder
}

func writeAsServer(t testing.TB, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	own(t, file)
}

// own gives a file to the server's user.
func own(t testing.TB, file string) {
	t.Helper()
	if c := serverUser(t); c != nil {
		if err := os.Chown(file, int(c.Uid), int(c.Gid)); err != nil {
			t.Fatal(err)
		}
	}
}

// asServer returns a command that the server's user runs.
func asServer(t testing.TB, name string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: serverUser(t)}
	return cmd
}

func run(t testing.TB, name string, args ...string) {
	t.Helper()
	if out, err := asServer(t, name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v:\n%s", name, err, out)
	}
}

// program returns the path of one of PostgreSQL's programs.
func program(t testing.TB, name string) string {
	t.Helper()
	bin := os.Getenv(BinVariable)
	if bin == "" {
		t.Fatalf("%s is not set: run make test, or .ci/with-postgres go test ./...", BinVariable)
	}
	return filepath.Join(bin, name)
}

// serverUser returns the user who runs servers; nil is the one who runs the test.
func serverUser(t testing.TB) *syscall.Credential {
	t.Helper()
	if os.Geteuid() != 0 {
		return nil
	}
	name := os.Getenv(UserVariable)
	if name == "" {
		t.Fatalf("%s is not set: run make test, or .ci/with-postgres go test ./...", UserVariable)
	}
	u, err := user.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

// freePort returns a port that nobody listens on and that outgoing connections don't get.
func freePort(t testing.TB) int {
	t.Helper()
	for range 100 {
		n, err := rand.Int(rand.Reader, big.NewInt(12000))
		if err != nil {
			t.Fatal(err)
		}
		port := 20000 + int(n.Int64())
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err == nil {
			_ = l.Close()
			return port
		}
	}
	t.Fatal("no port is free")
	return 0
}
