package httpapi_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// world is a registry of lists and maps, small enough to be seen to be right.
type world struct {
	// skills are all versions that were ever published, by the id of the skill.
	skills map[string][]*release
}

// release is one version, as it was published and as it is now.
type release struct {
	id, version, access, kind string
	body                      string    // as it is served
	status, reason            string    // "deleted" is one, too
	files                     bool      // whether it brings some
	since                     time.Time // when it got its status; zero for one that it always had
}

// GoString is what a failed test shows of a release that it drew.
func (r *release) GoString() string { return r.id + " " + r.version + ", " + r.status }

// set gives the release a status.
func (r *release) set(status, reason string, now time.Time) {
	if r.status != status {
		r.since = now
	}
	r.status, r.reason = status, reason
}

// kinds are the capability types of the skills.
func kinds() []string { return []string{"api", "task"} }

// ladder has versions from low to high.
func ladder() []string { return []string{"0.9.0", "1.0.0-rc.1", "1.0.0", "1.10.0", "2.0.0-0"} }

// rung is the place of a version in the ladder, whatever its build part.
func rung(version string) int {
	version, _, _ = strings.Cut(version, "+")
	return slices.Index(ladder(), version)
}

// rank orders versions by how much they are the latest: releases before pre-releases.
func rank(version string) int {
	if strings.Contains(version, "-") {
		return rung(version)
	}
	return rung(version) + len(ladder())
}

// document returns a small document of a version, and what it is when it is published.
// Documents differ by their name alone.
func document(id, version, access, kind, name string) (doc []byte, r *release, err error) {
	tree := protocoltest.Tree(id, version, access, kind)
	tree["name"] = name
	doc, err = protocol.AppendJSON(nil, tree)
	if err != nil {
		return nil, nil, err
	}
	body, err := protocol.Canonicalize(doc, protocol.Limits{})
	return doc, &release{id: id, version: version, access: access, kind: kind, body: string(body), status: "active"}, err
}

// answer returns the status of the answer to a publication by someone who may.
func (w *world) answer(r *release) int {
	for _, there := range w.skills[r.id] {
		switch {
		case rung(there.version) != rung(r.version):
		case there.status != "deleted" && there.body == r.body:
			return 200
		default:
			return 409
		}
	}
	return 201
}

// publish publishes a version for someone who may, and returns the status of the answer.
func (w *world) publish(r *release) int {
	status := w.answer(r)
	if status == 201 {
		w.skills[r.id] = append(w.skills[r.id], r)
	}
	return status
}

// there lists the versions of a skill that are not deleted, highest first.
func (w *world) there(id string) []*release {
	var all []*release
	for _, r := range w.skills[id] {
		if r.status != "deleted" {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b *release) int { return rung(b.version) - rung(a.version) })
	return all
}

// find returns a version that is there, or nil.
func (w *world) find(id, version string) *release {
	for _, r := range w.there(id) {
		if r.version == version {
			return r
		}
	}
	return nil
}

// latest returns the latest version of a skill, or nil.
func (w *world) latest(id string) (latest *release) {
	for _, r := range w.there(id) {
		if r.status != "yanked" && (latest == nil || rank(r.version) > rank(latest.version)) {
			latest = r
		}
	}
	return latest
}

// private reports whether a skill as a whole is private: because its latest version is,
// or its highest one where all are yanked.
func (w *world) private(id string) bool {
	if latest := w.latest(id); latest != nil {
		return latest.access == "private"
	}
	all := w.there(id)
	return len(all) > 0 && all[0].access == "private"
}

// caller is someone who asks.
type caller struct {
	name string
	who  []change
	// id, scope and namespace are of its key; empty for none.
	id, scope, namespace string
	// void keys are good for nothing: they were revoked, or have expired.
	void bool
	// mirror is what it has who follows the change feed as the caller; nil for none.
	mirror *mirror
	// mortal keys expire when time passes.
	mortal bool
}

// GoString is what a failed test shows of a caller that it drew.
func (c *caller) GoString() string { return c.name }

func anyone() *caller { return &caller{name: "anyone"} }

func administrator() *caller {
	return &caller{name: "the administrator", who: []change{asAdmin()}, scope: "admin"}
}

func (c *caller) covers(id string) bool {
	return c.scope == "admin" || c.scope != "" && (id == c.namespace || strings.HasPrefix(id, c.namespace+"."))
}

func (c *caller) publishes(id string) bool { return c.scope != "read" && c.covers(id) }

// refusal returns the status of the answer to a write that the caller may not make, and
// 0 where it may.
func (c *caller) refusal(may bool) int {
	switch {
	case c.scope == "" || c.void:
		return 401
	case !may:
		return 403
	}
	return 0
}

// sees reports whether a caller sees a version that is there.
func (w *world) sees(c *caller, r *release) bool {
	return c.covers(r.id) || !w.private(r.id) && r.access != "private"
}

// index lists what a caller sees in the index of some types, one line for each entry.
func (w *world) index(c *caller, kinds ...string) []string {
	lines := []string{}
	for id := range w.skills {
		if r := w.latest(id); r != nil && w.sees(c, r) && slices.Contains(kinds, r.kind) {
			lines = append(lines, fmt.Sprintf("%s %s %s %s %s", id, r.version, r.access, r.kind, path(r)))
		}
	}
	slices.Sort(lines)
	return lines
}

// versions lists what a caller sees of a skill, one line for each version.
func (w *world) versions(c *caller, id string) (lines []string) {
	for _, r := range w.there(id) {
		if w.sees(c, r) {
			lines = append(lines, fmt.Sprintf("%s %s %q %s %s %s", r.version, r.status, r.reason, r.access, protocol.Digest([]byte(r.body)), path(r)))
		}
	}
	return lines
}

// path is where a version's descriptor is.
func path(r *release) string { return "/v1/skills/" + r.id + "/versions/" + url.PathEscape(r.version) }
