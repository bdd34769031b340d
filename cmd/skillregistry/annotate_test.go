package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// An author of a change may call files and members as it pleases them.
const hostile = "a::error file=b,line=1::c%0A##[add-mask]d\n::set-output name=x::y\u2028e"

func TestAnnotationsOfGitHubAreOneCommandEach(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := strings.ReplaceAll(hostile, "\n", "") + ".json"
	file := write(t, dir, name, "{\n  \"access\": "+asText(t, hostile)+"}")
	write(t, dir, "b.json", "{\n,")
	got := call(t, nil, "", "validate", "--annotate", "github", dir)
	wantStatus(t, got, statusFailed)
	command := regexp.MustCompile(`^::(error|warning) file=[^:,\n]+,line=[0-9]+,col=[0-9]+,title=[A-Z_]+::`)
	for line := range strings.Lines(got.stdout) {
		if !command.MatchString(line) {
			t.Errorf("got the line %q, want one command", line)
		}
	}
	wantText(t, "stdout", got.stdout, "%3A%3Aerror file=b%2Cline=1%3A%3Ac%250A##[add-mask]d", "line=2,col=13,title=VALIDATION_ERROR::expected one of: public",
		"b.json,line=2,col=1,title=INVALID_JSON::not valid JSON")
	if strings.Count(got.stdout, "\n") != 13 {
		t.Errorf("got %d lines for 12 violations and a text that is no JSON:\n%s", strings.Count(got.stdout, "\n"), got.stdout)
	}
	_ = file

	// What went well is no command either, wherever it is printed.
	fine := write(t, dir, "::warning::a##[b]/a.json", valid("com.example.a", "1.0.0"))
	p, stdout := testProgram(nil, nil), newOutput()
	p.stdout = stdout
	o := outcome{File: strings.TrimPrefix(fine, dir+"/"), Result: resultValid}
	if err := p.reporter(1, reporting{annotate: annotateGitHub}).report(o); err != nil {
		t.Fatal(err)
	}
	wantOneLine(t, "stdout", stdout.String(), "./::warning::a# #[b]/a.json: valid")
}

func TestAnnotationsOfGitLabAreAReport(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t))
	dir := t.TempDir()
	bad := write(t, dir, "bad.json", "{\n\"id\": "+asText(t, hostile)+"}")
	good := write(t, dir, "good.json", valid("com.example.a", "1.0.0"))
	var reports [2][]issue
	for i, args := range [][]string{{"validate", bad, good}, {"publish", good, bad}} {
		got := call(t, r.as(adminKey), "", append(args, "--annotate", "gitlab")...)
		wantStatus(t, got, statusFailed)
		if err := json.Unmarshal([]byte(got.stdout), &reports[i]); err != nil {
			t.Fatalf("%v: %s: %v", args, got.stdout, err)
		}
		wantText(t, "stderr", got.stderr, bad+":2:7: expected ", "(/id)", good+": ")
	}
	prints := map[string]bool{}
	for i, got := range reports[0] {
		prints[got.Fingerprint] = true
		if got != reports[1][i] || got.Severity != "major" || got.CheckName != "VALIDATION_ERROR" || got.Location.Path != bad || got.Location.Lines.Begin < 1 {
			t.Errorf("got %+v without a registry and %+v with one", got, reports[1][i])
		}
	}
	if len(prints) != len(reports[0]) || len(prints) != 12 {
		t.Errorf("got %d fingerprints of %d issues, want 12 of 12", len(prints), len(reports[0]))
	}
	empty := call(t, nil, "", "validate", good, "--annotate", "gitlab")
	wantStatus(t, empty, statusOK)
	wantOneLine(t, "stdout", empty.stdout, "[]")
}

func TestAnnotationsAndJSONAreOneOrTheOther(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"validate", "--json", "--annotate", "github"}, {"publish", "--json", "--annotate", "gitlab"},
		{"publish", "--watch", "--annotate", "gitlab"}, {"validate", "--annotate", "gerrit"},
	} {
		got := call(t, nil, "", append(args, "../../examples")...)
		wantStatus(t, got, statusUsage)
		wantOneLine(t, "stderr", got.stderr, "--annotate")
	}
}

func TestAFileBelowTheWorkingDirectoryIsNamedFromThere(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", "sub/a.json", "{")
	got := call(t, nil, "", "validate", "--annotate", "github", "./sub")
	wantText(t, "stdout", got.stdout, "::error file=sub/a.json,line=1,col=2,")
}
