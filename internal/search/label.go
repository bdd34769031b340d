package search

import (
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// A label is a whole text that a filter asks for, whatever its case. It begins as no word
// does, so that an index has both in one list, labels first.
const (
	tagMark      = "\x00t"
	providerMark = "\x00p"
	firstWord    = "\x01"
)

func tagLabel(tag string) string       { return tagMark + label(tag) }
func providerLabel(name string) string { return providerMark + label(name) }

func label(text string) string { return norm.NFC.String(cases.Fold().String(text)) }
