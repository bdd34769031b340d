package search

import (
	"slices"
	"strings"
)

// Text is what a document is found by.
type Text struct {
	ID, Name, Provider, Description string
	Tags                            []string
	// Inputs are the names and descriptions of inputs.
	Inputs []string
}

// field is where a word stands, and a set of such places.
type field uint8

const (
	inName field = 1 << iota
	inTags
	inID
	inProvider
	inDescription
	inInputs

	fields = 6
)

// mostWords is how many words of a document count; those behind them don't.
const mostWords = 4000

// Document is a text taken apart.
type Document struct {
	id     string
	name   int          // how many words its name has
	words  []occurrence // by their texts, each once
	labels []string     // tags and provider, as filters ask for them
}

// occurrence is a word of a document, and where it stands.
type occurrence struct {
	text string
	in   field
}

// NewDocument takes a text apart.
func NewDocument(t Text) Document {
	d := Document{id: t.ID}
	add := func(text string, in field) {
		for word := range words(text, true) {
			if len(d.words) == mostWords {
				return
			}
			d.words = append(d.words, occurrence{word, in})
		}
	}
	add(t.Name, inName)
	for range words(t.Name, false) {
		d.name++
	}
	for _, tag := range t.Tags {
		add(tag, inTags)
		d.labels = append(d.labels, tagLabel(tag))
	}
	add(t.ID, inID)
	add(t.Provider, inProvider)
	d.labels = append(d.labels, providerLabel(t.Provider))
	add(t.Description, inDescription)
	for _, input := range t.Inputs {
		add(input, inInputs)
	}
	d.words = once(d.words)
	slices.Sort(d.labels)
	d.labels = slices.Compact(d.labels)
	return d
}

// once sorts words, and makes one of those that are the same.
func once(words []occurrence) []occurrence {
	slices.SortFunc(words, func(a, b occurrence) int { return strings.Compare(a.text, b.text) })
	kept := words[:0]
	for _, w := range words {
		if n := len(kept); n > 0 && kept[n-1].text == w.text {
			kept[n-1].in |= w.in
			continue
		}
		kept = append(kept, w)
	}
	return kept
}
