package page

import (
	"cmp"
	"maps"
	"slices"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/agentskills"
	"github.com/skillregistry/skillregistry/internal/catalog"
)

// maxVersions is how many versions are listed; all of them are in the list in JSON.
const maxVersions = 60

// Skill returns the page of one version of a skill, whose versions are given, highest first.
// It says of another than the latest that it is not.
func (s *Site) Skill(v catalog.View, lives []catalog.Life, latest string) ([]byte, error) {
	data := struct {
		Title    string
		Skill    catalog.View
		Latest   string
		Lives    []catalog.Life
		More     int
		Before   string
		Method   string
		Media    string
		KeyField string
		Scopes   []string
		Inputs   []Row
		Output   []Row
		Call     Snippet
		Snippets []Snippet
		Files    []string
	}{
		Title: v.Name, Skill: v, Latest: latest, Lives: lives,
		Method: cmp.Or(v.Endpoint.Method, "POST"), Media: cmp.Or(v.Endpoint.ContentType, "application/json"),
		KeyField: cmp.Or(v.Auth.Header, "X-API-Key"),
		Inputs:   inputRows(v.Inputs), Output: outputRows(v.Output),
		Call: calling(v), Snippets: s.getting(v, v.Life.Version == latest),
		Files: v.Files, Before: before(v, lives),
	}
	if data.Files == nil {
		data.Files = []string{agentskills.SkillFile, agentskills.DescriptorFile}
	}
	if o := v.Auth.OAuth2; o != nil {
		data.Scopes = slices.Sorted(maps.Keys(o.Scopes))
	}
	if more := len(lives) - maxVersions; more > 0 {
		data.Lives, data.More = lives[:maxVersions], more
	}
	return write(s.skill, data)
}

// before returns the version that stands before one in its life; empty where none does.
func before(v catalog.View, lives []catalog.Life) string {
	for i, l := range lives {
		if l.Version != v.Life.Version {
			continue
		}
		for _, earlier := range lives[i+1:] {
			if earlier.Status != access.Yanked {
				return earlier.Version
			}
		}
	}
	return ""
}
