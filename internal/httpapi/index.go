package httpapi

import (
	"net/http"
	"strconv"

	"github.com/skillregistry/skillregistry/internal/catalog"
)

// getIndex answers with the Skill Index for the caller: whole, or a page of it, whose
// next one is at the same path.
func (s *server) getIndex(path string) handler {
	address := s.BaseURL + path
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
		links := s.discovery
		if next != "" {
			links = withNext(links, address, asked.Types, asked.Limit, next)
		}
		exchangeOf(r).setHeader("Link", links)
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
	if asked.Limit, err = q.limit(maxLimit); err != nil {
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

// withNext returns a Link header that leads to the page after an id (RFC 8288), and to where
// the links lead. Nothing in the query of the page needs an escape.
func withNext(links, address string, types catalog.Types, limit int, after string) string {
	link := append(make([]byte, 0, 1024), '<')
	link = append(append(link, address...), '?')
	for t := range types.All() {
		link = append(append(append(link, "capability_type="...), t...), '&')
	}
	link = appendCursor(append(link, "cursor="...), after)
	link = strconv.AppendInt(append(link, "&limit="...), int64(limit), 10)
	return string(append(append(link, `>; rel="next", `...), links...))
}
