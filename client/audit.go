package client

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// defaultEvents is how many events are asked for at once.
const defaultEvents = 1000

// Event is one entry of the audit log: a write that was carried out, or was refused.
type Event struct {
	At time.Time `json:"at"`
	// Actor is who asked: the id of a key, "configured" for the admin key of the
	// configuration, "server" for the registry itself. Empty where there was no valid key.
	Actor string `json:"actor,omitzero"`
	// Address and RequestID are empty for what the registry did by itself. Of several
	// requests, they are those of the first.
	Address   string `json:"address,omitzero"`
	RequestID string `json:"request_id,omitzero"`
	// Action is "publish", "set_status", "delete", "attach_files", "create_key" or "revoke_key".
	Action string `json:"action"`
	// What it was done to, as far as that is known. Version is empty where every version
	// was deleted.
	Skill   string `json:"skill,omitzero"`
	Version string `json:"version,omitzero"`
	Status  string `json:"status,omitzero"`
	Key     string `json:"key,omitzero"`
	// Outcome is "done" or "refused"; Code is the code of the refusal.
	Outcome string `json:"outcome"`
	Code    string `json:"code,omitzero"`
	// Requests is how many requests the event stands for: refusals that are alike are
	// counted as one.
	Requests int64 `json:"requests"`
}

// Events are some events in a row.
type Events struct {
	Events []Event `json:"events"`
	// Cursor is where to go on.
	Cursor string `json:"cursor"`
}

// AuditQuery says which events to read. The zero value is every one.
type AuditQuery struct {
	// After is the cursor to go on from; empty is the beginning.
	After string
	// Key restricts the events to those of one key, by its id: what was done with it, and
	// what was done to it.
	Key string
	// Skill restricts them to those of one skill.
	Skill string
	// PageSize is how many are asked for at once, 1 to 1000; 0 is 1000.
	PageSize int
}

// Audit reads the audit log, for which it needs an admin key, oldest event first. An
// answer without events is the last one, and is handed on, too, for its cursor. An error
// ends it and comes with no events; the last cursor is where to resume. An *Error with
// status 400 says that the cursor is not good any more.
func (c *Client) Audit(ctx context.Context, q AuditQuery) iter.Seq2[Events, error] {
	return func(yield func(Events, error) bool) {
		for after := q.After; ; {
			page, err := c.audit(ctx, q, after)
			if err == nil && len(page.Events) > 0 && page.Cursor == after {
				err = fmt.Errorf("the registry at %s leads from a page of events to the same page", c.base)
			}
			if err != nil {
				yield(Events{}, err)
				return
			}
			if !yield(page, nil) || len(page.Events) == 0 {
				return
			}
			after = page.Cursor
		}
	}
}

// audit returns one answer of the audit log.
func (c *Client) audit(ctx context.Context, q AuditQuery, after string) (Events, error) {
	query := url.Values{"limit": {strconv.Itoa(cmp.Or(q.PageSize, defaultEvents))}}
	for name, value := range map[string]string{"after": after, "key": q.Key, "skill": q.Skill} {
		if value != "" {
			query.Set(name, value)
		}
	}
	answer, err := c.do(ctx, request{method: http.MethodGet, path: "/v1/audit?" + query.Encode(), repeatable: true})
	if err != nil {
		return Events{}, err
	}
	var page Events
	if err := c.decode(answer, &page); err != nil {
		return Events{}, err
	}
	if page.Cursor == "" {
		return Events{}, fmt.Errorf("the registry at %s answers without a cursor", c.base)
	}
	return page, nil
}
