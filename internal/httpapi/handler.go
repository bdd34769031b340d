package httpapi

import (
	"net/http"
	"strconv"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// handler answers a request, or returns why it can't. It returns an error before it has
// written anything, or when the caller can't be told any more.
type handler func(w http.ResponseWriter, r *http.Request) error

func (s *server) handle(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			s.answerError(w, r, err)
		}
	}
}

// answerError writes an error in the one form. What the caller is not told is left for
// the log.
func (s *server) answerError(w http.ResponseWriter, r *http.Request, err error) {
	x := exchangeOf(r)
	x.cause = err
	if x.status != 0 {
		return
	}
	p := s.describe(err)
	x.code = p.code
	h := w.Header()
	for name, value := range p.header {
		h.Set(name, value)
	}
	if p.status == http.StatusNotFound && h.Get("Cache-Control") == anonymousStore && isRead(r) {
		h.Set("Cache-Control", "no-cache")
	}
	if err := s.answerProblem(w, r, x, p); err != nil {
		s.Logger.ErrorContext(r.Context(), "an error answer could not be written", "request_id", x.id, "error", err)
		w.WriteHeader(http.StatusInternalServerError)
	}
}

// answerProblem writes an error answer in the form that the request's path has.
func (s *server) answerProblem(w http.ResponseWriter, r *http.Request, x *exchange, p problem) error {
	if x.page {
		return s.answerPage(w, r, p)
	}
	answer := protocol.ErrorAnswer{Error: protocol.ErrorDetail{Code: p.code, Message: p.message, Details: p.details, Retry: p.retry}}
	var form any = answer
	if x.ard {
		form = newARDError(p.status, answer)
	}
	return s.answer(w, r, p.status, form)
}

// answer writes v as JSON.
func (s *server) answer(w http.ResponseWriter, r *http.Request, status int, v any) error {
	body, err := protocol.AppendJSON(nil, v)
	if err != nil {
		return err
	}
	return s.sendBody(w, r, status, contentType, body)
}

// sendBody answers with a body as it is.
func (s *server) sendBody(w http.ResponseWriter, r *http.Request, status int, mediaType string, body []byte) error {
	h := w.Header()
	h.Set("Content-Type", mediaType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return nil
	}
	_, err := w.Write(body)
	return err
}

const contentType = "application/json"

// isRead reports whether the request asks for something that is there, and changes
// nothing.
func isRead(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }
