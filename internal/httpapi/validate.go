package httpapi

import (
	"net/http"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// report is the answer to a validation: its lists are never null.
type report struct {
	Valid      bool                 `json:"valid"`
	Violations []protocol.Violation `json:"violations"`
	Warnings   []protocol.Warning   `json:"warnings"`
}

// validate checks a document of any kind, and stores nothing. It needs no key, but a
// key that is not valid is refused here, too.
func (s *server) validate(w http.ResponseWriter, r *http.Request) error {
	var v visit // anonymous: a validation reads nothing that is stored
	if hasCredentials(r.Header) {
		var err error
		if v, err = s.read(w, r); err != nil {
			return err
		}
		w.Header().Del("Age") // the report comes from no snapshot
	}
	if err := s.spend(r, v.caller); err != nil {
		return err
	}
	kind, err := parseKind(r)
	if err != nil {
		return err
	}
	body, err := s.readBody(w, r, contentType)
	if err != nil {
		return err
	}
	var found protocol.Report
	err = s.checking.pass(r.Context(), func() (err error) {
		found, err = s.Checker.Check(kind, body)
		return err
	})
	if err != nil {
		return err
	}
	return s.answer(w, r, http.StatusOK, report{
		Valid:      len(found.Violations) == 0,
		Violations: append([]protocol.Violation{}, found.Violations...),
		Warnings:   append([]protocol.Warning{}, found.Warnings...),
	})
}

func parseKind(r *http.Request) (protocol.Kind, error) {
	q, err := parseQuery(r)
	if err != nil {
		return "", err
	}
	var kinds []string
	for _, k := range protocol.Kinds() {
		kinds = append(kinds, string(k))
	}
	value, ok, err := q.oneOf("kind", kinds...)
	if err != nil {
		return "", err
	}
	if !ok {
		return "", missing("kind", kinds)
	}
	return protocol.Kind(value), nil
}
