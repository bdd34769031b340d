package describe

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

const (
	// maxSkills is how many descriptors are made of one document.
	maxSkills = 5_000
	// maxDescriptor is how many bytes a descriptor may have: what a registry takes.
	maxDescriptor = 1 << 20
	// maxConverted counts the values in the schemas of all descriptors of a document.
	maxConverted = 2_000_000
)

// run makes the descriptors of one document.
type run struct {
	validator *protocol.Validator
	options   Options
	root      node
	result    Result
	// told are the losses in the result.
	told map[Loss]bool
	// pending are losses of the skill that is being made: they count only once it is.
	pending []Loss
	// ids are where each id comes from.
	ids       map[string]string
	converted int
}

func (d *Describer) start(data []byte, options Options) (*run, error) {
	value, err := read(data)
	if err != nil {
		return nil, err
	}
	return &run{
		validator: d.validator,
		options:   options,
		root:      node{value: value, there: true},
		told:      map[Loss]bool{},
		ids:       map[string]string{},
	}, nil
}

// lose notes a loss.
func (r *run) lose(kind Kind, at node, format string, args ...any) {
	r.pending = append(r.pending, Loss{Pointer: at.pointer, Kind: kind, Text: fmt.Sprintf(format, args...)})
}

// loseEach notes the same loss of every member of that name that is there.
func (r *run) loseEach(kind Kind, of node, reason string, names ...string) {
	for _, name := range names {
		if at := of.child(name); at.there {
			r.lose(kind, at, "%s", reason)
		}
	}
}

// others notes the members of an object that are not among the known ones.
func (r *run) others(of node, known string) {
	names := strings.Fields(known)
	for _, m := range of.members() {
		if !slices.Contains(names, m.name) {
			r.lose(Metadata, m.node, "left out: it is nothing that is known here")
		}
	}
}

// tell puts the losses so far into the result.
func (r *run) tell() {
	for _, loss := range r.pending {
		if !r.told[loss] {
			r.told[loss] = true
			r.result.Losses = append(r.result.Losses, loss)
		}
	}
	r.pending = nil
}

// leaveOut notes that there is no descriptor of something, and why.
func (r *run) leaveOut(at node, format string, args ...any) {
	r.pending = nil
	r.lose(WholeSkill, at, "left out: "+format, args...)
	r.tell()
}

// found counts something that may become a descriptor. It reports whether there is room.
func (r *run) found(at node) bool {
	if r.result.Found++; r.result.Found <= maxSkills {
		return true
	}
	r.leaveOut(at, "more than %d descriptors are not made of one document", maxSkills)
	return false
}

// finish makes a descriptor of a draft, or says why it can't be one.
func (r *run) finish(at node, draft map[string]any) {
	draft["protocol"] = map[string]any{"version": protocol.Version}
	draft["access"] = string(r.options.Access)
	data, err := stdjson.Marshal(draft)
	if err != nil {
		r.leaveOut(at, "%s", err)
		return
	}
	document, err := r.validator.Parse(data)
	var invalid *protocol.ValidationError
	switch {
	case errors.As(err, &invalid):
		var all []string
		for _, v := range invalid.Violations {
			all = append(all, fmt.Sprintf("%s: expected %s, got %s", v.Field, v.Expected, v.Actual))
		}
		r.leaveOut(at, "the descriptor would break the rules: %s", strings.Join(all, "; "))
		return
	case err != nil:
		r.leaveOut(at, "%s", err)
		return
	case len(document.Canonical) > maxDescriptor:
		r.leaveOut(at, "the descriptor would be larger than %d MiB", maxDescriptor>>20)
		return
	}
	id := document.Descriptor.ID
	if other, taken := r.ids[id]; taken {
		r.leaveOut(at, "its id would be %s, which is that of %s", id, other)
		return
	}
	r.ids[id] = at.pointer
	r.tell()
	r.result.Skills = append(r.result.Skills, Skill{Pointer: at.pointer, Document: document})
}

// oneLine returns one line of at most a number of characters, and notes where it was cut.
func (r *run) oneLine(at node, most int) string {
	s, cut := line(at.text(), most)
	if cut {
		r.lose(Text, at, "cut after %d characters", most)
	}
	return s
}

// prose returns a text of the length that a descriptor may have.
func (r *run) prose(at node) string {
	s, cut := text(at.text())
	if cut {
		r.lose(Text, at, "cut after %d characters", maxText)
	}
	return s
}

// put sets a member of a draft that is not empty.
func put(draft map[string]any, name, value string) {
	if value != "" {
		draft[name] = value
	}
}

// version returns the version of all skills of a document that gives one.
func (r *run) version(at node) (string, error) {
	if r.options.Version != "" {
		return r.options.Version, nil
	}
	given := at.text()
	if given == "" {
		return "", &NeedError{NeedVersion, at.pointer + " is not there"}
	}
	version, ok := semver(given)
	if !ok {
		return "", &NeedError{NeedVersion, fmt.Sprintf("%s is %q, which is none by SemVer 2.0.0, such as 1.2.3", at.pointer, shown(given))}
	}
	if version != given {
		r.lose(Text, at, "%q is written %s, as SemVer 2.0.0 has it", shown(given), version)
	}
	return version, nil
}

// provider returns the provider: that of the options, or the one that is named and linked
// in a document.
func (r *run) provider(name, url node) (map[string]any, error) {
	provider := map[string]any{}
	put(provider, "name", r.options.ProviderName)
	put(provider, "url", r.options.ProviderURL)
	if r.options.ProviderName == "" {
		put(provider, "name", r.oneLine(name, maxLine))
		if provider["name"] == nil {
			return nil, &NeedError{NeedProvider, name.pointer + " is not there"}
		}
		if r.options.ProviderURL == "" {
			put(provider, "url", r.link(url))
		}
	}
	return provider, nil
}

// link returns a URL that a descriptor can hold.
func (r *run) link(at node) string {
	if !at.there {
		return ""
	}
	if url := at.text(); webURL(url) {
		return url
	}
	r.lose(Metadata, at, "left out: this is no absolute http or https URL")
	return ""
}

// shown cuts a value that is quoted in a message.
func shown(s string) string {
	s, _ = line(s, 80)
	return s
}
