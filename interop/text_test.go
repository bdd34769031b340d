package interop

import (
	"fmt"
	"strings"
	"testing"
)

// text is what a publisher wrote, and how a client is to show it.
type text struct{ written, shown string }

// texts are those that YAML, a terminal or a careless client takes for something else.
func texts() map[string]text {
	as := func(s string) text { return text{s, s} }
	return map[string]text{
		"colons":                  as("Translate: fast, and well: always"),
		"quotes":                  as(`He said "it's", 'twice', and ''once''`),
		"backslashes":             as(`C:\new\table, \u0041 and a last \`),
		"a comment":               as("Finds #1 # of all"),
		"only a comment":          as("# not a heading"),
		"emoji":                   as("Weather 🌦️ for 👩‍👩‍👧‍👦 in 🇳🇱"),
		"right to left":           as("מחפש טקסט — يبحث عن النص"),
		"marks of direction":      as("a \u200fb\u200e c"),
		"a dash before":           as("- not a list"),
		"dashes":                  as("--- three before and --- between"),
		"an end of front matter":  {"First\n---\nname: other\n", "First --- name: other"},
		"lines":                   {"  One\n\n two\tthree\r\nfour ", "One two three four"},
		"a mapping":               as("{name: other, description: [1, 2]}"),
		"a list":                  as("[a, b"),
		"a block":                 as("| folded > text"),
		"an anchor":               as("&anchor *alias !!tag"),
		"a tag":                   as("!!js/function 'function(){}'"),
		"a percentage":            as("%YAML 1.2"),
		"an at sign and backtick": as("@reserved `code` ``more``"),
		"a number":                as("007"),
		"a date":                  as("2001-01-01"),
		"a truth":                 as("yes"),
		"null":                    as("~"),
		"a question":              as("? what: that"),
		"markdown":                as("**bold** [link](javascript:alert(1)) <b>&amp;</b> | cell"),
		"an image and a script":   as("<script>alert(1)</script> ![x](http://example.com/x.png)"),
		"a template":              as("{{name}} ${HOME} $(date) %s %d"),
		"many letters":            {strings.Repeat("x", 10_000), strings.Repeat("x", 1023) + "…"},
		"many words":              {strings.Repeat("word ", 2_000), strings.Repeat("word ", 204) + "wor…"},
		"many emoji":              {strings.Repeat("😀", 2_500), strings.Repeat("😀", 511) + "…"},
		"just as long as may be":  as(strings.Repeat("y", 1024)),
		"a byte order mark":       as("a\ufeffb"),
		"letters of other sizes":  as("ＦＵＬＬ ｗｉｄｔｈ, e\u0301 and é, ǅ, ß, İ"),
	}
}

func TestTextsAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	var skills []skill
	described := make(map[string]string)
	for title, text := range texts() {
		id := fmt.Sprintf("org.text.%s", strings.ReplaceAll(title, " ", "."))
		described[id] = text.shown
		skills = append(skills, skill{id: id, version: "1.0.0", access: "public", text: text.written, auth: "custom"})
	}
	withEach(t, clients(), skills, func(t *testing.T, r *registry, c client, at string) {
		promises := r.promised(t)
		if len(promises) != len(skills) {
			t.Errorf("the registry promises %d skills, want %d", len(promises), len(skills))
		}
		for _, p := range promises {
			if p.description != described[p.id] {
				t.Errorf("the index describes %s by %q, want %q", p.id, p.description, described[p.id])
			}
		}
		wantList(t, c, at, promises)
		c.install(t, at, "")
		wantFolders(t, c.installed(t), files(c, promises))
	})
}
