package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is a server that was started for the bench.
type process struct {
	cmd     *exec.Cmd
	log     *os.File
	ended   chan struct{} // closed when it is gone
	started time.Time
	// ready is how long it took from the start to the first good answer.
	ready time.Duration
}

// start starts a server and waits until url answers 200. Its output goes to a file, whose
// end is in the error where it does not come up.
func start(ctx context.Context, log, url string, env []string, name string, args ...string) (*process, error) {
	f, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.Command(name, args...), log: f, ended: make(chan struct{}), started: time.Now()}
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stdout, p.cmd.Stderr = f, f
	// A group of its own: an interrupt from the terminal is for the bench to pass on.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.cmd.Start(); err != nil {
		_ = f.Close()
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait()
		close(p.ended)
	}()
	if err := p.await(ctx, url); err != nil {
		p.stop()
		text, _ := os.ReadFile(log)
		return nil, fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, text[max(0, len(text)-2000):])
	}
	return p, nil
}

func (p *process) await(ctx context.Context, url string) error {
	client := &http.Client{Timeout: time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	for time.Since(p.started) < 5*time.Minute {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-p.ended:
			return errors.New("it ended at once")
		case <-time.After(2 * time.Millisecond):
		}
		response, err := client.Get(url)
		if err != nil {
			continue
		}
		_, _ = io.Copy(io.Discard, response.Body)
		response.Body.Close()
		if response.StatusCode == http.StatusOK {
			p.ready = time.Since(p.started)
			return nil
		}
	}
	return fmt.Errorf("%s did not answer 200", url)
}

// stop ends the server, and returns when it is gone.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(15 * time.Second):
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
	_ = p.log.Close()
}

// settle waits, for ten seconds at most, until the machine rests: a server that is slow, and
// its database, go on with what they were asked before, when nobody waits for it any more,
// and the next contender would pay for that.
func settle() {
	for range 100 {
		idle, all := processorTime()
		time.Sleep(100 * time.Millisecond)
		idleNow, allNow := processorTime()
		if float64(idleNow-idle) > 0.9*float64(allNow-all) {
			return
		}
	}
}

// processorTime returns the time of all processors since the start of the machine, and
// how much of it they were idle, as Linux counts it.
func processorTime() (idle, all int) {
	stat, _ := os.ReadFile("/proc/stat")
	line, _, _ := strings.Cut(string(stat), "\n")
	for i, field := range strings.Fields(line) {
		n, _ := strconv.Atoi(field) // the first is a name
		if all += n; i == 4 {
			idle = n
		}
	}
	return idle, all
}

// cpu returns the processor time that the server and its children have used.
func (p *process) cpu() time.Duration {
	total := cpuOf(p.cmd.Process.Pid)
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%[1]d/task/%[1]d/children", p.cmd.Process.Pid))
	for child := range strings.FieldsSeq(string(children)) {
		if pid, err := strconv.Atoi(child); err == nil {
			total += cpuOf(pid)
		}
	}
	return total
}

// cpuOf returns the processor time that one process has used, as Linux counts it: in
// hundredths of a second.
func cpuOf(pid int) time.Duration {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(stat), ") ") // behind the name, which may have spaces
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * 10 * time.Millisecond
}

// resident returns how much memory the server takes of the machine, in bytes.
func (p *process) resident() int64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kilobytes, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}

// freeAddress returns an address on loopback where nobody listens.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}
