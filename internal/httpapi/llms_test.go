package httpapi_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

func TestLLMsTextListsTheSkills(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		if text := string(g.get("/llms.txt").wantStatus(200).wantHeader("Content-Type", "text/plain; charset=utf-8").body); !strings.HasPrefix(text, "# Tests\n\n> ") {
			t.Errorf("it begins %.60q, want a title and a summary", text)
		}
		g.published([4]string{"com.example.b", "1.0.0", "public", "api"}, [4]string{"com.example.hidden", "1.0.0", "private", "api"})
		odd := protocoltest.Tree("com.example.a", "1.0.0", "public", "api")
		odd["name"], odd["description"] = `A [link](x) \`, "In two\n\nlines: 😀"
		g.publish(marshal(t, odd)).wantStatus(201)
		text := string(g.get("/llms.txt").wantStatus(200).body)
		_, list, _ := strings.Cut(text, "\n## Skills\n\n")
		want := []string{
			`- [A \[link\](x) \\](` + g.base + `/.well-known/skills/com-example-a/SKILL.md): In two lines: 😀`,
			"- [",
		}
		lines := strings.Split(strings.TrimSuffix(list, "\n"), "\n")
		if len(lines) != 2 || lines[0] != want[0] || !strings.HasPrefix(lines[1], want[1]) || !strings.Contains(lines[1], "/com-example-b/SKILL.md") {
			t.Errorf("the list is\n%s\nwant two lines, the first of them\n%s", list, want[0])
		}
		if all := string(g.get("/llms.txt", asAdmin()).wantStatus(200).body); !strings.Contains(all, "/com-example-hidden/SKILL.md") {
			t.Errorf("an administrator gets\n%s\nwant the private skill, too", all)
		}
	})
}

// Whoever knows one address finds all the others, and what they lead to is there.
func TestTheIndexLeadsToEverythingElse(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{base: "https://registry.example/here"})
	g.published([4]string{"com.example.a", "1.0.0", "public", "api"})
	var rels []string
	for _, l := range g.get("/.well-known/skills").links() {
		rels = append(rels, l.rel)
		a := g.get(strings.TrimPrefix(l.target, "/here")).wantStatus(200)
		if mediaType, _, _ := strings.Cut(a.header.Get("Content-Type"), ";"); mediaType != l.mediaType {
			t.Errorf("%s is %s, and the link says %s", l.target, mediaType, l.mediaType)
		}
	}
	for _, rel := range []string{"alternate", "api-catalog", "describedby", "service-desc"} {
		if !slices.Contains(rels, rel) {
			t.Errorf("the links are %q, want %s among them", rels, rel)
		}
	}
	if links := g.send("HEAD", "/.well-known/api-catalog").wantStatus(200).links(); len(links) != len(rels) {
		t.Errorf("the API catalog has %d links, want those of the index", len(links))
	}
	catalog := g.get("/.well-known/api-catalog").wantStatus(200)
	for _, pointer := range []string{"/linkset/1/service-desc/0/href", "/linkset/1/service-doc/0/href", "/linkset/1/service-meta/0/href", "/linkset/1/status/0/href"} {
		address, ok := strings.CutPrefix(catalog.text(pointer), "https://registry.example/here")
		if !ok {
			t.Errorf("%s is %q, want it below the base URL", pointer, catalog.text(pointer))
		}
		g.get(address).wantStatus(200)
	}
}

func TestTheAICatalogListsTheRegistryAndTheSkills(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		const path = "/.well-known/ai-catalog.json"
		identifiers := func(who ...change) (all []string) {
			a := g.get(path, who...).wantStatus(200)
			entries, _ := a.at("/entries").([]any)
			for _, e := range entries {
				all = append(all, e.(map[string]any)["identifier"].(string))
			}
			return all
		}
		const itself, air = "urn:air:127.0.0.1:registry:skills", "urn:air:127.0.0.1:skill:"
		if got := identifiers(); !slices.Equal(got, []string{itself}) {
			t.Errorf("without skills: got %q, want the registry alone", got)
		}
		g.published([4]string{"com.example.b", "1.0.0", "public", "api"}, [4]string{"com.example.a", "2.0.0", "restricted", "task"},
			[4]string{"com.example.hidden", "1.0.0", "private", "api"})
		if got := identifiers(); !slices.Equal(got, []string{itself, air + "com.example.a", air + "com.example.b"}) {
			t.Errorf("got %q, want the registry and what everyone sees", got)
		}
		if got := identifiers(asAdmin()); !slices.Contains(got, air+"com.example.hidden") {
			t.Errorf("an administrator gets %q, want the private skill, too", got)
		}
		a := g.get(path)
		if b := g.get("/.well-known/ard.json").wantStatus(200); string(b.body) != string(a.body) {
			t.Errorf("%v, want the same at the path of newer readers", b)
		}
		if got := a.text("/host/displayName"); got != "Tests" {
			t.Errorf("the host is %q, want the provider", got)
		}
		g.get(strings.TrimPrefix(a.text("/entries/1/url"), g.base)).wantStatus(200)
		search := g.send("POST", strings.TrimPrefix(a.text("/entries/0/url"), g.base), jsonBody([]byte(`{"query":{"text":"translates"}}`))).wantStatus(200)
		if got := search.text("/results/0/identifier"); !strings.HasPrefix(got, air) {
			t.Errorf("a search there finds %q first, want a skill", got)
		}
	})
}
