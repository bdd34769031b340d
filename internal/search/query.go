package search

import (
	"slices"
	"strings"
	"unicode"
)

// mostQueryWords is how many words of a query count; those behind them don't.
const mostQueryWords = 16

// Query is what is searched for. The zero value is met by every document.
type Query struct {
	words []asked
	// asks reports whether there are words to be found, even if none can be.
	asks bool
	// need is how many of the words a document has to have.
	need int
	// id is the query as an id.
	id string
	// labels are the filters: of each list a document has to have one.
	labels [][]string
}

// asked is a word of a query.
type asked struct {
	text    string
	letters []rune
	// typos is how many mistakes may be in it.
	typos int
}

// Words returns the query for documents that have every word of a text. An empty text
// asks for none; one without a word in it finds nothing.
func Words(text string) *Query {
	q := newQuery(text, func(string) bool { return true })
	q.need = len(q.words)
	return q
}

// Need returns the query for what a sentence in natural language asks for: documents that
// have one in three of its words. Words that every English sentence has don't count, if it
// has others.
func Need(text string) *Query {
	q := newQuery(text, func(word string) bool { return !slices.Contains(fillers(), word) })
	if len(q.words) == 0 {
		q = newQuery(text, func(string) bool { return true })
	}
	q.need = (len(q.words) + 2) / 3
	return q
}

func newQuery(text string, counts func(word string) bool) *Query {
	text = strings.TrimSpace(text)
	q := &Query{asks: text != "", id: strings.ToLower(text)}
	for word := range words(text, false) {
		known := func(a asked) bool { return a.text == word }
		if !counts(word) || slices.ContainsFunc(q.words, known) {
			continue
		}
		if len(q.words) == mostQueryWords {
			break
		}
		q.words = append(q.words, newAsked(word))
	}
	return q
}

func newAsked(word string) asked {
	a := asked{text: word, letters: []rune(word)}
	letters := !slices.ContainsFunc(a.letters, func(r rune) bool { return !unicode.IsLetter(r) || isDense(r) })
	switch n := len(a.letters); {
	case !letters || n < 4: // a number with a mistake is another number
	case n < 8:
		a.typos = 1
	default:
		a.typos = 2
	}
	return a
}

// fillers are words that say nothing of what is needed.
func fillers() []string {
	return []string{
		"a", "an", "and", "are", "as", "at", "be", "by", "can", "do", "for", "from", "get", "give", "has", "have", "help",
		"how", "i", "in", "into", "is", "it", "its", "make", "me", "my", "need", "of", "on", "or", "our", "please", "so",
		"some", "that", "the", "then", "there", "this", "to", "up", "us", "use", "using", "want", "we", "what", "when",
		"where", "which", "who", "will", "with", "would", "you", "your", "agent", "agents", "find", "skill", "skills", "tool", "tools",
	}
}

// Tagged adds a filter to the query: a document has to have one of the tags, whatever
// their case.
func (q *Query) Tagged(tags ...string) {
	var labels []string
	for _, tag := range tags {
		labels = append(labels, tagLabel(tag))
	}
	q.labels = append(q.labels, labels)
}

// From adds a filter to the query: a document has to be of the provider, whatever the
// name's case.
func (q *Query) From(provider string) { q.labels = append(q.labels, []string{providerLabel(provider)}) }
