package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// Observer is told of requests, for metrics and traces. It is called by the goroutine of
// the request and must not keep it waiting.
type Observer interface {
	// Begin is told of a request before anything is done for it. It returns the context to
	// answer it in, and the id of the trace that it is in; empty is none. The header is that
	// of a caller who may say what trace it belongs to: nil for all but trusted proxies.
	Begin(ctx context.Context, header http.Header) (answerIn context.Context, trace string)
	// End is told what became of the request. ctx is the one that Begin returned.
	End(ctx context.Context, a Answered)
}

// Answered is one request and what became of it. Nothing in it names a caller or a skill.
type Answered struct {
	// Method is the request's, which a stranger may have made up.
	Method string
	// Route is the pattern of the route that answered; empty is none.
	Route string
	// Status is that of the answer; 0 is none, to a client that went away.
	Status int
	// Code is that of an error answer; empty for every other.
	Code protocol.Code
	// Took is how long the answer took, and Held how much of that nothing was done but
	// wait for news.
	Took, Held time.Duration
	// Bytes is the size of the answer's body.
	Bytes int64
	// RequestID is the request's id, which is in the log, too.
	RequestID string
	// Publication says what became of a document that was to be published.
	Publication Publication
	// Breaking reports whether that document breaks callers that its number promises not
	// to break, and was not refused for that.
	Breaking bool
}

// Publication says what became of a document that was to be published.
type Publication string

// The outcomes of a publication. The zero value is of a request that was none, or a dry run.
const (
	PublicationCreated   Publication = "created"
	PublicationUnchanged Publication = "unchanged"
	PublicationRefused   Publication = "refused"
	PublicationFailed    Publication = "failed"
)

// begin tells the observer of a request.
func (s *server) begin(x *exchange, r *http.Request) {
	if s.Observer == nil {
		return
	}
	var header http.Header
	if contains(s.TrustedProxies, parseAddress(r.RemoteAddr)) {
		header = r.Header
	}
	x.Context, x.trace = s.Observer.Begin(x.Context, header)
}

// end tells the observer what became of a request.
func (s *server) end(x *exchange, r *http.Request, took time.Duration) {
	if s.Observer == nil {
		return
	}
	s.Observer.End(x.Context, Answered{
		Method: r.Method, Route: chi.RouteContext(r.Context()).RoutePattern(),
		Status: x.status, Code: x.code, Took: took, Held: x.held, Bytes: x.written, RequestID: x.id,
		Publication: x.publication, Breaking: x.breaking,
	})
}

// counted publishes as h does, and notes what became of it where that is a refusal or a
// failure.
func (s *server) counted(h handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		err := h(w, r)
		switch x := exchangeOf(r); {
		case err == nil || isDryRun(r):
		case s.describe(err).status >= http.StatusInternalServerError:
			x.publication = PublicationFailed
		default:
			x.publication = PublicationRefused
		}
		return err
	}
}
