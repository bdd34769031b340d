package client

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

const defaultPageSize = 100

// Entry is one skill of the index, in its latest visible version.
type Entry struct {
	ID             string `json:"id"`
	Name           string `json:"name"`
	CapabilityType string `json:"capability_type"`
	Description    string `json:"description"`
	DescriptorURL  string `json:"descriptor_url"`
	Access         string `json:"access"`
	Version        string `json:"version"`
	// Raw is the entry as it came.
	Raw json.RawMessage `json:"-"`
}

// IndexQuery says which entries of the index to return. The zero value is all.
type IndexQuery struct {
	// Types are capability types; an entry of any of them is returned. None is all.
	Types []string
	// PageSize is how many entries are asked for at once, 1 to 1000; 0 is 100.
	PageSize int
}

// Index walks the index in the order of the ids, page by page as the caller goes on.
// A skill that exists throughout the walk is met exactly once, whatever is published
// meanwhile. An error ends the walk and comes with an empty entry.
func (c *Client) Index(ctx context.Context, q IndexQuery) iter.Seq2[Entry, error] {
	query := url.Values{"limit": {strconv.Itoa(cmp.Or(q.PageSize, defaultPageSize))}}
	if len(q.Types) > 0 {
		query["capability_type"] = q.Types
	}
	return c.walk(ctx, "/.well-known/skills", query)
}

// walk yields the entries of a list that is read page by page.
func (c *Client) walk(ctx context.Context, path string, query url.Values) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		cursor := ""
		for {
			entries, next, err := c.page(ctx, path, query, cursor)
			if err != nil {
				yield(Entry{}, err)
				return
			}
			for _, e := range entries {
				if !yield(e, nil) {
					return
				}
			}
			if next == "" {
				return
			}
			if next == cursor {
				yield(Entry{}, fmt.Errorf("the registry at %s leads from a page of %s to the same page", c.base, path))
				return
			}
			cursor = next
		}
	}
}

// page returns one page of a list and the cursor of the next, empty for none.
func (c *Client) page(ctx context.Context, path string, query url.Values, cursor string) ([]Entry, string, error) {
	query = maps.Clone(query)
	if cursor != "" {
		query.Set("cursor", cursor)
	}
	answer, err := c.do(ctx, request{method: http.MethodGet, path: path + "?" + query.Encode(), repeatable: true})
	if err != nil {
		return nil, "", err
	}
	var index struct {
		Skills []json.RawMessage `json:"skills"`
	}
	if err := c.decode(answer, &index); err != nil {
		return nil, "", err
	}
	entries := make([]Entry, len(index.Skills))
	for i, raw := range index.Skills {
		if err := json.Unmarshal(raw, &entries[i]); err != nil {
			return nil, "", fmt.Errorf("entry %d of %s: %w", i, path, err)
		}
		entries[i].Raw = raw
	}
	return entries, nextCursor(answer.header.Values("Link")), nil
}

// nextCursor finds the cursor of the next page in Link headers (RFC 8288). Only the
// cursor is taken, never the address: the registry may know itself by another one
// than ours, and a key must not follow wherever an answer points.
func nextCursor(links []string) string {
	rest := strings.Join(links, ",")
	for {
		var target, parameters string
		var found bool
		if _, rest, found = strings.Cut(rest, "<"); !found {
			return ""
		}
		if target, rest, found = strings.Cut(rest, ">"); !found {
			return ""
		}
		parameters, rest, _ = strings.Cut(rest, ",")
		for parameter := range strings.SplitSeq(parameters, ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
			if !strings.EqualFold(name, "rel") || strings.Trim(value, `"`) != "next" {
				continue
			}
			if u, err := url.Parse(target); err == nil {
				return u.Query().Get("cursor")
			}
		}
	}
}
