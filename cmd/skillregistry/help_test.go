package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestTheHelpOfEachVerbTeachesByExample(t *testing.T) {
	t.Parallel()
	p := testProgram(nil, nil)
	for _, cmd := range everyCommand(p.root()) {
		if cmd.Name() == "help" || cmd.Parent() != nil && cmd.Parent().Name() == "completion" {
			continue // cobra's own
		}
		path := strings.Fields(cmd.CommandPath())
		got := call(t, nil, "", append(path[1:], "--help")...)
		wantStatus(t, got, statusOK)
		wantText(t, "help of "+cmd.CommandPath(), got.stdout, "Examples:\n", "  "+firstLine(cmd))
		if cmd.Long == "" || cmd.Short == "" {
			t.Errorf("%s says nothing of itself", cmd.CommandPath())
		}
		for line := range strings.Lines(cmd.Long) {
			if len([]rune(line)) > 90 {
				t.Errorf("help of %s: the line %q is wider than a terminal", cmd.CommandPath(), line)
			}
		}
	}
}

// firstLine is the first example, which is a call of the verb itself.
func firstLine(cmd *cobra.Command) string {
	line, _, _ := strings.Cut(strings.TrimSpace(cmd.Example), "\n")
	return line
}

func TestTheHelpNamesEveryVariable(t *testing.T) {
	t.Parallel()
	got := call(t, nil, "", "serve", "--help")
	for _, name := range strings.Fields(`ADDR METRICS_ADDR DATABASE_URL DATABASE_URL_FILE BASE_URL PUBLISH_DIR TRUSTED_PROXIES
		PROVIDER_NAME PROVIDER_URL ADMIN_KEY ADMIN_KEY_FILE STALE_IF_ERROR RATE_LIMIT MAX_BODY MAX_DEPTH SHUTDOWN_DELAY SHUTDOWN_TIMEOUT LOG_FORMAT LOG_LEVEL`) {
		flag := "--" + strings.ToLower(strings.ReplaceAll(name, "_", "-"))
		wantText(t, "help", got.stdout, "[SKILLREGISTRY_"+name+"]", flag+" ")
	}
}

func TestAVerbThatDoesNotExistIsAUsageError(t *testing.T) {
	t.Parallel()
	got := call(t, nil, "", "serv")
	wantStatus(t, got, statusUsage)
	wantOneLine(t, "stderr", got.stderr, `unknown command "serv"`, "serve")
}

func TestVersionSaysWhichBuildThisIs(t *testing.T) {
	t.Parallel()
	got := call(t, nil, "", "version")
	wantStatus(t, got, statusOK)
	wantOneLine(t, "stdout", got.stdout, "skillregistry ", "go1.")
	var b build
	if err := json.Unmarshal([]byte(call(t, nil, "", "version", "--json").stdout), &b); err != nil || b.Version == "" || b.GoVersion == "" || b.Platform == "" {
		t.Errorf("as JSON: got %+v and error %v", b, err)
	}
}

func TestTheShellCompletesVerbsAndValues(t *testing.T) {
	t.Parallel()
	wantText(t, "bash completion", call(t, nil, "", "completion", "bash").stdout, "skillregistry")
	wantText(t, "verbs", call(t, nil, "", "__complete", "pub").stdout, "publish")
	wantText(t, "types", call(t, nil, "", "__complete", "list", "--type", "").stdout, "knowledge")
}
