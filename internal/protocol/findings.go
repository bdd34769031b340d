package protocol

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// rank orders the faults of one member: only the first is reported, because the others
// follow from it or would be met one after the other anyway.
type rank int

const (
	rankType rank = iota
	rankEnum
	rankSize
	rankForm
	rankRule // what the schema can't say
	rankOther
	rankRequired
)

// findings gathers the violations of one document, one for each member.
type findings struct {
	byField map[string]finding
}

type finding struct {
	rank      rank
	path      []string
	violation Violation
}

func (f *findings) add(at place, r rank, expected, actual string) {
	if !at.present {
		actual = missing
	}
	if have, ok := f.byField[at.pointer]; ok && have.rank <= r {
		return
	}
	if f.byField == nil {
		f.byField = make(map[string]finding)
	}
	f.byField[at.pointer] = finding{
		rank:      r,
		path:      strings.Split(at.pointer, "/"),
		violation: Violation{Field: at.pointer, Expected: expected, Actual: actual},
	}
}

func (f *findings) len() int { return len(f.byField) }

// violations returns what was found by pointer, with items in the order of their
// indexes.
func (f *findings) violations() []Violation {
	if len(f.byField) == 0 {
		return nil
	}
	all := make([]finding, 0, len(f.byField))
	for _, one := range f.byField {
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b finding) int { return slices.CompareFunc(a.path, b.path, compareSteps) })
	violations := make([]Violation, len(all))
	for i, one := range all {
		violations[i] = one.violation
	}
	return violations
}

// compareSteps orders steps of pointers: indexes by number, before names.
func compareSteps(a, b string) int {
	i, errA := strconv.Atoi(a)
	j, errB := strconv.Atoi(b)
	switch {
	case errA == nil && errB == nil:
		return cmp.Or(cmp.Compare(i, j), strings.Compare(a, b))
	case errA == nil:
		return -1
	case errB == nil:
		return 1
	}
	return strings.Compare(a, b)
}

// escape makes a name a step of a JSON Pointer.
func escape(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// index reads name as an index of an array of the given length.
func index(name string, length int) (int, bool) {
	i, err := strconv.Atoi(name)
	return i, err == nil && 0 <= i && i < length
}
