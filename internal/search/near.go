package search

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// near yields the places of the words that are a word but for its mistakes; they may be
// among those that begin with it. It goes through the words in their order, and does the
// arithmetic for what two neighbours begin with once; where a beginning has too many
// mistakes already, it leaves out all words with it.
func (x *Index) near(a asked) iter.Seq[int] {
	return func(yield func(int) bool) {
		if a.typos == 0 {
			return
		}
		g := newGrid(a)
		path := g.path // the letters that the rows of the grid stand for
		for place := x.first; place < len(x.words); {
			word := x.words[place]
			shared, at := 0, 0 // letters and bytes
			for shared < len(path) && at < len(word) {
				r, width := utf8.DecodeRuneInString(word[at:])
				if r != path[shared] {
					break
				}
				shared, at = shared+1, at+width
			}
			path = path[:shared]
			hopeless := false
			for at < len(word) && !hopeless {
				r, width := utf8.DecodeRuneInString(word[at:])
				path, at = append(path, r), at+width
				hopeless = !g.row(path)
			}
			if hopeless {
				place = x.longer(place, word[:at])
				continue
			}
			if g.mistakes(len(path)) <= a.typos && !strings.HasPrefix(word, a.text) && !yield(place) {
				return
			}
			place++
		}
	}
}
