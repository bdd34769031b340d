package protocol

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// warnings lists the oddities of a document that break no rule, by pointer.
func (v *Validator) warnings(kind Kind, document map[string]any) []Warning {
	var all []Warning
	whole := wholeOf(document)
	budget := maxUnknownNames
	warnMisspelt(v.shapes[kind], whole, &budget, &all)
	if kind == KindDescriptor {
		warnOpen(whole, &all)
	}
	slices.SortFunc(all, func(a, b Warning) int {
		return cmp.Or(comparePointers(a.Field, b.Field), strings.Compare(a.Message, b.Message))
	})
	return all
}

// warnOpen warns of a skill that not everyone may invoke while its endpoint lets them.
func warnOpen(descriptor place, all *[]Warning) {
	access, _ := descriptor.child("access").value.(string)
	authType := descriptor.child("auth").child("type")
	if authType.value == "none" && (access == string(Restricted) || access == string(Private)) {
		*all = append(*all, Warning{
			Field:   authType.pointer,
			Message: "access is " + access + ", but with auth type none the endpoint lets everyone invoke the skill",
		})
	}
}

// maxUnknownNames is how many members that the schema does not name are looked at in one
// document: comparing names costs time, and who slips does so a few times.
const maxUnknownNames = 200

// warnMisspelt warns of members that the schema does not name, where they come so close
// to one that it names and that is not there that a slip is likely. It looks at as many as
// the budget has left, in the order of their names.
func warnMisspelt(s *shape, at place, budget *int, all *[]Warning) {
	if s == nil {
		return
	}
	for i := range at.items() {
		warnMisspelt(s.items, at.item(i), budget, all)
	}
	object, _ := at.value.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if inner, known := s.members[name]; known {
			warnMisspelt(inner, at.child(name), budget, all)
			continue
		}
		if *budget == 0 {
			continue
		}
		*budget--
		for _, meant := range slices.Sorted(maps.Keys(s.members)) {
			if _, there := object[meant]; !there && looksLike(name, meant) {
				*all = append(*all, Warning{
					Field:   at.child(name).pointer,
					Message: "the protocol has no member " + showString(name) + " here; is it meant to be " + meant + "?",
				})
				break
			}
		}
	}
}

// looksLike reports whether name is likely to be a slip for meant: the same letters in
// another case or with other separators, or one slip away from it, two for a long name.
func looksLike(name, meant string) bool {
	if len(name) > 2*len(meant)+4 {
		return false // too long to be compared letter by letter
	}
	plain := strings.NewReplacer("_", "", "-", "", " ", "", ".", "")
	a, b := strings.ToLower(plain.Replace(name)), strings.ToLower(plain.Replace(meant))
	return a == b || slips(a, b) <= min(2, (len(b)+1)/4)
}

// slips counts how many letters must be changed, added, left out or swapped with their
// neighbour to get from a to b.
func slips(a, b string) int {
	// Three rows of the table of distances between beginnings of a and b.
	var before, last []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			change := 1
			if a[i] == b[j] {
				change = 0
			}
			row[j+1] = min(last[j]+change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
