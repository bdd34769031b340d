//go:build replicas && linux

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mutant builds the command with one piece of one of the module's files replaced, and
// returns its path. The piece has to be in the file once.
func mutant(t *testing.T, file, piece, replacement string) string {
	t.Helper()
	source, err := filepath.Abs(filepath.Join("../..", file))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), piece); n != 1 {
		t.Fatalf("%s has %d places that say\n%s\nThe test has to be told what the code says now.", file, n, piece)
	}
	dir := t.TempDir()
	changed := write(t, dir, "changed.go", strings.Replace(string(text), piece, replacement, 1))
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{source: changed}})
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "skillregistry")
	build := exec.Command("go", "build", "-overlay", write(t, dir, "overlay.json", string(overlay)), "-o", binary, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the command with a change in %s: %v:\n%s", file, err, out)
	}
	return binary
}
