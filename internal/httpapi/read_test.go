package httpapi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// TestReadsAllocateLittle counts what a read of a cached view allocates beside the map of
// its answer's header, which net/http makes and which grows with its fields.
func TestReadsAllocateLittle(t *testing.T) {
	if testing.Short() {
		return // the race detector, with which short tests run, has allocations of its own
	}
	g := onSQLite(t, options{})
	publishMany(g, 300)
	for name, path := range cachedViews() {
		for _, encoding := range []string{"identity", "gzip"} {
			request := httptest.NewRequest(http.MethodGet, path, nil)
			request.Header.Set("Accept-Encoding", encoding)
			var last, plain *sink
			read := testing.AllocsPerRun(200, func() {
				last = &sink{header: make(http.Header)}
				g.handler.ServeHTTP(last, request)
			})
			if last.status != http.StatusOK || len(last.header) < 9 {
				t.Fatalf("%s, %s: status %d, header %v", name, encoding, last.status, last.header)
			}
			header := testing.AllocsPerRun(200, func() {
				plain = &sink{header: make(http.Header)}
				for field, values := range last.header {
					plain.header[field] = values
				}
			})
			if own := read - header; own > 12 {
				t.Errorf("a read of the %s in %s allocates %.0f objects, %.0f of them for its header; want at most 12 beside these", name, encoding, read, header)
			}
		}
	}
}

func publishMany(g *registry, skills int) {
	g.t.Helper()
	for i := range skills {
		kind := protocol.CapabilityTypes()[i%4]
		doc := protocoltest.Valid(fmt.Sprintf("com.example.skill-%04d", i), "1.0.0", "public", string(kind))
		if a := g.publish(doc); a.status != http.StatusCreated {
			g.t.Fatal(a)
		}
	}
}

// BenchmarkRead is what a read costs without net/http and the network.
func BenchmarkRead(b *testing.B) {
	g := onSQLite(b, options{})
	publishMany(g, 1000)
	for name, path := range cachedViews() {
		for _, encoding := range []string{"identity", "gzip"} {
			b.Run(name+"/"+encoding, func(b *testing.B) {
				request := httptest.NewRequest(http.MethodGet, path, nil)
				request.Header.Set("Accept-Encoding", encoding)
				b.ReportAllocs()
				for b.Loop() {
					g.handler.ServeHTTP(&sink{header: make(http.Header)}, request)
				}
			})
		}
		b.Run(name+"/304", func(b *testing.B) {
			request := httptest.NewRequest(http.MethodGet, path, nil)
			first := &sink{header: make(http.Header)}
			g.handler.ServeHTTP(first, request)
			request.Header.Set("If-None-Match", first.header.Get("ETag"))
			b.ReportAllocs()
			for b.Loop() {
				g.handler.ServeHTTP(&sink{header: make(http.Header)}, request)
			}
		})
	}
}

// cachedViews are the reads that are answered from what is rendered.
func cachedViews() map[string]string {
	return map[string]string{
		"descriptor":       "/v1/skills/com.example.skill-0200",
		"page":             "/.well-known/skills?limit=100",
		"page of one type": "/.well-known/skills?limit=100&capability_type=api",
		"whole index":      "/.well-known/skills",
	}
}

// sink takes an answer and keeps nothing of it.
type sink struct {
	header http.Header
	status int
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) WriteHeader(status int)      { s.status = status }
func (s *sink) Write(p []byte) (int, error) { return len(p), nil }
