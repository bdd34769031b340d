package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/client"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

func TestOnlyWhatChangedIsSent(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		r := bootOn(t, url)
		dir := t.TempDir()
		a := write(t, dir, "a.json", valid("com.example.a", "1.0.0"))
		skill := dir + "/skill"
		write(t, skill, "SKILL.md", skillText)
		publish := func(args ...string) outcomeOf {
			return call(t, r.as(adminKey), "", append([]string{"publish", dir, "--changed-only", "--namespace", "com.example", "--skill-version", "1.0.0"}, args...)...)
		}
		first := publish()
		wantStatus(t, first, statusOK)
		wantText(t, "stdout", first.stdout, a+": published com.example.a 1.0.0\n", skill+": published com.example.")
		writes := audited(t, r)
		again := publish()
		wantStatus(t, again, statusOK)
		wantText(t, "stdout", again.stdout, a+": unchanged com.example.a 1.0.0\n", skill+": unchanged com.example.")
		// Even a key that may write nothing is enough for what is there.
		wantStatus(t, call(t, r.as(""), "", "publish", a, "--changed-only"), statusOK)

		// Other content under a version: nothing is sent, not even what is new.
		write(t, dir, "a.json", strings.Replace(valid("com.example.a", "1.0.0"), "Translates", "Says", 1))
		b := write(t, dir, "b.json", valid("com.example.b", "1.0.0"))
		write(t, skill, "references/more.md", "More.")
		refused := publish()
		wantStatus(t, refused, statusFailed)
		wantText(t, "stderr", refused.stderr, a+":1:", "com.example.a 1.0.0 is published with other content, and never changes: raise the version",
			skill+": ", "with other files", "3 files: 2 refused, 1 not tried\n")
		if now := audited(t, r); now != writes {
			t.Errorf("the registry has %d events, want the %d of the first publication", now, writes)
		}

		// Nor where one is not valid.
		write(t, dir, "a.json", strings.Replace(valid("com.example.a", "1.1.0"), `"api"`, `"tool"`, 1))
		invalid := publish()
		wantStatus(t, invalid, statusFailed)
		wantText(t, "stderr", invalid.stderr, "(/capability_type)", "1 not tried")
		wantStatus(t, call(t, r.as(adminKey), "", "get", "com.example.b"), statusFailed)

		// Nor where the registry would not take one: another key's, what was deleted, one twice.
		wantStatus(t, call(t, r.as(adminKey), "", "delete", "com.example.a", "1.0.0", "--yes"), statusOK)
		others := t.TempDir()
		write(t, others, "0.json", valid("com.example.b", "1.0.0"))
		write(t, others, "1.json", valid("com.example.a", "1.0.0"))
		write(t, others, "2.json", valid("com.example.b", "1.0.0+other"))
		taken := call(t, r.as(adminKey), "", "publish", others, "--changed-only")
		wantStatus(t, taken, statusFailed)
		wantText(t, "stderr", taken.stderr, "1.json", "2.json", "com.example.b@1.0.0 is the version of "+filepath.Join(others, "0.json")+", too", "2 refused, 1 not tried")
		wantStatus(t, call(t, r.as(adminKey), "", "get", "com.example.b"), statusFailed)

		write(t, dir, "a.json", valid("com.example.a", "1.1.0"))
		raised := publish("--skill-version", "1.1.0")
		wantStatus(t, raised, statusOK)
		wantText(t, "stdout", raised.stdout, a+": published com.example.a 1.1.0\n", b+": published", skill+": published")
	})
}

// audited counts the events of a registry.
func audited(t *testing.T, r *registry) int {
	t.Helper()
	return len(lines[client.Event](t, call(t, r.as(adminKey), "", "audit", "--json").stdout))
}
