package httpapi

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-chi/chi/v5"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// getLatest answers with the descriptor of a skill's latest visible version.
func (s *server) getLatest(w http.ResponseWriter, r *http.Request) error {
	v, err := s.read(w, r)
	if err != nil {
		return err
	}
	id, err := skillID(r)
	if err != nil {
		return err
	}
	d, ok := v.snapshot.Latest(v.caller, id)
	if !ok {
		return &skillNotFoundError{}
	}
	return s.serveDescriptor(w, r, d)
}

// getVersions answers with the list of a skill's visible versions.
func (s *server) getVersions(w http.ResponseWriter, r *http.Request) error {
	v, err := s.read(w, r)
	if err != nil {
		return err
	}
	id, err := skillID(r)
	if err != nil {
		return err
	}
	entity, ok := v.snapshot.Versions(v.caller, id)
	if !ok {
		return &skillNotFoundError{}
	}
	return s.serve(w, r, entity)
}

// getVersion answers with the descriptor of one version.
func (s *server) getVersion(w http.ResponseWriter, r *http.Request) error {
	v, err := s.read(w, r)
	if err != nil {
		return err
	}
	id, err := skillID(r)
	if err != nil {
		return err
	}
	version, err := skillVersion(r)
	if err != nil {
		return err
	}
	d, ok := v.snapshot.Version(v.caller, id, version)
	if !ok {
		return &skillNotFoundError{}
	}
	return s.serveDescriptor(w, r, d)
}

// serveDescriptor answers with a descriptor, and says so where its version is
// deprecated (RFC 9745).
func (s *server) serveDescriptor(w http.ResponseWriter, r *http.Request, d catalog.Descriptor) error {
	if d.Status == access.Deprecated {
		w.Header().Set("Deprecation", "@"+strconv.FormatInt(d.StatusAt.Unix(), 10))
	}
	return s.serve(w, r, d.Entity)
}

// skillID returns the id in a request's path. What can't be an id is the id of no
// skill: the error is a *skillNotFoundError.
func skillID(r *http.Request) (string, error) {
	id, ok := pathValue(r, "id")
	if !ok || !protocol.ValidID(id) {
		return "", &skillNotFoundError{}
	}
	return id, nil
}

// skillVersion returns the version in a request's path. What can't be one is the
// version of no skill: the error is a *skillNotFoundError.
func skillVersion(r *http.Request) (string, error) {
	version, ok := pathValue(r, "version")
	if !ok || !protocol.ValidVersion(version) {
		return "", &skillNotFoundError{}
	}
	return version, nil
}

// pathValue returns a part of a request's path, decoded once: the router takes parts
// from RawPath where there is one, and from the decoded path where there is none.
func pathValue(r *http.Request, name string) (string, bool) {
	value := chi.URLParam(r, name)
	if r.URL.RawPath == "" {
		return value, true
	}
	decoded, err := url.PathUnescape(value)
	return decoded, err == nil
}
