package search

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

func TestWordsAreWhatPeopleLookFor(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, found, asked string }{
		{"Weather, today!", "weather today", "weather today"},
		{"getUserWeather", "getuserweather get user weather", "getuserweather"},
		{"get_user-id.v2", "getuserid get user id v2", "get user id v2"},
		{"HTTPServer OAuth2", "httpserver http server oauth2 auth2", "httpserver oauth2"},
		{"GitHub", "github git hub", "github"},
		{"Crème brûlée", "creme brulee", "creme brulee"},
		{"Straße ÆØÅ Łódź", "strasse aeoa lodz", "strasse aeoa lodz"},
		{"ＦＵＬＬ ﬁne ①", "full fine 1", "full fine 1"},
		{"天気予報", "天気 気予 予報 報", "天気 気予 予報"},
		{"天", "天", "天"},
		{"サーバー", "サー ーバ バー ー", "サー ーバ バー"},
		{"がら", "がら ら", "がら"},
		{"天気API", "天気 気 api", "天気 api"},
		{"날씨 예보", "날씨 예보", "날씨 예보"},
		{"हिन्दी", "हिन्दी", "हिन्दी"},
		{"ПРОГНОЗ погоды", "прогноз погоды", "прогноз погоды"},
		{"مَرحبا", "مرحبا", "مرحبا"},
		{"😀 fun", "😀 fun", "😀 fun"},
		{"a\xffb \x00 \xed\xa0\x80", "a b", "a b"},
		{"", "", ""},
		{strings.Repeat("é", 70), strings.Repeat("e", 64), strings.Repeat("e", 64)},
	} {
		for _, parts := range []bool{true, false} {
			want := strings.Fields(test.asked)
			if parts {
				want = strings.Fields(test.found)
			}
			if got := slices.Collect(words(test.text, parts)); !slices.Equal(got, want) {
				t.Errorf("words(%q, %t) = %q, want %q", test.text, parts, got, want)
			}
		}
	}
}

// A grid says what the whole table of mistakes does, whatever it was used for before.
func TestGridsCountByTheBook(t *testing.T) {
	t.Parallel()
	close := 0
	protocoltest.Check(t, func(t *rapid.T) {
		word := rapid.OneOf(rapid.StringMatching(`[ab]{4,8}`), rapid.StringMatching(`[ab]{4,8}`), rapid.StringMatching(`[aé]{61,64}`))
		a := newAsked(word.Draw(t, "asked"))
		g := newGrid(a)
		for _, other := range rapid.SliceOfN(word, 20, 40).Draw(t, "others") {
			want := nearByTheBook(a.letters, []rune(other), a.typos)
			if got := g.near(other); got != want {
				t.Fatalf("%q is near %q: %t, want %t", other, a.text, got, want)
			}
			if want {
				close++
			}
		}
	})
	if close < 100 {
		t.Errorf("only %d pairs were near each other", close)
	}
}

func TestMistakesAreCounted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"weather", "weather", 0},
		{"weather", "weahter", 1},
		{"weather", "wether", 1},
		{"weather", "weatther", 1},
		{"weather", "feather", 1},
		{"weather", "wetaer", 2},
		{"translate", "trnaslaet", 2},
		{"translate", "trnslaet", 2},
		{"abcd", "badc", 2},
		{"abcd", "dcba", 3},
	} {
		least := 0
		for !nearByTheBook([]rune(test.a), []rune(test.b), least) {
			least++
		}
		if least != test.want {
			t.Errorf("between %s and %s there are %d mistakes, want %d", test.a, test.b, least, test.want)
		}
	}
}

// nearByTheBook is what a grid counts, all of it.
func nearByTheBook(a, b []rune, mistakes int) bool {
	if len(a)-len(b) > mistakes || len(b)-len(a) > mistakes {
		return false
	}
	var rows [3][maxLetters + 1]int // of the letter before the last, the last and this one of b
	for j := range a {
		rows[0][j+1] = j + 1
	}
	for i := range b {
		here, above, before := &rows[(i+1)%3], &rows[i%3], &rows[(i+2)%3]
		here[0] = i + 1
		for j := range a {
			differ := 1
			if a[j] == b[i] {
				differ = 0
			}
			here[j+1] = min(above[j]+differ, above[j+1]+1, here[j]+1)
			if i > 0 && j > 0 && a[j] == b[i-1] && a[j-1] == b[i] {
				here[j+1] = min(here[j+1], before[j-1]+1)
			}
		}
	}
	return rows[len(b)%3][len(a)] <= mistakes
}
