package catalog_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// changesAnswer is the answer of the change feed.
type changesAnswer struct {
	Changes []struct {
		ID      string
		Entry   *protocol.IndexEntry
		Removed bool
	}
	Cursor string
}

func readChanges(t fataler, s *catalog.Snapshot, c access.Caller, after string, limit int) changesAnswer {
	t.Helper()
	at := s.Beginning(c)
	if after != "" {
		var ok bool
		if at, ok = s.ParseCursor(c, after); !ok {
			t.Fatalf("the cursor %q was not taken", after)
		}
	}
	e, next := s.Changes(c, at, limit)
	var answer changesAnswer
	if err := json.Unmarshal(body(t, e), &answer); err != nil {
		t.Fatalf("the answer is not JSON: %v", err)
	}
	if answer.Cursor != next.String() || len(answer.Changes) > limit {
		t.Fatalf("after %q, at most %d: %+v, next %s", after, limit, answer, next)
	}
	return answer
}

// summary tells the changes of an answer in one line.
func summary(a changesAnswer) string {
	var words []string
	for _, c := range a.Changes {
		word := c.ID
		switch {
		case c.Removed && c.Entry == nil:
			word += " removed"
		case !c.Removed && c.Entry != nil:
			word += " " + c.Entry.Version
		default:
			word += " ?"
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

func TestFeedTellsEachChangeOnceAndNothingPrivate(t *testing.T) {
	t.Parallel()
	private := withAccess(protocol.Private)
	s := &shelfSource{}
	c := open(t, s, options())
	everyone, owner := access.Caller{}, reader("com.x")
	at := snapshot(t, c).Now(everyone).String()
	ownerAt := snapshot(t, c).Now(owner).String()
	for _, step := range []struct {
		name            string
		publish         []skillVersion
		everyone, owner string
	}{
		{
			name:     "new skills come in the order of their publication",
			publish:  []skillVersion{version("com.x.b", "1.0.0"), version("com.x.p", "1.0.0", private), version("org.a", "1.0.0", withAccess(protocol.Restricted))},
			everyone: "com.x.b 1.0.0, org.a 1.0.0", owner: "com.x.b 1.0.0, com.x.p 1.0.0, org.a 1.0.0",
		},
		{name: "a private skill that changes is news to its owner alone", publish: []skillVersion{version("com.x.p", "1.1.0", private)}, owner: "com.x.p 1.1.0"},
		{name: "a private skill of others is news to nobody here", publish: []skillVersion{version("net.p", "1.0.0", private)}},
		{
			name:     "what becomes private is gone for everyone",
			publish:  []skillVersion{version("com.x.b", "1.1.0", private), version("org.a", "2.0.0", private)},
			everyone: "com.x.b removed, org.a removed", owner: "com.x.b 1.1.0, org.a removed",
		},
		{
			name:     "a skill whose versions are all deleted is gone",
			publish:  []skillVersion{version("org.z", "1.0.0"), version("org.z", "1.0.0", withStatus(access.Deleted))},
			everyone: "org.z removed", owner: "org.z removed",
		},
		{name: "what is gone goes once", publish: []skillVersion{version("com.x.b", "1.2.0", private), version("org.a", "2.1.0", private)}, owner: "com.x.b 1.2.0"},
		{
			name:     "several changes of one skill are one, in the place of the last",
			publish:  []skillVersion{version("com.x.b", "2.0.0"), version("com.x.c", "1.0.0"), version("com.x.b", "2.1.0")},
			everyone: "com.x.c 1.0.0, com.x.b 2.1.0", owner: "com.x.c 1.0.0, com.x.b 2.1.0",
		},
	} {
		for _, v := range step.publish {
			s.publish(t, v)
		}
		view := snapshot(t, c)
		answer := readChanges(t, view, everyone, at, 100)
		if got := summary(answer); got != step.everyone {
			t.Errorf("%s: everyone reads %q, want %q", step.name, got, step.everyone)
		}
		if step.everyone == "" && answer.Cursor != at {
			t.Errorf("%s: the cursor went from %s to %s with nothing to see", step.name, at, answer.Cursor)
		}
		at = answer.Cursor
		answer = readChanges(t, view, owner, ownerAt, 100)
		if got := summary(answer); got != step.owner {
			t.Errorf("%s: the owner reads %q, want %q", step.name, got, step.owner)
		}
		if step.owner == "" && answer.Cursor != ownerAt {
			t.Errorf("%s: the owner's cursor went from %s to %s with nothing to see", step.name, ownerAt, answer.Cursor)
		}
		ownerAt = answer.Cursor
	}
}

func TestFeedRefusesCursorsThatItDidNotGive(t *testing.T) {
	t.Parallel()
	s := &shelfSource{}
	s.publish(t, version("com.x.a", "1.0.0"))
	view := snapshot(t, open(t, s, options()))
	everyone, owner, other := access.Caller{}, reader("com.x"), reader("com.y")
	for _, c := range []access.Caller{everyone, owner, other} {
		if _, ok := view.ParseCursor(c, view.Now(c).String()); !ok {
			t.Errorf("%v: its own cursor %s was not taken", c.Namespaces, view.Now(c))
		}
	}
	for _, test := range []struct {
		caller access.Caller
		text   string
	}{
		{everyone, "nonsense"}, {everyone, ""}, {everyone, "p"}, {everyone, "p-1"}, {everyone, "p01"}, {everyone, "p+1"},
		{everyone, "p2"}, {everyone, "p99999999999999999999999"}, {everyone, "1"}, {everyone, view.Now(owner).String()},
		{owner, view.Now(everyone).String()}, {owner, view.Now(other).String()}, {owner, "k1"}, {owner, "k1.2"},
		{owner, strings.Replace(view.Now(owner).String(), ".", ".9", 1)}, {owner, view.Now(owner).String() + ".x"},
	} {
		if at, ok := view.ParseCursor(test.caller, test.text); ok {
			t.Errorf("%v: the cursor %q was taken for %s", test.caller.Namespaces, test.text, at)
		}
	}
}

// TestMirrorThatFollowsTheFeedHasTheIndex lets mirrors of several callers follow random
// histories at random moments, in pages of random sizes.
func TestMirrorThatFollowsTheFeedHasTheIndex(t *testing.T) {
	t.Parallel()
	callers := []access.Caller{
		{}, reader("com.a"), reader("com.a", "org"), reader("*"), {KeyID: "k", Scopes: []access.Scope{access.Admin}},
	}
	rapid.Check(t, func(t *rapid.T) {
		s := &shelfSource{}
		c, err := catalog.Open(t.Context(), s, options())
		if err != nil {
			t.Fatalf("opening: %v", err)
		}
		cursors := make([]string, len(callers))
		mirrors := make([]map[string]protocol.IndexEntry, len(callers))
		for i := range mirrors {
			mirrors[i] = map[string]protocol.IndexEntry{}
		}
		taken := map[string]bool{}
		follow := func(i, limit int) (more bool) {
			view, _, err := c.Snapshot(t.Context())
			if err != nil {
				t.Fatalf("taking a snapshot: %v", err)
			}
			answer := readChanges(t, view, callers[i], cursors[i], limit)
			for _, change := range answer.Changes {
				if delete(mirrors[i], change.ID); !change.Removed {
					mirrors[i][change.ID] = *change.Entry
				}
			}
			cursors[i] = answer.Cursor
			return len(answer.Changes) > 0
		}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			if rapid.IntRange(0, 2).Draw(t, "what") == 0 {
				follow(rapid.IntRange(0, len(callers)-1).Draw(t, "mirror"), rapid.IntRange(1, 3).Draw(t, "limit"))
				continue
			}
			if v := drawVersion(t); !taken[v.id+v.version] {
				taken[v.id+v.version] = true
				s.publish(t, v)
			}
		}
		for i, caller := range callers {
			for follow(i, 2) {
			}
			view, _, err := c.Snapshot(t.Context())
			if err != nil {
				t.Fatalf("taking a snapshot: %v", err)
			}
			e, _ := view.Index(caller, catalog.IndexQuery{})
			var index protocol.Index
			if err := json.Unmarshal(body(t, e), &index); err != nil {
				t.Fatal(err)
			}
			got := slices.Sorted(maps.Keys(mirrors[i]))
			want := map[string]protocol.IndexEntry{}
			for _, e := range index.Skills {
				want[e.ID] = e
			}
			if fmt.Sprint(mirrors[i]) != fmt.Sprint(want) {
				t.Fatalf("the mirror of %v has %q, the index is %s", caller.Namespaces, got, body(t, e))
			}
			met := map[string]bool{}
			for _, change := range readChanges(t, view, caller, "", 1000).Changes {
				if met[change.ID] {
					t.Fatalf("the feed of %v tells of %s twice", caller.Namespaces, change.ID)
				}
				met[change.ID] = true
			}
			if now := view.Now(caller).String(); cursors[i] != now {
				t.Fatalf("the mirror of %v ends at %s, now is %s", caller.Namespaces, cursors[i], now)
			}
		}
	})
}
