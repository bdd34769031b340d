package httpapi

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// What a registry of the Agentic Resource Discovery answers (agenticresourcediscovery.org,
// v0.91): POST /search and GET /agents/{identifier}.

// ardRequestError says what is wrong with a request, all of it.
type ardRequestError struct{ violations []protocol.Violation }

func (e *ardRequestError) Error() string { return "the request breaks rules of ARD" }

// ard is a handler whose errors also have the members that are known there.
func ard(h handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		exchangeOf(r).ard = true
		err := h(w, r)
		if invalid, ok := errors.AsType[*protocol.ValidationError](err); ok {
			return &ardRequestError{invalid.Violations}
		}
		return err
	}
}

// ardErrorAnswer is an error answer with the members that ARD knows.
type ardErrorAnswer struct {
	protocol.ErrorAnswer
	ErrorCode string `json:"errorCode"`
	Message   string `json:"message"`
}

// newARDError names an error as ARD does, where it has a name for the status.
func newARDError(status int, answer protocol.ErrorAnswer) ardErrorAnswer {
	code := map[int]string{
		http.StatusBadRequest: "INVALID_ARGUMENT", http.StatusUnauthorized: "UNAUTHENTICATED", http.StatusNotFound: "NOT_FOUND",
		http.StatusTooManyRequests: "RATE_LIMIT_EXCEEDED", http.StatusInternalServerError: "INTERNAL_ERROR",
	}[status]
	if code == "" {
		code = string(answer.Error.Code)
	}
	return ardErrorAnswer{answer, code, answer.Error.Message}
}

// searchARD answers a need in natural language with what fits it best. It changes nothing,
// and so takes nothing from the rate of writes: the same search by GET would not either.
func (s *server) searchARD(w http.ResponseWriter, r *http.Request) error {
	v, err := s.read(w, r)
	if err != nil {
		return err
	}
	body, err := s.readBody(w, r, contentType)
	if err != nil {
		return err
	}
	asked, err := parseARDSearch(body, s.MaxDepth)
	if err != nil {
		return err
	}
	var answer struct {
		Results   []catalog.ARDResult `json:"results"`
		Referrals []struct{}          `json:"referrals,omitzero"`
		PageToken string              `json:"pageToken,omitzero"`
	}
	var next catalog.Rank
	if answer.Results, next, err = v.snapshot.SearchARD(r.Context(), v.caller, asked.query); err != nil {
		return err
	}
	if asked.referrals {
		answer.Referrals = []struct{}{} // this registry knows no other
	}
	if next != (catalog.Rank{}) {
		answer.PageToken = newRankCursor(next)
	}
	return s.answer(w, r, http.StatusOK, answer)
}

// getARD answers with one entry.
func (s *server) getARD(w http.ResponseWriter, r *http.Request) error {
	v, err := s.read(w, r)
	if err != nil {
		return err
	}
	identifier, ok := pathValue(r, "identifier")
	if !ok || !isARDIdentifier(identifier) {
		return &ardRequestError{[]protocol.Violation{{Expected: "urn:air:, a publisher, a namespace and a name in the path", Actual: quoted(identifier)}}}
	}
	entry, ok := v.snapshot.ARD(v.caller, identifier)
	if !ok {
		return &skillNotFoundError{}
	}
	return s.serve(w, r, entry)
}

func isARDIdentifier(text string) bool {
	ok, err := regexp.MatchString(`^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$`, text)
	return ok && err == nil
}

// ardSearch is what a search asks for.
type ardSearch struct {
	query     catalog.ARDQuery
	referrals bool
}

const (
	defaultARDResults = 10
	maxARDValues      = 16
)

// parseARDSearch reads the body of a search. The error is a *protocol.SyntaxError, or a
// *protocol.ValidationError.
func parseARDSearch(body []byte, maxDepth int) (ardSearch, error) {
	var asked struct {
		Query      *jsontext.Value `json:"query"`
		Federation *string         `json:"federation"`
		PageSize   *int            `json:"pageSize"`
		PageToken  *string         `json:"pageToken"`
	}
	violations, err := decodeMembers(body, maxDepth, &asked, "query", "federation", "pageSize", "pageToken")
	if err != nil {
		return ardSearch{}, err
	}
	violate := func(field, expected, actual string) {
		violations = append(violations, protocol.Violation{Field: field, Expected: expected, Actual: actual})
	}
	parsed := ardSearch{query: catalog.ARDQuery{Limit: defaultARDResults}}
	if f := asked.Federation; f != nil {
		if !slices.Contains([]string{"auto", "referrals", "none"}, *f) {
			violate("/federation", "one of: auto, referrals, none", quoted(*f))
		}
		parsed.referrals = *f == "referrals"
	}
	if n := asked.PageSize; n != nil {
		if parsed.query.Limit = *n; *n < 1 || *n > maxResults {
			violate("/pageSize", "a whole number from 1 to 100", fmt.Sprint(*n))
		}
	}
	if t := asked.PageToken; t != nil && *t != "" {
		var ok bool
		if parsed.query.After, ok = parseRankCursor(*t); !ok {
			violate("/pageToken", "the token of an earlier answer, as it came", quoted(*t))
		}
	}
	if asked.Query == nil {
		violate("/query", "an object", "missing")
	} else {
		violations = append(violations, parseARDQuery(*asked.Query, &parsed.query)...)
	}
	if len(violations) > 0 {
		return ardSearch{}, &protocol.ValidationError{Violations: violations}
	}
	return parsed, nil
}

// parseARDQuery reads what is needed and the filters, and returns what is wrong with them.
func parseARDQuery(data []byte, into *catalog.ARDQuery) (violations []protocol.Violation) {
	violate := func(field, expected, actual string) {
		violations = append(violations, protocol.Violation{Field: field, Expected: expected, Actual: actual})
	}
	var query map[string]jsontext.Value
	if err := json.Unmarshal(data, &query); err != nil {
		violate("/query", "an object", quoted(string(data)))
		return violations
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		switch name {
		case "text":
			if err := json.Unmarshal(query[name], &into.Text); err != nil || query[name].Kind() != '"' {
				violate("/query/text", "a string", quoted(string(query[name])))
			}
		case "@context": // names that no filter of this registry needs
		case "filter":
			violations = append(violations, parseARDFilter(query[name], into)...)
		default:
			violate("/query/"+pointerEscape(name), "no member but @context, text and filter", quoted(name))
		}
	}
	switch n := utf8.RuneCountInString(into.Text); {
	case query["text"] == nil:
		violate("/query/text", "a string", "missing")
	case n > maxQuery:
		violate("/query/text", fmt.Sprintf("at most %d characters", maxQuery), fmt.Sprintf("%d characters", n))
	}
	return violations
}

// parseARDFilter reads the filters, and returns what is wrong with them. One that asks for
// what no entry here has is refused, so that nobody takes the lack of it for an answer.
func parseARDFilter(data []byte, into *catalog.ARDQuery) (violations []protocol.Violation) {
	known := map[string]*[]string{"type": &into.Types, "tags": &into.Tags, "publisher": &into.Publishers}
	violate := func(field, expected, actual string) {
		violations = append(violations, protocol.Violation{Field: field, Expected: expected, Actual: actual})
	}
	var filter map[string]jsontext.Value
	if err := json.Unmarshal(data, &filter); err != nil || filter == nil {
		violate("/query/filter", "an object", quoted(string(data)))
		return violations
	}
	for _, name := range slices.Sorted(maps.Keys(filter)) {
		field, values := "/query/filter/"+pointerEscape(name), known[name]
		if values == nil {
			violate(field, "a filter of this registry: publisher, tags or type", quoted(name))
			continue
		}
		var one string
		if filter[name].Kind() == '"' && json.Unmarshal(filter[name], &one) == nil {
			*values = []string{one}
			continue
		}
		if err := json.Unmarshal(filter[name], values); err != nil || len(*values) == 0 || len(*values) > maxARDValues {
			violate(field, fmt.Sprintf("a string, or a list of 1 to %d of them", maxARDValues), quoted(string(filter[name])))
		}
	}
	return violations
}

// pointerEscape writes a name as a step of a JSON Pointer.
func pointerEscape(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}
