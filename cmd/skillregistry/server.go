package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/httpapi"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
)

// server is a registry: a store, its catalog, and the listeners. Open makes it ready,
// Run serves, and Close lets go of everything, whatever came before.
type server struct {
	program *program
	config  config
	// nameOf returns by what a setting was given.
	nameOf func(flag string) string
	log    *slog.Logger

	store    *store.Store
	listener net.Listener
	http     *http.Server
	// drain tells callers to go elsewhere; it is called once.
	drain func()
	// Both are nil without a metrics address.
	metricsListener net.Listener
	metrics         *http.Server
}

// Open does everything that can fail at a start. What needs no database comes first, so
// that a wrong setting or a port that is taken leaves no trace in one.
func (s *server) Open(ctx context.Context) error {
	c := s.config
	b := readBuild()
	s.log.Info("starting", append([]any{slog.String("version", b.Version)}, c.logAttributes()...)...)

	validator, err := protocol.NewValidator(protocol.Limits{MaxDepth: c.maxDepth})
	if err != nil {
		return err
	}
	// One that judges what strangers send is no obstacle to publishers.
	checker, err := protocol.NewValidator(protocol.Limits{MaxDepth: c.maxDepth})
	if err != nil {
		return err
	}
	var admin access.ConfiguredAdmin
	if c.adminKey != "" {
		if admin, err = access.NewConfiguredAdmin(c.adminKey); err != nil {
			return err
		}
	}
	var publishing folder
	if c.publishDir != "" {
		if publishing, err = openFolder(s.nameOf("publish-dir"), c.publishDir); err != nil {
			return err
		}
	}
	if err := s.listen(); err != nil {
		return err
	}
	baseURL := cmp.Or(c.baseURL, defaultBaseURL(c.addr, s.listener.Addr()))

	if s.store, err = s.program.openStore(ctx, store.Options{URL: c.databaseURL, Logger: s.log}, s.nameOf("database-url")); err != nil {
		return err
	}
	door := door{program: s.program, validator: validator, store: s.store, maxBody: c.maxBody}
	if err := s.fill(ctx, baseURL, publishing, door); err != nil {
		return err
	}
	readable, err := catalog.Open(ctx, s.store, catalog.Options{
		BaseURL:      baseURL,
		Provider:     protocol.Provider{Name: c.providerName, URL: c.providerURL},
		StaleIfError: c.staleIfError,
		Admin:        admin,
		Now:          s.program.now,
	})
	if err != nil {
		return err
	}
	s.warnWithoutAdmin(ctx, readable)
	draining, stopping := make(chan struct{}), make(chan struct{})
	handler, err := httpapi.New(httpapi.Options{
		Validator:       validator,
		Checker:         checker,
		Store:           s.store,
		Catalog:         readable,
		BaseURL:         baseURL,
		Version:         httpapi.BuildInfo{Version: b.Version, Commit: b.Commit, GoVersion: b.GoVersion},
		MaxBody:         c.maxBody,
		MaxDepth:        c.maxDepth,
		BodyTimeout:     bodyTimeout,
		RateLimit:       c.rateLimit,
		BreakingChanges: httpapi.BreakingChanges(c.breakingChanges),
		TrustedProxies:  c.trustedProxies,
		Draining:        draining,
		Stopping:        stopping,
		Logger:          s.log,
		Now:             s.program.now,
		Random:          s.program.random,
	})
	if err != nil {
		return err
	}
	s.http = publicServer(handler, s.log)
	s.drain = func() { close(draining) }
	s.http.RegisterOnShutdown(func() { close(stopping) })
	if s.metricsListener != nil {
		s.metrics = metricsServer(b, s.log)
	}
	s.log.Info("listening", "addr", s.listener.Addr().String(), "base_url", baseURL)
	if s.metricsListener != nil {
		s.log.Info("listening for metrics", "addr", s.metricsListener.Addr().String())
	}
	return nil
}

// listen opens the listeners. Who connects before Run waits for it.
func (s *server) listen() (err error) {
	if s.listener, err = net.Listen("tcp", s.config.addr); err != nil {
		return fmt.Errorf("%s: listening on %s: %w", s.nameOf("addr"), s.config.addr, withoutAddress(err))
	}
	if s.config.metricsAddr == "" {
		return nil
	}
	if s.metricsListener, err = net.Listen("tcp", s.config.metricsAddr); err != nil {
		return fmt.Errorf("%s: listening for metrics on %s: %w", s.nameOf("metrics-addr"), s.config.metricsAddr, withoutAddress(err))
	}
	return nil
}

// withoutAddress takes off what package net puts before an error.
func withoutAddress(err error) error {
	var e *net.OpError
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

// fill brings the store up to date, prints the first admin key if it made one, and
// publishes a folder. All that may be refused comes before the key: it is printed once,
// and nobody looks for it in a start that failed.
func (s *server) fill(ctx context.Context, baseURL string, publishing folder, door door) error {
	if err := upToDate(ctx, s.store); err != nil {
		return err
	}
	documents, err := door.check(ctx, publishing)
	if err != nil {
		return err
	}
	if s.config.adminKey == "" {
		if err := s.makeFirstKey(ctx, baseURL); err != nil {
			return err
		}
	}
	if len(documents) == 0 {
		return nil
	}
	return door.publish(ctx, publishing, documents, s.log)
}

// warnWithoutAdmin warns of a registry that nobody can administer: the first key is made
// once, and may have been lost, revoked or given an end.
func (s *server) warnWithoutAdmin(ctx context.Context, readable *catalog.Catalog) {
	snapshot, _, err := readable.Snapshot(ctx)
	if err != nil || s.config.adminKey != "" {
		return
	}
	now := s.program.now()
	if !slices.ContainsFunc(snapshot.Keys(), func(k access.Key) bool { return k.Administers(now) }) {
		s.log.Warn("no admin key is valid, so that nobody can make keys: set SKILLREGISTRY_ADMIN_KEY to have one")
	}
}

// makeFirstKey makes an admin key and prints it, if the store is empty.
func (s *server) makeFirstKey(ctx context.Context, baseURL string) error {
	var first firstKey
	stored, err := s.store.Migrate(ctx, func() (access.Key, error) { return first.make(s.program.now(), s.program.random) })
	if err != nil || !stored {
		return err
	}
	return first.print(s.program.stdout, baseURL, cmp.Or(s.program.name, "skillregistry"))
}

// Run serves until ctx ends, then stops: it goes on for the configured delay, in which
// callers learn to go elsewhere, accepts no more, and lets requests finish within the
// configured time. It returns nil if all of them did.
func (s *server) Run(ctx context.Context) error {
	failed := make(chan error, 2)
	go func() { failed <- s.http.Serve(s.listener) }()
	if s.metrics != nil {
		go func() { failed <- s.metrics.Serve(s.metricsListener) }()
	}
	select {
	case err := <-failed:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
	}
	s.log.Info("stopping", "shutdown_delay", showDuration(s.config.shutdownDelay), "shutdown_timeout", showDuration(s.config.shutdownTimeout))
	begun := s.program.now()
	s.drain()
	select {
	case err := <-failed:
		return fmt.Errorf("serving: %w", err)
	case <-time.After(s.config.shutdownDelay):
	}
	// ctx has ended, and what is under way has more time than that.
	finishing, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.config.shutdownTimeout)
	defer cancel()
	if err := s.http.Shutdown(finishing); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return fmt.Errorf("requests were still under way after %s and were cut off", showDuration(s.config.shutdownTimeout))
		}
		return fmt.Errorf("stopping: %w", err)
	}
	s.log.Info("stopped", "took", s.program.now().Sub(begun).Round(time.Millisecond).String())
	return nil
}

// Close ends what is still open.
func (s *server) Close() {
	for _, h := range []*http.Server{s.http, s.metrics} {
		if h != nil {
			_ = h.Close()
		}
	}
	for _, l := range []net.Listener{s.listener, s.metricsListener} {
		if l != nil {
			_ = l.Close()
		}
	}
	if s.store != nil {
		if err := s.store.Close(); err != nil {
			s.log.Error("closing the store", "error", err)
		}
	}
}
