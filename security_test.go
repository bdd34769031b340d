package skillregistry_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each threat names what shows that something stands against it, and that is there.
func TestEveryThreatNamesTestsThatExist(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	_, threats, _ := strings.Cut(string(text), "\n## Threats\n")
	name := regexp.MustCompile("`((?:Test|Benchmark)[A-Za-z0-9]+)`")
	there := testFunctions(t)
	rows := 0
	for line := range strings.Lines(threats) {
		if !strings.HasPrefix(line, "| a") && !strings.HasPrefix(line, "| whoever") {
			continue
		}
		rows++
		named := name.FindAllStringSubmatch(line, -1)
		if len(named) == 0 {
			t.Errorf("no test is named in the row %s", line)
		}
		for _, m := range named {
			if !there[m[1]] {
				t.Errorf("SECURITY.md names %s, and there is no such function", m[1])
			}
		}
	}
	if rows < 20 {
		t.Errorf("%d threats were found, want all of the table", rows)
	}
}

// issuersAsked is the file that may send requests: to issuers of the configuration.
const issuersAsked = "internal/oidc/fetch.go"

// TestTheServerSendsNoRequests holds that nothing in the packages of the server could: they
// answer HTTP, and name nothing that asks. Only PostgreSQL's driver connects to anything,
// and the one file that asks configured issuers for their keys.
func TestTheServerSendsNoRequests(t *testing.T) {
	t.Parallel()
	asks := regexp.MustCompile(`\b(http\.(Get|Head|Post|PostForm|Client|DefaultClient|Transport|DefaultTransport|NewRequest\w*)|net\.(Dial\w*|Lookup\w*|Resolver|DefaultResolver)|httputil\.\w+|exec\.Command\w*)\b`)
	files := 0
	err := filepath.WalkDir("internal", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || filepath.ToSlash(path) == issuersAsked || isTestSupport(filepath.ToSlash(filepath.Dir(path))) {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		if found := asks.Find(text); found != nil {
			t.Errorf("%s names %s", path, found)
		}
		return err
	})
	if err != nil || files < 100 {
		t.Errorf("read %d files, %v; want those of the server", files, err)
	}
}

// testFunctions returns the names of all tests and benchmarks of the repository.
func testFunctions(t *testing.T) map[string]bool {
	t.Helper()
	functions := make(map[string]bool)
	function := regexp.MustCompile(`(?m)^func ((?:Test|Benchmark)[A-Za-z0-9]+)\(`)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range function.FindAllSubmatch(text, -1) {
			functions[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return functions
}
