package describe

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// maker is one of the methods that make descriptors.
type maker func(*Describer, []byte, Options) (*Result, error)

// newDescriber returns one with the rules of a registry.
func newDescriber(t testing.TB) *Describer {
	t.Helper()
	validator, err := protocol.NewValidator(protocol.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return New(validator)
}

// enough are options that every document gets by with.
func enough() Options {
	return Options{
		Namespace: "com.example", ProviderName: "Example Corp", Version: "1.0.0",
		BaseURL: "https://example.com/base", Access: protocol.Public,
	}
}

// made makes the descriptors of a document and fails the test where that is refused.
func made(t testing.TB, make maker, document string, options Options) *Result {
	t.Helper()
	result, err := make(newDescriber(t), []byte(document), options)
	if err != nil {
		t.Fatalf("%s: got the error %v, want descriptors", document, err)
	}
	return result
}

// descriptors are those of a result, decoded.
func descriptors(t testing.TB, result *Result) []map[string]any {
	t.Helper()
	var all []map[string]any
	for _, skill := range result.Skills {
		var d map[string]any
		if err := json.Unmarshal(skill.Document.Canonical, &d); err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	return all
}

// only is the one descriptor of a document.
func only(t testing.TB, make maker, document string, options Options) (map[string]any, *Result) {
	t.Helper()
	result := made(t, make, document, options)
	all := descriptors(t, result)
	if len(all) != 1 {
		t.Fatalf("%s: got %d descriptors and %v, want one", document, len(all), told(result))
	}
	return all[0], result
}

// told are the losses of a result, one a line.
func told(result *Result) string {
	var b strings.Builder
	for _, loss := range result.Losses {
		b.WriteString(loss.Pointer + " " + string(loss.Kind) + " " + loss.Text + "\n")
	}
	return b.String()
}

// wantTold fails the test unless each line is the beginning of a loss.
func wantTold(t testing.TB, result *Result, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains("\n"+told(result), "\n"+line) {
			t.Errorf("got the losses\n%swant one that begins with %q", told(result), line)
		}
	}
}

// wantJSON fails the test unless a value is the given JSON.
func wantJSON(t testing.TB, what string, got any, want string) {
	t.Helper()
	var parsed any
	if err := json.Unmarshal([]byte(want), &parsed); err != nil {
		t.Fatalf("%s: %v", want, err)
	}
	g, _ := json.Marshal(got)
	w, _ := json.Marshal(parsed)
	if string(g) != string(w) {
		t.Errorf("%s: got\n%s\nwant\n%s", what, g, w)
	}
}

func TestWhatNeitherDocumentNorOptionsSayIsAskedFor(t *testing.T) {
	t.Parallel()
	const api = `{"openapi":"3.1.0","info":{"title":"a","version":"1.0.0","contact":{"name":"Example"}},"paths":{}}`
	dated := strings.Replace(api, "1.0.0\",\"c", "2024-01-01\",\"c", 1)
	const server = `{"name":"com.example/a","version":"1.0.0","description":"d","remotes":[{"type":"sse","url":"https://example.com/sse"}]}`
	const card = `{"name":"a","url":"https://example.com/a2a","version":"1.0.0","provider":{"organization":"Example"},"skills":[]}`
	for _, c := range []struct {
		name     string
		make     maker
		document string
		options  Options
		want     Need
	}{
		{"a namespace for OpenAPI", (*Describer).OpenAPI, api, Options{}, NeedNamespace},
		{"a provider for OpenAPI", (*Describer).OpenAPI, strings.Replace(api, `"name":"Example"`, "", 1), Options{Namespace: "com.example"}, NeedProvider},
		{"a version that is a date", (*Describer).OpenAPI, dated, Options{Namespace: "com.example"}, NeedVersion},
		{"a version that is v1", (*Describer).OpenAPI, strings.Replace(dated, "2024-01-01", "v1", 1), Options{Namespace: "com.example"}, NeedVersion},
		{"a server's name without a namespace", (*Describer).MCP, strings.Replace(server, "com.example/", "", 1), Options{}, NeedNamespace},
		{"a server's version", (*Describer).MCP, strings.Replace(server, "1.0.0", "latest", 1), Options{}, NeedVersion},
		{"an agent on this machine", (*Describer).A2A, strings.Replace(card, "example.com", "localhost:8000", 1), Options{}, NeedNamespace},
		{"an agent at a number", (*Describer).A2A, strings.Replace(card, "example.com", "192.0.2.1", 1), Options{}, NeedNamespace},
		{"a card without a provider", (*Describer).A2A, strings.Replace(card, "organization", "org", 1), Options{}, NeedProvider},
		{"a card without a version", (*Describer).A2A, strings.Replace(card, "version", "edition", 1), Options{}, NeedVersion},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := c.make(newDescriber(t), []byte(c.document), c.options)
			var need *NeedError
			if !errors.As(err, &need) || need.Need != c.want {
				t.Errorf("%s: got the error %v, want that it needs %s", c.document, err, c.want)
			}
			if _, err := c.make(newDescriber(t), []byte(c.document), enough()); err != nil {
				t.Errorf("%s: got the error %v, want none where the options say it", c.document, err)
			}
		})
	}
}

func TestDocumentsOfAnotherKindAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		make     maker
		document string
		want     string
	}{
		{"Swagger", (*Describer).OpenAPI, `swagger: "2.0"`, "Swagger"},
		{"OpenAPI of the future", (*Describer).OpenAPI, `openapi: 3.2.0`, "expected a version 3.0 or 3.1, got 3.2.0"},
		{"a version that only begins like one", (*Describer).OpenAPI, `openapi: 3.10.0`, "got 3.10.0"},
		{"a list", (*Describer).OpenAPI, `[]`, "no OpenAPI document"},
		{"text", (*Describer).OpenAPI, `hello`, "no OpenAPI document"},
		{"nothing", (*Describer).OpenAPI, " \n", "it is empty"},
		{"only comments", (*Describer).OpenAPI, "# nothing", "it is empty"},
		{"two YAML documents", (*Describer).OpenAPI, "a: 1\n---\nb: 2", "more than one"},
		{"a name that is there twice", (*Describer).OpenAPI, "openapi: 3.0.0\nopenapi: 3.1.0", `line 2: the name "openapi" is there twice`},
		{"a name that is there twice in JSON", (*Describer).OpenAPI, `{"openapi":"3.0.0","openapi":"3.1.0"}`, "not valid JSON"},
		{"no YAML", (*Describer).OpenAPI, "a: [", "not valid YAML"},
		{"a name that is a list", (*Describer).OpenAPI, "? [a]\n: b", "a name is not text"},
		{"infinity", (*Describer).OpenAPI, "a: .inf", "no number in JSON"},
		{"an agent card for a server", (*Describer).MCP, `{"skills":[]}`, "no server.json"},
		{"a server for an agent card", (*Describer).A2A, `{"name":"com.example/a"}`, "no agent card"},
	} {
		_, err := c.make(newDescriber(t), []byte(c.document), enough())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got the error %v, want %q in it", c.name, err, c.want)
		}
	}
}

func TestVersionsAreTakenOnlyWhereNothingIsMadeUp(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"1.2.3": "1.2.3", "1.2.3-rc.1+b": "1.2.3-rc.1+b", "1.2": "1.2.0", "v1.2.3": "1.2.3", "v0.1": "0.1.0", "2024.1": "2024.1.0",
		"v1": "", "1": "", "2024-01-01": "", "2024.01": "", "1.0-beta": "", "latest": "", "1.2.3.4": "", "": "",
	} {
		got, ok := semver(given)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%q: got %q, %v, want %q", given, got, ok, want)
		}
	}
}

func TestSlugsKeepTheWordsOfANameApart(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"listPets": "list-pets", "getHTTPStatus": "get-http-status", "Get pet by ID": "get-pet-by-id", "pets.list": "pets.list",
		"pets_list": "pets_list", "repos/list-for-org": "repos-list-for-org", "a__b--c..d": "a-b-c.d", "get /pets/{petId}": "get-pets-pet-id",
		"v2Beta": "v2-beta", "--x--": "x", "Ärger": "rger", "日本": "", "": "",
	} {
		if got := slug(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
