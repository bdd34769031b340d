package main

import (
	"cmp"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// position is a place in a text as editors count: lines from 1, and columns from 1 in UTF-16
// code units. The zero value is none.
type position struct {
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
}

// positionsAt returns the positions behind so many bytes of a text, at its end at most. It
// goes over the text once.
func positionsAt(text []byte, offsets []int64) []position {
	order := make([]int, len(offsets))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(offsets[a], offsets[b]) })
	found := make([]position, len(offsets))
	p, done := position{Line: 1, Column: 1}, int64(0)
	for _, i := range order {
		end := min(max(offsets[i], 0), int64(len(text)))
		for done < end {
			r, size := utf8.DecodeRune(text[done:])
			if done += int64(size); r == '\n' {
				p = position{Line: p.Line + 1, Column: 1}
			} else {
				p.Column += max(utf16.RuneLen(r), 1)
			}
		}
		found[i] = p
	}
	return found
}
