package httpapi

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"unicode/utf8"

	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/search"
)

const (
	maxQuery       = 500 // characters
	maxTags        = 16
	defaultResults = 20
	maxResults     = 100
)

// getSearch answers with the skills that the caller sees and that have what is asked for,
// best first. It costs more than other reads and is not limited either: a page of a large
// registry takes milliseconds, whatever is asked.
func (s *server) getSearch(w http.ResponseWriter, r *http.Request) error {
	v, err := s.read(w, r)
	if err != nil {
		return err
	}
	asked, link, err := parseSearchQuery(r)
	if err != nil {
		return err
	}
	results, next, err := v.snapshot.Search(r.Context(), v.caller, asked)
	if err != nil {
		return err
	}
	if next != (catalog.Rank{}) {
		link.Set("cursor", newRankCursor(next))
		exchangeOf(r).setHeader("Link", "<"+s.BaseURL+publishPath+"?"+link.Encode()+`>; rel="next"`)
	}
	return s.serve(w, r, results)
}

// parseSearchQuery returns what is searched for, and the query of a link to the same
// search.
func parseSearchQuery(r *http.Request) (asked catalog.SearchQuery, link url.Values, err error) {
	q, err := parseQuery(r)
	if err != nil {
		return asked, nil, err
	}
	return parseSearch(q)
}

func parseSearch(q query) (asked catalog.SearchQuery, link url.Values, err error) {
	text, _, err := q.text("q")
	if err != nil {
		return asked, nil, err
	}
	asked.Match, link = search.Words(text), url.Values{}
	if text != "" {
		link.Set("q", text)
	}
	if asked.Types, err = q.capabilityTypes(); err != nil {
		return asked, nil, err
	}
	for t := range asked.Types.All() {
		link.Add("capability_type", string(t))
	}
	tags := q.values["tag"]
	if len(tags) > maxTags {
		return asked, nil, &queryError{"tag", fmt.Sprintf("there %d times at most", maxTags), fmt.Sprintf("there %d times", len(tags))}
	}
	for _, tag := range tags {
		if err := checkText("tag", tag); err != nil {
			return asked, nil, err
		}
		asked.Match.Tagged(tag)
		link.Add("tag", tag)
	}
	provider, given, err := q.text("provider")
	if err != nil {
		return asked, nil, err
	}
	if given {
		asked.Match.From(provider)
		link.Set("provider", provider)
	}
	if asked.Limit, err = q.limit(maxResults); err != nil {
		return asked, nil, err
	}
	if asked.Limit == 0 {
		asked.Limit = defaultResults
	}
	link.Set("limit", strconv.Itoa(asked.Limit))
	asked.After, err = q.rankCursor()
	return asked, link, err
}

// text returns the value of a parameter that may be any text, once, and reports whether it
// is there.
func (q query) text(parameter string) (text string, ok bool, err error) {
	if text, ok, err = q.one(parameter, expectedText); err != nil {
		return "", false, err
	}
	return text, ok, checkText(parameter, text)
}

const expectedText = "text in UTF-8 of 500 characters at most"

// checkText refuses what is no text, or too much of it.
func checkText(parameter, text string) error {
	switch n := utf8.RuneCountInString(text); {
	case n > maxQuery:
		return &queryError{parameter, expectedText, fmt.Sprintf("%d characters", n)}
	case !utf8.ValidString(text):
		return &queryError{parameter, expectedText, quoted(text)}
	default:
		return nil
	}
}

// rankCursor returns the rank that a page begins after, and the zero one for the first.
func (q query) rankCursor() (catalog.Rank, error) {
	value, ok, err := q.one("cursor", expectedPage)
	if err != nil || !ok {
		return catalog.Rank{}, err
	}
	after, ok := parseRankCursor(value)
	if !ok {
		return catalog.Rank{}, &queryError{"cursor", expectedPage, quoted(value)}
	}
	return after, nil
}
