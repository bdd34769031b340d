package httpapi

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// exchange is one request and what became of it.
type exchange struct {
	id     string
	client netip.Addr
	// key is the id of the caller's key; empty for anonymous callers.
	key string
	// skill and version are what a publication is of, once that is known.
	skill, version string
	// status is that of the answer, and 0 until its header is written.
	status  int
	written int64
	// code and cause are of an error answer.
	code  protocol.Code
	cause error
}

type exchangeKey struct{}

func exchangeOf(r *http.Request) *exchange { return r.Context().Value(exchangeKey{}).(*exchange) }

// What caches may do with an answer: nothing, unless the handler says otherwise.
const (
	anonymousStore = "no-store"
	privateStore   = "private, no-store"
)

// observe gives a request its id, its answer the headers that all answers have, and the
// log its line.
func (s *server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		x := &exchange{
			id:     s.requestIDs.of(r.Header.Get("X-Request-Id")),
			client: clientAddress(r.RemoteAddr, r.Header["X-Forwarded-For"], s.TrustedProxies),
		}
		h := w.Header()
		h.Set("X-Request-Id", x.id)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Vary", "Authorization, X-API-Key, Accept-Encoding")
		h.Set("Cache-Control", anonymousStore)
		switch {
		case hasCredentials(r.Header):
			h.Set("Cache-Control", privateStore)
		case isRead(r):
			h.Set("Access-Control-Allow-Origin", "*")
			h.Set("Access-Control-Expose-Headers", "Age, Deprecation, ETag, Link, Retry-After, X-Request-Id")
		}
		r = r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x))
		defer func() { s.log(r, x, time.Since(start)) }()
		next.ServeHTTP(&recorder{ResponseWriter: w, exchange: x}, r)
	})
}

// log writes the line of a request. Neither its headers nor its query are in it: people
// put keys there.
func (s *server) log(r *http.Request, x *exchange, took time.Duration) {
	level := slog.LevelInfo
	switch {
	case r.Context().Err() != nil:
		// The client went away: whatever came of it is nobody's fault here.
	case x.status >= http.StatusInternalServerError && x.status != http.StatusServiceUnavailable:
		level = slog.LevelError
	case x.status == http.StatusServiceUnavailable:
		level = slog.LevelWarn
	}
	if !s.Logger.Enabled(r.Context(), level) {
		return
	}
	attributes := []slog.Attr{
		slog.String("method", r.Method),
		slog.String("route", chi.RouteContext(r.Context()).RoutePattern()),
		slog.String("path", loggedPath(r, x.status)),
		slog.Int("status", x.status),
		slog.Int64("bytes", x.written),
		slog.Duration("took", took),
		slog.String("client", x.client.String()),
		slog.String("request_id", x.id),
	}
	if x.key != "" {
		attributes = append(attributes, slog.String("key", x.key))
	}
	if x.code != "" {
		attributes = append(attributes, slog.String("code", string(x.code)))
	}
	if x.cause != nil && x.status >= http.StatusInternalServerError {
		attributes = append(attributes, slog.Any("error", x.cause))
	}
	s.Logger.LogAttrs(r.Context(), level, "request", attributes...)
}

// loggedPath returns a request's path for the log. Where nothing was found, or looked
// for, a part that is long enough to be a key is left out: someone may have put theirs
// where an id belongs.
func loggedPath(r *http.Request, status int) string {
	if status < http.StatusBadRequest && r.Method != http.MethodOptions {
		return r.URL.Path
	}
	parts := strings.Split(r.URL.Path, "/")
	for i, part := range parts {
		if len(part) >= access.MinAdminKeyLength {
			parts[i] = "…"
		}
	}
	return strings.Join(parts, "/")
}

// recover turns a panic into an opaque error answer, and tells the log where it was.
func (s *server) recover(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			cause := recover()
			if cause == nil {
				return
			}
			if cause == http.ErrAbortHandler {
				panic(cause)
			}
			x := exchangeOf(r)
			s.Logger.ErrorContext(r.Context(), "panic", "request_id", x.id, "cause", fmt.Sprint(cause), "stack", string(debug.Stack()))
			if x.status != 0 {
				// A half of an answer is out: the connection must not end as if it were whole.
				panic(http.ErrAbortHandler)
			}
			s.answerError(w, r, fmt.Errorf("panic: %v", cause))
		}()
		next.ServeHTTP(w, r)
	})
}

// recorder keeps count of an answer.
type recorder struct {
	http.ResponseWriter
	exchange *exchange
}

func (w *recorder) WriteHeader(status int) {
	if w.exchange.status == 0 && status >= http.StatusOK {
		w.exchange.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *recorder) Write(p []byte) (int, error) {
	if w.exchange.status == 0 {
		w.exchange.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(p)
	w.exchange.written += int64(n)
	return n, err
}

// Unwrap is for http.ResponseController.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }
