package httpapi

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// Whatever a query says, what is read from it is within its bounds, or an error for the
// caller.
func FuzzQuery(f *testing.F) {
	for _, raw := range []string{"", "limit=1", "limit=1000&limit=1", "limit=1001", "limit=-1", "wait=61s", "limit=01", "capability_type=api&capability_type=api", "cursor=%ff", "wait=60s&after=now", "wait=1e9h", "a=%zz", "a;b", "limit=%31", "q=%ff&tag=a&tag=b", "provider=x&cursor=MjoxOmNvbS5h"} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		r := &http.Request{URL: &url.URL{RawQuery: raw}}
		q, err := parseQuery(r)
		if err != nil {
			wantQueryError(t, raw, err)
			return
		}
		n, err := q.limit(maxLimit)
		wantQueryError(t, raw, err)
		if n < 0 || n > maxLimit {
			t.Errorf("%q: limit %d, want 0 to %d", raw, n, maxLimit)
		}
		_, err = q.capabilityTypes()
		wantQueryError(t, raw, err)
		after, err := q.cursor()
		wantQueryError(t, raw, err)
		if after != "" && !protocol.ValidID(after) {
			t.Errorf("%q: a cursor behind %q, which is no id", raw, after)
		}
		asked, err := parseChangesQuery(r)
		wantQueryError(t, raw, err)
		if asked.wait < 0 || asked.wait > maxWait || asked.limit < 0 || asked.limit > maxLimit {
			t.Errorf("%q: asks for changes as %+v", raw, asked)
		}
		search, _, err := parseSearchQuery(r)
		wantQueryError(t, raw, err)
		if err == nil && (search.Limit < 1 || search.Limit > maxResults || search.After.ID != "" && !protocol.ValidID(search.After.ID)) {
			t.Errorf("%q: searches as %+v", raw, search)
		}
	})
}

// wantQueryError fails the test for an error that is not the caller's.
func wantQueryError(t *testing.T, raw string, err error) {
	t.Helper()
	if err == nil {
		return
	}
	if _, ok := err.(*queryError); !ok {
		t.Errorf("%q: got the error %v, want a *queryError", raw, err)
	}
}
