package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/store"
)

// Where the Skill Index is: at the registry's own path and at the one of the published
// protocol, each with and without a slash at its end.
func indexPaths() []string {
	return []string{
		"/.well-known/skills", "/.well-known/skills/",
		"/.well-known/skill-sharing", "/.well-known/skill-sharing/",
	}
}

const (
	schemaPath  = "/schemas/1.0.0/schema.json"
	publishPath = "/v1/skills"
)

// route is what one path answers. A path with get answers HEAD, too, and every path
// answers OPTIONS.
type route struct {
	pattern                  string
	get, post, patch, delete handler
}

func (s *server) routes() []route {
	var routes []route
	for _, path := range indexPaths() {
		routes = append(routes, route{pattern: path, get: s.getIndex(path)})
	}
	return append(routes,
		route{pattern: "/", get: s.asPage(s.getHome)},
		route{pattern: "/skills/{id}", get: s.asPage(s.getSkillPage)},
		route{pattern: "/skills/{id}/versions/{version}", get: s.asPage(s.getVersionPage)},
		route{pattern: "/skills/{id}/compare", get: s.asPage(s.getComparison)},
		route{pattern: "/assets/{name}", get: s.asPage(s.getAsset)},
		route{pattern: publishPath, get: s.getSearch, post: s.counted(s.audited(store.ActionPublish, s.publish))},
		route{pattern: "/v1/skills/{id}", get: s.getLatest, delete: s.audited(store.ActionDelete, s.deleteSkill)},
		route{pattern: "/v1/skills/{id}/versions", get: s.getVersions},
		route{
			pattern: "/v1/skills/{id}/versions/{version}", get: s.getVersion,
			patch: s.audited(store.ActionSetStatus, s.setStatus), delete: s.audited(store.ActionDelete, s.deleteVersion),
		},
		route{pattern: "/v1/skills/{id}/versions/{version}/files", get: s.getFiles, post: s.audited(store.ActionAttachFiles, s.attachFiles)},
		route{pattern: "/v1/skills/{id}/versions/{version}/files/{archive}", get: s.getArchive},
		route{pattern: agentSkillsPath + agentSkillsIndex, get: s.getSurface(catalog.AgentSkills, contentType)},
		route{pattern: agentSkillsPath + "{name}/*", get: s.getAgentFile},
		route{pattern: agentSkillsFilesPath + agentSkillsIndex, get: s.getSurface(catalog.AgentSkillsFiles, contentType)},
		route{pattern: agentSkillsFilesPath + "{name}/*", get: s.getAgentFile},
		route{pattern: aiCatalogPath, get: s.getSurface(catalog.AICatalog, contentType)},
		route{pattern: ardPath, get: s.getSurface(catalog.AICatalog, contentType)},
		route{pattern: apiCatalogPath, get: s.getAPICatalog},
		route{pattern: llmsPath, get: s.getSurface(catalog.LLMsText, plainText)},
		route{pattern: "/v1/changes", get: s.getChanges},
		route{pattern: "/v1/validate", post: s.validate},
		route{pattern: "/search", post: ard(s.searchARD)},
		route{pattern: "/agents/{identifier}", get: ard(s.getARD)},
		route{pattern: "/v1/keys", get: s.listKeys, post: s.audited(store.ActionCreateKey, s.createKey)},
		route{pattern: "/v1/keys/{id}", delete: s.audited(store.ActionRevokeKey, s.revokeKey)},
		route{pattern: "/v1/audit", get: s.getAudit},
		route{pattern: schemaPath, get: s.getDocument(s.schema)},
		route{pattern: "/openapi.json", get: s.getDocument(s.openAPI)},
		route{pattern: "/livez", get: s.getDocument(s.live)},
		route{pattern: "/readyz", get: s.getReady},
		route{pattern: "/version", get: s.getDocument(s.version)},
	)
}

// router registers every route by itself, without sub-routers, so that a walk over it
// shows the paths as they are.
func (s *server) router() *chi.Mux {
	mux := chi.NewRouter()
	mux.Use(s.observe, s.recover)
	for _, r := range s.routes() {
		for method, h := range map[string]handler{
			http.MethodGet: r.get, http.MethodHead: r.get, http.MethodPost: r.post, http.MethodPatch: r.patch,
			http.MethodDelete: r.delete, http.MethodOptions: s.preflight(r),
		} {
			if h != nil {
				mux.Method(method, r.pattern, s.handle(h))
			}
		}
	}
	mux.NotFound(s.handle(noRoute(mux)))
	mux.MethodNotAllowed(s.handle(noRoute(mux)))
	return mux
}

// allowed lists the methods that a route answers.
func (r route) allowed() []string {
	var methods []string
	if r.delete != nil {
		methods = append(methods, http.MethodDelete)
	}
	if r.get != nil {
		methods = append(methods, http.MethodGet, http.MethodHead)
	}
	methods = append(methods, http.MethodOptions)
	if r.patch != nil {
		methods = append(methods, http.MethodPatch)
	}
	if r.post != nil {
		methods = append(methods, http.MethodPost)
	}
	return methods
}

// pathNotFoundError says that nothing is at a path.
type pathNotFoundError struct{}

func (*pathNotFoundError) Error() string { return "there is nothing at this path" }

// methodError says that a path does not answer a method.
type methodError struct {
	allow []string
	// index reports whether the path is the Skill Index's.
	index bool
}

func (*methodError) Error() string { return "the path does not answer this method" }

// noRoute answers what no route does: 405 where the path answers another method, 404
// where it answers none. The router itself does not know for a method that is strange
// to it.
func noRoute(mux *chi.Mux) handler {
	return func(_ http.ResponseWriter, r *http.Request) error {
		path := r.URL.RawPath
		if path == "" {
			path = r.URL.Path
		}
		var allow []string
		for _, method := range []string{http.MethodDelete, http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodPatch, http.MethodPost} {
			if mux.Match(chi.NewRouteContext(), method, path) {
				allow = append(allow, method)
			}
		}
		if allow == nil {
			return &pathNotFoundError{}
		}
		return &methodError{allow: allow, index: slices.Contains(indexPaths(), path)}
	}
}

// preflight answers OPTIONS: which methods there are, and, to browsers, that pages from
// anywhere may read what anonymous callers may.
func (s *server) preflight(r route) handler {
	return func(w http.ResponseWriter, _ *http.Request) error {
		h := w.Header()
		h.Set("Allow", strings.Join(r.allowed(), ", "))
		if r.get != nil {
			h.Set("Access-Control-Allow-Origin", "*")
			h.Set("Access-Control-Allow-Methods", "GET, HEAD")
			h.Set("Access-Control-Allow-Headers", "If-None-Match, X-Request-Id")
			h.Set("Access-Control-Max-Age", "86400")
		}
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
}
