package client

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

const (
	defaultChanges = 1000
	// hastyPause is made where a registry answers a long question at once, with nothing:
	// it is stopping, or something before it has no patience.
	hastyPause = time.Second
)

// Change is what became of one skill: its state after its last change.
type Change struct {
	ID string
	// Entry is the skill's entry in the index; nil for one that is there no more,
	// because it was deleted, yanked as a whole, or made private.
	Entry *Entry
	// Raw is the change as it came.
	Raw json.RawMessage
}

// Changes are some changes in a row.
type Changes struct {
	Changes []Change
	// Cursor is where to go on. Kept together with what the changes were applied to, it
	// lets a mirror resume exactly where it was.
	Cursor string
}

// ChangesQuery says what to follow. The zero value is everything until now.
type ChangesQuery struct {
	// After is the cursor to go on from; "now" begins with what comes next, empty at the
	// beginning. A cursor is good for the key that it was got with.
	After string
	// PageSize is how many changes are asked for at once, 1 to 1000; 0 is 1000.
	PageSize int
	// Wait goes on for ever: where nothing is new since a cursor, the registry is asked
	// to hold its answer for that long, a minute at most. It has to be shorter than the
	// timeout of the HTTP client, which is a minute unless Options say otherwise. 0 ends
	// with the first answer that has no changes.
	Wait time.Duration
}

// Changes follows what changes in the index that the key sees: each skill's present
// state, once, in the order of the last changes. Who begins at the beginning and applies
// each change (an entry replaces the one of its id, none removes it) has the index
// whenever an answer has no changes. Such an answer is handed on, too, for its cursor.
//
// An error ends it and comes with no changes; the last cursor is where to resume. An
// *Error with status 400 says that the cursor is not good any more: begin anew.
func (c *Client) Changes(ctx context.Context, q ChangesQuery) iter.Seq2[Changes, error] {
	return func(yield func(Changes, error) bool) {
		after := q.After
		for {
			asked := time.Now()
			page, err := c.changes(ctx, q, after)
			if err != nil {
				yield(Changes{}, err)
				return
			}
			if !yield(page, nil) {
				return
			}
			switch {
			case len(page.Changes) > 0 && page.Cursor == after:
				yield(Changes{}, fmt.Errorf("the registry at %s leads from a page of changes to the same page", c.base))
				return
			case len(page.Changes) > 0:
			case q.Wait <= 0:
				return
			case after == page.Cursor && time.Since(asked) < q.Wait/2:
				if err := c.sleep(ctx, hastyPause); err != nil {
					yield(Changes{}, err)
					return
				}
			}
			after = page.Cursor
		}
	}
}

// changes returns one answer of the change feed.
func (c *Client) changes(ctx context.Context, q ChangesQuery, after string) (Changes, error) {
	query := url.Values{"limit": {strconv.Itoa(cmp.Or(q.PageSize, defaultChanges))}}
	if after != "" {
		query.Set("after", after)
	}
	// Without a cursor there is no waiting: if the answer to "now" were lost, so would be
	// what changed meanwhile.
	if q.Wait > 0 && after != "" && after != "now" {
		query.Set("wait", q.Wait.String())
	}
	answer, err := c.do(ctx, request{method: http.MethodGet, path: "/v1/changes?" + query.Encode(), repeatable: true})
	if err != nil {
		return Changes{}, err
	}
	var list struct {
		Changes []json.RawMessage `json:"changes"`
		Cursor  string            `json:"cursor"`
	}
	if err := c.decode(answer, &list); err != nil {
		return Changes{}, err
	}
	if list.Cursor == "" {
		return Changes{}, fmt.Errorf("the registry at %s answers without a cursor", c.base)
	}
	page := Changes{Changes: make([]Change, len(list.Changes)), Cursor: list.Cursor}
	for i, raw := range list.Changes {
		if page.Changes[i], err = newChange(raw); err != nil {
			return Changes{}, fmt.Errorf("change %d after %q: %w", i, after, err)
		}
	}
	return page, nil
}

func newChange(raw json.RawMessage) (Change, error) {
	var change struct {
		ID      string          `json:"id"`
		Entry   json.RawMessage `json:"entry"`
		Removed bool            `json:"removed"`
	}
	if err := json.Unmarshal(raw, &change); err != nil {
		return Change{}, err
	}
	if change.ID == "" || change.Removed == (change.Entry != nil) {
		return Change{}, fmt.Errorf("neither an entry nor a removal: %.200s", raw)
	}
	if change.Removed {
		return Change{ID: change.ID, Raw: raw}, nil
	}
	entry := Entry{Raw: change.Entry}
	if err := json.Unmarshal(change.Entry, &entry); err != nil {
		return Change{}, err
	}
	return Change{ID: change.ID, Entry: &entry, Raw: raw}, nil
}
