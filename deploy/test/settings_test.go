package deploy_test

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var settingRow = regexp.MustCompile("(?m)^\\| `(SKILLREGISTRY_[A-Z_]+)` ")

// secretSettings may come from a file that the same name with _FILE at its end names.
var secretSettings = []string{"SKILLREGISTRY_ADMIN_KEY", "SKILLREGISTRY_DATABASE_URL"}

// memoryLimit is the variable by which Go's garbage collector knows how much memory
// there is.
const memoryLimit = "GOMEMLIMIT"

// checkMemoryLimit holds that the collector works harder before a limit of so many bytes
// ends the process, and not long before.
func checkMemoryLimit(t *testing.T, value string, limit int64) {
	t.Helper()
	digits, ok := strings.CutSuffix(value, "MiB")
	mib, err := strconv.ParseInt(digits, 10, 64)
	if soft := mib << 20; !ok || err != nil || soft > limit*95/100 || soft < limit*80/100 {
		t.Errorf("%s: got %q with a limit of %d bytes, want 80 to 95 in a hundred of it, in MiB", memoryLimit, value, limit)
	}
}

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
