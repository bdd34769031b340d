package catalog

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/search"
)

// ARDEntry says of a skill what an entry of the Agentic Resource Discovery does
// (agenticresourcediscovery.org, v0.91): it is an entry of an AI catalog, too.
type ARDEntry struct {
	Identifier  string   `json:"identifier"`
	DisplayName string   `json:"displayName"`
	Type        string   `json:"type"`
	URL         string   `json:"url"`
	Description string   `json:"description"`
	Tags        []string `json:"tags,omitempty"`
	Version     string   `json:"version"`
	UpdatedAt   string   `json:"updatedAt"`
}

// ARDArtifact is the media type of what the address of an ARDEntry leads to.
const ARDArtifact = "application/json"

// ard returns the entry of a skill that has a latest version.
func (r *renderer) ard(s *skill) ARDEntry {
	var d struct {
		Name        string   `json:"name"`
		Description string   `json:"description"`
		Tags        []string `json:"tags"`
	}
	_ = json.Unmarshal(s.latest.document, &d) // its index entry was read from it already
	updated := s.latest.publishedAt
	if s.latest.statusAt.After(updated) {
		updated = s.latest.statusAt
	}
	return ARDEntry{
		Identifier:  ardSpace(r.baseURL) + s.id,
		DisplayName: d.Name,
		Type:        ARDArtifact,
		URL:         DescriptorURL(r.baseURL, s.id, s.latest.Version),
		Description: d.Description,
		Tags:        d.Tags,
		Version:     s.latest.Version,
		UpdatedAt:   updated.UTC().Format(time.RFC3339Nano),
	}
}

// ardSpace is what the identifiers of all skills begin with, before the id:
// urn:air:<publisher>:<namespace>:<name>.
func ardSpace(baseURL string) string { return "urn:air:" + ardPublisher(baseURL) + ":skill:" }

// ardPublisher is the host of the registry's address, for want of a domain name with other
// characters made fit.
func ardPublisher(baseURL string) string {
	u, err := url.Parse(baseURL)
	if err != nil || u.Hostname() == "" {
		return "localhost"
	}
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '.' || r == '-' {
			return r
		}
		return '-'
	}, u.Hostname())
}

// ARD returns the entry of an identifier, and reports whether there is one that the caller
// may see.
func (s *Snapshot) ARD(c access.Caller, identifier string) (*Entity, bool) {
	id, ok := strings.CutPrefix(identifier, ardSpace(s.renderer.baseURL))
	if !ok {
		return nil, false
	}
	if _, ok := s.latest(c, id); !ok {
		return nil, false
	}
	skill, _ := s.skills.Get(id)
	rendered, err := protocol.AppendJSON(nil, s.renderer.ard(skill))
	if err != nil {
		return nil, false // strings that were read as JSON can be written as JSON
	}
	return single(s.renderer.piece(rendered), ""), true
}

// ARDQuery is what a search of the Agentic Resource Discovery asks for. Of each list an
// entry has to have one; nil asks for nothing.
type ARDQuery struct {
	Text                    string
	Types, Tags, Publishers []string
	// After and Limit are as in SearchQuery.
	After Rank
	Limit int
}

// ARDResult is an entry that was found.
type ARDResult struct {
	ARDEntry
	// Score says how well the entry fits, from 0 to 100.
	Score int `json:"score"`
	// Source is the address of the registry that knows the entry.
	Source string `json:"source"`
}

// SearchARD returns the entries of the skills that the caller sees and the query finds, best
// first; the rank to go on after; and the context's error. The list is never nil.
func (s *Snapshot) SearchARD(ctx context.Context, c access.Caller, q ARDQuery) (results []ARDResult, next Rank, err error) {
	results = []ARDResult{}
	wanted := func(values []string, value string) bool { return values == nil || slices.Contains(values, value) }
	if !wanted(q.Types, ARDArtifact) || !wanted(q.Publishers, ardPublisher(s.renderer.baseURL)) {
		return results, Rank{}, nil
	}
	match := search.Need(q.Text)
	if q.Tags != nil {
		match.Tagged(q.Tags...)
	}
	found, err := s.search(ctx, c, SearchQuery{Match: match, After: q.After, Limit: q.Limit})
	if err != nil {
		return nil, Rank{}, err
	}
	for _, r := range found.ranks {
		skill, _ := s.skills.Get(r.ID)
		results = append(results, ARDResult{ARDEntry: s.renderer.ard(skill), Score: match.Percent(r.Score), Source: s.renderer.baseURL + "/"})
	}
	return results, found.next, nil
}
