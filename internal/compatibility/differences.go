package compatibility

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// Difference is a place where two descriptors of a skill differ.
type Difference struct {
	// Field is a JSON Pointer into the newer descriptor; into the older one, where the newer
	// has nothing.
	Field string `json:"field"`
	// Breaks reports whether it breaks those who call by the older one.
	Breaks bool `json:"breaks"`
	// Was and Is say what stands there. Of what breaks they are the words of Changes.
	Was string `json:"was"`
	Is  string `json:"is"`
}

// Differences returns all that differs between two descriptors of a skill but their versions:
// first what Changes finds, then what breaks nobody, in its order. Inputs are the same where
// their names are.
func Differences(older, newer *protocol.Document) []Difference {
	found := []Difference{}
	for _, c := range Changes(&older.Descriptor, &newer.Descriptor) {
		found = append(found, Difference{Field: c.Field, Breaks: true, Was: c.Expected, Is: c.Actual})
	}
	broken := len(found)
	before, after := object(protocol.Tree(older.Canonical)), object(protocol.Tree(newer.Canonical))
	for _, name := range names(before, after) {
		switch name {
		case "version":
		case "inputs":
			found = append(found, inputsDiffer(before[name], after[name])...)
		default:
			found = append(found, differ("/"+escaped(name), before[name], after[name])...)
		}
	}
	// One that was told as breaking is not told again.
	told := found[:broken:broken]
	for _, d := range found[broken:] {
		if !slices.ContainsFunc(told[:broken], d.isToldBy) {
			told = append(told, d)
		}
	}
	return told
}

// isToldBy reports whether what breaks tells of a difference: it is in it, or it is the
// place that something is gone from.
func (d Difference) isToldBy(breaks Difference) bool {
	within := breaks.Field == d.Field || strings.HasPrefix(breaks.Field, d.Field+"/")
	return within || d.Is == absent && breaks.Field == d.Field[:strings.LastIndexByte(d.Field, '/')]
}

// absent is how shown shows what is not there.
const absent = "nothing"

// differ compares two values, member by member as long as both are objects.
func differ(field string, older, newer any) (found []Difference) {
	before, wasObject := older.(map[string]any)
	after, isObject := newer.(map[string]any)
	switch {
	case wasObject && isObject:
		for _, name := range names(before, after) {
			found = append(found, differ(field+"/"+escaped(name), before[name], after[name])...)
		}
	case !equal(older, newer, nil):
		found = append(found, Difference{Field: field, Was: shown(older), Is: shown(newer)})
	}
	return found
}

// inputsDiffer compares inputs by their names.
func inputsDiffer(older, newer any) (found []Difference) {
	before, _ := older.([]any)
	after, _ := newer.([]any)
	named := func(all []any, name any) int {
		return slices.IndexFunc(all, func(input any) bool { return object(input)["name"] == name })
	}
	for i, input := range after {
		var was any
		if at := named(before, object(input)["name"]); at >= 0 {
			was = before[at]
		}
		found = append(found, differ("/inputs/"+strconv.Itoa(i), was, input)...)
	}
	for i, input := range before {
		if named(after, object(input)["name"]) < 0 {
			found = append(found, differ("/inputs/"+strconv.Itoa(i), input, nil)...)
		}
	}
	return found
}

// names returns the names of the members of two objects, sorted.
func names(a, b map[string]any) []string {
	all := sortedKeys(a)
	for name := range b {
		if _, known := a[name]; !known {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// Level is a part of a version's number.
type Level string

// The parts, and that of descriptors which do not differ.
const (
	Major Level = "MAJOR"
	Minor Level = "MINOR"
	Patch Level = "PATCH"
	None  Level = "NONE"
)

// Asks returns the part of the number that differences ask to be raised: MAJOR where callers
// break, MINOR where how a skill is called differs otherwise, PATCH for the words about it.
func Asks(differences []Difference) Level {
	level := None
	for _, d := range differences {
		switch {
		case d.Breaks:
			return Major
		case isAboutCalls(d.Field):
			level = Minor
		case level == None:
			level = Patch
		}
	}
	return level
}

// isAboutCalls reports whether a place says how a skill is called, and who may.
func isAboutCalls(field string) bool {
	parts := strings.Split(field, "/")[1:]
	if !slices.Contains([]string{"inputs", "output", "endpoint", "auth", "access", "capability_type"}, parts[0]) {
		return false
	}
	described := 1 // where the description of an output or of auth stands
	if parts[0] == "inputs" {
		described = 2
	}
	return len(parts) != described+1 || parts[described] != "description"
}

// Next returns the lowest version that differences allow after an older one. Before 1.0.0
// a MINOR may break callers, and does what a MAJOR does later. It is the older one itself
// where nothing differs, and its release where it is a pre-release, which promised nothing.
func Next(older string, asked Level) string {
	if asked == None {
		return older
	}
	release, _, isPrerelease := strings.Cut(protocol.VersionWithoutBuild(older), "-")
	if isPrerelease {
		return release
	}
	parts := strings.Split(release, ".")
	at := slices.Index([]Level{Major, Minor, Patch}, asked)
	if parts[0] == "0" {
		at = min(at+1, 2)
	}
	parts[at] = raised(parts[at])
	for i := at + 1; i < len(parts); i++ {
		parts[i] = "0"
	}
	return strings.Join(parts, ".")
}

// raised adds one to a number of any length.
func raised(digits string) string {
	n, _ := new(big.Int).SetString(digits, 10) // it is of a version
	return n.Add(n, big.NewInt(1)).String()
}
