package httpapi

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// mediaTypeError says that the body of a method comes in a form that is not taken.
type mediaTypeError struct{ method, wanted, reason string }

func (e *mediaTypeError) Error() string { return "media type: " + e.reason }

// bodyTimeoutError says that a body did not arrive in time.
type bodyTimeoutError struct{}

func (*bodyTimeoutError) Error() string { return "the body took too long" }

// bodyCutError says that a body ended early.
type bodyCutError struct{ err error }

func (e *bodyCutError) Error() string { return "reading the body: " + e.err.Error() }
func (e *bodyCutError) Unwrap() error { return e.err }

// readBody returns what a request brings, in the media type that is wanted. Its errors are a
// *mediaTypeError, *http.MaxBytesError, *bodyTimeoutError and *bodyCutError.
func (s *server) readBody(w http.ResponseWriter, r *http.Request, wanted string) ([]byte, error) {
	if reason := mediaTypeFault(r.Header, wanted); reason != "" {
		return nil, &mediaTypeError{method: r.Method, wanted: wanted, reason: reason}
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

// mediaTypeFault returns what is wrong with headers that do not announce what is wanted, in
// UTF-8 and without a content coding, and "" for those that do.
func mediaTypeFault(header http.Header, wanted string) string {
	switch values := header["Content-Type"]; {
	case len(values) == 0:
		return "there is no Content-Type"
	case len(values) > 1:
		return "there is more than one Content-Type"
	}
	text := header.Get("Content-Type")
	mediaType, parameters, err := mime.ParseMediaType(text)
	if mediaType == "application/x-gzip" {
		mediaType = archiveType // which it was called before RFC 6713
	}
	if err != nil || mediaType != wanted {
		return fmt.Sprintf("it is %.100q", text)
	}
	if charset, ok := parameters["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
		return fmt.Sprintf("the charset is %.100q", charset)
	}
	for _, coding := range header["Content-Encoding"] {
		if coding != "" && !strings.EqualFold(coding, "identity") {
			return fmt.Sprintf("it is encoded with %.100q", coding)
		}
	}
	return ""
}

// decodeMembers reads the JSON object of a request into a struct of the named members.
// A member of another name is refused: misspelt, it would be left out without a word.
// It returns the violations for that, for what the caller finds to be added to them;
// the error is a *protocol.SyntaxError, or a *protocol.ValidationError with all that is
// known to be wrong.
func decodeMembers(body []byte, maxDepth int, into any, names ...string) ([]protocol.Violation, error) {
	var members map[string]any
	if err := protocol.DecodeStrict(body, maxDepth, &members); err != nil {
		return nil, err
	}
	last := len(names) - 1
	expected := "no member but " + strings.Join(names[:last], ", ") + " and " + names[last]
	var violations []protocol.Violation
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !slices.Contains(names, name) {
			violations = append(violations, protocol.Violation{
				Field:    "/" + pointerEscape(name),
				Expected: expected, Actual: quoted(name),
			})
		}
	}
	err := protocol.DecodeStrict(body, maxDepth, into)
	if invalid, ok := errors.AsType[*protocol.ValidationError](err); ok {
		return nil, &protocol.ValidationError{Violations: append(invalid.Violations, violations...)}
	}
	return violations, err
}
