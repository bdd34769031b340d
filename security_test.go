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
