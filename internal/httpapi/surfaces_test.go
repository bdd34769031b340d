package httpapi_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"github.com/skillregistry/skillregistry/internal/agentskills"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// asking is one request.
type asking struct {
	method, path string
	changes      []change
}

// inPlay is what requests of someone curious are made of: what is there, what is there
// for others, and what never was.
type inPlay struct {
	ids, versions []string
	// cursors of the change feed are from earlier answers.
	cursors []string
	// keys are ids of keys.
	keys []string
	// digests are those of archives, in hexadecimal digits.
	digests []string
}

// paths lists the paths of a route for everything in play.
func (p inPlay) paths(pattern string) []string {
	paths := []string{pattern}
	fill := func(name string, values []string) {
		var filled []string
		for _, path := range paths {
			if !strings.Contains(path, name) {
				return
			}
			for _, v := range values {
				filled = append(filled, strings.Replace(path, name, v, 1))
			}
		}
		paths = filled
	}
	if strings.HasPrefix(pattern, "/v1/keys/") {
		fill("{id}", p.keys)
	}
	var names, archives []string
	for _, id := range p.ids {
		names = append(names, agentskills.Name(id))
	}
	for _, digest := range append(p.digests, strings.Repeat("0", 64)) {
		archives = append(archives, digest+".tar.gz")
	}
	fill("{id}", p.ids)
	fill("{identifier}", append(p.identifiers(), "urn:air:elsewhere.example:skill:x", "x"))
	fill("{version}", p.versions)
	fill("{name}", names)
	fill("{archive}", archives)
	fill("*", []string{"SKILL.md", "references/descriptor.json", "x"})
	return paths
}

// identifiers are what skills are called by the Agentic Resource Discovery.
func (p inPlay) identifiers() (all []string) {
	for _, id := range p.ids {
		all = append(all, "urn:air:registry.example:skill:"+id)
	}
	return all
}

// wanted are texts that find what is in play, by all that it is found by.
func (p inPlay) wanted() []string {
	texts := []string{"one", "other", "hiden", "hid", "never", "translates", "com", "urn:air"}
	for _, id := range p.ids {
		texts = append(texts, id, strings.ReplaceAll(id, ".", " "))
	}
	return texts
}

// bodies are what is sent to a route, by its method and pattern: queries, and documents
// behind them.
func (p inPlay) bodies() map[string][]asking {
	send := func(query string, body []byte) asking {
		return asking{path: query, changes: []change{jsonBody(body)}}
	}
	var publish, validate []asking
	for _, id := range p.ids {
		doc := protocoltest.Valid(id, p.versions[0], "public", "api")
		publish = append(publish, send("", doc), send("?dry_run=true", doc))
		validate = append(validate, send("?kind=descriptor", doc), send("?kind=invocation-request", []byte(`{"skill_id":"`+id+`"}`)))
	}
	search := []asking{send("", []byte(`{"query":{}}`)), send("", []byte(`{"query":{"text":""},"pageSize":1}`)), send("", []byte(`{"query":{"text":"one","filter":{"tags":"a"}}}`))}
	for _, text := range p.wanted() {
		search = append(search, send("", []byte(`{"query":{"text":"`+text+`"},"pageSize":2,"federation":"referrals"}`)))
	}
	attach := func(archive []byte) asking { return asking{changes: []change{gzipBody(archive)}} }
	key := []byte(`{"name":"x","scopes":["read"],"namespaces":["com"]}`)
	return map[string][]asking{
		"POST /v1/skills":   append(publish, send("", []byte("{}")), send("?dry_run=1", nil)),
		"POST /v1/validate": append(validate, send("?kind=descriptor", []byte("{")), send("", nil)),
		"POST /search":      search,
		"POST /v1/keys":     {send("", key), send("", nil)},
		"PATCH /v1/skills/{id}/versions/{version}": {send("", []byte(`{"status":"yanked"}`)), send("", []byte(`{"status":"x"}`))},
		"POST /v1/skills/{id}/versions/{version}/files": {
			attach(folder("SKILL.md", ownSkill("a", "one"))), attach(folder("README.md", "x")), attach(nil), send("", nil),
		},
		"DELETE /v1/skills/{id}/versions/{version}": {{}},
		"DELETE /v1/skills/{id}":                    {{}},
		"DELETE /v1/keys/{id}":                      {{}},
	}
}

// queries are what routes that are read are asked, by their patterns. Those that are not
// among them are asked without a query, and with queries that mean something elsewhere.
func (p inPlay) queries(pattern string) []string {
	index := []string{"", "?capability_type=task&capability_type=plugin", "?limit=2", "?capability_type=api&limit=1", "?limit=x", "?cursor=x&limit=1"}
	changes := []string{"", "?after=now", "?limit=2", "?after=x", "?after=now&wait=1ms", "?after=p999999999", "?after=k1.1.0"}
	for _, id := range p.ids {
		index = append(index, "?limit=1&cursor="+cursorAfter(id))
	}
	search := []string{"", "?limit=1", "?limit=x", "?q=%ff", "?tag=a", "?capability_type=api&limit=1", "?provider=example+corp&limit=2", "?q=hidden&provider=Example+Corp"}
	for _, text := range p.wanted() {
		search = append(search, "?limit=1&q="+url.QueryEscape(text))
	}
	for _, id := range p.ids {
		search = append(search, "?limit=1&cursor="+cursorOfRank(1, id), "?q=one&cursor="+cursorOfRank(600, id))
	}
	for _, cursor := range p.cursors {
		changes = append(changes, "?after="+cursor, "?limit=1&after="+cursor)
	}
	switch {
	case pattern == "/.well-known/skills":
		return index
	case pattern == "/v1/skills":
		return search
	case pattern == "/v1/changes":
		return changes
	case pattern == "/":
		home := []string{"?access=restricted", "?access=private", "?access=public&limit=1", "?access=x", "?tag=&cursor="}
		return append(home, search...)
	case pattern == "/skills/{id}/compare":
		compare := []string{"", "?from=1.0.0&to=x"}
		for _, from := range p.versions {
			for _, to := range p.versions {
				compare = append(compare, "?"+url.Values{"from": {from}, "to": {to}}.Encode())
			}
		}
		return compare
	case pattern == "/v1/audit":
		return []string{"", "?after=e1&limit=1", "?after=x"}
	case strings.ContainsAny(pattern, "{*"):
		return []string{""}
	default:
		return []string{"", "?limit=1", "?x=y"}
	}
}

// routesOf lists the routes of a handler, as methods and patterns.
func routesOf(t testing.TB, h http.Handler) (routes [][2]string) {
	t.Helper()
	err := chi.Walk(h.(chi.Routes), func(method, pattern string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		routes = append(routes, [2]string{method, pattern})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(routes, func(a, b [2]string) int { return strings.Compare(a[1]+" "+a[0], b[1]+" "+b[0]) })
	return routes
}

// surfaces returns every request that can be made from what is in play to the routes,
// and to what is no route.
func (p inPlay) surfaces(routes [][2]string) (all []asking) {
	bodies := p.bodies()
	for _, route := range routes {
		method, pattern := route[0], route[1]
		paths := p.paths(pattern)
		asked := bodies[method+" "+pattern]
		switch method {
		case http.MethodGet, http.MethodHead:
			for _, query := range p.queries(pattern) {
				asked = append(asked, asking{path: query})
			}
		case http.MethodOptions:
			// A path answers no method that is not asked here.
			asked = []asking{{}, {method: "PUT"}, {method: "BREW"}, {method: "POST"}}
			paths = paths[:1]
		}
		if len(asked) == 0 {
			asked = p.anything()
		}
		for _, path := range paths {
			for _, a := range asked {
				if a.method == "" {
					a.method = method
				}
				a.path = path + a.path
				all = append(all, a)
			}
		}
	}
	for _, id := range p.ids {
		for _, path := range []string{"/" + id, "/v1/skills/" + id + "/", "/v1/skills/" + id + "/x", "/v1/skills/" + strings.ToUpper(id)} {
			all = append(all, asking{method: "GET", path: path})
		}
	}
	return all
}

// anything is what routes are sent of which nobody has said what they take: nothing, no
// JSON, and documents of everything in play.
func (p inPlay) anything() []asking {
	asked := []asking{{}, {changes: []change{jsonBody([]byte("{"))}}, {changes: []change{jsonBody([]byte("{}"))}}}
	for _, id := range p.ids {
		asked = append(asked,
			asking{changes: []change{jsonBody(protocoltest.Valid(id, p.versions[0], "public", "api"))}},
			asking{changes: []change{jsonBody([]byte(`{"id":"` + id + `","skill_id":"` + id + `","query":{"text":"` + id + `"}}`))}},
		)
	}
	return asked
}

// Every route is asked somehow, so that none is forgotten where surfaces are compared;
// and nothing is said of one that is gone.
func TestEveryRouteIsASurface(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	p := inPlay{ids: []string{"com.example.a"}, versions: []string{"1.0.0"}, keys: []string{"abc"}}
	routes := routesOf(t, g.handler)
	for _, added := range [][2]string{{"GET", "/v1/new/{id}"}, {"POST", "/v1/new/{id}"}, {"DELETE", "/v1/new/{id}"}} {
		all := p.surfaces(append(slices.Clone(routes), added))
		if !slices.ContainsFunc(all, func(a asking) bool { return a.method == added[0] && a.path == "/v1/new/com.example.a" }) {
			t.Errorf("with %s one more route: want it among what is asked", added)
		}
	}
	for said := range p.bodies() {
		method, pattern, _ := strings.Cut(said, " ")
		if !slices.Contains(routes, [2]string{method, pattern}) {
			t.Errorf("there is no %s %s any more", method, pattern)
		}
	}
}
