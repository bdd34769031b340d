package httpapi_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/httpapi"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// TestRegistryIsWhatItsModelSays sends random commands to a registry, and compares each
// answer, and what several callers see after it, with a model of plain maps.
func TestRegistryIsWhatItsModelSays(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		run := &run{t: t, url: url, clock: &clock{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}}
		run.start()
		t.Cleanup(run.stop)
		protocoltest.Check(t, func(rt *rapid.T) {
			// Cases follow each other in one registry, each in a namespace of its own.
			m := newMachine(run)
			// A command that there is nothing for does nothing: many that are skipped end a case.
			rt.Repeat(map[string]func(*rapid.T){
				"publish":            m.publish,
				"publish more":       m.publish,
				"publish again":      m.publishAgain,
				"set a status":       m.setStatus,
				"set another status": m.setStatus,
				"yank all":           m.yankAll,
				"delete":             m.delete,
				"make a key":         m.makeKey,
				"revoke a key":       m.revokeKey,
				"let time pass":      m.passTime,
				"follow":             m.follow,
				"restart":            m.restart,
				"":                   m.compareOne,
			})
			m.end(rt)
		})
	})
}

// run is a registry that can be started again on its database.
type run struct {
	t     testing.TB
	url   string
	clock *clock
	*registry
	// bare is the registry to a client that does not hold its answers to openapi.json,
	// which takes most of the time.
	bare  *registry
	scope *scope
	cases int
}

func (r *run) start() {
	r.scope = &scope{TB: r.t}
	r.registry = newRegistry(r.scope, r.url, options{
		base:    "http://registry.example",
		http:    func(o *httpapi.Options) { o.Now = r.clock.Now },
		catalog: func(o *catalog.Options) { o.Now = r.clock.Now },
	})
	transport := &http.Transport{DisableCompression: true}
	r.scope.Cleanup(transport.CloseIdleConnections)
	r.bare = r.in(r.t)
	r.bare.client = &http.Client{Transport: transport}
}

func (r *run) stop() { r.scope.end() }

// scope is a test within a test: what is to be cleaned up after it is cleaned up at its
// end.
type scope struct {
	testing.TB
	cleanups []func()
}

func (s *scope) Cleanup(f func()) { s.cleanups = append(s.cleanups, f) }

func (s *scope) end() {
	for ; len(s.cleanups) > 0; s.cleanups = s.cleanups[:len(s.cleanups)-1] {
		s.cleanups[len(s.cleanups)-1]()
	}
}

// machine drives a registry and its model through one case.
type machine struct {
	*run
	world     world
	namespace string
	anyone    *caller
	admin     *caller
	keys      []*caller
	touched   string // the skill that the last command was about
	ending    bool   // whether the case is at its end
}

func newMachine(r *run) *machine {
	r.cases++
	return &machine{
		run: r, world: world{skills: map[string][]*release{}}, namespace: fmt.Sprintf("com.n%d", r.cases),
		anyone: anyone(), admin: administrator(),
	}
}

// ask sends a request as a caller.
func (m *machine) ask(t *rapid.T, c *caller, method, path string, changes ...change) *answer {
	a, err := m.try(method, path, slices.Concat(c.who, changes)...)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return a
}

// look reads as a caller.
func (m *machine) look(t *rapid.T, c *caller, path string) *answer {
	from := m.bare
	if m.ending {
		from = m.registry
	}
	a, err := from.try(http.MethodGet, path, c.who...)
	if err != nil {
		t.Fatalf("GET %s: %v", path, err)
	}
	return a
}

func (m *machine) wantStatus(t *rapid.T, c *caller, a *answer, want int) {
	if a.status != want {
		t.Fatalf("%s: %v; want status %d", c.name, a, want)
	}
}

// ids are a skill, one below it, one that only looks as if it were, and another.
func (m *machine) ids() []string {
	return []string{m.namespace + ".a", m.namespace + ".a.x", m.namespace + ".ab", m.namespace + ".b"}
}

// drawID draws the skill that a command is about: mostly the same, so that it gets a
// history.
func (m *machine) drawID(t *rapid.T) string {
	m.touched = rapid.SampledFrom(append(m.ids(), m.ids()[0], m.ids()[0])).Draw(t, "id")
	return m.touched
}

// drawCaller draws who asks: mostly someone who may do most things.
func (m *machine) drawCaller(t *rapid.T) *caller {
	all := append([]*caller{m.admin, m.admin, m.admin, m.admin, m.admin, m.anyone}, m.keys...)
	return all[rapid.IntRange(0, len(all)-1).Draw(t, "caller")]
}

func (m *machine) publish(t *rapid.T) {
	m.send(t, m.drawID(t), rapid.SampledFrom(ladder()).Draw(t, "version")+rapid.SampledFrom([]string{"", "", "+b"}).Draw(t, "build"))
}

// publishAgain publishes under a version that was published before.
func (m *machine) publishAgain(t *rapid.T) {
	id := m.drawID(t)
	if len(m.world.skills[id]) == 0 {
		return
	}
	r := rapid.SampledFrom(m.world.skills[id]).Draw(t, "release")
	m.send(t, id, r.version)
}

func (m *machine) send(t *rapid.T, id, version string) {
	c := m.drawCaller(t)
	doc, r, err := document(id, version, rapid.SampledFrom([]string{"public", "restricted", "private"}).Draw(t, "access"),
		rapid.SampledFrom(kinds()).Draw(t, "type"), rapid.SampledFrom([]string{"one", "other"}).Draw(t, "name"))
	if err != nil {
		t.Fatal(err)
	}
	dry := rapid.IntRange(0, 5).Draw(t, "dry run") == 0
	want := c.refusal(c.publishes(id))
	switch {
	case want != 0:
	case dry:
		if want = m.world.answer(r); want == 201 {
			want = 200
		}
	default:
		want = m.world.publish(r)
	}
	m.wantStatus(t, c, m.ask(t, c, http.MethodPost, "/v1/skills?dry_run="+strconv.FormatBool(dry), jsonBody(doc)), want)
}

// drawVersion draws a version of a skill that was published, or was not.
func (m *machine) drawVersion(t *rapid.T, id string) string {
	return rapid.SampledFrom(m.versions(id)).Draw(t, "version")
}

// drawPlace draws a version of any skill: mostly one that is there.
func (m *machine) drawPlace(t *rapid.T) (id, version string) {
	var there []*release
	for _, id := range m.ids() {
		there = append(there, m.world.there(id)...)
	}
	if len(there) > 0 && rapid.IntRange(0, 3).Draw(t, "one that is there") > 0 {
		r := rapid.SampledFrom(there).Draw(t, "release")
		m.touched = r.id
		return r.id, r.version
	}
	id = m.drawID(t)
	return id, m.drawVersion(t, id)
}

// versions lists all versions of a skill that were ever published, and one more.
func (m *machine) versions(id string) []string {
	versions := []string{"1.0.0"}
	for _, r := range m.world.skills[id] {
		if r.version != versions[0] {
			versions = append(versions, r.version)
		}
	}
	return versions
}

func (m *machine) setStatus(t *rapid.T) {
	c := m.drawCaller(t)
	id, version := m.drawPlace(t)
	status := rapid.SampledFrom([]string{"active", "deprecated", "yanked", "yanked"}).Draw(t, "status")
	reason := rapid.SampledFrom([]string{"", "because"}).Draw(t, "reason")
	r, want := m.world.find(id, version), c.refusal(c.publishes(id))
	if r != nil && rapid.Bool().Draw(t, "change the reason only") {
		status = r.status
	}
	switch {
	case want != 0:
	case r == nil:
		want = 404
	default:
		want = 200
		r.set(status, reason, m.clock.Now())
	}
	body := marshal(m.t, map[string]string{"status": status, "reason": reason})
	m.wantStatus(t, c, m.ask(t, c, http.MethodPatch, path(&release{id: id, version: version}), jsonBody(body)), want)
}

// yankAll yanks every version of a skill, one after the other.
func (m *machine) yankAll(t *rapid.T) {
	id := m.drawID(t)
	for _, r := range m.world.there(id) {
		r.set("yanked", "", m.clock.Now())
		m.wantStatus(t, m.admin, m.ask(t, m.admin, http.MethodPatch, path(r), jsonBody([]byte(`{"status":"yanked"}`))), 200)
	}
}

// delete deletes a version, and now and then a skill.
func (m *machine) delete(t *rapid.T) {
	c, id := m.drawCaller(t), m.drawID(t)
	at, gone := "/v1/skills/"+id, m.world.there(id)
	if rapid.IntRange(0, 2).Draw(t, "whole") > 0 {
		version := m.drawVersion(t, id)
		at = path(&release{id: id, version: version})
		gone = slices.DeleteFunc(gone, func(r *release) bool { return r.version != version })
	}
	want := c.refusal(c.scope == "admin")
	switch {
	case want != 0:
	case len(gone) == 0:
		want = 404
	default:
		want = 204
		for _, r := range gone {
			r.set("deleted", "", m.clock.Now())
		}
	}
	m.wantStatus(t, c, m.ask(t, c, http.MethodDelete, at), want)
}

func (m *machine) makeKey(t *rapid.T) {
	if len(m.keys) == 3 {
		return
	}
	k := &caller{
		scope:     rapid.SampledFrom([]string{"read", "publish"}).Draw(t, "scope"),
		namespace: rapid.SampledFrom(append(m.ids()[:3], m.namespace)).Draw(t, "namespace"),
		mortal:    rapid.Bool().Draw(t, "mortal"),
	}
	request := map[string]any{"name": "x", "scopes": []string{k.scope}, "namespaces": []string{k.namespace}}
	if k.mortal {
		request["expires_at"] = m.clock.Now().Add(time.Hour)
	}
	a := m.ask(t, m.admin, http.MethodPost, "/v1/keys", jsonBody(marshal(m.t, request)))
	m.wantStatus(t, m.admin, a, 201)
	k.id, k.name, k.who = a.text("/id"), "a key to "+k.scope+" "+k.namespace, []change{as(a.text("/key"))}
	m.keys = append(m.keys, k)
}

func (m *machine) revokeKey(t *rapid.T) {
	if len(m.keys) == 0 {
		return
	}
	k := rapid.SampledFrom(m.keys).Draw(t, "key")
	k.void = true
	m.wantStatus(t, m.admin, m.ask(t, m.admin, http.MethodDelete, "/v1/keys/"+k.id), 204)
}

// passTime lets the time of the keys pass that have one.
func (m *machine) passTime(t *rapid.T) {
	if rapid.IntRange(0, 3).Draw(t, "pass") > 0 {
		return
	}
	m.clock.advance(time.Hour)
	for _, k := range m.keys {
		k.void = k.void || k.mortal
	}
}

// follow lets a mirror of a caller go on by one page from where it is.
func (m *machine) follow(t *rapid.T) {
	c := rapid.SampledFrom(m.callers()).Draw(t, "caller")
	if c.void {
		return
	}
	m.followOne(t, c, rapid.IntRange(1, 3).Draw(t, "limit"))
}

// followOne goes on by one page, and reports whether there was anything new. Who comes
// for the first time begins with the index.
func (m *machine) followOne(t *rapid.T, c *caller, limit int) (more bool) {
	var err error
	if c.mirror == nil {
		c.mirror, more = m.bare.mirrorFrom(c.who...), true
		err = c.mirror.begin()
	} else {
		c.mirror.registry = m.bare // the registry may have been started again
		more, err = c.mirror.follow(pageOf(limit))
	}
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	return more
}

func (m *machine) restart(t *rapid.T) {
	if rapid.IntRange(0, 7).Draw(t, "restart") > 0 {
		return
	}
	m.run.stop()
	m.run.start()
}

// callers are all whose view is compared.
func (m *machine) callers() []*caller { return append([]*caller{m.anyone, m.admin}, m.keys...) }

// compareOne compares what anyone and one other caller see of the index, and of the
// skill that the last command was about.
func (m *machine) compareOne(t *rapid.T) {
	m.clock.advance(time.Second) // that the command took
	other := rapid.SampledFrom(m.callers()[1:]).Draw(t, "who also compares")
	for _, c := range []*caller{m.anyone, other} {
		m.compareIndex(t, c)
		m.compareSkill(t, c, cmp.Or(m.touched, m.ids()[0]))
	}
}

// end compares everything, and clears up so that the index of the next case is short.
func (m *machine) end(t *rapid.T) {
	m.ending = true
	for _, c := range m.callers() {
		m.compareIndex(t, c)
		for _, id := range m.ids() {
			m.compareSkill(t, c, id)
		}
		m.compareMirror(t, c)
	}
	for _, id := range m.ids() {
		if len(m.world.there(id)) > 0 {
			m.wantStatus(t, m.admin, m.ask(t, m.admin, http.MethodDelete, "/v1/skills/"+id), 204)
		}
	}
}

// compareIndex compares the index, whole and of one type.
func (m *machine) compareIndex(t *rapid.T, c *caller) {
	kind := rapid.SampledFrom(kinds()).Draw(t, "type of the index")
	for query, of := range map[string][]string{"": kinds(), "?capability_type=" + kind: {kind}} {
		a := m.look(t, c, "/.well-known/skills"+query)
		if c.void {
			m.wantStatus(t, c, a, 401)
			continue
		}
		m.wantStatus(t, c, a, 200)
		var index protocol.Index
		if err := json.Unmarshal(a.body, &index); err != nil {
			t.Fatalf("%v: %v", a, err)
		}
		m.compareEntries(t, c, "the index"+query, index.Skills, m.world.index(c, of...))
	}
}

// compareMirror lets the mirror of a caller follow the feed to its end, and compares what
// it has with what there is.
func (m *machine) compareMirror(t *rapid.T, c *caller) {
	if c.void {
		return
	}
	for m.followOne(t, c, 2) {
	}
	var entries []protocol.IndexEntry
	for _, id := range slices.Sorted(maps.Keys(c.mirror.entries)) {
		var e protocol.IndexEntry
		if err := json.Unmarshal([]byte(c.mirror.entries[id]), &e); err != nil {
			t.Fatalf("%s: %v", c.mirror.entries[id], err)
		}
		entries = append(entries, e)
	}
	m.compareEntries(t, c, "the changes", entries, m.world.index(c, kinds()...))
}

// compareEntries compares those of the case's own skills.
func (m *machine) compareEntries(t *rapid.T, c *caller, where string, entries []protocol.IndexEntry, want []string) {
	got := []string{}
	for _, e := range entries {
		if strings.HasPrefix(e.ID, m.namespace+".") {
			got = append(got, fmt.Sprintf("%s %s %s %s %s", e.ID, e.Version, e.Access, e.CapabilityType, m.below(t, e.DescriptorURL)))
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%s sees by %s\n%s\nwant\n%s", c.name, where, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// below returns the path of one of the registry's addresses.
func (m *machine) below(t *rapid.T, address string) string {
	path, ok := strings.CutPrefix(address, m.base)
	if !ok {
		t.Fatalf("the address %s is not below %s", address, m.base)
	}
	return path
}

func (m *machine) compareSkill(t *rapid.T, c *caller, id string) {
	latest := m.world.latest(id)
	if latest != nil && !m.world.sees(c, latest) {
		latest = nil
	}
	m.compareDescriptor(t, c, "/v1/skills/"+id, latest)
	for _, version := range m.versions(id) {
		m.compareVersion(t, c, id, version)
	}

	a := m.look(t, c, "/v1/skills/"+id+"/versions")
	want := m.world.versions(c, id)
	if c.void {
		m.wantStatus(t, c, a, 401)
		return
	}
	if want == nil {
		m.wantStatus(t, c, a, 404)
		return
	}
	m.wantStatus(t, c, a, 200)
	var list struct {
		ID       string
		Versions []struct {
			Version, Status, Reason, Access, Digest string
			DescriptorURL                           string `json:"descriptor_url"`
		}
	}
	if err := json.Unmarshal(a.body, &list); err != nil || list.ID != id {
		t.Fatalf("%v: %v", a, err)
	}
	var got []string
	for _, v := range list.Versions {
		got = append(got, fmt.Sprintf("%s %s %q %s %s %s", v.Version, v.Status, v.Reason, v.Access, v.Digest, m.below(t, v.DescriptorURL)))
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%s sees the versions of %s\n%s\nwant\n%s", c.name, id, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func (m *machine) compareVersion(t *rapid.T, c *caller, id, version string) {
	r := m.world.find(id, version)
	if r != nil && !m.world.sees(c, r) {
		r = nil
	}
	m.compareDescriptor(t, c, path(&release{id: id, version: version}), r)
}

// compareDescriptor compares the answer at a path with a release, or with none.
func (m *machine) compareDescriptor(t *rapid.T, c *caller, at string, r *release) {
	a := m.look(t, c, at)
	switch {
	case c.void:
		m.wantStatus(t, c, a, 401)
	case r == nil:
		m.wantStatus(t, c, a, 404)
	default:
		m.wantStatus(t, c, a, 200)
		if string(a.body) != r.body || a.header.Get("ETag") != `"`+protocol.Digest(a.body)+`"` {
			t.Fatalf("%s: %v with ETag %s; want %s", c.name, a, a.header.Get("ETag"), r.body)
		}
	}
	since := ""
	if !c.void && r != nil && r.status == "deprecated" {
		since = fmt.Sprintf("@%d", r.since.Unix())
	}
	if got := a.header.Get("Deprecation"); got != since {
		t.Fatalf("%s: %s has Deprecation %q, want %q", c.name, at, got, since)
	}
}
