package page_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/page"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

type fataler interface{ Fatalf(string, ...any) }

func newSite(t fataler) *page.Site {
	s, err := page.New("https://example.com/registry", protocol.Provider{Name: "<b>Tests</b>"})
	if err != nil {
		t.Fatalf("making the site: %v", err)
	}
	return s
}

// view returns a version with the members that are given.
func view(t fataler, members map[string]any) catalog.View {
	tree := protocoltest.Tree("com.example.a", "1.0.0", "public", "api")
	for name, value := range members {
		tree[name] = value
	}
	text, err := json.Marshal(tree)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return viewOf(t, text)
}

func viewOf(t fataler, text []byte) catalog.View {
	validator, err := protocol.NewValidator(protocol.Limits{})
	if err != nil {
		t.Fatalf("%v", err)
	}
	doc, err := validator.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return catalog.View{
		Descriptor: &doc.Descriptor, Digest: doc.Digest,
		Life: catalog.Life{Version: doc.Descriptor.Version, Status: access.Active},
	}
}

func skillPage(t fataler, v catalog.View) string {
	text, err := newSite(t).Skill(v, []catalog.Life{v.Life}, v.Life.Version)
	if err != nil {
		t.Fatalf("writing the page of %s: %v", v.ID, err)
	}
	return string(text)
}

// foreign matches what can only come from a descriptor: the pages have no such element.
var foreign = regexp.MustCompile(`(?i)<(script(?: src="/registry/assets/)?|b>|img src=x|iframe|svg|style)|javascript:|\son[a-z]+=`)

const ownScript = `<script src="/registry/assets/`

func TestHostileTextStaysText(t *testing.T) {
	t.Parallel()
	hostile := `"><script>alert(1)</script><img src=x onerror=alert(1)>' onmouseover='x`
	v := view(t, map[string]any{
		"name": hostile, "description": hostile, "tags": []string{hostile}, "provider": map[string]any{"name": hostile},
		"inputs": []any{map[string]any{
			"name": hostile, "type": "string", "description": hostile, "required": true, "default": hostile,
			"schema": map[string]any{"description": hostile, "enum": []string{hostile}},
		}},
		"output": map[string]any{"type": "object", "description": hostile, "schema": map[string]any{"properties": map[string]any{hostile: map[string]any{"type": "string"}}}},
		"auth":   map[string]any{"type": "api_key", "header": "X'`|$", "description": hostile},
	})
	v.Reason, v.Status, v.Files = hostile, access.Deprecated, []string{"SKILL.md", hostile}
	site := newSite(t)
	home, err := site.Home(page.Search{Text: hostile, Tags: []string{hostile}}, catalog.Views{Skills: []catalog.View{v}, Total: 1}, "x")
	if err != nil {
		t.Fatal(err)
	}
	comparison, err := site.Compare(v, view(t, map[string]any{"version": "1.1.0"}), []catalog.Life{v.Life})
	if err != nil {
		t.Fatal(err)
	}
	failure, err := site.Error(page.Failure{Status: 400, Message: hostile})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"skill": skillPage(t, v), "home": string(home), "compare": string(comparison), "error": string(failure)} {
		// In values of attributes a quote would end it; in text only "<" begins something.
		for _, m := range regexp.MustCompile(`<[a-zA-Z/][^>]*>`).FindAllString(text, -1) {
			if !strings.HasPrefix(m, ownScript) && foreign.MatchString(regexp.MustCompile(`"[^"]*"`).ReplaceAllString(m, "")) {
				t.Errorf("the page %s has the element %s", name, m)
			}
		}
	}
}

func TestOnlyWebAddressesAreLinks(t *testing.T) {
	t.Parallel()
	v := view(t, nil)
	v.DocumentationURL, v.Provider.URL = "javascript:alert(1)", "data:text/html,x"
	if text := skillPage(t, v); strings.Contains(text, "javascript:") || strings.Contains(text, "data:text") || strings.Contains(text, "ZgotmplZ") {
		t.Errorf("the page has a link that is no web address:\n%s", text)
	}
	v.DocumentationURL = "https://example.com/docs"
	if text := skillPage(t, v); !strings.Contains(text, `<a href="https://example.com/docs" rel="nofollow noreferrer noopener">`) {
		t.Errorf("the page has no link to the documentation:\n%s", text)
	}
}

func TestWhatCanNotBeSeenIsShown(t *testing.T) {
	t.Parallel()
	v := view(t, map[string]any{"inputs": []any{map[string]any{
		"name": "pay\u202eload\u200b", "type": "string", "default": "\x1b\u0085\u2028\u2029\u3164\ufe0f\U000e0101\U000e0041é漢",
	}}})
	text := skillPage(t, v)
	for _, want := range []string{
		`pay<span class="hidden-letter" data-code="U+202E">`, `data-code="U+200B"`, `data-code="U+0085"`, `data-code="U+3164"`,
		`data-code="U+FE0F"`, `data-code="U+E0101"`, `data-code="U+E0041"`, "é漢&#34;</code>",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page has no %s:\n%s", want, text)
		}
	}
	if strings.Contains(text, `data-code="U+000A"`) {
		t.Error("an end of a line counts as what can not be seen")
	}
}

func TestTablesAreMadeFromSchemas(t *testing.T) {
	t.Parallel()
	v := view(t, map[string]any{"inputs": []any{map[string]any{"name": "order", "type": "object", "required": true, "schema": map[string]any{
		"$defs":    map[string]any{"item": map[string]any{"type": "object", "properties": map[string]any{"sku": map[string]any{"type": "string", "pattern": "^[A-Z]+$"}}, "required": []string{"sku"}}},
		"type":     "object",
		"required": []string{"items"},
		"properties": map[string]any{
			"items": map[string]any{"type": "array", "items": map[string]any{"$ref": "#/$defs/item"}},
			"speed": map[string]any{"enum": []string{"slow", "fast"}, "default": "slow"},
			"self":  map[string]any{"$ref": "#"},
		},
	}}}})
	text := skillPage(t, v)
	for _, want := range []string{
		`<code>order</code> <span class="badge required">`, `<code>items</code> <span class="badge required">`, `array of object`,
		`<code>sku</code> <span class="badge required">`, `<code>^[A-Z]+$</code>`, `<code>&#34;fast&#34;</code>`, `default: <code>&#34;slow&#34;</code>`,
		`{&#34;order&#34;:{&#34;items&#34;:[{&#34;sku&#34;:&#34;…&#34;}]}}`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page has no %s:\n%s", want, text)
		}
	}
}

func TestComparisonsMarkWhatBreaks(t *testing.T) {
	t.Parallel()
	one := view(t, map[string]any{"inputs": []any{map[string]any{"name": "city", "type": "string"}}})
	two := view(t, map[string]any{"version": "1.1.0", "name": "New", "inputs": []any{map[string]any{"name": "city", "type": "string", "required": true}}})
	text, err := newSite(t).Compare(one, two, []catalog.Life{two.Life, one.Life})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1 breaking change.", "1.1.0 promises none", "<code>/inputs/0/required</code>", "<code>/inputs/city/required</code>", "<code>/name</code>"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page has no %q:\n%s", want, text)
		}
	}
}

// snippet returns what stands to be pasted under a heading of a page.
func snippet(t fataler, text, name string) string {
	m := regexp.MustCompile(`(?s)<pre[^>]*aria-labelledby="` + name + `"[^>]*><code>(.*?)</code></pre>`).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("the page has nothing to paste under %s:\n%s", name, text)
	}
	plain := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(m[1], "")
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&#34;", `"`, "&#39;", "'", "&#43;", "+", "&amp;", "&").Replace(plain)
}

// What is pasted calls the skill and does nothing else, whatever stands in the descriptor: a
// real shell and a real curl show it.
func TestPastedLinesCallTheSkill(t *testing.T) {
	t.Parallel()
	type call struct{ path, query, body, header string }
	calls := make(chan call, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		calls <- call{r.URL.Path, r.URL.RawQuery, string(body), r.Header.Get("X-Api-Key")}
	}))
	defer server.Close()
	evil := "'; touch pwned; $(touch pwned) `touch pwned` \\ \" & | > pwned\n{a,b} [1-3] @/etc/passwd"
	tests := map[string]struct {
		members map[string]any
		want    func(call) bool
	}{
		"a body in JSON": {map[string]any{
			"endpoint": map[string]any{"url": server.URL + "/json/{a,b}[1-2]"},
			"auth":     map[string]any{"type": "api_key"},
			"inputs":   []any{map[string]any{"name": evil[:20], "type": "string", "required": true, "default": evil}},
		}, func(c call) bool {
			var got map[string]string
			return json.Unmarshal([]byte(c.body), &got) == nil && got[evil[:20]] == strings.ReplaceAll(evil, "\n", " ") && c.header == "secret" && c.path == "/json/{a,b}[1-2]"
		}},
		"a query": {map[string]any{
			"endpoint": map[string]any{"url": server.URL + "/query", "method": "GET"}, "auth": map[string]any{"type": "none"},
			"inputs": []any{map[string]any{"name": "q", "type": "string", "required": true, "default": evil}},
		}, func(c call) bool { return c.path == "/query" && strings.Contains(c.query, "touch") }},
		"a form with parts": {map[string]any{
			"endpoint": map[string]any{"url": server.URL + "/form", "content_type": "multipart/form-data"}, "auth": map[string]any{"type": "none"},
			"inputs": []any{map[string]any{"name": "file", "type": "string", "required": true, "default": "@/etc/passwd"}},
		}, func(c call) bool {
			return strings.Contains(c.body, "@/etc/passwd") && !strings.Contains(c.body, "root:")
		}},
	}
	for name, test := range tests {
		command := snippet(t, skillPage(t, view(t, test.members)), "call")
		shell := exec.Command("sh", "-c", command)
		shell.Dir = t.TempDir()
		shell.Env = append(shell.Environ(), "API_KEY=secret")
		if output, err := shell.CombinedOutput(); err != nil {
			t.Fatalf("%s: %s: %v: %s", name, command, err, output)
		}
		if got := <-calls; !test.want(got) {
			t.Errorf("%s: %s: the skill got %+v", name, command, got)
		}
		if found, _ := exec.Command("ls", "-A", shell.Dir).Output(); len(found) > 0 {
			t.Errorf("%s: %s left %s behind", name, command, found)
		}
	}
}

// Whatever is published has a page, which a terminal gets no keys from.
func TestEveryDescriptorHasAPage(t *testing.T) {
	t.Parallel()
	protocoltest.Check(t, func(rt *rapid.T) {
		v := viewOf(rt, protocoltest.Descriptor().Draw(rt, "descriptor").JSON)
		text := skillPage(rt, v)
		if !strings.HasSuffix(text, "</html>\n") {
			rt.Fatalf("the page of %s does not end: …%q", v.ID, text[max(0, len(text)-100):])
		}
		if m := regexp.MustCompile(`[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]`).FindString(snippet(rt, text, "call")); m != "" {
			rt.Fatalf("what is to be pasted has %q in it:\n%s", m, snippet(rt, text, "call"))
		}
	})
}
