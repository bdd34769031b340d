package search_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/search"
)

// ranked returns the ids of the documents that match, best first.
func ranked(q *search.Query, texts ...search.Text) []string {
	var found []search.Text
	for _, t := range texts {
		if q.Score(search.NewDocument(t)) > 0 {
			found = append(found, t)
		}
	}
	slices.SortFunc(found, func(a, b search.Text) int {
		return cmp.Or(cmp.Compare(q.Score(search.NewDocument(b)), q.Score(search.NewDocument(a))), strings.Compare(a.ID, b.ID))
	})
	var ids []string
	for _, t := range found {
		ids = append(ids, t.ID)
	}
	return ids
}

func TestBetterPlacesAndBetterLikenessesComeFirst(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		texts []search.Text // in the order that is wanted
	}{
		{"places", []search.Text{
			{ID: "x.h", Name: "Weather"}, {ID: "x.g", Name: "Weather alerts"}, {ID: "x.f", Tags: []string{"weather"}},
			{ID: "x.weather"}, {ID: "x.d", Provider: "Weather Inc."}, {ID: "x.c", Description: "The weather of today."},
			{ID: "x.b", Inputs: []string{"weather"}},
		}},
		{"likenesses in the name", []search.Text{{ID: "x.c", Name: "Weather"}, {ID: "x.b", Name: "Weatherman"}, {ID: "x.a", Name: "Wether"}}},
		{"likenesses in the description", []search.Text{
			{ID: "x.c", Description: "weather"}, {ID: "x.b", Description: "weathers"}, {ID: "x.a", Description: "weahter"},
		}},
		{"ids", []search.Text{{ID: "x.a", Name: "Weather"}, {ID: "x.b", Name: "Weather"}}},
	} {
		var want []string
		for _, text := range test.texts {
			want = append(want, text.ID)
		}
		if got := ranked(search.Words("weather"), test.texts...); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", test.name, got, want)
		}
	}
}

func TestQueriesFindWhatTheyMean(t *testing.T) {
	t.Parallel()
	text := search.Text{
		ID: "com.example.translate-v1", Name: "Universal Übersetzer", Provider: "Example Corp", Description: "Translates 天気予報 and getUserMail.",
		Tags: []string{"Language", "Machine Learning"}, Inputs: []string{"target_language", "Which language to write in."},
	}
	for _, test := range []struct {
		query string
		found bool
	}{
		{"", true},
		{"  ", true},
		{"universal", true},
		{"UNIVERSAL ubersetzer", true},
		{"Übersetzer", true},
		{"univ üb", true},
		{"univresal", true},
		{"unvresal", true},
		{"unvrsel", false},
		{"langage", true},
		{"corp example", true},
		{"com.example.translate-v1", true},
		{"com.example.translate", true},
		{"translatev1", true},
		{"translate-v2", false},
		{"天気", true},
		{"予", true},
		{"気予報", true},
		{"天報", false},
		{"mail user", true},
		{"getusermail", true},
		{"targetLanguage", true},
		{"universal nothing", false},
		{"!!!", false},
		{"\x00", false},
		{"le", true},
		{"xe", false},
	} {
		if got := search.Words(test.query).Score(search.NewDocument(text)) > 0; got != test.found {
			t.Errorf("the query %q finds it: %t, want %t", test.query, got, test.found)
		}
	}
}

func TestShortWordsAndNumbersHaveNoMistakes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		query, name string
		found       bool
	}{
		{"mpa", "map", false},
		{"mao", "maop", true},
		{"mop", "map", false},
		{"maps", "map", true},
		{"mpas", "maps", true},
		{"2025", "2026", false},
		{"v1000", "v1001", false},
		{"forecast", "foercsat", true},
		{"forecas", "foercsat", false},
	} {
		text := search.Text{ID: "x.a", Name: test.name}
		if got := search.Words(test.query).Score(search.NewDocument(text)) > 0; got != test.found {
			t.Errorf("the query %q finds %q: %t, want %t", test.query, test.name, got, test.found)
		}
	}
}

func TestAnIDAsItIsComesFirst(t *testing.T) {
	t.Parallel()
	got := ranked(search.Words("Com.Example.mail"),
		search.Text{ID: "com.example.mail.box", Name: "com example mail", Tags: []string{"com", "example", "mail"}},
		search.Text{ID: "com.example.mail", Name: "Post"})
	if want := []string{"com.example.mail", "com.example.mail.box"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestSentencesFindWhatIsNeeded(t *testing.T) {
	t.Parallel()
	texts := []search.Text{
		{ID: "x.flight", Name: "Flight booking", Description: "Books flights."},
		{ID: "x.hotel", Name: "Hotel booking"},
		{ID: "x.me", Name: "Me"},
	}
	for _, test := range []struct{ need, want string }{
		{"find me a tool for booking a flight to Tokyo", "x.flight x.hotel"},
		{"book me a flight", "x.flight x.hotel"},
		{"find me", "x.me"},
		{"one two three four five flight", ""},
	} {
		if got := strings.Join(ranked(search.Need(test.need), texts...), " "); got != test.want {
			t.Errorf("who needs %q gets %q, want %q", test.need, got, test.want)
		}
	}
}

func TestFiltersTakeWholeTextsInAnyCase(t *testing.T) {
	t.Parallel()
	d := search.NewDocument(search.Text{ID: "x.a", Name: "A", Tags: []string{"Machine Learning", "fast"}, Provider: "Example Corp"})
	for _, test := range []struct {
		name   string
		filter func(*search.Query)
		found  bool
	}{
		{"a tag", func(q *search.Query) { q.Tagged("machine learning") }, true},
		{"part of a tag", func(q *search.Query) { q.Tagged("machine") }, false},
		{"two tags", func(q *search.Query) { q.Tagged("FAST"); q.Tagged("Machine Learning") }, true},
		{"two tags, one not there", func(q *search.Query) { q.Tagged("fast"); q.Tagged("slow") }, false},
		{"one of two tags", func(q *search.Query) { q.Tagged("slow", "fast") }, true},
		{"none of no tags", func(q *search.Query) { q.Tagged() }, false},
		{"the provider", func(q *search.Query) { q.From("EXAMPLE corp") }, true},
		{"part of the provider", func(q *search.Query) { q.From("Example") }, false},
		{"a provider named as a tag", func(q *search.Query) { q.From("fast") }, false},
	} {
		q := search.Words("")
		test.filter(q)
		if got := q.Score(d) > 0; got != test.found {
			t.Errorf("%s: found %t, want %t", test.name, got, test.found)
		}
	}
}

func TestPercentsAreFromOneToAHundred(t *testing.T) {
	t.Parallel()
	text := search.Text{ID: "com.example.weather", Name: "Weather", Description: "Says what it will be like."}
	for _, test := range []struct {
		query string
		want  int
	}{{"weather", 100}, {"com.example.weather", 100}, {"weathre", 25}, {"lik", 20}, {"nothing", 0}, {"", 100}} {
		q := search.Words(test.query)
		if got := q.Percent(q.Score(search.NewDocument(text))); got != test.want {
			t.Errorf("the query %q: got %d, want %d", test.query, got, test.want)
		}
	}
}
