package protocol

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// rank orders the faults of one member. Only the first is reported: the others follow
// from it, or say less.
type rank int

const (
	rankType rank = iota
	rankEnum
	rankSize
	rankForm
	rankRule // what the schema can't say
	rankOther
	rankMissing
)

// A list of violations is bounded, in its length and in the bytes that its pointers take
// in JSON, so that a small document can't ask for much work and a huge answer. No
// document that people write comes near.
const (
	maxFindings     = 1000
	maxPointerBytes = 1 << 20
)

// findings gathers the violations of one document, one for each member.
type findings struct {
	byField      map[string]finding
	pointerBytes int
	more         bool // there are violations that the list has no room for
}

type finding struct {
	rank      rank
	violation Violation
}

// add reports that what is at a place is not what was expected.
func (f *findings) add(at place, r rank, expected, actual string) {
	if !at.present {
		actual = missing
		if r == rankType {
			r = rankOther // null was held against the schema; an enum says more
		}
	}
	have, ok := f.byField[at.pointer]
	if ok && have.rank <= r {
		return
	}
	if !ok {
		written, _ := jsontext.AppendQuote(nil, at.pointer)
		f.pointerBytes += len(written)
		if len(f.byField) == maxFindings || f.pointerBytes > maxPointerBytes {
			f.more = true
			return
		}
	}
	if f.byField == nil {
		f.byField = make(map[string]finding)
	}
	f.byField[at.pointer] = finding{rank: r, violation: Violation{Field: at.pointer, Expected: expected, Actual: actual}}
}

func (f *findings) empty() bool { return len(f.byField) == 0 && !f.more }

// violations returns what was found by pointer, with items in the order of their
// indexes.
func (f *findings) violations() []Violation {
	if f.empty() {
		return nil
	}
	violations := make([]Violation, 0, len(f.byField)+1)
	for _, one := range f.byField {
		violations = append(violations, one.violation)
	}
	slices.SortFunc(violations, func(a, b Violation) int { return comparePointers(a.Field, b.Field) })
	if f.more {
		violations = append(violations, Violation{Expected: "fewer faults than a list can hold", Actual: "more faults than these"})
	}
	return violations
}

// comparePointers orders pointers step by step: indexes by number, before names by text.
func comparePointers(a, b string) int {
	for a != "" && b != "" {
		var stepA, stepB string
		stepA, a = cutStep(a)
		stepB, b = cutStep(b)
		if c := compareSteps(stepA, stepB); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// cutStep returns the first step of a pointer that is not empty, and the rest.
func cutStep(pointer string) (step, rest string) {
	if i := strings.IndexByte(pointer[1:], '/'); i >= 0 {
		return pointer[1 : 1+i], pointer[1+i:]
	}
	return pointer[1:], ""
}

func compareSteps(a, b string) int {
	i, errA := strconv.Atoi(a)
	j, errB := strconv.Atoi(b)
	switch {
	case errA == nil && errB == nil:
		return cmp.Or(cmp.Compare(i, j), strings.Compare(a, b))
	case errA == nil:
		return -1
	case errB == nil:
		return +1
	}
	return strings.Compare(a, b)
}
