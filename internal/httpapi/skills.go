package httpapi

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// getLatest answers with the descriptor of a skill's latest visible version.
func (s *server) getLatest(w http.ResponseWriter, r *http.Request) error {
	v, id, err := s.readSkill(w, r)
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
	v, id, err := s.readSkill(w, r)
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
	v, id, version, err := s.readVersion(w, r)
	if err != nil {
		return err
	}
	d, ok := v.snapshot.Version(v.caller, id, version)
	if !ok {
		return &skillNotFoundError{}
	}
	return s.serveDescriptor(w, r, d)
}

// readSkill admits a request that reads something of one skill.
func (s *server) readSkill(w http.ResponseWriter, r *http.Request) (v visit, id string, err error) {
	if v, err = s.read(w, r); err != nil {
		return visit{}, "", err
	}
	id, err = skillID(r)
	return v, id, err
}

// readVersion admits a request that reads something of one version.
func (s *server) readVersion(w http.ResponseWriter, r *http.Request) (v visit, id, version string, err error) {
	if v, err = s.read(w, r); err != nil {
		return visit{}, "", "", err
	}
	id, version, err = skillIDAndVersion(r)
	return v, id, version, err
}

// serveDescriptor answers with a descriptor.
func (s *server) serveDescriptor(w http.ResponseWriter, r *http.Request, d catalog.Descriptor) error {
	tellStatus(w, d.Status, d.StatusAt)
	return s.serve(w, r, d.Entity)
}

// tellStatus says so where a version is deprecated (RFC 9745).
func tellStatus(w http.ResponseWriter, status access.Status, since time.Time) {
	if status == access.Deprecated {
		w.Header().Set("Deprecation", "@"+strconv.FormatInt(since.Unix(), 10))
	}
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

// skillIDAndVersion returns both.
func skillIDAndVersion(r *http.Request) (id, version string, err error) {
	if id, err = skillID(r); err != nil {
		return "", "", err
	}
	version, err = skillVersion(r)
	return id, version, err
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
