package client_test

import (
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/client"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

func TestASearchIsWalkedBestFirst(t *testing.T) {
	t.Parallel()
	r := serve(t, storetest.SQLite(t))
	admin := open(t, r.url, adminKey)
	for _, s := range [][3]string{{"com.a", "public", "api"}, {"com.b", "public", "task"}, {"com.c", "private", "task"}, {"com.b.translator", "restricted", "api"}} {
		publish(t, admin, s[0], s[1], s[2])
	}
	for _, c := range []struct {
		name  string
		key   string
		query client.SearchQuery
		want  string
	}{
		{"all", "", client.SearchQuery{}, "com.a com.b com.b.translator"},
		{"an id", "", client.SearchQuery{Text: "com.b", PageSize: 1}, "com.b com.b.translator com.a"},
		{"a word of all, one at a time", adminKey, client.SearchQuery{Text: "translatro", PageSize: 1}, "com.a com.b com.b.translator com.c"},
		{"a type", "", client.SearchQuery{Text: "Translator", Types: []string{"task", "plugin"}}, "com.b"},
		{"a provider", "", client.SearchQuery{Provider: "example corp", PageSize: 2}, "com.a com.b com.b.translator"},
		{"another provider", "", client.SearchQuery{Provider: "Example"}, ""},
		{"tags", "", client.SearchQuery{Tags: []string{"a", "b"}}, ""},
	} {
		var got []string
		for entry, err := range open(t, r.url, c.key).Search(t.Context(), c.query) {
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			got = append(got, entry.ID)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %v, want %s", c.name, got, c.want)
		}
	}
	for _, err := range admin.Search(t.Context(), client.SearchQuery{Text: strings.Repeat("x", 501)}) {
		if status(err) != 400 {
			t.Errorf("a text too long: got %v, want 400", err)
		}
	}
}
