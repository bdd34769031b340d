package page

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/compatibility"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// maxDifferences is how many members are shown that differ.
const maxDifferences = 300

// Difference is a member that is not the same in two versions.
type Difference struct {
	// Member is its place, with the names of inputs instead of their numbers.
	Member string
	// Older and Newer are its values in JSON; empty where it is not there.
	Older, Newer string
}

// Kind says what became of the member.
func (d Difference) Kind() string {
	switch {
	case d.Older == "":
		return "added"
	case d.Newer == "":
		return "removed"
	default:
		return "changed"
	}
}

// Compare returns the page with what is not the same in two versions of a skill, and what of
// it breaks callers of the first. The versions to choose from are given, highest first.
func (s *Site) Compare(from, to catalog.View, lives []catalog.Life) ([]byte, error) {
	data := struct {
		Title       string
		From, To    catalog.View
		Lives       []catalog.Life
		Promises    bool
		Breaking    []protocol.Violation
		Differences []Difference
		More        int
	}{
		Title: from.Name + ": " + from.Life.Version + " and " + to.Life.Version,
		From:  from, To: to, Lives: lives,
		Promises: compatibility.Promises(from.Life.Version, to.Life.Version),
		Breaking: compatibility.Changes(from.Descriptor, to.Descriptor),
	}
	older, err := members(from.Descriptor)
	if err != nil {
		return nil, err
	}
	newer, err := members(to.Descriptor)
	if err != nil {
		return nil, err
	}
	data.Differences = differences(older, newer)
	if more := len(data.Differences) - maxDifferences; more > 0 {
		data.Differences, data.More = data.Differences[:maxDifferences], more
	}
	return write(s.compare, data)
}

func differences(older, newer map[string]string) (all []Difference) {
	names := maps.Clone(older)
	maps.Copy(names, newer)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if name != "/version" && older[name] != newer[name] {
			all = append(all, Difference{name, older[name], newer[name]})
		}
	}
	return all
}

// members returns every member of a descriptor that has no members, by its place.
func members(d *protocol.Descriptor) (map[string]string, error) {
	text, err := protocol.Serialize(*d)
	if err != nil {
		return nil, err
	}
	all := make(map[string]string)
	flatten(all, "", read(text))
	return all, nil
}

func flatten(into map[string]string, place string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			flatten(into, place+"/"+name, member)
		}
		if len(v) > 0 {
			return
		}
	case []any:
		names := make(map[string]bool)
		for i, item := range v {
			name := strconv.Itoa(i)
			if object, ok := item.(map[string]any); ok {
				if text, ok := object["name"].(string); ok && !names[text] {
					name = text
				}
			}
			names[name] = true
			flatten(into, place+"/"+name, item)
		}
		if len(v) > 0 {
			return
		}
	}
	into[place] = shortJSON(value)
}

// inJSON returns a value that was read from JSON as it was there.
func inJSON(value any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(value)
	return strings.TrimSpace(b.String())
}

// shortJSON returns a value in JSON, and not more of it than a table has room for.
func shortJSON(value any) string {
	const most = 400
	text := inJSON(value)
	if letters := []rune(text); len(letters) > most {
		return string(letters[:most]) + "…"
	}
	return text
}
