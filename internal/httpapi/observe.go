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

// exchange is one request and what became of it. It is the context of the request and the
// writer of its answer, too, so that a request takes one object for all of that.
type exchange struct {
	context.Context
	http.ResponseWriter
	// values are those of the first headers that were set.
	values [12]string
	used   int

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
	// ard reports whether errors are to have the members that ARD knows, too.
	ard bool
	// page reports whether errors are to be pages.
	page bool
}

type exchangeKey struct{}

func exchangeOf(r *http.Request) *exchange { return r.Context().Value(exchangeKey{}).(*exchange) }

// Value makes the exchange known to whoever has its context.
func (x *exchange) Value(key any) any {
	if key == (exchangeKey{}) {
		return x
	}
	return x.Context.Value(key)
}

// setHeader sets a header of the answer, whose name is in canonical form.
func (x *exchange) setHeader(name, value string) {
	if x.used == len(x.values) {
		x.Header().Set(name, value)
		return
	}
	values := x.values[x.used : x.used+1 : x.used+1]
	values[0] = value
	x.Header()[name] = values
	x.used++
}

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
			Context: r.Context(), ResponseWriter: w,
			id:     s.requestIDs.of(r.Header.Get("X-Request-Id")),
			client: clientAddress(r.RemoteAddr, r.Header["X-Forwarded-For"], s.TrustedProxies),
		}
		x.setHeader("X-Request-Id", x.id)
		x.setHeader("X-Content-Type-Options", "nosniff")
		x.setHeader("Vary", "Authorization, X-API-Key, Accept-Encoding")
		switch {
		case hasCredentials(r.Header):
			x.setHeader("Cache-Control", privateStore)
		case isRead(r):
			x.setHeader("Access-Control-Allow-Origin", "*")
			x.setHeader("Access-Control-Expose-Headers", "Age, Deprecation, ETag, Link, Retry-After, X-Request-Id")
			x.setHeader("Cache-Control", anonymousStore)
		default:
			x.setHeader("Cache-Control", anonymousStore)
		}
		if s.draining() {
			x.setHeader("Connection", "close")
		}
		r = r.WithContext(x)
		defer func() { s.log(r, x, time.Since(start)) }()
		next.ServeHTTP(x, r)
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

// WriteHeader and Write keep count of the answer.

func (x *exchange) WriteHeader(status int) {
	if x.status == 0 && status >= http.StatusOK {
		x.status = status
	}
	x.ResponseWriter.WriteHeader(status)
}

func (x *exchange) Write(p []byte) (int, error) {
	if x.status == 0 {
		x.status = http.StatusOK
	}
	n, err := x.ResponseWriter.Write(p)
	x.written += int64(n)
	return n, err
}

// Unwrap is for http.ResponseController.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }
