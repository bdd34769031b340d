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

// BenchmarkSurface is what those cost who ask for a surface: the first of a process, the
// first after a publication, everyone else, and who sees something private, too.
func BenchmarkSurface(b *testing.B) {
	const skills = 10_000
	surfaces := map[string]catalog.Surface{
		"agent skills": catalog.AgentSkills, "AI catalog": catalog.AICatalog, "llms.txt": catalog.LLMsText,
	}
	for name, surface := range surfaces {
		s := filled(b, skills)
		draw := func(view *catalog.Snapshot, c access.Caller) {
			if err := view.Surface(c, surface).WriteTo(io.Discard, false); err != nil {
				b.Fatal(err)
			}
		}
		b.Run(name+"/first", func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				view := snapshot(b, open(b, s, options()))
				b.StartTimer()
				draw(view, access.Caller{})
			}
		})
		c := open(b, s, options())
		draw(snapshot(b, c), access.Caller{})
		b.Run(name+"/after a publication", func(b *testing.B) {
			n := 0
			for b.Loop() {
				b.StopTimer()
				n++
				s.publish(b, version(skillID(n%skills), fmt.Sprintf("1.%d.0", n)))
				view := snapshot(b, c)
				b.StartTimer()
				draw(view, access.Caller{})
			}
		})
		view := snapshot(b, c)
		b.Run(name+"/again", func(b *testing.B) {
			for b.Loop() {
				draw(view, access.Caller{})
			}
		})
		b.Run(name+"/administrator", func(b *testing.B) {
			for b.Loop() {
				draw(view, access.Caller{Scopes: []access.Scope{access.Admin}})
			}
		})
	}
}
