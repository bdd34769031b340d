package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"
)

// stage is a catalog of one size, in both stores, and the contenders that serve it.
type stage struct {
	bench    *bench
	skills   int
	folder   string
	postgres *contender
	sqlite   *contender
	// How the registries started, for each store.
	sqliteStart, postgresStart beginning
	postgresURL                string

	// These are there once they lined up for the reads.
	bare, nginx, obvious *contender
	whole                []byte // the whole index

	closers []func()
}

// close stops the contenders and drops the databases, the last that came first.
func (s *stage) close() {
	for i := range s.closers {
		s.closers[len(s.closers)-1-i]()
	}
}

// started takes care that a contender is stopped.
func (s *stage) started(c *contender, err error) (*contender, error) {
	if err == nil {
		s.closers = append(s.closers, c.stop)
	}
	return c, err
}

// setUp fills the stores and starts the registries.
func (b *bench) setUp(ctx context.Context, skills int) (*stage, error) {
	s := &stage{bench: b, skills: skills, folder: filepath.Join(b.folder, fmt.Sprint(skills))}
	if err := os.Mkdir(s.folder, 0o700); err != nil {
		return s, err
	}
	s.closers = append(s.closers, func() { _ = os.RemoveAll(s.folder) })
	sqliteURL := "sqlite:" + filepath.Join(s.folder, "registry.db")
	var err error
	if s.postgresURL, err = s.createDatabase(ctx); err != nil {
		return s, err
	}
	b.say("%d skills: filling the stores", skills)
	for _, url := range []string{sqliteURL, s.postgresURL} {
		if err := fill(ctx, url, skills); err != nil {
			return s, err
		}
	}
	b.say("%d skills: starting the registries", skills)
	if s.sqlite, s.sqliteStart, err = s.begin(ctx, "sqlite", sqliteURL); err != nil {
		return s, err
	}
	s.postgres, s.postgresStart, err = s.begin(ctx, "postgres", s.postgresURL)
	return s, err
}

// createDatabase makes a database of the bench's own, to be dropped when the stage is
// closed.
func (s *stage) createDatabase(ctx context.Context) (url string, err error) {
	conn, err := pgx.Connect(ctx, s.bench.options.postgres)
	if err != nil {
		return "", err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	name := "bench_" + strings.ToLower(rand.Text())
	if _, err := conn.Exec(ctx, "create database "+name); err != nil {
		return "", err
	}
	s.closers = append(s.closers, func() {
		ctx := context.WithoutCancel(ctx)
		if conn, err := pgx.Connect(ctx, s.bench.options.postgres); err == nil {
			_, _ = conn.Exec(ctx, "drop database "+name+" with (force)")
			_ = conn.Close(ctx)
		}
	})
	return databaseURL(s.bench.options.postgres, name)
}

// lineUp starts those that the registry is compared with, on the answers that it gives.
func (s *stage) lineUp(ctx context.Context) error {
	answers := filepath.Join(s.folder, "answers")
	if err := os.Mkdir(answers, 0o755); err != nil {
		return err
	}
	for _, w := range workloads(s.skills) {
		if w.known {
			continue
		}
		_, a, err := ask(ctx, s.sqlite.url(w), w, "")
		if err != nil {
			return err
		}
		if err := a.save(answers, w.name); err != nil {
			return err
		}
		if w.name == "whole" {
			s.whole = a.body
		}
	}
	var err error
	if s.bare, err = s.started(s.bench.starter.startOwn(ctx, "bare", "/descriptor", stored, "-folder", answers)); err != nil {
		return err
	}
	if s.nginx, err = s.started(s.bench.starter.startNginx(ctx, answers)); err != nil {
		return err
	}
	s.obvious, err = s.started(s.bench.starter.startOwn(ctx, "obvious", "/v1/skills/"+skillID(0), asked, "-database", s.postgresURL, "-base-url", baseURL))
	return err
}

// databaseURL returns the URL of another database of the same server.
func databaseURL(of, name string) (string, error) {
	head, query, _ := strings.Cut(of, "?")
	slash := strings.LastIndexByte(head, '/')
	if slash < len("postgres://") {
		return "", fmt.Errorf("the URL of PostgreSQL names no database")
	}
	return head[:slash+1] + name + "?" + query, nil
}
