//go:build replicas && linux

package main

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

// history is what was asked of one skill and its key, by whom and when, and what came
// of it.
type history struct {
	skill string
	began time.Time

	mu         sync.Mutex
	operations []porcupine.Operation
}

// action is one request of a history.
type action struct {
	kind    actionKind
	replica int
	// version and private say what is published.
	version int
	private bool
	// as is who reads.
	as reader
}

type actionKind int

const (
	doPublish actionKind = iota
	doRevoke
	seeLatest   // the descriptor of the latest version
	seeVersions // the list of versions
	seeIndex    // the skill's entry in the index
)

// reader is who reads.
type reader int

const (
	anonymous reader = iota
	keyHolder        // has the key that may be revoked
	administrator
)

// view is what a reader was answered. The zero value is that there is nothing.
type view struct {
	refused bool // the key is not valid
	// versions are those that are seen, a bit for each, and private those among them
	// that are.
	versions, private uint64
}

// state is how a skill and its key stand: what was published so far, and whether the key
// was revoked.
type state struct {
	versions, private uint64
	revoked           bool
}

// after returns the state that follows a write.
func (s state) after(a action) state {
	switch a.kind {
	case doPublish:
		s.versions |= 1 << a.version
		if a.private {
			s.private |= 1 << a.version
		}
	case doRevoke:
		s.revoked = true
	}
	return s
}

// shows returns what a reader sees.
func (s state) shows(a action) view {
	if a.as == keyHolder && s.revoked {
		return view{refused: true}
	}
	latest := uint64(0)
	if s.versions != 0 {
		latest = 1 << (bits.Len64(s.versions) - 1)
	}
	seen := s.versions
	if a.as == anonymous {
		if latest&s.private != 0 {
			return view{}
		}
		seen &^= s.private
	}
	if a.kind != seeVersions {
		seen = latest
	}
	return view{versions: seen, private: seen & s.private}
}

// model is the registry as one that does one thing after the other.
func model() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return state{} },
		Step: func(before, input, output any) (bool, any) {
			s, a := before.(state), input.(action)
			if a.kind == doPublish || a.kind == doRevoke {
				return true, s.after(a)
			}
			return s.shows(a) == output.(view), s
		},
	}
}

// never is when a write returns that nobody knows the outcome of: it may have been done
// at any time since, or not at all.
const never = math.MaxInt64

// record adds an action that began at a time and has come to its end, unless it is one
// of which nobody knows.
func (h *history) record(a action, began time.Time, seen view, known bool) {
	returned := int64(never)
	if known {
		returned = int64(time.Since(h.began))
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.operations = append(h.operations, porcupine.Operation{
		Input: a, Call: int64(began.Sub(h.began)), Output: seen, Return: returned,
	})
}

// linearizable reports whether everything in the history can have been done at one
// moment between its beginning and its end, for all replicas alike.
func (h *history) linearizable(t *testing.T) bool {
	t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	switch porcupine.CheckOperationsTimeout(model(), h.operations, 30*time.Second) {
	case porcupine.Ok:
		return true
	case porcupine.Unknown:
		t.Errorf("a history of %d operations was too long to be judged", len(h.operations))
		return true
	default:
		return false
	}
}

// String tells the history in the order of the beginnings.
func (h *history) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	slices.SortStableFunc(h.operations, func(a, b porcupine.Operation) int { return cmp.Compare(a.Call, b.Call) })
	var b strings.Builder
	for _, o := range h.operations {
		end := "?"
		if o.Return != never {
			end = fmt.Sprintf("%.2f", float64(o.Return)/1e6)
		}
		fmt.Fprintf(&b, "%9.2f to %s ms, %v: %v\n", float64(o.Call)/1e6, end, o.Input, o.Output)
	}
	return b.String()
}

func (a action) String() string {
	who := [...]string{"anonymous", "with a key", "as administrator"}[a.as]
	what := [...]string{"publish", "revoke the key", "latest", "versions", "index"}[a.kind]
	if a.kind == doPublish {
		return fmt.Sprintf("replica %d, publish %d, private %t", a.replica, a.version, a.private)
	}
	return fmt.Sprintf("replica %d, %s, %s", a.replica, what, who)
}

func (v view) String() string {
	if v.refused {
		return "key refused"
	}
	var seen []string
	for rest := v.versions; rest != 0; rest &= rest - 1 {
		n := bits.TrailingZeros64(rest)
		kind := "public"
		if v.private>>n&1 == 1 {
			kind = "private"
		}
		seen = append(seen, fmt.Sprintf("%d %s", n, kind))
	}
	return "[" + strings.Join(seen, ", ") + "]"
}

// TestTheModelTellsHistoriesApart holds that the judge of the histories is none who finds
// everything good.
func TestTheModelTellsHistoriesApart(t *testing.T) {
	t.Parallel()
	show, hide := action{kind: doPublish, version: 1}, action{kind: doPublish, version: 2, private: true}
	look := action{kind: seeLatest, replica: 1}
	tests := []struct {
		name string
		// Each write takes the time of its place: the first 0 to 1, the second 10 to 11.
		read     action
		from, to int64
		seen     view
		want     bool
	}{
		{"what is public is seen", look, 2, 3, view{versions: 2}, true},
		{"what was made private is gone", look, 12, 13, view{}, true},
		{"what was made private is still seen", look, 12, 13, view{versions: 2}, false},
		{"it is seen while it is made private", look, 9, 12, view{versions: 2}, true},
		{"it is not seen while it is made private", look, 9, 12, view{}, true},
		{"it is gone before it is made private", look, 2, 3, view{}, false},
		{"an administrator sees it", action{kind: seeLatest, as: administrator}, 12, 13, view{versions: 4, private: 4}, true},
		{"an administrator sees an old version", action{kind: seeLatest, as: administrator}, 12, 13, view{versions: 2}, false},
		{"the list has both", action{kind: seeVersions, as: keyHolder}, 12, 13, view{versions: 6, private: 4}, true},
		{"the list lacks one", action{kind: seeVersions, as: keyHolder}, 12, 13, view{versions: 4, private: 4}, false},
		{"a good key is refused", action{kind: seeIndex, as: keyHolder}, 12, 13, view{refused: true}, false},
		{"a revoked key is refused", action{kind: seeIndex, as: keyHolder}, 22, 23, view{refused: true}, true},
		{"a revoked key is taken", action{kind: seeIndex, as: keyHolder}, 22, 23, view{versions: 4, private: 4}, false},
	}
	for _, test := range tests {
		h := history{operations: []porcupine.Operation{
			{Input: show, Call: 0, Output: view{}, Return: 1},
			{Input: hide, Call: 10, Output: view{}, Return: 11},
			{Input: action{kind: doRevoke}, Call: 20, Output: view{}, Return: 21},
			{Input: test.read, Call: test.from, Output: test.seen, Return: test.to},
		}}
		if got := h.linearizable(t); got != test.want {
			t.Errorf("%s: linearizable is %t, want %t, of\n%s", test.name, got, test.want, &h)
		}
	}
}
