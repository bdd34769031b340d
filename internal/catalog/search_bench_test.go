package catalog_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/search"
	"github.com/skillregistry/skillregistry/internal/store"
)

// library publishes skills whose texts are made of 20,000 words, of which few are common
// and most are rare, as in a language.
func library(b *testing.B, skills int) *shelfSource {
	b.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	syllables := []string{"ta", "ri", "mo", "ken", "su", "lo", "ver", "pa", "ni", "dor", "es", "wa", "chi", "lan", "ge", "tu", "fi", "bra", "xe", "qui"}
	vocabulary := make([]string, 20_000)
	for i := range vocabulary {
		n := 1 + random.IntN(2) + len(fmt.Sprint(i))/2
		for range n {
			vocabulary[i] += syllables[random.IntN(len(syllables))]
		}
	}
	vocabulary[0], vocabulary[1], vocabulary[100], vocabulary[15_000] = "the", "weather", "translation", "zebrafinder"
	zipf := rand.NewZipf(random, 1.1, 4, uint64(len(vocabulary)-1))
	words := func(n int) string {
		text := make([]string, n)
		for i := range text {
			text[i] = vocabulary[zipf.Uint64()]
		}
		return strings.Join(text, " ")
	}
	s := &shelfSource{}
	for i := range skills {
		d := version(fmt.Sprintf("com.%s.%s-%d", words(1), words(1), i), "1.0.0").descriptor()
		d.Name, d.Description, d.Tags = words(3), words(40), strings.Fields(words(3))
		d.Provider.Name = "The " + words(2)
		for range 3 {
			says := words(6)
			d.Inputs = append(d.Inputs, protocol.Parameter{Name: words(1), Type: "string", Description: &says})
		}
		document, err := protocol.Serialize(d)
		if err != nil {
			b.Fatal(err)
		}
		s.write(store.Change{Version: &store.Version{SkillID: d.ID, Version: d.Version, Access: d.Access, Status: access.Active, Document: document}})
	}
	return s
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkSearch is a page of 20 out of 100,000 skills, without the network; and what the
// first search of all takes, in time and in memory.
func BenchmarkSearch(b *testing.B) {
	const skills = 100_000
	source := library(b, skills)
	view := snapshot(b, open(b, source, options()))
	before, began := heap(), time.Now()
	ask := func(b *testing.B, text string, q catalog.SearchQuery) *catalog.Entity {
		q.Limit = 20
		if q.Match = search.Words(text); q.Types == 0 && strings.HasPrefix(text, "tag ") {
			q.Match = search.Words("")
			q.Match.Tagged(strings.TrimPrefix(text, "tag "))
		}
		e, _, err := view.Search(b.Context(), access.Caller{}, q)
		if err != nil {
			b.Fatal(err)
		}
		return e
	}
	ask(b, "weather", catalog.SearchQuery{})
	took, memory := time.Since(began), heap()-before
	b.Run("first", func(b *testing.B) {
		for b.Loop() { // it was the one above
		}
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(took.Seconds(), "s")
		b.ReportMetric(float64(memory)/skills, "B/skill")
	})
	for _, text := range []string{
		"the", "zebrafinder", "trans", "t", "translatoin", "weather", "weather translation the", "tag weather", "",
		"a b c d e f g h i j k l m n o p", "weathre translatoin zebrafnider tamorike quibraxe lanverpani dorestu wachilan moken sulover panidor estawachi langetufi braxequi tarimoken venidores",
	} {
		b.Run(fmt.Sprintf("q=%.30s", text), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := ask(b, text, catalog.SearchQuery{}).WriteTo(io.Discard, false); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
