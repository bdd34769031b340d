package httpapi

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// getIndex answers with the Skill Index for the caller: whole, or a page of it, whose
// next one is at the same path.
func (s *server) getIndex(path string) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		v, err := s.read(w, r)
		if err != nil {
			return err
		}
		asked, err := parseIndexQuery(r)
		if err != nil {
			return err
		}
		index, next := v.snapshot.Index(v.caller, asked)
		if next != "" {
			w.Header().Set("Link", nextLink(s.BaseURL+path, asked.Types, asked.Limit, next))
		}
		return s.serve(w, r, index)
	}
}

func parseIndexQuery(r *http.Request) (asked catalog.IndexQuery, err error) {
	q, err := parseQuery(r)
	if err != nil {
		return catalog.IndexQuery{}, err
	}
	if asked.Types, err = q.capabilityTypes(); err != nil {
		return catalog.IndexQuery{}, err
	}
	if asked.Limit, err = q.limit(); err != nil {
		return catalog.IndexQuery{}, err
	}
	if asked.After, err = q.cursor(); err != nil {
		return catalog.IndexQuery{}, err
	}
	if asked.After != "" && asked.Limit == 0 {
		return catalog.IndexQuery{}, &queryError{"limit", "given beside a cursor, because the index without it is whole", "missing"}
	}
	return asked, nil
}

// nextLink is the Link header that leads to the page after an id (RFC 8288).
func nextLink(address string, types []protocol.CapabilityType, limit int, after string) string {
	values := url.Values{"limit": {strconv.Itoa(limit)}, "cursor": {newCursor(after)}}
	for _, t := range types {
		values.Add("capability_type", string(t))
	}
	return "<" + address + "?" + values.Encode() + `>; rel="next"`
}
