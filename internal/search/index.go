package search

import (
	"iter"
	"slices"
	"sort"
	"strings"
	"sync"
)

// Index finds which of its documents match a query, and what each scores. It never
// changes, and may be used from many goroutines.
type Index struct {
	ids   []string // in their order; a document's place there is its number
	names []uint8  // how many words the name of each document has, 255 at most
	// words are those of all documents, sorted, labels first.
	words []string
	// from is where the postings of each word begin, and at its end where the last ones end.
	from     []uint32
	postings []posting
	first    int // the first word that is no label
	desks    sync.Pool
}

// posting is the number of a document that has a word, and where it stands there.
type posting uint32

func newPosting(number int, in field) posting { return posting(number<<fields | int(in)) }
func (p posting) number() int                 { return int(p >> fields) }
func (p posting) in() field                   { return field(p & (1<<fields - 1)) }

// mostDocuments is how many documents a posting can name.
const mostDocuments = 1 << (32 - fields)

// NewIndex returns the index of documents, which come in the order of their ids. It takes
// no more than 67 million of them.
func NewIndex(documents iter.Seq[Document]) *Index {
	x := &Index{}
	numbers := make(map[string]int) // of words, as they come
	var found [][]posting
	note := func(word string, p posting) {
		n, known := numbers[word]
		if !known {
			n = len(found)
			numbers[strings.Clone(word)] = n // the document's own text is not kept for it
			found = append(found, nil)
		}
		found[n] = append(found[n], p)
	}
	total := 0
	for d := range documents {
		number := len(x.ids)
		if number == mostDocuments {
			break
		}
		x.ids = append(x.ids, d.id)
		x.names = append(x.names, uint8(min(d.name, 255)))
		for _, label := range d.labels {
			note(label, newPosting(number, 0))
		}
		for _, w := range d.words {
			note(w.text, newPosting(number, w.in))
		}
		total += len(d.labels) + len(d.words)
	}
	x.ids, x.names = slices.Clip(x.ids), slices.Clip(x.names)
	x.words = make([]string, 0, len(numbers))
	for word := range numbers {
		x.words = append(x.words, word)
	}
	slices.Sort(x.words)
	x.postings = make([]posting, 0, total)
	x.from = make([]uint32, 0, len(x.words)+1)
	for _, word := range x.words {
		x.from = append(x.from, uint32(len(x.postings)))
		x.postings = append(x.postings, found[numbers[word]]...)
	}
	x.from = append(x.from, uint32(len(x.postings)))
	x.words = joined(x.words)
	x.first = x.after(firstWord)
	return x
}

// joined returns the same words cut out of one text, which takes less memory.
func joined(words []string) []string {
	text := strings.Join(words, "")
	cut := make([]string, len(words))
	for i, word := range words {
		cut[i], text = text[:len(word)], text[len(word):]
	}
	return cut
}

// Len returns how many documents there are.
func (x *Index) Len() int { return len(x.ids) }

// ID returns the id of a document.
func (x *Index) ID(number int) string { return x.ids[number] }

// Number returns the number of the first document whose id is not before the given one,
// and reports whether it is that one's.
func (x *Index) Number(id string) (number int, found bool) { return slices.BinarySearch(x.ids, id) }

// after returns the place of the first word that is not before the given one.
func (x *Index) after(word string) int { return sort.SearchStrings(x.words, word) }

// of returns the postings of a word, by its place.
func (x *Index) of(place int) []posting { return x.postings[x.from[place]:x.from[place+1]] }

// longer returns the place behind the words from the given one on that begin with a text.
// It looks near the place first: there are few, mostly.
func (x *Index) longer(place int, begin string) int {
	step := 1
	for place+step < len(x.words) && strings.HasPrefix(x.words[place+step], begin) {
		place += step
		step *= 2
	}
	rest := x.words[place:min(place+step, len(x.words))]
	return place + sort.Search(len(rest), func(i int) bool { return !strings.HasPrefix(rest[i], begin) })
}
