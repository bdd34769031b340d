package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// TestMain builds the command once, for the tests that need a process of their own.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "skillregistry-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		binary := filepath.Join(dir, "skillregistry")
		build := exec.Command("go", "build", "-ldflags", "-X main.version=1.2.3-test -X main.commit=abcdef", "-o", binary, ".")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			fmt.Fprintln(os.Stderr, "building the command:", err)
			return 1
		}
		if err := os.Setenv(binaryVariable, binary); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return m.Run()
	}())
}

// binaryVariable names the binary that TestMain built.
const binaryVariable = "TEST_BINARY"

// process is the command as a process of its own.
type process struct {
	cmd            *exec.Cmd
	stdout, stderr *output
	ended          chan error
}

// start starts the command with an environment that has nothing else in it.
func start(t *testing.T, environ []string, args ...string) *process {
	t.Helper()
	return startBinary(t, os.Getenv(binaryVariable), environ, args...)
}

// startBinary starts a build of the command.
func startBinary(t *testing.T, binary string, environ []string, args ...string) *process {
	t.Helper()
	p := &process{cmd: exec.Command(binary, args...), stdout: newOutput(), stderr: newOutput(), ended: make(chan error, 1)}
	p.cmd.Env, p.cmd.Dir = append([]string{}, environ...), t.TempDir()
	p.cmd.Stdout, p.cmd.Stderr = p.stdout, p.stderr
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.ended <- p.cmd.Wait() }()
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	return p
}

func (p *process) signal(t *testing.T, s syscall.Signal) {
	t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		t.Fatalf("sending %v: %v; stderr:\n%s", s, err, p.stderr)
	}
}

// wait waits for the end of the process and returns its exit status.
func (p *process) wait(t *testing.T) int {
	t.Helper()
	select {
	case err := <-p.ended:
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return p.cmd.ProcessState.ExitCode()
	case <-time.After(30 * time.Second):
		t.Fatalf("the process did not end within 30 seconds; stderr:\n%s", p.stderr)
		return -1
	}
}

func (p *process) wantEnd(t *testing.T, want int) {
	t.Helper()
	if got := p.wait(t); got != want {
		t.Errorf("got exit status %d, want %d; stderr:\n%s", got, want, p.stderr)
	}
}

// serving starts "serve" as a process on a free port.
func serving(t *testing.T, args ...string) (*process, string) {
	t.Helper()
	p := start(t, nil, append([]string{"serve", "--addr", "127.0.0.1:0", "--admin-key", adminKey}, args...)...)
	return p, strings.TrimPrefix(listeningURL(t, p.stderr), "http://")
}

// publishing is a publish that is under way: half of its body is sent.
type publishing struct {
	connection net.Conn
	answers    *bufio.Reader
	rest       string
}

func halfPublish(t *testing.T, addr, id string) publishing {
	t.Helper()
	connection, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	body := valid(id, "1.0.0")
	half := len(body) / 2
	fmt.Fprintf(connection, "POST /v1/skills HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n",
		addr, adminKey, len(body))
	// The registry asks for the body once it is in the middle of the request.
	answers := bufio.NewReader(connection)
	for _, want := range []string{"HTTP/1.1 100 Continue\r\n", "\r\n"} {
		if line, err := answers.ReadString('\n'); err != nil || line != want {
			t.Fatalf("got %q and error %v, want %q", line, err, want)
		}
	}
	if _, err := io.WriteString(connection, body[:half]); err != nil {
		t.Fatal(err)
	}
	return publishing{connection, answers, body[half:]}
}

// finish sends the rest and returns the status of the answer.
func (p publishing) finish(t *testing.T) int {
	t.Helper()
	if _, err := io.WriteString(p.connection, p.rest); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(p.answers, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	return answer.StatusCode
}

func TestASignalLetsRequestsFinishAndEndsWithStatusZero(t *testing.T) {
	t.Parallel()
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		storetest.Each(t, func(t *testing.T, url string) {
			p, addr := serving(t, "--database-url", url)
			underWay := halfPublish(t, addr, "com.example.late")
			// A connection that waits for its next request keeps nobody waiting.
			if status, _ := fetch(t, "http://"+addr+"/livez"); status != http.StatusOK {
				t.Errorf("/livez: got status %d, want 200", status)
			}

			p.signal(t, s)
			p.stderr.waitFor(t, regexp.MustCompile("msg=stopping"))
			waitUntilClosed(t, addr)
			if status := underWay.finish(t); status != http.StatusCreated {
				t.Errorf("the request that was under way: got status %d, want 201", status)
			}
			p.wantEnd(t, statusOK)
			wantText(t, "log", p.stderr.String(), "msg=stopped")

			// What was answered is there for the next one.
			next, addr := serving(t, "--database-url", url)
			if status, _ := fetch(t, "http://"+addr+"/v1/skills/com.example.late"); status != http.StatusOK {
				t.Errorf("after a new start: got status %d, want 200", status)
			}
			next.signal(t, syscall.SIGTERM)
			next.wantEnd(t, statusOK)
		})
	}
}

// waitUntilClosed waits until nobody accepts connections at addr.
func waitUntilClosed(t *testing.T, addr string) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			return
		}
		_ = c.Close()
	}
	t.Error("new connections are still accepted after the signal")
}

func TestRequestsAreCutOffAfterTheShutdownTimeout(t *testing.T) {
	t.Parallel()
	p, addr := serving(t, "--database-url", storetest.SQLite(t), "--shutdown-timeout", "200ms")
	halfPublish(t, addr, "com.example.never")
	p.signal(t, syscall.SIGTERM)
	p.wantEnd(t, statusFailed)
	wantText(t, "stderr", p.stderr.String(), "skillregistry: requests were still under way after 200ms and were cut off\n")
}

func TestASecondSignalEndsAtOnce(t *testing.T) {
	t.Parallel()
	p, addr := serving(t, "--database-url", storetest.SQLite(t), "--shutdown-timeout", "10m")
	halfPublish(t, addr, "com.example.never")
	p.signal(t, syscall.SIGTERM)
	p.stderr.waitFor(t, regexp.MustCompile("msg=stopping"))
	p.signal(t, syscall.SIGINT)
	p.wantEnd(t, 128+int(syscall.SIGINT))
}

func TestASignalEndsAStartThatWaitsForItsDatabase(t *testing.T) {
	t.Parallel()
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "postgres://" + nobody.Addr().String() + "/skills"
	nobody.Close()
	p := start(t, []string{"SKILLREGISTRY_DATABASE_URL=" + url}, "serve", "--addr", "127.0.0.1:0")
	p.stderr.waitFor(t, regexp.MustCompile("can't be reached yet"))
	p.signal(t, syscall.SIGTERM)
	p.wantEnd(t, statusOK)
}

func TestWithoutAnySettingTheRegistryKeepsItselfInOneFile(t *testing.T) {
	t.Parallel()
	p := start(t, []string{"SKILLREGISTRY_ADDR=127.0.0.1:0"}, "serve")
	addr := strings.TrimPrefix(listeningURL(t, p.stderr), "http://")
	if _, err := os.Stat(filepath.Join(p.cmd.Dir, "skillregistry.db")); err != nil {
		t.Error(err)
	}
	status, body := fetch(t, "http://"+addr+"/version")
	if status != http.StatusOK {
		t.Errorf("/version: got status %d, want 200", status)
	}
	wantText(t, "/version", body, "1.2.3-test", "abcdef")
	p.signal(t, syscall.SIGTERM)
	p.wantEnd(t, statusOK)
}

func TestTheExitStatusOfTheProcessIsThatOfTheVerb(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]int{
		"version":                              statusOK,
		"validate /dev/null":                   statusFailed,
		"publish":                              statusUsage,
		"list --server http://127.0.0.1:1":     statusUnreachable,
		"healthcheck --addr 127.0.0.1:1":       statusFailed,
		"serve --rate-limit many":              statusUsage,
		"serve --database-url sqlite:/none/db": statusFailed,
	} {
		p := start(t, nil, strings.Fields(args)...)
		if got := p.wait(t); got != want {
			t.Errorf("%s: got exit status %d, want %d; stderr:\n%s", args, got, want, p.stderr)
		}
	}
}
