package httpapi

import (
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// getSkill answers with what is found of the skill in the path, in the snapshot and for
// the caller.
func getSkill[R representation](s *server, find func(s *catalog.Snapshot, c access.Caller, id string) (R, bool)) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		v, err := s.read(w, r)
		if err != nil {
			return err
		}
		id, err := skillID(r)
		if err != nil {
			return err
		}
		found, ok := find(v.snapshot, v.caller, id)
		if !ok {
			return &skillNotFoundError{}
		}
		return s.serve(w, r, found)
	}
}

// getVersion answers with the descriptor of one version.
func (s *server) getVersion(w http.ResponseWriter, r *http.Request) error {
	version, ok := pathValue(r, "version")
	find := func(s *catalog.Snapshot, c access.Caller, id string) (representation, bool) {
		if !ok || !protocol.ValidVersion(version) {
			return nil, false
		}
		return s.Version(c, id, version)
	}
	return getSkill(s, find)(w, r)
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
