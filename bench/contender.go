package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

const (
	// baseURL begins the addresses in all answers, so that all contenders give the same
	// bytes.
	baseURL  = "https://registry.example.com"
	adminKey = "admin-key-of-the-bench-on-loopback-alone"
)

// contender is a server that takes part.
type contender struct {
	name string
	*process
	address string
	// profiles is where a Go process tells of its heap; empty for others.
	profiles string
	// path returns where the answer to a workload is.
	path func(workload) string
}

func (c *contender) url(w workload) string { return "http://" + c.address + c.path(w) }

// asked is the path of a contender that understands the request, and stored that of one
// that has the answers as files.
func asked(w workload) string { return w.path }

func stored(w workload) string {
	if w.known {
		return "/whole"
	}
	if w.gzip {
		return "/" + w.name + ".gzip"
	}
	return "/" + w.name
}

// starter starts contenders, each with a log of its own in a folder.
type starter struct {
	folder, registry string
}

func (s starter) addresses() (addr, profiles string, err error) {
	if addr, err = freeAddress(); err != nil {
		return "", "", err
	}
	profiles, err = freeAddress()
	return addr, profiles, err
}

// startRegistry starts the registry as it comes, but for two settings: no limit for one
// publisher, and no line in the log for each request, which no other contender writes.
func (s starter) startRegistry(ctx context.Context, name, database string, arguments ...string) (*contender, error) {
	addr, profiles, err := s.addresses()
	if err != nil {
		return nil, err
	}
	p, err := start(ctx, filepath.Join(s.folder, name+".log"), "http://"+addr+"/readyz",
		[]string{"SKILLREGISTRY_ADMIN_KEY=" + adminKey, "SKILLREGISTRY_DATABASE_URL=" + database},
		s.registry, append([]string{"serve", "--addr", addr, "--metrics-addr", profiles, "--base-url", baseURL,
			"--rate-limit", "0", "--log-level", "warn"}, arguments...)...)
	if err != nil {
		return nil, err
	}
	return &contender{name: name, process: p, address: addr, profiles: profiles, path: asked}, nil
}

// startOwn starts one of the bench's own servers.
func (s starter) startOwn(ctx context.Context, verb, ready string, path func(workload) string, arguments ...string) (*contender, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	addr, profiles, err := s.addresses()
	if err != nil {
		return nil, err
	}
	p, err := start(ctx, filepath.Join(s.folder, verb+".log"), "http://"+addr+ready, nil,
		self, append([]string{verb, "-addr", addr, "-metrics", profiles}, arguments...)...)
	if err != nil {
		return nil, err
	}
	return &contender{name: verb, process: p, address: addr, profiles: profiles, path: path}, nil
}

func (s starter) startNginx(ctx context.Context, answers string) (*contender, error) {
	addr, err := freeAddress()
	if err != nil {
		return nil, err
	}
	p, err := startNginx(ctx, addr, answers, s.folder)
	if err != nil {
		return nil, fmt.Errorf("starting nginx: %w", err)
	}
	return &contender{name: "nginx", process: p, address: addr, path: stored}, nil
}
