package deploy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

const systemd = "../systemd/"

var unitLine = regexp.MustCompile(`(?m)^([A-Za-z]+)=(.*)$`)

// unit returns the values of each key of the service, in their order.
func unit(t *testing.T) map[string][]string {
	t.Helper()
	data, err := os.ReadFile(systemd + "skillregistry.service")
	if err != nil {
		t.Fatal(err)
	}
	values := map[string][]string{}
	for _, m := range unitLine.FindAllStringSubmatch(string(data), -1) {
		values[m[1]] = append(values[m[1]], m[2])
	}
	return values
}

// analyze asks systemd-analyze about the service, with a program that is on this machine.
func analyze(t *testing.T, args ...string) {
	t.Helper()
	data, err := os.ReadFile(systemd + "skillregistry.service")
	if err != nil {
		t.Fatal(err)
	}
	installed := strings.Replace(string(data), "ExecStart=/usr/local/bin/skillregistry", "ExecStart=/bin/true", 1)
	file := filepath.Join(t.TempDir(), "skillregistry.service")
	if err := os.WriteFile(file, []byte(installed), 0o600); err != nil {
		t.Fatal(err)
	}
	said, err := exec.Command("systemd-analyze", append(args, file)...).CombinedOutput()
	// What it does not understand it says, and succeeds.
	if err != nil || strings.Contains(string(said), "ignoring") {
		t.Errorf("systemd-analyze %v: %v\n%s", args, err, said)
	}
}

func TestSystemdUnderstandsTheService(t *testing.T) {
	t.Parallel()
	analyze(t, "verify")
}

// Of 0, fully shut in, to 10, everything allowed, as systemd itself judges.
func TestTheServiceMayDoLittle(t *testing.T) {
	t.Parallel()
	analyze(t, "security", "--offline=true", "--no-pager", "--threshold=20")
}

func TestTheServicesSettingsExistAndItsSecretsAreFiles(t *testing.T) {
	t.Parallel()
	u, known := unit(t), settings(t)
	env, err := os.ReadFile(systemd + "skillregistry.env")
	if err != nil {
		t.Fatal(err)
	}
	set := slices.Clone(u["Environment"])
	for line := range strings.Lines(string(env)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			set = append(set, line)
		}
	}
	if len(set) < 5 {
		t.Fatalf("got %q, want the settings", set)
	}
	for _, assignment := range set {
		name, value, _ := strings.Cut(assignment, "=")
		switch {
		case name == memoryLimit:
			if got, want := u["MemoryMax"], "512M"; len(got) != 1 || got[0] != want {
				t.Errorf("limit of memory: got %q, want %s", got, want)
			}
			checkMemoryLimit(t, value, 512<<20)
		case !known[name]:
			t.Errorf("%s is set, but README.md knows no such setting", name)
		case slices.Contains(secretSettings, name) && !strings.HasPrefix(value, "sqlite:"):
			t.Errorf("%s stands in the environment, want its file", name)
		}
		if file, ok := strings.CutPrefix(value, "%d/"); ok && !slices.ContainsFunc(u["LoadCredential"], func(c string) bool { return strings.HasPrefix(c, file+":/") }) {
			t.Errorf("%s: %q is none of the credentials %q", name, file, u["LoadCredential"])
		}
	}
}

func TestTheServiceHasTimeToStop(t *testing.T) {
	t.Parallel()
	got, err := time.ParseDuration(strings.Join(unit(t)["TimeoutStopSec"], " "))
	const shutdown = 10 * time.Second // SKILLREGISTRY_SHUTDOWN_TIMEOUT
	if err != nil || got <= shutdown {
		t.Errorf("time to stop: got %v, %v, want more than %v", got, err, shutdown)
	}
}
