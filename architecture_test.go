// Package skillregistry_test holds what is true of the repository as a whole: who
// imports whom, and that the README's walk goes as it is written.
package skillregistry_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/skillregistry/skillregistry"

// layers are the packages in their order: each imports only those before it.
func layers() []string {
	return []string{
		"internal/protocol",
		"internal/compatibility",
		"internal/agentskills",
		"internal/describe",
		"internal/search",
		"internal/access",
		"internal/oidc",
		"internal/store",
		"internal/catalog",
		"internal/page",
		"internal/httpapi",
		"internal/telemetry",
		"cmd/skillregistry",
	}
}

// besides are the packages outside the order, with those that import them. They
// themselves import none of the registry's: what others build on must not bring our
// insides along.
func besides() map[string][]string {
	return map[string][]string{
		"client":     {"cmd/skillregistry"},
		"migrations": {"internal/store"},
		"examples":   {}, // tests of files that are no Go
	}
}

// dependencies are all that comes from outside the repository and the few parts of the
// standard library that belong to one package, each with the packages that import it.
// What is not here, nothing may import: a new dependency is a decision, written here.
func dependencies() map[string][]string {
	return map[string][]string{
		"database/sql":                        {"internal/store", "internal/store/storetest"},
		"github.com/jackc/pgx/v5":             {"internal/store", "internal/store/storetest"},
		"modernc.org/sqlite":                  {"internal/store", "internal/store/storetest"},
		"golang.org/x/sys":                    {"internal/store"},
		"github.com/kaptinlin/jsonschema":     {"internal/protocol"},
		"golang.org/x/mod/semver":             {"internal/protocol"},
		"github.com/go-json-experiment/json":  {"internal/protocol", "internal/agentskills", "internal/catalog", "internal/compatibility", "internal/oidc", "internal/httpapi", "internal/page"},
		"github.com/go-jose/go-jose/v4":       {"internal/oidc", "internal/oidc/oidctest"},
		"go.yaml.in/yaml/v4":                  {"internal/agentskills", "internal/describe"},
		"github.com/tidwall/btree":            {"internal/catalog"},
		"github.com/go-chi/chi/v5":            {"internal/httpapi"},
		"golang.org/x/text":                   {"internal/search"},
		"golang.org/x/time/rate":              {"internal/httpapi"},
		"github.com/prometheus/client_golang": {"internal/telemetry"},
		"go.opentelemetry.io/otel":            {"internal/telemetry"},
		"github.com/spf13/cobra":              {"cmd/skillregistry"},
		"github.com/spf13/pflag":              {"cmd/skillregistry"},
		"github.com/mattn/go-isatty":          {"cmd/skillregistry"},
		"pgregory.net/rapid":                  {testSupport},
	}
}

// testDependencies are what tests may import besides what their package may.
func testDependencies() map[string][]string {
	return map[string][]string{
		"pgregory.net/rapid":                       {anyPackage},
		"github.com/go-json-experiment/json":       {anyPackage},
		"github.com/santhosh-tekuri/jsonschema/v6": {"internal/protocol", "internal/compatibility"},
		"github.com/getkin/kin-openapi":            {"internal/httpapi"},
		"github.com/anishathalye/porcupine":        {"cmd/skillregistry"},
		"go.opentelemetry.io/proto/otlp":           {"cmd/skillregistry"},
		"google.golang.org/protobuf":               {"cmd/skillregistry"},
	}
}

const (
	// testSupport stands for the packages that only tests import: their names, or that of
	// a folder above, end in "test".
	testSupport = "*test"
	anyPackage  = "*"
)

func TestImportsGoOneWay(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		for _, imported := range p.Imports {
			if own, ok := strings.CutPrefix(imported, module+"/"); ok && !mayImport(p.name(), own) {
				t.Errorf("%s imports %s, which does not stand before it", p.name(), own)
			}
		}
		for _, imported := range slices.Concat(p.TestImports, p.XTestImports) {
			own, ok := strings.CutPrefix(imported, module+"/")
			if ok && own != p.name() && !isTestSupport(own) && !mayImport(p.name(), own) && !mayTestsImport(p.name(), own) {
				t.Errorf("a test of %s imports %s, which does not stand before it", p.name(), own)
			}
		}
	}
}

func TestImportsFromOutsideStayWhereTheyBelong(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		for _, imported := range p.Imports {
			if !mayDepend(dependencies(), p.name(), imported) {
				t.Errorf("%s imports %s, which is not among its dependencies", p.name(), imported)
			}
		}
		for _, imported := range slices.Concat(p.TestImports, p.XTestImports) {
			if !mayDepend(dependencies(), p.name(), imported) && !mayDepend(testDependencies(), p.name(), imported) {
				t.Errorf("a test of %s imports %s, which is not among its dependencies", p.name(), imported)
			}
		}
	}
}

func TestImportRulesKnowEveryPackage(t *testing.T) {
	t.Parallel()
	var found []string
	for _, p := range packages(t) {
		found = append(found, p.name())
		if p.name() == "." || isTestSupport(p.name()) {
			continue
		}
		if _, known := besides()[p.name()]; !known && !slices.Contains(layers(), p.name()) {
			t.Errorf("%s has no place in the order", p.name())
		}
		for _, vague := range []string{"util", "utils", "common", "models", "helpers"} {
			if path.Base(p.name()) == vague {
				t.Errorf("%s: a package is named after what it is for", p.name())
			}
		}
	}
	for _, name := range layers() {
		if !slices.Contains(found, name) {
			t.Errorf("the order names %s, which is not there", name)
		}
	}
}

// mayImport reports whether package from may import package to, both the registry's own.
func mayImport(from, to string) bool {
	if _, ok := besides()[from]; ok {
		return false
	}
	if isTestSupport(from) { // storetest stands right behind store
		from = supported(from)
		to = supported(to)
		if from == to {
			return true
		}
	}
	if importers, ok := besides()[to]; ok {
		return slices.Contains(importers, from)
	}
	f, t := slices.Index(layers(), from), slices.Index(layers(), to)
	return 0 <= t && t < f
}

// mayTestsImport reports whether the tests of a package outside the order may import a
// package: those of the client run a registry, those of the examples check them.
func mayTestsImport(from, to string) bool {
	return (from == "client" || from == "examples") && slices.Contains(layers(), to)
}

func isTestSupport(name string) bool { return supported(name) != name }

// supported returns the package that a package of test support is for:
// internal/store for internal/store/storetest and what is inside it. For every other
// package it is the package itself.
func supported(name string) string {
	dir := name
	for dir != "." {
		if strings.HasSuffix(dir, "test") {
			name = path.Dir(dir)
		}
		dir = path.Dir(dir)
	}
	return name
}

// mayDepend reports whether a package may import something that is not the registry's
// own.
func mayDepend(rules map[string][]string, from, imported string) bool {
	if imported == module || strings.HasPrefix(imported, module+"/") {
		return true
	}
	for prefix, allowed := range rules {
		if imported == prefix || strings.HasPrefix(imported, prefix+"/") {
			return slices.Contains(allowed, from) || slices.Contains(allowed, anyPackage) ||
				isTestSupport(from) && slices.Contains(allowed, testSupport)
		}
	}
	first, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(first, ".") // the standard library
}

// listedPackage is what go list says of a package.
type listedPackage struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
}

// name is the package's folder in the repository.
func (p listedPackage) name() string {
	if p.ImportPath == module {
		return "."
	}
	return strings.TrimPrefix(p.ImportPath, module+"/")
}

func packages(t *testing.T) []listedPackage {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v: %s", err, stderr.Bytes())
	}
	var all []listedPackage
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listedPackage
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if len(all) < len(layers()) {
		t.Fatalf("go list found %d packages", len(all))
	}
	return all
}
