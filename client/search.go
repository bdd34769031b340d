package client

import (
	"cmp"
	"context"
	"iter"
	"net/url"
	"strconv"
)

const defaultSearchPageSize = 20

// SearchQuery says which skills are searched for. The zero value is all, by id.
type SearchQuery struct {
	// Text are words, all of which a skill has: in its name, tags, id, provider, description
	// or inputs, whole or as a beginning, or with a mistake or two in longer ones. It has 500
	// characters at most.
	Text string
	// Types are capability types; a skill of any of them is found. None is all.
	Types []string
	// Tags are tags, all of which a skill has, in whatever case.
	Tags []string
	// Provider is the name of a skill's provider, in whatever case; empty is any.
	Provider string
	// PageSize is how many skills are asked for at once, 1 to 100; 0 is 20.
	PageSize int
}

// Search walks the skills that are found, best first, page by page as the caller goes on.
// An error ends the walk and comes with an empty entry.
func (c *Client) Search(ctx context.Context, q SearchQuery) iter.Seq2[Entry, error] {
	query := url.Values{"limit": {strconv.Itoa(cmp.Or(q.PageSize, defaultSearchPageSize))}}
	if q.Text != "" {
		query.Set("q", q.Text)
	}
	if len(q.Types) > 0 {
		query["capability_type"] = q.Types
	}
	if len(q.Tags) > 0 {
		query["tag"] = q.Tags
	}
	if q.Provider != "" {
		query.Set("provider", q.Provider)
	}
	return c.walk(ctx, "/v1/skills", query)
}
