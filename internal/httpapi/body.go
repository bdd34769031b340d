package httpapi

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"
)

// mediaTypeError says that a body comes in a form that is not taken.
type mediaTypeError struct{ reason string }

func (e *mediaTypeError) Error() string { return "media type: " + e.reason }

// bodyTimeoutError says that a body did not arrive in time.
type bodyTimeoutError struct{}

func (*bodyTimeoutError) Error() string { return "the body took too long" }

// bodyCutError says that a body ended early.
type bodyCutError struct{ err error }

func (e *bodyCutError) Error() string { return "reading the body: " + e.err.Error() }
func (e *bodyCutError) Unwrap() error { return e.err }

// readBody returns the JSON text that a request brings. Its errors are a
// *mediaTypeError, *http.MaxBytesError, *bodyTimeoutError and *bodyCutError.
func (s *server) readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if err := checkMediaType(r.Header); err != nil {
		return nil, err
	}
	if r.ContentLength > s.MaxBody {
		return nil, &http.MaxBytesError{Limit: s.MaxBody}
	}
	// A connection has a clock of its own, which is not the one of the options. The server
	// lifts the deadline by itself at the end of the body. A writer that has no deadlines is
	// not a connection's.
	connection := http.NewResponseController(w)
	if err := connection.SetReadDeadline(time.Now().Add(s.BodyTimeout)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return nil, fmt.Errorf("setting the deadline of the body: %w", err)
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.MaxBody))
	switch _, large := errors.AsType[*http.MaxBytesError](err); {
	case large:
		return nil, err
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, &bodyTimeoutError{}
	case err != nil:
		return nil, &bodyCutError{err}
	}
	return body, nil
}

// checkMediaType returns a *mediaTypeError unless the headers announce JSON in UTF-8,
// uncompressed.
func checkMediaType(header http.Header) error {
	switch values := header["Content-Type"]; {
	case len(values) == 0:
		return &mediaTypeError{"there is no Content-Type"}
	case len(values) > 1:
		return &mediaTypeError{"there is more than one Content-Type"}
	}
	text := header.Get("Content-Type")
	mediaType, parameters, err := mime.ParseMediaType(text)
	if err != nil || mediaType != contentType {
		return &mediaTypeError{fmt.Sprintf("it is %.100q", text)}
	}
	if charset, ok := parameters["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
		return &mediaTypeError{fmt.Sprintf("the charset is %.100q", charset)}
	}
	for _, coding := range header["Content-Encoding"] {
		if coding != "" && !strings.EqualFold(coding, "identity") {
			return &mediaTypeError{fmt.Sprintf("it is encoded with %.100q", coding)}
		}
	}
	return nil
}
