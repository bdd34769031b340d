package search

import (
	"slices"
	"strings"
)

// likeness is how a word of a document is like one that is asked for.
type likeness uint8

const (
	unlike likeness = iota
	alike           // but for some letters
	longer          // it begins with it
	same
)

// perWord is what a word is worth that is the whole name of a document.
const perWord = 1200

// nameBonus is divided among the words of a name: of two names that have a word, the
// shorter one has more of it.
const nameBonus = 200

// worth returns what a word is worth, by its likeness and the best of the places where it
// stands. It is never 0.
func worth(how likeness, in field) int {
	best := 0
	for i, weight := range [fields]int{1000, 800, 700, 500, 400, 300} {
		if in&(1<<i) != 0 {
			best = max(best, weight)
		}
	}
	switch how {
	case same:
		return best
	case longer:
		return best * 6 / 10
	default:
		return best * 3 / 10
	}
}

// nameWorth is what is added for a word that stands in a name of so many words.
func nameWorth(words int) int { return nameBonus / max(words, 1) }

// like returns how a word of a document is like the one that is asked for.
func (g *grid) like(word string) likeness {
	switch rest, longerOrSame := strings.CutPrefix(word, g.text); {
	case longerOrSame && rest == "":
		return same
	case longerOrSame:
		return longer
	case g.typos > 0 && g.near(word):
		return alike
	default:
		return unlike
	}
}

// Score returns what a document scores: 0 where it does not match. It is a function of the
// query and the document alone. Without words to find, all that match score 1.
func (q *Query) Score(d Document) int {
	for _, labels := range q.labels {
		if !slices.ContainsFunc(labels, func(l string) bool { return slices.Contains(d.labels, l) }) {
			return 0
		}
	}
	if !q.asks {
		return 1
	}
	sum, found := 0, 0
	for _, a := range q.words {
		best, g := 0, newGrid(a)
		for _, w := range d.words {
			how := g.like(w.text)
			if how == unlike {
				continue
			}
			points := worth(how, w.in)
			if how == same && w.in&inName != 0 {
				points += nameWorth(d.name)
			}
			best = max(best, points)
		}
		if best > 0 {
			sum, found = sum+best, found+1
		}
	}
	if found == 0 || found < q.need {
		return 0
	}
	if d.id == q.id {
		sum += q.idWorth()
	}
	return sum
}

// idWorth is what is added where the query is the document's id: more than words can be
// worth.
func (q *Query) idWorth() int { return perWord * len(q.words) }

// Percent returns a score as a share of what the words of the query can be worth, from 1
// to 100, and 0 for 0.
func (q *Query) Percent(score int) int {
	switch {
	case score == 0:
		return 0
	case len(q.words) == 0:
		return 100
	default:
		return min(max(score*100/(perWord*len(q.words)), 1), 100)
	}
}
