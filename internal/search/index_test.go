package search_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
	"github.com/skillregistry/skillregistry/internal/search"
)

// vocabulary are words that are near each other in every way.
func vocabulary() []string {
	return []string{
		"weather", "weathers", "feather", "wether", "weahter", "web", "we", "w", "forecast", "forecasts", "froecats", "forecaster",
		"getUserWeather", "user_id", "user-id", "userId", "天気予報", "天気", "気", "予報", "Übersetzer", "ubersetzer", "2026", "2025",
		"v1", "com", "example", "ab", "ba", "abcd", "abdc", "bacd", "ไทย", "날씨", "😀", "a-b-c", strings.Repeat("long", 20),
	}
}

func drawText(t *rapid.T, id string) search.Text {
	words := func(label string, most int) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary()), 0, most).Draw(t, label), " ")
	}
	return search.Text{
		ID: id, Name: words("name", 3), Provider: words("provider", 1), Description: words("description", 6),
		Tags:   rapid.SliceOfN(rapid.SampledFrom(vocabulary()), 0, 3).Draw(t, "tags"),
		Inputs: rapid.SliceOfN(rapid.SampledFrom(vocabulary()), 0, 3).Draw(t, "inputs"),
	}
}

func drawQuery(t *rapid.T) *search.Query {
	word := rapid.OneOf(rapid.SampledFrom(vocabulary()), rapid.SampledFrom(vocabulary()), rapid.StringMatching(`[a-e]{1,5}`), rapid.String(), rapid.StringMatching(`com\.example\.[0-4]`))
	text := strings.Join(rapid.SliceOfN(word, 0, 3).Draw(t, "query"), " ")
	q := search.Words(text)
	if rapid.Bool().Draw(t, "sentence") {
		q = search.Need(text)
	}
	for range rapid.IntRange(0, 2).Draw(t, "tags") {
		q.Tagged(rapid.SliceOfN(rapid.SampledFrom(vocabulary()), 1, 3).Draw(t, "tag")...)
	}
	if rapid.IntRange(0, 3).Draw(t, "from") == 0 {
		q.From(rapid.SampledFrom(vocabulary()).Draw(t, "provider"))
	}
	return q
}

// An index finds exactly what a look at each document does.
func TestIndexAgreesWithALookAtEachDocument(t *testing.T) {
	t.Parallel()
	matches := 0
	protocoltest.Check(t, func(t *rapid.T) {
		var documents []search.Document
		for i := range rapid.IntRange(0, 12).Draw(t, "documents") {
			documents = append(documents, search.NewDocument(drawText(t, fmt.Sprintf("com.example.%02d", i))))
		}
		x := search.NewIndex(slices.Values(documents))
		for range 20 {
			q := drawQuery(t)
			want, got := make([]int, len(documents)), make([]int, len(documents))
			for i, d := range documents {
				if want[i] = q.Score(d); want[i] > 0 {
					matches++
				}
			}
			x.Find(q, func(scores []uint16) {
				for i, score := range scores {
					got[i] = int(score)
				}
			})
			if !slices.Equal(got, want) {
				t.Fatalf("for %+v the index scores %v, want %v", q, got, want)
			}
		}
	})
	if matches < 500 {
		t.Errorf("there were %d matches in all, want enough to compare", matches)
	}
}

// Every word of a large vocabulary is found with its mistakes, and no other.
func TestIndexFindsMistakesAsALookAtEachDocumentDoes(t *testing.T) {
	t.Parallel()
	protocoltest.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfNDistinct(rapid.StringMatching(`[ab]{3,9}|[a-cé]{5,12}`), 1, 60, rapid.ID[string]).Draw(t, "words")
		var documents []search.Document
		for i, word := range words {
			documents = append(documents, search.NewDocument(search.Text{ID: fmt.Sprintf("x.%02d", i), Name: word}))
		}
		x := search.NewIndex(slices.Values(documents))
		q := search.Words(rapid.OneOf(rapid.SampledFrom(words), rapid.StringMatching(`[ab]{4,10}`)).Draw(t, "query"))
		got := make([]int, len(words))
		x.Find(q, func(scores []uint16) {
			for i, score := range scores {
				got[i] = int(score)
			}
		})
		for i, d := range documents {
			if want := q.Score(d); got[i] != want {
				t.Fatalf("%q scores %d, want %d", words[i], got[i], want)
			}
		}
	})
}

// What costs most is bounded, whatever is asked.
func TestHostileQueriesEndSoon(t *testing.T) {
	t.Parallel()
	var documents []search.Document
	for i := range 2000 {
		documents = append(documents, search.NewDocument(search.Text{ID: fmt.Sprintf("x.%05d", i), Name: fmt.Sprintf("%x %x", i*7919, i*104729), Description: strings.Repeat("abcdefgh ", 20)}))
	}
	x := search.NewIndex(slices.Values(documents))
	for _, text := range []string{
		strings.Repeat("a", 1<<20), strings.Repeat("a b c d e f g h i j k l m n o p q r s t u v w x y z ", 1<<12), strings.Repeat("天", 1<<16),
		strings.Repeat("abcdefghijkl abcdefghijkm ", 1<<14), strings.Repeat("a-", 1<<18), strings.Repeat("Ab", 1<<18), strings.Repeat("e\u0301", 1<<18),
	} {
		began := time.Now()
		x.Find(search.Words(text), func([]uint16) {})
		search.NewDocument(search.Text{Description: text})
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%.20q, %d bytes of it, took %s", text, len(text), took)
		}
	}
}
