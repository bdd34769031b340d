package httpapi

import (
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
)

// requestIDs makes the ids of requests that come without one. Ids are random rather
// than counted, so that they say nothing about the requests of others. Safe for
// concurrent use.
type requestIDs struct {
	mu     sync.Mutex
	stream *rand.ChaCha8
}

func newRequestIDs(random io.Reader) (*requestIDs, error) {
	var seed [32]byte
	if _, err := io.ReadFull(random, seed[:]); err != nil {
		return nil, fmt.Errorf("seeding the request ids: %w", err)
	}
	return &requestIDs{stream: rand.NewChaCha8(seed)}, nil
}

// of returns the request's own id where it is one, and else a new one.
func (g *requestIDs) of(header string) string {
	if validRequestID(header) {
		return header
	}
	g.mu.Lock()
	a, b := g.stream.Uint64(), g.stream.Uint64()
	g.mu.Unlock()
	var bytes [15]byte
	binary.BigEndian.PutUint64(bytes[:], a)
	binary.BigEndian.PutUint64(bytes[7:], b)
	var text [24]byte
	base32.HexEncoding.Encode(text[:], bytes[:])
	return string(text[:])
}

// validRequestID reports whether id is 1 to 64 letters, digits, '-', '_' or '.'.
func validRequestID(id string) bool {
	if len(id) < 1 || len(id) > 64 {
		return false
	}
	for i := range len(id) {
		switch c := id[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.':
		default:
			return false
		}
	}
	return true
}
