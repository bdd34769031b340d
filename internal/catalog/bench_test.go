package catalog_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/catalog"
)

func filled(b *testing.B, skills int) *shelfSource {
	b.Helper()
	s := &shelfSource{}
	for i := range skills {
		s.publish(b, version(skillID(i), "1.0.0"))
	}
	return s
}

// BenchmarkOpen is what the catalog adds to the start of a server.
func BenchmarkOpen(b *testing.B) {
	for _, skills := range []int{1_000, 10_000} {
		b.Run(fmt.Sprintf("skills=%d", skills), func(b *testing.B) {
			s := filled(b, skills)
			for b.Loop() {
				open(b, s, options())
			}
		})
	}
}

// BenchmarkAdvance is what one publish costs the catalog.
func BenchmarkAdvance(b *testing.B) {
	for _, skills := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("skills=%d", skills), func(b *testing.B) {
			s := filled(b, skills)
			c := open(b, s, options())
			s.rows = nil // those before are not the catalog's cost
			n := 0
			for b.Loop() {
				s.rows = s.rows[:0]
				s.publish(b, version(skillID(n%skills), fmt.Sprintf("1.%d.0", n+1)))
				snapshot(b, c)
				n++
			}
		})
	}
}

// BenchmarkIndex is the writing of an index, without the network.
func BenchmarkIndex(b *testing.B) {
	for _, skills := range []int{1_000, 10_000} {
		view := snapshot(b, open(b, filled(b, skills), options()))
		for name, q := range map[string]catalog.IndexQuery{
			"whole":     {},
			"page=100":  {Limit: 100},
			"last page": {Limit: 100, After: skillID(skills - 101)},
		} {
			for _, packed := range []bool{false, true} {
				b.Run(fmt.Sprintf("skills=%d/%s/gzip=%t", skills, name, packed), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						e, _ := view.Index(access.Caller{}, q)
						if err := e.WriteTo(io.Discard, packed); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}
