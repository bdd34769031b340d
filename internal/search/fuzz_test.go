package search

import (
	"slices"
	"testing"
)

// FuzzSearch holds that any text can be searched, and for any; that an index scores as a
// look at the document does; and that a text finds itself by each of its words.
func FuzzSearch(f *testing.F) {
	for _, seed := range [][2]string{
		{"weather", "Weather forecast"}, {"getUserMail", "get_user-mail"}, {"天気", "天気予報"}, {"e\u0301", "é"}, {"\xff\x00", "a\xed\xa0\x80b"},
		{"translaet", "translate"}, {"ﷺ", "ß"}, {"İ", "ı"}, {"ーー", "サーバー"}, {"com.example.a", "com.example.a"}, {"a b c d e f g h i j k l m n o p q", "q"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, query, text string) {
		document := NewDocument(Text{ID: "com.example.a", Name: text, Tags: []string{text}, Description: text + " " + query})
		x := NewIndex(slices.Values([]Document{document}))
		for _, q := range []*Query{Words(query), Need(query), Words(text)} {
			want, got := q.Score(document), 0
			x.Find(q, func(scores []uint16) { got = int(scores[0]) })
			if got != want || q.Percent(got) < 0 || q.Percent(got) > 100 {
				t.Errorf("%q in %q: the index scores %d, and a look %d", query, text, got, want)
			}
		}
		if q := Words(text); len(q.words) > 0 && len(text) < mostWords && q.Score(document) == 0 {
			t.Errorf("%q does not find itself", text)
		}
	})
}
