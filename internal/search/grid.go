package search

import "unicode/utf8"

// grid counts the mistakes between the beginnings of a word and those of another, as far
// as they matter: a letter too many, one too few, one in the place of another, two
// neighbours that changed places.
type grid struct {
	asked
	rows [maxLetters + 3][maxLetters + 2]uint8 // by how many letters of the other, then of the word
	path []rune                                // the letters of the other
}

func newGrid(a asked) *grid {
	g := &grid{asked: a}
	for j := range g.rows[0] {
		g.rows[0][j] = uint8(j)
	}
	return g
}

// near reports whether another word is the word but for its mistakes.
func (g *grid) near(word string) bool {
	if len(word) < len(g.letters)-g.typos {
		return false // it has fewer letters still
	}
	g.path = g.path[:0]
	for at := 0; at < len(word); {
		r, width := utf8.DecodeRuneInString(word[at:])
		g.path, at = append(g.path, r), at+width
		if !g.row(g.path) {
			return false
		}
	}
	return g.mistakes(len(g.path)) <= g.typos
}

// row counts for one letter more of the other word, of which all letters up to here are
// given, and reports whether words that begin with them may be near enough. Only that part
// of a row matters that is no farther from its middle than mistakes are allowed.
func (g *grid) row(other []rune) bool {
	i := len(other)
	most := g.typos
	low, high := i-most, min(i+most, len(g.letters))
	if low > len(g.letters) {
		return false
	}
	here, above := &g.rows[i], &g.rows[i-1]
	tooMany := uint8(most + 1)
	least := tooMany
	if low <= 0 {
		low = 1
		here[0] = uint8(i)
		least = min(least, here[0])
	} else {
		here[low-1] = tooMany
	}
	for j := low; j <= high; j++ {
		differ := uint8(1)
		if g.letters[j-1] == other[i-1] {
			differ = 0
		}
		n := min(above[j-1]+differ, here[j-1]+1)
		if j < i+most { // else above ends before
			n = min(n, above[j]+1)
		}
		if i > 1 && j > 1 && g.letters[j-1] == other[i-2] && g.letters[j-2] == other[i-1] {
			n = min(n, g.rows[i-2][j-2]+1)
		}
		here[j] = n
		least = min(least, n)
	}
	return least <= uint8(most)
}

// mistakes returns how many there are between the word and so many letters of the other.
func (g *grid) mistakes(letters int) int {
	if letters < len(g.letters)-g.typos || letters > len(g.letters)+g.typos {
		return g.typos + 1
	}
	return int(g.rows[letters][len(g.letters)])
}
