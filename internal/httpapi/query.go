package httpapi

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// query reads a request's query parameters. Reads ignore those that they don't know.
// Errors are *queryError.
type query struct{ values url.Values }

func parseQuery(r *http.Request) (query, error) {
	if r.URL.RawQuery == "" {
		return query{}, nil
	}
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		// Which parameter was meant can't be known, so it can't be ignored, either.
		return query{}, &queryError{expected: "name=value pairs, percent-encoded", actual: quoted(r.URL.RawQuery)}
	}
	return query{values}, nil
}

// only refuses every parameter but those that are known.
func (q query) only(known ...string) error {
	for _, name := range slices.Sorted(maps.Keys(q.values)) {
		if !slices.Contains(known, name) {
			return &queryError{name, "left out: this request has no parameter but " + strings.Join(known, " and "), "there"}
		}
	}
	return nil
}

// one returns the value of a parameter that may stand at most once, and reports whether
// it is there.
func (q query) one(parameter, expected string) (value string, ok bool, err error) {
	switch values := q.values[parameter]; len(values) {
	case 0:
		return "", false, nil
	case 1:
		return values[0], true, nil
	default:
		return "", false, &queryError{parameter, expected, fmt.Sprintf("there %d times", len(values))}
	}
}

// oneOf returns the value of a parameter that has one of a few values, or none.
func (q query) oneOf(parameter string, allowed ...string) (value string, ok bool, err error) {
	expected := "one of: " + strings.Join(allowed, ", ")
	value, ok, err = q.one(parameter, expected)
	if err == nil && ok && !slices.Contains(allowed, value) {
		return "", false, &queryError{parameter, expected, quoted(value)}
	}
	return value, ok, err
}

// missing is the error of a parameter that is needed and not there.
func missing(parameter string, allowed []string) error {
	return &queryError{parameter, "one of: " + strings.Join(allowed, ", "), "missing"}
}

// capabilityTypes returns the types that the index is asked for; none is all.
func (q query) capabilityTypes() (types catalog.Types, err error) {
	for _, value := range q.values["capability_type"] {
		var ok bool
		if types, ok = types.With(protocol.CapabilityType(value)); !ok {
			var names []string
			for _, k := range protocol.CapabilityTypes() {
				names = append(names, string(k))
			}
			return 0, &queryError{"capability_type", "one of: " + strings.Join(names, ", "), quoted(value)}
		}
	}
	return types, nil
}

// access returns the access levels that are asked for; none is all.
func (q query) access() (levels []protocol.Access, err error) {
	for _, value := range q.values["access"] {
		level := protocol.Access(value)
		if !slices.Contains([]protocol.Access{protocol.Public, protocol.Restricted, protocol.Private}, level) {
			return nil, &queryError{"access", "one of: public, restricted, private", quoted(value)}
		}
		if !slices.Contains(levels, level) {
			levels = append(levels, level)
		}
	}
	return levels, nil
}

const maxLimit = 1000

// limit returns how many entries a page is to have, at most so many, and 0 where nothing
// is said of it.
func (q query) limit(most int) (int, error) {
	value, ok, err := q.one("limit", "a whole number, once")
	if err != nil || !ok {
		return 0, err
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > most || strconv.Itoa(n) != value {
		return 0, &queryError{"limit", fmt.Sprintf("a whole number from 1 to %d", most), quoted(value)}
	}
	return n, nil
}

// wait returns how long the caller waits for something to answer with.
func (q query) wait() (time.Duration, error) {
	const expected = "a duration from 0s to 60s, such as 30s"
	value, ok, err := q.one("wait", expected)
	if err != nil || !ok {
		return 0, err
	}
	d, err := time.ParseDuration(value)
	if err != nil || d < 0 || d > maxWait {
		return 0, &queryError{"wait", expected, quoted(value)}
	}
	return d, nil
}

// cursor returns the id that a page begins after, and "" for the first one.
func (q query) cursor() (string, error) {
	value, ok, err := q.one("cursor", expectedPage)
	if err != nil || !ok {
		return "", err
	}
	after, ok := parseCursor(value)
	if !ok {
		return "", &queryError{"cursor", expectedPage, quoted(value)}
	}
	return after, nil
}

const expectedPage = "the cursor of a Link header, as it came"

// quoted shows a caller's own text to it.
func quoted(text string) string { return fmt.Sprintf("%.60q", text) }
