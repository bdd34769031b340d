package httpapi_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/httpapi"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// write is one write of a history.
type write struct {
	secret bool // on a private skill, or on a key
	at     time.Time
	do     func(*registry)
}

// history draws writes on open skills, and secret ones between them.
func history(t *rapid.T, namespace string) []write {
	writes := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) write {
		// Ids of both kinds are neighbours in the order of the index.
		id := namespace + "." + rapid.StringMatching(`[a-d]`).Draw(t, "id")
		version := rapid.SampledFrom([]string{"1.0.0", "1.1.0", "2.0.0-rc.1", "2.0.0"}).Draw(t, "version")
		kind := rapid.SampledFrom([]string{"plugin", "api", "knowledge", "task"}).Draw(t, "type")
		if rapid.Bool().Draw(t, "secret") {
			if rapid.Bool().Draw(t, "key") {
				return write{secret: true, do: func(g *registry) { g.key([]string{"read"}, namespace) }}
			}
			if rapid.IntRange(0, 3).Draw(t, "life") == 0 {
				return write{secret: true, do: life(t, id+".hidden", version)}
			}
			doc := protocoltest.Valid(id+".hidden", version, "private", kind)
			return write{secret: true, do: func(g *registry) { g.publish(doc) }}
		}
		if rapid.IntRange(0, 3).Draw(t, "life") == 0 {
			return write{do: life(t, id, version)}
		}
		doc := protocoltest.Valid(id, version, rapid.SampledFrom([]string{"public", "restricted", "private"}).Draw(t, "access"), kind)
		return write{do: func(g *registry) { g.publish(doc) }}
	}), 1, 12).Draw(t, "writes")
	for i := range writes {
		writes[i].at = time.Date(2026, 2, 3, 4, 5, i, 0, time.UTC)
	}
	return writes
}

// life draws a change of a version's status, or a deletion.
func life(t *rapid.T, id, version string) func(*registry) {
	path := "/v1/skills/" + id + "/versions/" + version
	what := rapid.SampledFrom([]string{"active", "deprecated", "yanked", "delete", "delete all"}).Draw(t, "what")
	return func(g *registry) {
		switch what {
		case "delete":
			g.send("DELETE", path, asAdmin())
		case "delete all":
			g.send("DELETE", "/v1/skills/"+id, asAdmin())
		default:
			g.send("PATCH", path, asAdmin(), jsonBody([]byte(`{"status":"`+what+`"}`)))
		}
	}
}

// told is all that an anonymous caller is told at some moment, but for the date and the
// request id.
func (g *registry) told(namespace string) []string {
	var all []string
	ask := func(method, path string, changes ...change) *answer {
		a := g.send(method, path, changes...)
		var headers []string
		for name, values := range a.header {
			if name != "Date" && name != "X-Request-Id" {
				headers = append(headers, name+": "+strings.Join(values, ", "))
			}
		}
		slices.Sort(headers)
		all = append(all, fmt.Sprintf("%s %s: %d %s\n%s", method, path, a.status, strings.Join(headers, "; "), a.body))
		return a
	}
	ask("GET", "/.well-known/skills")
	ask("HEAD", "/.well-known/skills", header("Accept-Encoding", "gzip"))
	ask("GET", "/.well-known/skills?capability_type=task&capability_type=plugin")
	for i, path := 0, "/.well-known/skills?limit=3&cursor="+cursorAfter(namespace); i < 3 && path != ""; i++ {
		path = ask("GET", path).next()
	}
	ask("GET", "/v1/changes?after=now")
	ask("GET", "/v1/changes?after=p1")
	for cursor, next := "", "p0"; next != cursor; {
		cursor = next
		next = ask("GET", "/v1/changes?limit=100&after="+cursor).text("/cursor")
	}
	for _, name := range []string{"a", "d", "a.hidden", "c.hidden"} {
		for _, rest := range []string{"", "/versions", "/versions/1.0.0"} {
			ask("GET", "/v1/skills/"+namespace+"."+name+rest)
		}
	}
	ask("POST", "/v1/skills", jsonBody(protocoltest.Valid(namespace+".a.hidden", "1.0.0", "public", "api")))
	ask("PATCH", "/v1/skills/"+namespace+".a.hidden/versions/1.0.0", jsonBody([]byte(`{"status":"yanked"}`)))
	ask("DELETE", "/v1/skills/"+namespace+".a.hidden")
	return all
}

// historian is a registry at a fixed address, with a clock that a history moves.
type historian struct {
	*registry
	clock *clock
}

func newHistorian(t testing.TB, storeURL string) historian {
	c := &clock{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	return historian{clock: c, registry: newRegistry(t, storeURL, options{
		base:    "http://registry.example",
		http:    func(o *httpapi.Options) { o.Now = c.Now },
		catalog: func(o *catalog.Options) { o.Now = c.Now },
	})}
}

func (h historian) write(w write) {
	h.clock.set(w.at)
	w.do(h.registry)
}

// What is secret leaves no trace in what anonymous callers are told: a history with
// its secret writes and the same one without them are the same to them. The histories
// of all cases follow one another, each in a namespace of its own.
func TestSecretsLeaveNoTrace(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]func(testing.TB) string{"sqlite": storetest.SQLite, "postgres": storetest.PostgreSQL} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			with, without := newHistorian(t, url(t)), newHistorian(t, url(t))
			protocoltest.Check(t, func(rt *rapid.T) {
				namespace := with.namespace()
				for _, w := range history(rt, namespace) {
					with.write(w)
					if !w.secret {
						without.write(w)
					}
				}
				a, b := with.told(namespace), without.told(namespace)
				for i := range min(len(a), len(b)) {
					if a[i] != b[i] {
						rt.Fatalf("with secrets:\n%s\nwithout:\n%s", a[i], b[i])
					}
				}
				if len(a) != len(b) {
					rt.Fatalf("%d answers with secrets, and %d without", len(a), len(b))
				}
			})
		})
	}
}
