package httpapi

import (
	"bytes"
	_ "embed"
	"fmt"
	"net/http"
	"net/url"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// openAPI describes the whole interface to machines. The address in it is replaced by
// the registry's own.
//
//go:embed openapi.json
var openAPI []byte

const openAPIAddress = `"http://127.0.0.1:8080"`

// prepareDocuments makes the answers that are the same for everyone for as long as the
// process lives.
func (s *server) prepareDocuments() error {
	address, err := protocol.AppendJSON(nil, s.BaseURL)
	if err != nil {
		return fmt.Errorf("base URL: %w", err)
	}
	if s.openAPI, err = newDocument(bytes.ReplaceAll(openAPI, []byte(openAPIAddress), address)); err != nil {
		return err
	}
	if s.schema, err = newDocument(protocol.Schema(s.BaseURL + schemaPath)); err != nil {
		return err
	}
	if s.version, err = newJSONDocument(struct {
		Version   string `json:"version"`
		Commit    string `json:"commit"`
		GoVersion string `json:"go_version"`
		Protocol  string `json:"protocol"`
	}{s.Version.Version, s.Version.Commit, s.Version.GoVersion, protocol.Version}); err != nil {
		return err
	}
	if s.apiCatalog, err = apiCatalog(s.BaseURL); err != nil {
		return err
	}
	base, err := url.Parse(s.BaseURL)
	if err != nil {
		return fmt.Errorf("base URL: %w", err)
	}
	s.discovery = discovery(base.EscapedPath())
	if s.live, err = newJSONDocument(status{"live"}); err != nil {
		return err
	}
	s.ready, err = newJSONDocument(status{"ready"})
	return err
}

type status struct {
	Status string `json:"status"`
}

// getDocument answers with a document that is no secret and does not change. It looks
// at no credentials: whether they are valid is nothing that a health check or a reader
// of the schema should have to wait for.
func (s *server) getDocument(d *document) handler {
	return func(w http.ResponseWriter, r *http.Request) error { return s.serve(w, r, d) }
}

// getReady reports whether the store answers, the catalog is loaded, and the server stays.
func (s *server) getReady(w http.ResponseWriter, r *http.Request) error {
	if s.draining() {
		return &drainingError{}
	}
	if err := s.Catalog.Ready(r.Context()); err != nil {
		return &notReadyError{err}
	}
	return s.serve(w, r, s.ready)
}

// draining reports whether callers should go elsewhere.
func (s *server) draining() bool {
	select {
	case <-s.Draining:
		return true
	default:
		return false
	}
}

// drainingError says that the registry serves and will stop soon.
type drainingError struct{}

func (*drainingError) Error() string { return "not ready: stopping" }

// notReadyError says that the registry can't serve now. Its Err is for the log.
type notReadyError struct{ err error }

func (e *notReadyError) Error() string { return "not ready: " + e.err.Error() }
func (e *notReadyError) Unwrap() error { return e.err }
