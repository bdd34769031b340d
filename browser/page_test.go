package browser

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// called is a skill's own server, which remembers what it was asked.
func called(t *testing.T) (address string, bodies <-chan string) {
	t.Helper()
	asked := make(chan string, 4)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked <- r.Method + " " + r.URL.Path + " " + r.Header.Get("X-Weather-Key") + " " + string(body)
		_, _ = io.WriteString(w, `{"hours":[]}`)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1/forecast", asked
}

// paste runs what somebody copied from a page, in a shell.
func paste(t *testing.T, command string) string {
	t.Helper()
	shell := exec.Command("sh", "-c", command)
	shell.Dir = t.TempDir()
	shell.Env = append(os.Environ(), "API_KEY=the-key")
	output, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("%s\n%v: %s", command, err, output)
	}
	return string(output)
}

// wantCall fails the test unless the skill was called as its descriptor says.
func wantCall(t *testing.T, command string, bodies <-chan string) {
	t.Helper()
	const want = `POST /v1/forecast the-key {"place":{"latitude":52.5,"longitude":13.4}}`
	paste(t, command)
	select {
	case got := <-bodies:
		if got != want {
			t.Errorf("%s\nasks %s\nwant %s", command, got, want)
		}
	case <-time.After(patience):
		t.Errorf("%s\ncalls nothing", command)
	}
}

// Somebody who has nothing but the address finds a skill, reads how to call it, and calls it.
func TestAPersonFindsASkillAndCallsIt(t *testing.T) {
	t.Parallel()
	address, bodies := called(t)
	r := startRegistry(t, forecast(address, "1.0.0", nil), skill("com.example.other", "1.0.0", nil))
	w := r.open(t, "/")
	w.do(chromedp.SendKeys(chromedp.CSS("#q"), "wether forcast")) // as people type
	w.until(skills + ` === "Weather forecast"`)
	w.until(`location.search === "?q=wether+forcast"`)
	w.do(chromedp.Click(chromedp.CSS("#results h3 a")))
	w.until(`document.querySelector("h1").textContent === "Weather forecast"`)
	if text := w.text("main"); !strings.Contains(text, "Send an API key in the header X-Weather-Key.") || !strings.Contains(text, "Degrees north.") {
		t.Errorf("the page does not say what is needed:\n%s", text)
	}
	w.do(chromedp.Click(chromedp.CSS("#call + .copy")))
	w.until(`/Copied|Selected/.test(document.querySelector("#call + .copy").textContent)`)
	wantCall(t, value[string](w, `document.querySelector("pre[aria-labelledby=call] code").textContent`), bodies)
	got := paste(t, value[string](w, `document.querySelector("pre[aria-labelledby=descriptor] code").textContent`))
	if !strings.Contains(got, `"id":"com.example.weather.forecast"`) {
		t.Errorf("the line for the descriptor gets %s", got)
	}
}

func TestItIsAllThereWithoutScripts(t *testing.T) {
	t.Parallel()
	address, bodies := called(t)
	r := startRegistry(t, forecast(address, "1.0.0", nil), forecast(address, "1.1.0", map[string]any{"name": "Forecast"}), skill("com.example.other", "1.0.0", nil))
	w := r.open(t, "/", without())
	w.do(chromedp.SendKeys(chromedp.CSS("#q"), "forecast"+kb.Enter), chromedp.WaitVisible(`//h2[contains(., "for “forecast”")]`))
	if listed := w.text("#results"); !strings.Contains(listed, "1 skill") {
		t.Errorf("the search without scripts shows %s", listed)
	}
	w.do(chromedp.Click(chromedp.CSS("#results h3 a")), chromedp.WaitVisible(chromedp.CSS("#call")))
	wantCall(t, get(w, chromedp.TextContent(chromedp.CSS("pre[aria-labelledby=call] code"))), bodies)
	w.do(chromedp.Click(`//a[contains(., "What changed from 1.0.0")]`), chromedp.WaitVisible(chromedp.CSS("#differences")))
	if text := w.text("main"); !strings.Contains(text, "/name") {
		t.Errorf("the comparison without scripts shows %s", text)
	}
	if !value[bool](w, `document.querySelector("#session").hidden`) {
		t.Error("without scripts there is a form for keys, which nothing handles")
	}
}

func TestFiltersLeaveFewer(t *testing.T) {
	t.Parallel()
	r := startRegistry(t,
		skill("com.example.a", "1.0.0", map[string]any{"name": "A", "tags": []string{"maps"}}),
		skill("com.example.b", "1.0.0", map[string]any{"name": "B", "access": "restricted"}),
		skill("com.example.c", "1.0.0", map[string]any{"name": "C", "capability_type": "task"}))
	w := r.open(t, "/")
	w.until(skills + ` === "A, B, C"`)
	w.do(chromedp.Click(chromedp.CSS(`input[value="api"]`)))
	w.until(skills + ` === "A, B"`)
	w.do(chromedp.Click(chromedp.CSS(`input[value="restricted"]`)))
	w.until(skills + ` === "B"`)
	w.visit("/")
	w.do(chromedp.SendKeys(chromedp.CSS("#tag"), "maps"+kb.Enter))
	w.until(`location.search === "?tag=maps"`)
	w.until(skills + ` === "A"`)
	w.do(chromedp.Click(chromedp.CSS(`#search input[value="maps"]`)))
	w.until(skills + ` === "A, B, C"`)
}

func TestAKeyShowsWhatItMaySeeAndIsForgotten(t *testing.T) {
	t.Parallel()
	r := startRegistry(t,
		skill("com.example.open", "1.0.0", map[string]any{"name": "Open"}),
		skill("com.example.secret", "1.0.0", map[string]any{"name": "Secret", "access": "private"}))
	key, _ := r.send(t, "POST", "/v1/keys", map[string]any{"name": "a reader", "scopes": []string{"read"}, "namespaces": []string{"com.example"}})["key"].(string)
	w := r.open(t, "/")
	w.refusals = []string{"401", "404"}
	w.until(skills + ` === "Open"`)
	w.do(chromedp.SendKeys(chromedp.CSS("#key"), "skr_wrong"+kb.Enter))
	w.until(`/not valid/.test(document.querySelector("#notice").textContent)`)
	w.do(chromedp.SendKeys(chromedp.CSS("#key"), key+kb.Enter))
	w.until(skills + ` === "Open, Secret"`)
	w.do(chromedp.Click(`//h3/a[contains(., "Secret")]`))
	w.until(`document.querySelector("h1").textContent === "Secret" && location.pathname === "/skills/com.example.secret"`)
	w.do(chromedp.NavigateBack())
	w.until(skills + ` === "Open, Secret"`)
	w.do(chromedp.SendKeys(chromedp.CSS("#q"), "secret"))
	w.until(skills + ` === "Secret"`)
	if held := value[string](w, `JSON.stringify([document.cookie, {...localStorage}, {...sessionStorage}, history.state, location.href, document.documentElement.outerHTML, document.querySelector("#key").value])`); strings.Contains(held, key) {
		t.Errorf("the key is somewhere else than in a variable: %s", held)
	}
	w.do(chromedp.Click(chromedp.CSS("#sign-out")))
	w.until(skills + ` === ""`)
	w.do(chromedp.SendKeys(chromedp.CSS("#key"), key+kb.Enter))
	w.until(skills + ` === "Secret"`)
	w.do(chromedp.Reload())
	w.until(skills + ` === "" && !document.querySelector("#sign-in").hidden`)
}

func TestAComparisonShowsWhatBreaks(t *testing.T) {
	t.Parallel()
	r := startRegistry(t, forecast("https://api.example.com/x", "1.0.0", nil), forecast("https://api.example.com/x", "2.0.0", map[string]any{"inputs": []any{}}))
	w := r.open(t, "/skills/com.example.weather.forecast")
	w.do(chromedp.Click(`//a[contains(., "What changed from 1.0.0 to 2.0.0")]`))
	w.until(`document.querySelectorAll("tr.breaking").length === 3`)
	w.do(chromedp.SetValue(chromedp.CSS("select[name=from]"), "2.0.0"), chromedp.SetValue(chromedp.CSS("select[name=to]"), "1.0.0"), chromedp.Click(chromedp.CSS("#compare button")))
	w.until(`location.search === "?from=2.0.0&to=1.0.0" && document.querySelectorAll("tr.breaking").length === 1`)
}

func TestTheKeyboardIsEnough(t *testing.T) {
	t.Parallel()
	r := startRegistry(t, forecast("https://api.example.com/x", "1.0.0", nil))
	w := r.open(t, "/")
	focused := func() string { return value[string](w, `document.activeElement.outerHTML.slice(0, 120)`) }
	w.press(kb.Tab)
	if got := focused(); !strings.Contains(got, "Skip to the content") {
		t.Errorf("first comes %s, want what skips to the content", got)
	}
	value[bool](w, `document.querySelector("main").seen = true`)
	w.press(kb.Enter, kb.Tab)
	if got := focused(); !strings.Contains(got, `id="q"`) {
		t.Errorf("behind it comes %s, want the search", got)
	}
	w.press("r", "a", "i", "n")
	w.until(`location.search === "?q=rain"`) // what is typed is searched for
	// A jump within the page leaves it as it is, and what is typed where it is.
	if !value[bool](w, `document.querySelector("main").seen === true && document.querySelector("#q").value === "rain"`) {
		t.Error("the jump to the content has replaced it")
	}
	w.press(kb.Enter)
	w.until(`location.search === "?q=rain" && document.readyState === "complete"`)
	for range 30 {
		w.press(kb.Tab)
		if style := value[string](w, `getComputedStyle(document.activeElement).outlineStyle`); style == "none" && focused() != "" && !strings.HasPrefix(focused(), "<body") && !strings.HasPrefix(focused(), "<main") {
			t.Errorf("nobody sees that the focus is on %s", focused())
		}
		if strings.Contains(focused(), "/skills/com.example.weather.forecast") {
			w.press(kb.Enter)
			w.until(`location.pathname === "/skills/com.example.weather.forecast"`)
			return
		}
	}
	t.Errorf("the keyboard does not lead to the skill; it ends at %s", focused())
}

// hostile is a skill that does what it can to the page around it.
func hostile() map[string]any {
	script := `"><script>document.title="owned"</script><img src=x onerror='document.title="owned"'>`
	return skill("com.example."+strings.Repeat("very-long-", 17)+"name", "1.0.0-"+strings.Repeat("x", 100), map[string]any{
		"name": strings.Repeat("W", 150) + "\u202egpj.exe", "description": script + "\n\u202e" + strings.Repeat("אבג ", 50),
		"tags": []string{script, strings.Repeat("t", 100), "\u202e\u2066tag"}, "provider": map[string]any{"name": script + "\u202e"},
		"documentation_url": "https://example.com/" + strings.Repeat("a", 1000),
		"endpoint":          map[string]any{"url": "https://example.com/" + strings.Repeat("b", 1500), "status_url": "https://example.com/{execution_id}"},
		"auth": map[string]any{"type": "oauth2", "description": script, "oauth2": map[string]any{
			"authorization_url": "https://example.com/a", "token_url": "https://example.com/t", "scopes": map[string]any{script: script, "\u202e": ""}}},
		"inputs": []any{
			map[string]any{"name": script, "type": "string", "required": true, "description": script, "default": script + "\u202e\x1b[201~\n"},
			map[string]any{"name": strings.Repeat("N", 200), "type": "object", "schema": map[string]any{"$ref": "#", "properties": map[string]any{script: map[string]any{"$ref": "#"}}}},
			map[string]any{"name": "كلمة", "type": "string", "description": "الكلمة التي تترجم", "enum": []string{script, "\u202e"}},
		},
		"output": map[string]any{"type": "object", "description": script, "schema": map[string]any{"title": script, "pattern": strings.Repeat("p", 2000)}},
	})
}

// The pages of each kind, of skills that are kind and hostile, in the light, in the dark and
// on small phones.
func TestEveryPageIsAccessible(t *testing.T) {
	t.Parallel()
	bad := hostile()
	r := startRegistry(t, forecast("https://api.example.com/x", "1.0.0", nil), forecast("https://api.example.com/x", "1.1.0", map[string]any{"inputs": []any{}}), bad,
		skill("com.example.arabic", "1.0.0", map[string]any{"name": "ترجمة", "description": "ترجمة النصوص", "access": "restricted", "tags": []string{"لغة"}}))
	id, version := bad["id"].(string), bad["version"].(string)
	r.send(t, "PATCH", "/v1/skills/com.example.weather.forecast/versions/1.0.0", map[string]any{"status": "deprecated", "reason": "Use 1.1.0."})
	pages := map[string]string{
		"home": "/", "nothing found": "/?q=zeppelin&tag=x", "skill": "/skills/com.example.weather.forecast/versions/1.0.0",
		"compare":       "/skills/com.example.weather.forecast/compare?from=1.0.0&to=1.1.0",
		"hostile skill": "/skills/" + id, "hostile compare": "/skills/" + id + "/compare?from=" + version + "&to=" + version, "error": "/skills/com.example.none",
	}
	looks := map[string]step{
		"light": scheme("light"),
		"dark":  scheme("dark"),
		"phone": window(320, 600, true),
	}
	for look, wanted := range looks {
		t.Run(look, func(t *testing.T) {
			t.Parallel()
			w := r.open(t, "/", wanted)
			w.refusals = []string{"404"}
			for name, path := range pages {
				w.visit(path)
				w.accessible(name)
				w.fits(name)
				if title := value[string](w, "document.title"); title == "owned" {
					t.Errorf("a descriptor's script runs on the page %s", name)
				}
			}
		})
	}
}
