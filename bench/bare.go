package main

import (
	"context"
	"flag"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// answer is what a contender that only repeats is to answer at one path.
type answer struct {
	body []byte
	etag string
	gzip bool
}

// An answer is kept as two files, for the bare server and for nginx alike: the body, and
// its tag beside it. The name of one that is compressed ends in .gzip.
func (a answer) save(folder, name string) error {
	if a.gzip {
		name += ".gzip"
	}
	if err := os.WriteFile(filepath.Join(folder, name), a.body, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, name+".etag"), []byte(a.etag), 0o644)
}

// serveBare is the bare server: net/http, one handler, the bytes in memory.
func serveBare(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("bare", flag.ContinueOnError)
	folder := flags.String("folder", "", "where the answers are")
	addr := flags.String("addr", "", "where to listen")
	metrics := flags.String("metrics", "", "where to listen for profiles")
	if err := flags.Parse(args); err != nil {
		return err
	}
	mux := http.NewServeMux()
	files, err := filepath.Glob(filepath.Join(*folder, "*.etag"))
	if err != nil {
		return err
	}
	for _, file := range files {
		file = strings.TrimSuffix(file, ".etag")
		body, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		etag, err := os.ReadFile(file + ".etag")
		if err != nil {
			return err
		}
		a := answer{body: body, etag: string(etag), gzip: strings.HasSuffix(file, ".gzip")}
		mux.Handle("GET /"+filepath.Base(file), a)
	}
	return listenAndServe(ctx, *addr, *metrics, mux)
}

func (a answer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("ETag", a.etag)
	if r.Header.Get("If-None-Match") == a.etag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(a.body)))
	if a.gzip {
		h.Set("Content-Encoding", "gzip")
	}
	_, _ = w.Write(a.body)
}

// listenAndServe serves until ctx ends.
func listenAndServe(ctx context.Context, addr, metrics string, h http.Handler) error {
	failed := make(chan error, 2)
	for addr, h := range map[string]http.Handler{addr: h, metrics: profiles()} {
		l, err := net.Listen("tcp", addr)
		if err != nil {
			return err
		}
		s := &http.Server{Handler: h}
		defer s.Close()
		go func() { failed <- s.Serve(l) }()
	}
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		return nil
	}
}
