package deploy_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// gitlabJob is a job, or what jobs extend.
type gitlabJob struct {
	Extends string `json:"extends"`
	Image   struct {
		Name string `json:"name"`
	} `json:"image"`
	BeforeScript []string `json:"before_script"`
	Script       []string `json:"script"`
	Rules        []struct {
		If string `json:"if"`
	} `json:"rules"`
	IDTokens map[string]struct {
		Aud string `json:"aud"`
	} `json:"id_tokens"`
	Artifacts struct {
		When    string            `json:"when"`
		Reports map[string]string `json:"reports"`
	} `json:"artifacts"`
}

// pipeline is the file, with its jobs as GitLab makes them of what they extend.
type pipeline struct {
	Base      gitlabJob         `json:".skillregistry"`
	Check     gitlabJob         `json:"skills:check"`
	Publish   gitlabJob         `json:"skills:publish"`
	Variables map[string]string `json:"variables"`
}

func readPipeline(t *testing.T) pipeline {
	t.Helper()
	data, err := os.ReadFile("../gitlab/skillregistry.gitlab-ci.yml")
	if err != nil {
		t.Fatal(err)
	}
	var p pipeline
	if err := yaml.UnmarshalStrict(data, &p); err != nil {
		t.Fatal(err)
	}
	for _, job := range []*gitlabJob{&p.Check, &p.Publish} {
		if job.Extends != ".skillregistry" || len(job.Rules) == 0 {
			t.Fatalf("got %+v, want what extends .skillregistry and has a rule", job)
		}
		job.BeforeScript, job.Artifacts = p.Base.BeforeScript, p.Base.Artifacts
	}
	return p
}

// codeQuality is an issue of a Code Quality report.
type codeQuality struct {
	Description string `json:"description"`
	CheckName   string `json:"check_name"`
	Fingerprint string `json:"fingerprint"`
	Severity    string `json:"severity"`
	Location    struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"`
		} `json:"lines"`
	} `json:"location"`
}

// gitlab runs a job as GitLab does, with variables over those of the file, and returns the
// report that it leaves.
func (w workspace) gitlab(t *testing.T, p pipeline, job gitlabJob, variables map[string]string) (ended, []codeQuality) {
	t.Helper()
	set := maps.Clone(p.Variables)
	maps.Copy(set, variables)
	var environ []string
	for name, value := range set {
		environ = append(environ, name+"="+value)
	}
	done := w.run(t, environ, "sh", "-e", "-c", strings.Join(slices.Concat(job.BeforeScript, job.Script), "\n"))
	data, err := os.ReadFile(filepath.Join(w.dir, job.Artifacts.Reports["codequality"]))
	var report []codeQuality
	if err == nil {
		err = json.Unmarshal(data, &report)
	}
	if err != nil || report == nil || job.Artifacts.When != "always" {
		t.Errorf("got the report %q, error %v, want one, whenever the job ends; stderr:\n%s", data, err, done.stderr)
	}
	return done, report
}

func TestJobsOfGitLabCheckAndPublish(t *testing.T) {
	t.Parallel()
	url, w, p := registry(t), newWorkspace(t), readPipeline(t)
	w.path = filepath.Dir(binary) + string(os.PathListSeparator) + w.path // as in an image that has it
	token := p.Publish.IDTokens["SKILLS_ID_TOKEN"].Aud
	if token != "$SKILLS_AUDIENCE" || p.Variables["SKILLS_AUDIENCE"] == "" {
		t.Errorf("the token is for %q, want SKILLS_AUDIENCE, which is %q", token, p.Variables["SKILLS_AUDIENCE"])
	}
	succeeds := func(job gitlabJob, says string, variables map[string]string) {
		t.Helper()
		if done, report := w.gitlab(t, p, job, variables); done.status != 0 || len(report) != 0 || !strings.Contains(done.stderr, says) || strings.Contains(done.stderr, "warning") {
			t.Errorf("got %+v and %+v, want status 0, %q, no warning and no issue", done, report, says)
		}
	}
	succeeds(p.Check, "skills/a.json: valid com.example.a 1.0.0\n", nil)
	wantSkills(t, url)
	own := map[string]string{"SKILLREGISTRY_URL": url, "SKILLS_ID_TOKEN": publisherKey}
	succeeds(p.Publish, "skills/a.json: published com.example.a 1.0.0\n", own)
	wantSkills(t, url, "com.example.a", "com.example.b")
	stored := map[string]string{"SKILLREGISTRY_URL": url, "SKILLREGISTRY_KEY": publisherKey, "SKILLS_ID_TOKEN": "not.one.of-the-registry"}
	w.write(t, "$(touch pwned); more/c.json", descriptor("com.example.c"))
	stored["SKILLS_FILES"] = "$(touch pwned); more"
	succeeds(p.Publish, "more/c.json: published com.example.c 1.0.0\n", stored)
	if files := w.files(t); slices.Contains(files, "/pwned") {
		t.Errorf("got %q, want nothing that was run", files)
	}
}

func TestJobsOfGitLabReportWhatIsWrong(t *testing.T) {
	t.Parallel()
	url, w, p := registry(t), newWorkspace(t), readPipeline(t)
	w.path = filepath.Dir(binary) + string(os.PathListSeparator) + w.path
	w.write(t, "skills/b.json", broken("com.example.b"))
	var prints []string
	for _, job := range []gitlabJob{p.Check, p.Publish} {
		done, report := w.gitlab(t, p, job, map[string]string{"SKILLREGISTRY_URL": url, "SKILLREGISTRY_KEY": publisherKey})
		if done.status != 1 || len(report) != 1 {
			t.Fatalf("got %+v and %+v, want status 1 and one issue", done, report)
		}
		prints = append(prints, report[0].Fingerprint)
		want := codeQuality{Description: "expected one of: plugin, api, knowledge, task, got tool (/capability_type)", CheckName: "VALIDATION_ERROR", Severity: "major", Fingerprint: report[0].Fingerprint}
		want.Location.Path, want.Location.Lines.Begin = "skills/b.json", 4
		if report[0] != want {
			t.Errorf("got %+v, want %+v", report[0], want)
		}
	}
	if prints[0] == "" || prints[0] != prints[1] {
		t.Errorf("got the fingerprints %q of one fault, want one", prints)
	}
	wantSkills(t, url)
}
