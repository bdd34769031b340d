package main

import (
	"strings"
	"testing"
)

func TestValidateNeedsNoRegistry(t *testing.T) {
	t.Parallel()
	got := call(t, nil, "", "validate", "../../examples")
	wantStatus(t, got, statusOK)
	wantText(t, "stdout", got.stdout, "../../examples/org.arxiv.query.json: valid org.arxiv.query 1.0.0\n")
	wantText(t, "stderr", got.stderr, "12 files: 12 valid\n")
	if strings.Contains(got.stderr, "warning") {
		t.Errorf("stderr: got a warning about an example:\n%s", got.stderr)
	}
}

func TestValidateKnowsEveryKindOfDocument(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ kind, good, bad, pointer string }{
		{"descriptor", valid("com.example.a", "1.0.0"), strings.Replace(valid("com.example.a", "1.0.0"), "1.0.0", "1.0", 1), "/protocol/version"},
		{"index", `{"protocol":{"version":"1.0.0"},"provider":{"name":"a"},"skills":[]}`, `{"protocol":{"version":"1.0.0"},"provider":{},"skills":[]}`, "/provider/name"},
		{"invocation-request", `{"caller":{"id":"a","type":"user"},"skill_id":"com.example.a","inputs":{}}`, `{"caller":{"id":"a","type":"robot"},"skill_id":"com.example.a","inputs":{}}`, "/caller/type"},
		{"invocation-response", `{"execution_id":"1","status":"running","skill_id":"com.example.a","timestamps":{"accepted_at":"2026-01-01T00:00:00Z"}}`,
			`{"execution_id":"1","status":"running","skill_id":"com.example.a","timestamps":{}}`, "/timestamps/accepted_at"},
	} {
		got := call(t, nil, c.good, "validate", "--kind", c.kind, "-")
		wantStatus(t, got, statusOK)
		wantText(t, "stdout", got.stdout, "-: valid")
		got = call(t, nil, c.bad, "validate", "--kind", c.kind, "-")
		wantStatus(t, got, statusFailed)
		wantText(t, "stderr", got.stderr, "-:1:", ": expected ", "("+c.pointer+")\n")
	}
	got := call(t, nil, "", "validate", "--kind", "skill", "-")
	wantStatus(t, got, statusUsage)
	wantOneLine(t, "stderr", got.stderr, `--kind "skill"`, "one of: descriptor, index, invocation-request, invocation-response")
}

func TestValidateHasTheRegistrysLimits(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 20) + strings.Repeat("]", 20)
	wantText(t, "stderr", call(t, nil, deep, "validate", "--max-depth", "10", "-").stderr, "-:1:11: not valid JSON", "10")
	wantText(t, "stderr", call(t, []string{"SKILLREGISTRY_MAX_BODY=2KiB"}, strings.Repeat(" ", 3<<10), "validate", "-").stderr, "-: larger than 2KiB")
}

func TestValidateAsJSONTellsFileResultAndViolations(t *testing.T) {
	t.Parallel()
	got := call(t, nil, "{}", "validate", "--json", "-", "../../examples/org.arxiv.query.json")
	wantStatus(t, got, statusFailed)
	outcomes := lines[outcome](t, got.stdout)
	if len(outcomes) != 2 || outcomes[0].Result != "refused" || outcomes[0].Error.Code != "VALIDATION_ERROR" || len(outcomes[0].Error.Violations) != 12 {
		t.Errorf("got %s, want 12 violations of an empty object", got.stdout)
	}
	if len(outcomes) != 2 || outcomes[1].Result != "valid" || outcomes[1].ID != "org.arxiv.query" {
		t.Errorf("got %s, want a valid second file", got.stdout)
	}
}
