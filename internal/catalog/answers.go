package catalog

import "sync"

// answers are the indexes of one snapshot that those who see nothing private asked for:
// few, and asked for most of the time. What is kept of each are the pieces that it is put
// together from, and its tag.
type answers struct {
	mu   sync.RWMutex
	made map[IndexQuery]answer
}

type answer struct {
	entity *Entity
	next   string
}

// mostAnswers bounds how many are kept.
const mostAnswers = 1000

func newAnswers() *answers { return &answers{made: make(map[IndexQuery]answer)} }

func (a *answers) get(q IndexQuery) (answer, bool) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	found, ok := a.made[q]
	return found, ok
}

func (a *answers) put(q IndexQuery, made answer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.made) < mostAnswers {
		a.made[q] = made
	}
}
