//go:build linux

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// TestASiege sends a registry all that strangers may think of at once, from thousands of
// connections: whoever reads is answered, and the process stays small.
func TestASiege(t *testing.T) {
	t.Parallel()
	p, addr := serving(t, "--database-url", storetest.SQLite(t), "--publish-dir", examplesFolder(t))
	before := peakMiB(t, p)
	slow := besiege(t, addr)

	const forSoLong = 5 * time.Second
	ctx, cancel := context.WithTimeout(t.Context(), forSoLong)
	defer cancel()
	var seen [600]atomic.Int64 // answers by status
	var attackers sync.WaitGroup
	for _, attack := range attacks() {
		for range 4 {
			attackers.Go(func() {
				for ctx.Err() == nil {
					seen[statusOf(addr, attack)].Add(1)
				}
			})
		}
	}
	var slowest time.Duration
	reads := 0
	for ctx.Err() == nil {
		begun := time.Now()
		if status, _ := fetch(t, "http://"+addr+"/.well-known/skills"); status != http.StatusOK {
			t.Errorf("a read under siege: got status %d, want 200", status)
		}
		slowest = max(slowest, time.Since(begun))
		reads++
	}
	attackers.Wait()
	if slowest > 5*time.Second {
		t.Errorf("a read under siege took %v, want 5s at most", slowest)
	}
	for _, want := range []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusTooManyRequests, http.StatusRequestHeaderFieldsTooLarge} {
		if seen[want].Load() == 0 {
			t.Errorf("no attack was answered with %d", want)
		}
	}
	for status := range seen {
		if n := seen[status].Load(); status >= 500 && n > 0 {
			t.Errorf("%d attacks were answered with %d, want nothing of the registry's own fault", n, status)
		}
	}
	slow.wantCutOff(t, 2*headerTimeout)

	const most = 384
	after := peakMiB(t, p)
	if after > most {
		t.Errorf("the registry grew to %d MiB, want %d at most", after, most)
	}
	t.Logf("%d connections, %d reads, the slowest %v; at most %d MiB in memory, %d before", slow.connections, reads, slowest.Round(time.Millisecond), after, before)
	for status := range seen {
		if n := seen[status].Load(); n > 0 {
			t.Logf("%d attacks were answered with %d", n, status)
		}
	}
}

// examplesFolder is where the examples are, for a process with a folder of its own.
func examplesFolder(t *testing.T) string {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return folder + "/../../examples"
}

// peakMiB is the most that a process had in memory.
func peakMiB(t *testing.T, p *process) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	match := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status)
	if match == nil {
		t.Fatalf("no peak in:\n%s", status)
	}
	kib, err := strconv.Atoi(string(match[1]))
	if err != nil {
		t.Fatal(err)
	}
	return kib >> 10
}

// siege is connections that do next to nothing.
type siege struct {
	connections int
	headers     []net.Conn // those that never end their headers
}

// besiege opens as many connections as it may, 3000 at most. A third of them says nothing,
// a third never ends its headers, a third never ends its body.
func besiege(t *testing.T, addr string) siege {
	t.Helper()
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err != nil {
		t.Fatal(err)
	}
	s := siege{connections: int(min(3000, files.Cur/4))}
	for i := range s.connections {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatalf("connection %d: %v", i, err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		switch i % 3 {
		case 1:
			fmt.Fprint(conn, "GET / HTTP/1.1\r\nX-Slow: ")
			s.headers = append(s.headers, conn)
		case 2:
			fmt.Fprint(conn, "POST /v1/validate?kind=descriptor HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{"+strings.Repeat(" ", 4000))
		}
	}
	return s
}

// wantCutOff fails the test unless those that never end their headers are cut off.
func (s siege) wantCutOff(t *testing.T, limit time.Duration) {
	t.Helper()
	deadline := time.Now().Add(limit)
	for _, conn := range s.headers {
		_ = conn.SetReadDeadline(deadline)
		if _, err := io.Copy(io.Discard, conn); err != nil && !strings.Contains(err.Error(), "reset") {
			t.Errorf("headers that never end: got %v, want to be cut off within %v", err, limit)
			return
		}
	}
}

// attacks are requests that are made to cost.
func attacks() []string {
	post := func(path, header, body string) string {
		return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s", path, header, len(body), body)
	}
	get := func(path, header string) string {
		return "GET " + path + " HTTP/1.1\r\nHost: a\r\n" + header + "\r\n"
	}
	const validate = "/v1/validate?kind=descriptor"
	long := strings.Repeat("~", 900_000)
	schema := `{"output":{"type":"object","schema":{"properties":{"` + long + `":{"properties":{"a":{"type":5}}}}}}}`
	return []string{
		get("/", strings.Repeat("X-Flood: "+strings.Repeat("x", 1000)+"\r\n", 100)),
		get("/", strings.Repeat("X: y\r\n", 20_000)),
		get("/.well-known/skills?"+strings.Repeat("capability_type=api&", 700), ""),
		get("/.well-known/skills?cursor="+strings.Repeat("A", 15_000), ""),
		get("/v1/skills/"+strings.Repeat("a.", 7000), ""),
		get("/.well-known/skills", "Authorization: Bearer skr_"+strings.Repeat("a", 64)+"\r\n"),
		get("/.well-known/skills", "Accept-Encoding: "+strings.Repeat("gzip;q=0,", 1500)+"\r\n"),
		get("/.well-known/skills", "If-None-Match: "+strings.Repeat(`"a",`, 3000)+"\r\n"),
		post(validate, "", `{"tags":[`+strings.Repeat("1,", 500_000)+`1]}`),
		post(validate, "", schema),
		post(validate, "", strings.Repeat("[", 1_000_000)),
		post("/v1/skills", "Authorization: Bearer "+adminKey+"\r\n", schema),
		post("/v1/skills", "Authorization: Bearer "+adminKey+"\r\n", `{"description":"`+strings.Repeat("x", 1_000_000)+`"}`),
	}
}

// statusOf sends a request and returns the status of its answer, 0 for none.
func statusOf(addr, request string) int {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return 0
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	// Who is refused early need not be heard to the end.
	go func() { _, _ = io.WriteString(conn, request) }()
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode
}
