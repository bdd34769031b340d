package protocoltest

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"
)

// minChecks is how many cases a property must hold for.
const minChecks = 100

// Main is the TestMain of a package with properties: at least 100 cases each whatever
// -short and the environment say, little time for shrinking, no files left behind.
func Main(m *testing.M) {
	flag.Parse()
	checks := minChecks
	if testing.Short() {
		checks *= 5 // rapid divides by it
	}
	if have, err := strconv.Atoi(flag.Lookup("rapid.checks").Value.String()); err == nil && have > checks {
		checks = have
	}
	for name, value := range map[string]string{
		"rapid.checks":     strconv.Itoa(checks),
		"rapid.shrinktime": "5s",
		"rapid.nofailfile": "true",
	} {
		if err := flag.Set(name, value); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
	os.Exit(m.Run())
}

// Property checks one of the protocol's numbered properties, and fails when fewer than
// 100 cases were checked to their end.
func Property(t *testing.T, number int, statement string, check func(*rapid.T)) {
	t.Helper()
	t.Logf("Feature: skill-sharing-protocol, Property %d: %s", number, statement)
	Check(t, check)
}

// Check is rapid.Check that fails when fewer than 100 cases were checked to their end:
// cases that were skipped don't count.
func Check(t *testing.T, check func(*rapid.T)) {
	t.Helper()
	var done atomic.Int64
	rapid.Check(t, func(rt *rapid.T) {
		check(rt)
		done.Add(1)
	})
	if n := done.Load(); n < minChecks && !t.Failed() {
		t.Errorf("the property was checked on %d cases, want at least %d: does TestMain call protocoltest.Main?", n, minChecks)
	}
}
