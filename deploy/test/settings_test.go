package deploy_test

import (
	"os"
	"regexp"
	"testing"
)

var settingRow = regexp.MustCompile("(?m)^\\| `(SKILLREGISTRY_[A-Z_]+)` ")

// secretSettings may come from a file that the same name with _FILE at its end names.
var secretSettings = []string{"SKILLREGISTRY_ADMIN_KEY", "SKILLREGISTRY_DATABASE_URL"}

// settings returns the environment variables of the README's table, which another
// test holds to the command's own flags.
func settings(t *testing.T) map[string]bool {
	t.Helper()
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, m := range settingRow.FindAllSubmatch(data, -1) {
		known[string(m[1])] = true
	}
	if len(known) < 10 {
		t.Fatalf("README.md: found the settings %v, want at least 10", known)
	}
	for _, name := range secretSettings {
		known[name+"_FILE"] = true
	}
	return known
}
