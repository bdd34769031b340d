package httpapi

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// representation is what a GET answers, plain and compressed. The catalog's entities
// are representations.
type representation interface {
	// ETag is the strong tag of the bytes, with its quotes.
	ETag(gzip bool) string
	// Len counts the bytes.
	Len(gzip bool) int64
	WriteTo(w io.Writer, gzip bool) error
}

// serve answers GET and HEAD with a representation in JSON, or with 304 where the caller
// has it.
func (s *server) serve(w http.ResponseWriter, r *http.Request, rep representation) error {
	return s.serveAs(w, r, rep, contentType)
}

// serveAs answers like serve with a representation of a media type. Ranges are not served:
// the whole is the right answer to a request for one.
func (s *server) serveAs(w http.ResponseWriter, r *http.Request, rep representation, mediaType string) error {
	compressed := mediaType != archiveType && acceptsGzip(r.Header["Accept-Encoding"])
	h, x := w.Header(), exchangeOf(r)
	tag := rep.ETag(compressed)
	x.setHeader("Etag", tag)
	if h.Get("Cache-Control") == anonymousStore {
		x.setHeader("Cache-Control", "public, no-cache")
	}
	if matchesETag(r.Header["If-None-Match"], tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	x.setHeader("Content-Type", mediaType)
	if compressed {
		x.setHeader("Content-Encoding", "gzip")
	}
	x.setHeader("Content-Length", strconv.FormatInt(rep.Len(compressed), 10))
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return nil
	}
	return rep.WriteTo(w, compressed)
}

// document is a representation that is kept in memory as a whole.
type document struct {
	plain, compressed []byte
	digest            string
}

func newDocument(text []byte) (*document, error) {
	var compressed bytes.Buffer
	z := gzip.NewWriter(&compressed)
	if _, err := z.Write(text); err != nil {
		return nil, fmt.Errorf("compressing a document: %w", err)
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("compressing a document: %w", err)
	}
	return &document{plain: text, compressed: compressed.Bytes(), digest: protocol.Digest(text)}, nil
}

// newJSONDocument returns the document of a value.
func newJSONDocument(v any) (*document, error) {
	text, err := protocol.AppendJSON(nil, v)
	if err != nil {
		return nil, err
	}
	return newDocument(text)
}

func (d *document) bytes(gzip bool) []byte {
	if gzip {
		return d.compressed
	}
	return d.plain
}

func (d *document) ETag(gzip bool) string {
	if gzip {
		return `"` + d.digest + `-gzip"`
	}
	return `"` + d.digest + `"`
}

func (d *document) Len(gzip bool) int64 { return int64(len(d.bytes(gzip))) }

func (d *document) WriteTo(w io.Writer, gzip bool) error {
	_, err := w.Write(d.bytes(gzip))
	return err
}
