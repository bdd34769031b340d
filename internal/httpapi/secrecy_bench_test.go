package httpapi_test

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// BenchmarkSecrecy asks for what is private and for what never was, in turns: what the
// two are answered with is the same, and so has to be the time that it takes. Each round
// is one request for either, over one connection; private/missing is the median of the
// rounds' ratios. The publisher's requests are about skills outside of its namespaces.
func BenchmarkSecrecy(b *testing.B) {
	for name, url := range map[string]func(testing.TB) string{"sqlite": storetest.SQLite, "postgres": storetest.PostgreSQL} {
		b.Run(name, func(b *testing.B) {
			g := newRegistry(b, url(b), options{})
			for i := range 500 {
				level := []string{"public", "private"}[i%2]
				g.published([4]string{fmt.Sprintf("com.example.skill-%04d", i), "1.0.0", level, "api"})
			}
			g.published([4]string{"com.example.taken-1", "1.0.0", "private", "api"})
			publisher, _ := g.key([]string{"publish"}, "com.elsewhere")
			doc := func(id string) string { return string(protocoltest.Valid(id, "1.0.0", "public", "api")) }
			for _, test := range []struct {
				name, method, path, key string
				body                    func(id string) string
			}{
				{"latest", "GET", "/v1/skills/ID", "", nil},
				{"versions", "GET", "/v1/skills/ID/versions", "", nil},
				{"version", "GET", "/v1/skills/ID/versions/1.0.0", "", nil},
				{"latest-with-a-key", "GET", "/v1/skills/ID", publisher, nil},
				{"publish", "POST", "/v1/skills", publisher, doc},
				{"dry-run", "POST", "/v1/skills?dry_run=true", publisher, doc},
				{"status", "PATCH", "/v1/skills/ID/versions/1.0.0", publisher, func(string) string { return `{"status":"yanked"}` }},
				{"delete", "DELETE", "/v1/skills/ID", publisher, nil},
			} {
				b.Run(test.name, func(b *testing.B) {
					request := func(id string) string {
						body := ""
						if test.body != nil {
							body = test.body(id)
						}
						head := test.method + " " + strings.Replace(test.path, "ID", id, 1) + " HTTP/1.1\r\nHost: localhost\r\n"
						if test.key != "" {
							head += "Authorization: Bearer " + test.key + "\r\n"
						}
						if body != "" {
							head += "Content-Type: application/json\r\n"
						}
						return fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, len(body), body)
					}
					b.ReportMetric(inTurns(b, g, request("com.example.taken-1"), request("com.example.nobody1")), "private/missing")
				})
			}
		})
	}
}

// inTurns returns the median, over the rounds of a benchmark, of how much longer one
// request takes than another.
func inTurns(b *testing.B, g *registry, one, other string) float64 {
	b.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(g.address, "http://"))
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	ask := func(request string) time.Duration {
		start := time.Now()
		if err := askOnce(conn, request); err != nil {
			b.Fatal(err)
		}
		return time.Since(start)
	}
	var ratios []float64
	for b.Loop() {
		// Neither comes first each time.
		first, second := one, other
		if len(ratios)%2 == 1 {
			first, second = other, one
		}
		a, z := ask(first), ask(second)
		if len(ratios)%2 == 1 {
			a, z = z, a
		}
		ratios = append(ratios, a.Seconds()/z.Seconds())
	}
	slices.Sort(ratios)
	return ratios[len(ratios)/2]
}
