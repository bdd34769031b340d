package describe

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

var update = flag.Bool("update", false, "write the golden files anew")

// realDocument is a document of testdata, with what its author would have to say.
type realDocument struct {
	file    string
	make    maker
	options Options
	// found and made are how many there are to be described, and how many are.
	found, made int
}

func realDocuments() []realDocument {
	openapi, mcp, a2a := (*Describer).OpenAPI, (*Describer).MCP, (*Describer).A2A
	return []realDocument{
		{"openapi/kubernetes-authorization.json", openapi, Options{
			Namespace: "io.k8s.authorization", ProviderName: "Kubernetes", BaseURL: "https://kubernetes.default.svc", Version: "1.0.0",
		}, 5, 5},
		{"openapi/lxkns.yaml", openapi, Options{Namespace: "io.github.thediveo.lxkns", ProviderName: "lxkns", BaseURL: "https://lxkns.example.com"}, 3, 3},
		{"openapi/petstore.json", openapi, Options{Namespace: "io.swagger.petstore", ProviderName: "Swagger"}, 25, 25},
		{"openapi/readme.yaml", openapi, Options{Namespace: "com.readme"}, 36, 36},
		{"openapi/scalar-galaxy.yaml", openapi, Options{Namespace: "com.scalar.galaxy"}, 9, 9},
		{"openapi/uspto.yaml", openapi, Options{Namespace: "gov.uspto"}, 3, 3},
		{"mcp/apify.json", mcp, Options{}, 1, 1},
		{"mcp/buywhere.json", mcp, Options{}, 1, 1},
		{"mcp/decisionrules.json", mcp, Options{}, 1, 1},
		{"mcp/dividen.json", mcp, Options{}, 1, 1},
		{"mcp/github.json", mcp, Options{}, 1, 0},
		{"mcp/neon.json", mcp, Options{}, 1, 1},
		{"a2a/facts.json", a2a, Options{Namespace: "com.example.facts", ProviderName: "Google"}, 1, 1},
		{"a2a/weather.json", a2a, Options{}, 2, 2},
	}
}

// What is made of real documents, and what is lost, stands in golden files.
func TestRealDocumentsBecomeDescriptorsAndTheirLossesAreTold(t *testing.T) {
	t.Parallel()
	for _, c := range realDocuments() {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(filepath.Join("testdata", c.file))
			if err != nil {
				t.Fatal(err)
			}
			c.options.Access = protocol.Public
			result := made(t, c.make, string(data), c.options)
			if result.Found != c.found || len(result.Skills) != c.made || result.LeftOut() != c.found-c.made {
				t.Errorf("got %d of %d descriptors, want %d of %d", len(result.Skills), result.Found, c.made, c.found)
			}
			for _, skill := range result.Skills {
				for _, w := range skill.Document.Warnings {
					t.Errorf("%s: got the warning %+v", skill.Document.Descriptor.ID, w)
				}
			}
			wantGolden(t, filepath.Join("testdata/golden", strings.ReplaceAll(c.file, "/", "-")+".txt"), summary(result))
		})
	}
}

// summary is what a golden file has.
func summary(result *Result) []byte {
	var b bytes.Buffer
	for _, skill := range result.Skills {
		d := skill.Document.Descriptor
		fmt.Fprintf(&b, "%s %s: %s %s, %d inputs, %s of %s, auth %s, %s\n", d.ID, d.Version, d.Endpoint.Method, d.Endpoint.URL,
			len(d.Inputs), d.Output.Type, d.Output.ContentType, d.Auth.Type, skill.Document.Digest[:19])
	}
	kinds := map[Kind]int{}
	for _, loss := range result.Losses {
		kinds[loss.Kind]++
	}
	fmt.Fprintf(&b, "\n%d found, %d left out, %d losses:", result.Found, result.LeftOut(), len(result.Losses))
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		fmt.Fprintf(&b, " %d %s", kinds[kind], kind)
	}
	b.WriteString("\n\n" + told(result))
	return b.Bytes()
}

// wantGolden compares with a golden file, or writes it.
func wantGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	g, w := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(g), len(w)) {
		if line := lineOf(g, i); line != lineOf(w, i) {
			t.Fatalf("%s, line %d: got\n%s\nwant\n%s\n(-update writes it anew)", name, i+1, line, lineOf(w, i))
		}
	}
}

func lineOf(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(the end)"
}
