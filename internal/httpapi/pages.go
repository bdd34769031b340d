package httpapi

import (
	"net/http"
	"slices"

	"github.com/go-chi/chi/v5"

	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/page"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

const htmlType = "text/html; charset=utf-8"

// The policies of pages: what they need comes from here, nobody frames them, and who follows
// a link tells nobody from where.
const (
	contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
		"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
	permissionsPolicy = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
)

// asPage is a handler of a page, whose errors are pages, too.
func (s *server) asPage(h handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		x := exchangeOf(r)
		x.page = true
		header := w.Header()
		header.Set("Content-Security-Policy", contentPolicy)
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		header.Set("Permissions-Policy", permissionsPolicy)
		header.Set("Referrer-Policy", "no-referrer")
		return h(w, r)
	}
}

// getHome answers with the page of what is here, or of what somebody searches for.
func (s *server) getHome(w http.ResponseWriter, r *http.Request) error {
	v, err := s.read(w, r)
	if err != nil {
		return err
	}
	q, err := parseQuery(r)
	if err != nil {
		return err
	}
	// A form sends its fields, whether or not anything stands in them.
	for _, name := range []string{"tag", "cursor"} {
		if values := slices.DeleteFunc(q.values[name], func(v string) bool { return v == "" }); len(values) == 0 {
			delete(q.values, name)
		} else {
			q.values[name] = values
		}
	}
	asked, _, err := parseSearch(q)
	if err != nil {
		return err
	}
	if asked.Access, err = q.access(); err != nil {
		return err
	}
	found, err := v.snapshot.Find(r.Context(), v.caller, asked)
	if err != nil {
		return err
	}
	cursor := ""
	if found.Next != (catalog.Rank{}) {
		cursor = newRankCursor(found.Next)
	}
	text, err := s.site.Home(page.Search{
		Text: q.values.Get("q"), Types: asked.Types, Access: asked.Access, Tags: q.values["tag"],
		Later: asked.After != catalog.Rank{},
	}, found, cursor)
	if err != nil {
		return err
	}
	return s.servePage(w, r, text)
}

// getSkillPage answers with the page of a skill's latest visible version.
func (s *server) getSkillPage(w http.ResponseWriter, r *http.Request) error {
	v, id, err := s.readSkill(w, r)
	if err != nil {
		return err
	}
	return s.serveSkill(w, r, v, id, "")
}

// getVersionPage answers with the page of one version.
func (s *server) getVersionPage(w http.ResponseWriter, r *http.Request) error {
	v, id, version, err := s.readVersion(w, r)
	if err != nil {
		return err
	}
	return s.serveSkill(w, r, v, id, version)
}

func (s *server) serveSkill(w http.ResponseWriter, r *http.Request, v visit, id, version string) error {
	view, ok := v.snapshot.View(v.caller, id, version)
	if !ok {
		return &skillNotFoundError{}
	}
	latest, _ := v.snapshot.LatestVersion(v.caller, id)
	text, err := s.site.Skill(view, v.snapshot.Lives(v.caller, id), latest)
	if err != nil {
		return err
	}
	tellStatus(w, view.Status, view.StatusAt)
	return s.servePage(w, r, text)
}

// getComparison answers with the page of what changed between two versions.
func (s *server) getComparison(w http.ResponseWriter, r *http.Request) error {
	v, id, err := s.readSkill(w, r)
	if err != nil {
		return err
	}
	q, err := parseQuery(r)
	if err != nil {
		return err
	}
	var views [2]catalog.View
	for i, parameter := range []string{"from", "to"} {
		const expected = "a version, once"
		version, there, err := q.one(parameter, expected)
		if err != nil {
			return err
		}
		if !there || !protocol.ValidVersion(version) {
			return &queryError{parameter, expected, quoted(version)}
		}
		var ok bool
		if views[i], ok = v.snapshot.View(v.caller, id, version); !ok {
			return &skillNotFoundError{}
		}
	}
	text, err := s.site.Compare(views[0], views[1], v.snapshot.Lives(v.caller, id))
	if err != nil {
		return err
	}
	return s.servePage(w, r, text)
}

// servePage answers with a page.
func (s *server) servePage(w http.ResponseWriter, r *http.Request, text []byte) error {
	d := &document{plain: text, digest: protocol.Digest(text)}
	if acceptsGzip(r.Header["Accept-Encoding"]) {
		var err error
		if d, err = newDocument(text); err != nil {
			return err
		}
	}
	return s.serveAs(w, r, d, htmlType)
}

// asset is a file that pages need, as it is served.
type asset struct {
	*document
	mediaType string
}

func (s *server) preparePages() (err error) {
	if s.site, err = page.New(s.BaseURL, s.Catalog.Provider()); err != nil {
		return err
	}
	s.assets = make(map[string]asset)
	for name, a := range s.site.Assets() {
		d, err := newDocument(a.Content)
		if err != nil {
			return err
		}
		s.assets[name] = asset{d, a.MediaType}
	}
	return nil
}

// getAsset answers with a file that pages need. Its name has its hash, so that caches need
// never ask again; it is no secret, so that no credentials are looked at.
func (s *server) getAsset(w http.ResponseWriter, r *http.Request) error {
	a, ok := s.assets[chi.URLParam(r, "name")]
	if !ok {
		return &pathNotFoundError{}
	}
	if w.Header().Get("Cache-Control") == anonymousStore {
		exchangeOf(r).setHeader("Cache-Control", "public, max-age=31536000, immutable")
	}
	return s.serveAs(w, r, a.document, a.mediaType)
}

// answerPage answers with the page of an error.
func (s *server) answerPage(w http.ResponseWriter, r *http.Request, p problem) error {
	text, err := s.site.Error(page.Failure{Status: p.status, Message: p.message})
	if err != nil {
		return err
	}
	return s.sendBody(w, r, p.status, htmlType, text)
}
