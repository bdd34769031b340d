package main

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

//go:embed wrk.lua
var wrkScript []byte

// load is one turn of wrk.
type load struct {
	url         string
	headers     map[string]string
	connections int
	duration    time.Duration // whole seconds
}

// measured is what wrk saw.
type measured struct {
	requests int
	rate     float64 // requests a second
	p50, p99 time.Duration
}

// run asks for the url on all connections, each the next time as soon as it has its
// answer.
func (l load) run(ctx context.Context, folder string) (measured, error) {
	script := filepath.Join(folder, "wrk.lua")
	if err := os.WriteFile(script, wrkScript, 0o600); err != nil {
		return measured{}, err
	}
	args := []string{"-t1", "-c" + strconv.Itoa(l.connections), fmt.Sprintf("-d%ds", int(l.duration.Seconds())), "--timeout", "30s", "-s", script}
	for name, value := range l.headers {
		args = append(args, "-H", name+": "+value)
	}
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, "wrk", append(args, l.url)...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return measured{}, fmt.Errorf("wrk %s: %w: %s", l.url, err, stderr.Bytes())
	}
	for line := range strings.Lines(string(out)) {
		var requests, microseconds, p50, p99, failed int
		if n, _ := fmt.Sscanf(line, "bench %d %d %d %d %d", &requests, &microseconds, &p50, &p99, &failed); n != 5 {
			continue
		}
		if failed > 0 {
			return measured{}, fmt.Errorf("wrk %s: %d requests, %d failed", l.url, requests, failed)
		}
		return measured{
			requests: requests,
			rate:     float64(requests) / (float64(microseconds) / 1e6),
			p50:      time.Duration(p50) * time.Microsecond,
			p99:      time.Duration(p99) * time.Microsecond,
		}, nil
	}
	return measured{}, fmt.Errorf("wrk %s: no result in %q", l.url, out)
}
