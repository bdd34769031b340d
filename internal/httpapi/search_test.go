package httpapi_test

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/httpapi"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// cursorOfRank is the cursor of a search behind a skill of some score.
func cursorOfRank(score int, id string) string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "2:%d:%s", score, id))
}

// describe publishes a skill with some members changed.
func (g *registry) describe(id string, members map[string]any) {
	g.t.Helper()
	tree := protocoltest.Tree(id, "1.0.0", "public", "api")
	for name, value := range members {
		tree[name] = value
	}
	g.publish(marshal(g.t, tree)).wantStatus(201)
}

// search returns the ids that a search finds, in its order.
func (g *registry) search(query string, changes ...change) []string {
	g.t.Helper()
	return g.get("/v1/skills?"+query, changes...).entries("*")
}

func TestSearchFindsByEveryField(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		g.describe("com.example.weather", map[string]any{"name": "Météo", "tags": []string{"Climate"}, "description": "Forecasts rain.", "provider": map[string]any{"name": "Ünion SA"}})
		g.describe("com.example.mail", map[string]any{
			"name": "sendMail", "capability_type": "task", "description": "Mentions the weather.",
			"inputs": []any{map[string]any{"name": "recipient_address", "type": "string", "description": "Who gets it."}},
		})
		g.describe("com.example.hidden", map[string]any{"name": "Météo hidden", "access": "private", "tags": []string{"climate"}})
		both := "com.example.weather com.example.mail"
		for _, test := range []struct{ query, want string }{
			{"q=meteo", "com.example.weather"},
			{"q=M%C3%89T%C3%89O", "com.example.weather"},
			{"q=weather", both},
			{"q=weahter", both},
			{"q=weath", both},
			{"q=weather+rain", "com.example.weather"},
			{"q=recipient+who", "com.example.mail"},
			{"q=recipientAddress", "com.example.mail"},
			{"q=union", "com.example.weather"},
			{"q=com.example.mail", "com.example.mail"},
			{"q=com.example.hidden", ""},
			{"q=hidden", ""},
			{"q=", "com.example.mail com.example.weather"},
			{"", "com.example.mail com.example.weather"},
			{"capability_type=task", "com.example.mail"},
			{"capability_type=task&capability_type=api&q=weather", both},
			{"q=weather&capability_type=task", "com.example.mail"},
			{"tag=climate", "com.example.weather"},
			{"tag=CLIMATE&q=rain", "com.example.weather"},
			{"tag=climate&tag=other", ""},
			{"provider=%C3%BCNION%20sa", "com.example.weather"},
			{"provider=Union", ""},
			{"q=%00", ""},
			{"q=%21%3F", ""},
			{"q=" + strings.Repeat("x", 500), ""},
		} {
			a := g.get("/v1/skills?" + test.query)
			if got := strings.Join(a.entries("*"), " "); got != test.want {
				t.Errorf("%q finds %q, want %q", test.query, got, test.want)
			}
			if got, want := fmt.Sprint(a.at("/total")), fmt.Sprint(len(strings.Fields(test.want))); got != want {
				t.Errorf("%q finds %s in all, want %s", test.query, got, want)
			}
		}
		if got := strings.Join(g.search("q=meteo", asAdmin()), " "); got != "com.example.weather com.example.hidden" {
			t.Errorf("the administrator finds %q", got)
		}
		key, _ := g.key([]string{"read"}, "com.example.hidden")
		if got := strings.Join(g.search("tag=climate", as(key)), " "); got != "com.example.hidden com.example.weather" {
			t.Errorf("a reader of the hidden one finds %q", got)
		}
		entry := g.get("/.well-known/skills?limit=1").at("/skills/0")
		if got := g.get("/v1/skills?q=mail&limit=1").at("/skills/0"); fmt.Sprint(got) != fmt.Sprint(entry) {
			t.Errorf("the search has the entry %v, and the index %v", got, entry)
		}
	})
}

func TestSearchFollowsEveryChange(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		found := func(query string) string { return strings.Join(g.search(query), " ") }
		want := func(when, query, want string) {
			t.Helper()
			if got := found(query); got != want {
				t.Errorf("%s %q finds %q, want %q", when, query, got, want)
			}
		}
		want("at first", "q=zebra", "")
		g.describe("com.example.a", map[string]any{"name": "Zebra"})
		want("once published", "q=zebra", "com.example.a")
		g.describe("com.example.a", map[string]any{"name": "Okapi", "version": "1.1.0"})
		want("once renamed", "q=zebra", "")
		want("once renamed", "q=okapi", "com.example.a")
		g.send("PATCH", "/v1/skills/com.example.a/versions/1.1.0", asAdmin(), jsonBody([]byte(`{"status":"yanked"}`))).wantStatus(200)
		want("once yanked", "q=zebra", "com.example.a")
		g.describe("com.example.a", map[string]any{"name": "Zebra", "version": "2.0.0", "access": "private"})
		want("once hidden", "q=zebra", "")
		g.describe("com.example.a", map[string]any{"name": "Zebra", "version": "3.0.0"})
		want("once shown", "q=zebra", "com.example.a")
		g.send("DELETE", "/v1/skills/com.example.a", asAdmin()).wantStatus(204)
		want("once deleted", "q=zebra", "")
	})
}

func TestSearchGoesFromPageToPage(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	var want []string
	for i := range 45 {
		id := fmt.Sprintf("com.example.s%02d", i)
		g.describe(id, map[string]any{"name": "Zoo & more", "tags": []string{"a b", "ü&?"}})
		want = append(want, id)
	}
	for _, query := range []string{"", "q=zoo+more", "tag=a+b&tag=%C3%BC%26%3F&provider=example+corp", "q=zoo&capability_type=api&capability_type=task"} {
		a := g.get("/v1/skills?" + query)
		got := a.entries("*")
		if len(got) != 20 {
			t.Errorf("%q: the first page has %d skills, want 20", query, len(got))
		}
		for next := a.next(); next != ""; next = a.next() {
			a = g.get(next)
			got = append(got, a.entries("*")...)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: the walk meets %v", query, got)
		}
	}
}

func TestSearchRefusesWhatItCantRead(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	for _, query := range []string{
		"q=%ff", "q=%ed%a0%80", "q=%zz", "q=a&q=b", "q=" + strings.Repeat("x", 501), "limit=0", "limit=101", "limit=x", "limit=",
		"cursor=", "cursor=x", "cursor=" + cursorAfter("com.example.a"), "cursor=" + cursorOfRank(0, "com.example.a"), "cursor=" + cursorOfRank(1, "X"),
		"cursor=" + base64.RawURLEncoding.EncodeToString([]byte("2:+1:com.example.a")),
		"capability_type=tool", "tag=%ff", "provider=%ff", "provider=a&provider=b", strings.Repeat("tag=a&", 17),
	} {
		g.get("/v1/skills?"+query).wantError(400, httpapi.CodeInvalidQuery)
	}
	g.get("/v1/skills", as("wrong")).wantStatus(401)
}

func TestSearchIsARead(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	g.describe("com.example.a", map[string]any{"name": "Zebra"})
	const path = "/v1/skills?q=zebra"
	a := g.get(path).wantStatus(200).wantHeader("Cache-Control", "public, no-cache").wantHeader("Access-Control-Allow-Origin", "*")
	tag := a.header.Get("ETag")
	g.get(path, header("If-None-Match", tag)).wantStatus(304)
	if head := g.send("HEAD", path).wantStatus(200).wantHeader("ETag", tag); len(head.body) > 0 {
		t.Errorf("HEAD is answered with %q", head.body)
	}
	packed := g.get(path, header("Accept-Encoding", "gzip")).wantHeader("Content-Encoding", "gzip")
	if plain, err := gunzip(packed.body); err != nil || string(plain) != string(a.body) {
		t.Errorf("compressed it is %q, %v; want %q", plain, err, a.body)
	}
	g.get(path, asAdmin()).wantStatus(200).wantHeader("Cache-Control", "private, no-store")
	g.publish(protocoltest.Valid("com.example.b", "1.0.0", "public", "api")).wantStatus(201)
	g.get(path, header("If-None-Match", tag)).wantStatus(304)
	g.describe("com.example.c", map[string]any{"name": "Zebra"})
	g.get(path, header("If-None-Match", tag)).wantStatus(200)
}

func needs(text string, members ...string) change {
	return jsonBody([]byte(`{"query":{"text":"` + text + `"}` + strings.Join(members, "") + `}`))
}

func TestARDSearchFindsWhatIsNeeded(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{base: "https://skills.example:8443"})
	g.describe("com.example.flights", map[string]any{"name": "Flight booking", "tags": []string{"Travel"}})
	g.describe("com.example.hotels", map[string]any{"name": "Hotel booking", "tags": []string{"Travel"}})
	g.describe("com.example.hidden", map[string]any{"name": "Flight booking", "access": "private"})
	a := g.send("POST", "/search", needs("find me a tool for booking a flight to Tokyo")).wantStatus(200)
	for pointer, want := range map[string]string{
		"/results/0/identifier":  "urn:air:skills.example:skill:com.example.flights",
		"/results/0/displayName": "Flight booking",
		"/results/0/type":        "application/json",
		"/results/0/url":         "https://skills.example:8443/v1/skills/com.example.flights/versions/1.0.0",
		"/results/0/tags/0":      "Travel",
		"/results/0/version":     "1.0.0",
		"/results/0/source":      "https://skills.example:8443/",
		"/results/1/identifier":  "urn:air:skills.example:skill:com.example.hotels",
		"/results/2/identifier":  "",
		"/pageToken":             "",
	} {
		if got := a.text(pointer); got != want {
			t.Errorf("%s is %q, want %q", pointer, got, want)
		}
	}
	if first, second := fmt.Sprint(a.at("/results/0/score")), fmt.Sprint(a.at("/results/1/score")); first != "61" || second != "30" {
		t.Errorf("the scores are %s and %s, want 61 and 30", first, second)
	}
	if strings.Contains(string(a.body), "hidden") || a.at("/referrals") != nil {
		t.Errorf("too much is in %s", a.body)
	}
	if got := g.send("POST", "/search", needs("flight", `,"federation":"referrals"`)).at("/referrals"); fmt.Sprint(got) != "[]" {
		t.Errorf("the referrals are %v, want none", got)
	}
	if got := g.send("POST", "/search", needs("flight"), asAdmin()).wantStatus(200); !strings.Contains(string(got.body), "hidden") {
		t.Errorf("the administrator does not find the hidden one: %s", got.body)
	}
	page := g.send("POST", "/search", needs("booking", `,"pageSize":1`))
	next := g.send("POST", "/search", needs("booking", `,"pageSize":1,"pageToken":"`+page.text("/pageToken")+`"`))
	if page.text("/results/0/identifier") == next.text("/results/0/identifier") || next.text("/pageToken") != "" || next.text("/results/0/identifier") == "" {
		t.Errorf("the pages are %s and %s", page.body, next.body)
	}
	for filter, want := range map[string]int{
		`{}`: 2, `{"type":"application/json"}`: 2, `{"type":["text/plain"]}`: 0, `{"tags":["travel","other"]}`: 2, `{"tags":"other"}`: 0,
		`{"publisher":["skills.example"]}`: 2, `{"publisher":["other.example"],"tags":["travel"]}`: 0,
	} {
		a := g.send("POST", "/search", jsonBody([]byte(`{"query":{"@context":{},"text":"booking","filter":`+filter+`}}`))).wantStatus(200)
		if got := len(a.at("/results").([]any)); got != want {
			t.Errorf("with the filter %s there are %d results, want %d", filter, got, want)
		}
	}
}

func TestARDSearchNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	for body, want := range map[string]string{
		`{}`:                           "/query",
		`{"query":null}`:               "/query",
		`{"query":5}`:                  "/query",
		`{"query":{}}`:                 "/query/text",
		`{"query":{"text":null}}`:      "/query/text",
		`{"query":{"text":["a"]}}`:     "/query/text",
		`{"query":{"text":"a"},"x":1}`: "/x",
		`{"query":{"text":"a","x":1},"pageSize":101,"federation":"x","pageToken":"x"}`:                  "/federation /pageSize /pageToken /query/x",
		`{"query":{"text":"a"},"pageSize":"5"}`:                                                         "/pageSize",
		`{"query":{"text":"a","filter":{"tags":[],"trustManifest.x":"y","type":[1],"publisher":null}}}`: "/query/filter/publisher /query/filter/tags /query/filter/trustManifest.x /query/filter/type",
		`{"query":{"text":"a","filter":[]}}`:                                                            "/query/filter",
		`{"query":{"text":"` + strings.Repeat("x", 501) + `"}}`:                                         "/query/text",
	} {
		a := g.send("POST", "/search", jsonBody([]byte(body))).wantError(400, httpapi.CodeInvalidQuery)
		if got := strings.Join(a.violations(), " "); got != want {
			t.Errorf("%s: the violations are at %q, want %q", body, got, want)
		}
		if a.text("/errorCode") != "INVALID_ARGUMENT" || a.text("/message") == "" {
			t.Errorf("%s: ARD does not know the error %s", body, a.body)
		}
	}
	if got := g.send("POST", "/search", jsonBody([]byte(`{`))).wantError(400, httpapi.CodeInvalidJSON).text("/errorCode"); got != "INVALID_ARGUMENT" {
		t.Errorf("for what is not JSON the code is %q", got)
	}
	if got := g.send("POST", "/search", needs("a"), as("wrong")).wantStatus(401).text("/errorCode"); got != "UNAUTHENTICATED" {
		t.Errorf("for a wrong key the code is %q", got)
	}
	g.send("POST", "/search").wantStatus(415)
	if got := g.get("/v1/skills?limit=0").at("/errorCode"); got != nil {
		t.Errorf("another error has the code %v", got)
	}
}

func TestARDEntriesAreFoundByTheirIdentifiers(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{base: "http://registry.example"})
	g.describe("com.example.a", nil)
	g.describe("com.example.s", map[string]any{"access": "private"})
	const a, s = "urn:air:registry.example:skill:com.example.a", "urn:air:registry.example:skill:com.example.s"
	for _, path := range []string{"/agents/" + url.PathEscape(a), "/agents/" + strings.ReplaceAll(a, ":", "%3A")} {
		got := g.get(path).wantStatus(200).wantHeader("Cache-Control", "public, no-cache")
		if got.text("/identifier") != a || got.at("/score") != nil {
			t.Errorf("%s is %s", path, got.body)
		}
		g.get(path, header("If-None-Match", got.header.Get("ETag"))).wantStatus(304)
	}
	missing := g.get("/agents/urn:air:registry.example:skill:com.example.none").wantStatus(404)
	if hidden := g.get("/agents/" + s).wantStatus(404); string(hidden.body) != string(missing.body) || missing.text("/errorCode") != "NOT_FOUND" {
		t.Errorf("the hidden one is %s, the missing one %s", hidden.body, missing.body)
	}
	g.get("/agents/"+s, asAdmin()).wantStatus(200)
	for _, identifier := range []string{"urn:air:elsewhere.example:skill:com.example.a", "urn:air:registry.example:agent:com.example.a", "URN:air"} {
		if got := g.get("/agents/" + identifier); got.status == 200 {
			t.Errorf("%s is %s", identifier, got.body)
		}
	}
	for _, identifier := range []string{"x", "urn:air:", "urn:air:registry.example", "urn:air:a%20b:c", "%ff", "urn:air:a:b%0A"} {
		if got := g.get("/agents/"+identifier).wantError(400, httpapi.CodeInvalidQuery).text("/errorCode"); got != "INVALID_ARGUMENT" {
			t.Errorf("%s: the code is %q", identifier, got)
		}
	}
}
