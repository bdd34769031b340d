package deploy_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// publishing are the inputs of a job that publishes with a key.
func publishing(url string, others ...string) map[string]string {
	inputs := map[string]string{"url": url, "key": publisherKey, "files": "skills", "binary": binary}
	for i := 0; i < len(others); i += 2 {
		inputs[others[i]] = others[i+1]
	}
	return inputs
}

// want fails the test unless the action ended with a status and outputs, in their order
// published and unchanged, "" for none, and wrote what is wanted.
func (j job) want(t *testing.T, status int, published, unchanged, text string) {
	t.Helper()
	if j.status != status || j.outputs["published"] != published || j.outputs["unchanged"] != unchanged || !strings.Contains(j.stdout+j.stderr, text) {
		t.Errorf("got status %d and outputs %q, want %d, %q published, %q unchanged and %q; stdout:\n%s\nstderr:\n%s",
			j.status, j.outputs, status, published, unchanged, text, j.stdout, j.stderr)
	}
}

// What is written into a script by an expression is run.
func TestNoScriptOfTheActionHasAnExpression(t *testing.T) {
	t.Parallel()
	for _, step := range readAction(t).Runs.Steps {
		if strings.Contains(step.Run, "${{") || !strings.Contains(step.Run, "set -euo pipefail\n") {
			t.Errorf("the step %s: got %q, want no expression, and an end at what fails", step.ID, step.Run)
		}
		// macOS has a bash of 2007.
		if newer := regexp.MustCompile(`\$\{[A-Za-z_]+(\^|,|@)|\b(mapfile|readarray)\b|declare -[AgnlU]|&>>|\|&`).FindString(step.Run); newer != "" {
			t.Errorf("the step %s has %q, which bash 3.2 does not", step.ID, newer)
		}
	}
}

func TestTheActionPublishesWhatIsNotThere(t *testing.T) {
	t.Parallel()
	url, w := registry(t), newWorkspace(t)
	w.use(t, publishing(url, "dry-run", "true")).want(t, 0, "0", "0", "skills/a.json: accepted com.example.a 1.0.0\n")
	wantSkills(t, url)
	w.use(t, publishing(url)).want(t, 0, "2", "0", "skills/a.json: published com.example.a 1.0.0\n")
	wantSkills(t, url, "com.example.a", "com.example.b")
	w.use(t, publishing(url)).want(t, 0, "0", "2", "skills/a.json: unchanged com.example.a 1.0.0\n")
	w.write(t, "more of them/c.json", descriptor("com.example.c"))
	w.use(t, publishing(url, "files", "\nskills/a.json\n  \nmore of them\n", "changed-only", "false")).want(t, 0, "1", "1", "more of them/c.json: published")
	w.use(t, publishing(url, "files", " \n")).want(t, 2, "", "", "files names none")
	w.use(t, publishing("http://127.0.0.1:1", "validate-only", "true", "key", "")).want(t, 0, "0", "0", "skills/a.json: valid")
	w.use(t, publishing(url, "validate-only", "yes")).want(t, 2, "", "", "::error title=skillregistry::validate-only has to be true or false\n")
	w.use(t, publishing(url, "dry-run", "yes")).want(t, 2, "", "", "::error title=skillregistry::dry-run has to be true or false\n")
}

func TestTheActionShowsWhatIsWrongAtItsLine(t *testing.T) {
	t.Parallel()
	url, w := registry(t), newWorkspace(t)
	w.write(t, "skills/b.json", broken("com.example.b"))
	// Its name counts as no publication.
	w.write(t, "skills/::set-output name=published::9 ##[add-mask]: published a 1.json", broken("com.example.c"))
	j := w.use(t, publishing(url))
	j.want(t, 1, "0", "0", "::error file=skills/b.json,line=4,col=22,title=VALIDATION_ERROR::expected one of: plugin, api, knowledge, task, got tool")
	if len(j.commands) != 2 || slices.ContainsFunc(j.commands, func(c string) bool { return !strings.HasPrefix(c, "::error file=skills/") }) {
		t.Errorf("got the commands %q, want two errors", j.commands)
	}
	wantSkills(t, url)
}

// Whatever an input is, nothing of it is run, and nothing but the counts is an output.
func TestNothingInAnInputIsRun(t *testing.T) {
	t.Parallel()
	url := registry(t)
	for name := range readAction(t).Inputs {
		for _, value := range []string{
			"$(touch pwned)", `"; touch pwned; "`, `'; touch pwned; '`, "--config", "true=true", "x\npublished=9\npwned=1",
			"x\n::set-output name=published::9", "::set-output name=published::[9-", "x ##[set-output name=published]9", "",
		} {
			t.Run(name+" "+value, func(t *testing.T) {
				t.Parallel()
				w := newWorkspace(t)
				before := w.files(t)
				inputs := publishing(url, "dry-run", "true", name, value)
				switch name {
				case "version", "sha256", "releases":
					inputs["binary"] = ""
				}
				if _, ok := inputs["version"]; !ok {
					inputs["version"] = "v1.0.0"
				}
				if _, ok := inputs["releases"]; !ok {
					inputs["releases"] = url
				}
				j := w.use(t, inputs)
				allowed := regexp.MustCompile(`^::(error|warning) (title=skillregistry|file=[^:]*)::|^::add-mask::`)
				for _, command := range j.commands {
					if !allowed.MatchString(command) || strings.Contains(command, "pwned") {
						t.Errorf("got the command %q", command)
					}
				}
				for output, count := range j.outputs {
					if count != "0" {
						t.Errorf("got the output %s=%q, want none or 0", output, count)
					}
				}
				after := slices.DeleteFunc(w.files(t), func(file string) bool { return strings.HasPrefix(file, "/skillregistry.") }) // the action's own
				if !slices.Equal(before, after) {
					t.Errorf("got the files %q, want %q", after, before)
				}
			})
		}
	}
}

// tokens is where a job gets a token of its own.
func tokens(t *testing.T) (environ []string, audiences func() []string) {
	t.Helper()
	asked := make(chan []string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer token-of-the-job" || r.URL.Query().Get("api-version") != "2.0" {
			http.Error(w, "{}", http.StatusForbidden)
			return
		}
		asked <- r.URL.Query()["audience"]
		_, _ = w.Write([]byte(`{"value":"` + publisherKey + `"}`))
	}))
	t.Cleanup(server.Close)
	return []string{"ACTIONS_ID_TOKEN_REQUEST_URL=" + server.URL + "/token?api-version=2.0", "ACTIONS_ID_TOKEN_REQUEST_TOKEN=token-of-the-job"},
		func() []string { return <-asked }
}

func TestAJobPublishesByItsOwnToken(t *testing.T) {
	t.Parallel()
	url, w := registry(t), newWorkspace(t)
	inputs := publishing(url, "key", "", "audience", "https://skills.example.com")
	w.use(t, inputs).want(t, 2, "", "", "::error title=skillregistry::audience needs the permission id-token: write\n")
	for _, audience := range []string{"https://skills.example.com", "a&audience=b#c%20d\nheader = \"X: y\" é $(touch pwned)"} {
		environ, asked := tokens(t)
		inputs["audience"] = audience
		j := w.use(t, inputs, environ...)
		if j.status != 0 {
			t.Fatalf("audience %q: got %+v, want status 0", audience, j)
		}
		if got := asked(); !slices.Equal(got, []string{audience}) {
			t.Errorf("got the audience %q, want %q", got, audience)
		}
		// From its first line on, the job's log shows no token.
		if want := "::add-mask::" + publisherKey + "\n"; !strings.HasPrefix(j.stdout, want) || strings.Count(j.stdout+j.stderr, publisherKey) != 1 {
			t.Errorf("got %q and %q, want the token in %q alone, first of all", j.stdout, j.stderr, want)
		}
	}
	wantSkills(t, url, "com.example.a", "com.example.b")
	environ, _ := tokens(t)
	environ[1] = "ACTIONS_ID_TOKEN_REQUEST_TOKEN=another"
	if j := w.use(t, inputs, environ...); j.status == 0 || len(j.outputs) != 0 {
		t.Errorf("without a token: got %+v, want a failure and no output", j)
	}
}

// What was not released as it is does not run.
func TestTheActionRunsWhatWasReleased(t *testing.T) {
	t.Parallel()
	url, w := registry(t), newWorkspace(t)
	name, archive, sum := release(t)
	for _, c := range []struct {
		what         string
		served       map[string]string
		sha256, says string
	}{
		{"with its sum", map[string]string{name: archive, "SHA256SUMS": sum + "  " + name + "\n"}, "", ""},
		{"held to a sum of the job", map[string]string{name: archive}, sum, ""},
		{"other than its sum", map[string]string{name: archive + "x", "SHA256SUMS": sum + "  " + name + "\n"}, "", "not the one that was released"},
		{"other than the job's sum", map[string]string{name: archive, "SHA256SUMS": sum + "  " + name + "\n"}, strings.Repeat("0", 64), "not the one that was released"},
		{"without its sum", map[string]string{name: archive, "SHA256SUMS": sum + "  another.tar.gz\n"}, "", "not the one that was released"},
		{"that is not there", nil, sum, "404"},
		{"without sums", map[string]string{name: archive}, "", "404"},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			releases := http.NewServeMux()
			for file, content := range c.served {
				releases.HandleFunc("/v1.2.3/"+file, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(content)) })
			}
			server := httptest.NewServer(releases)
			t.Cleanup(server.Close)
			w := workspace{w.dir, t.TempDir(), w.path}
			inputs := publishing(url, "binary", "", "version", "v1.2.3", "releases", server.URL, "sha256", c.sha256, "dry-run", "true")
			j := w.use(t, inputs)
			if c.says == "" {
				j.want(t, 0, "0", "0", "skills/a.json: accepted")
			} else if j.status == 0 || len(j.outputs) != 0 || !strings.Contains(j.stdout+j.stderr, c.says) {
				t.Errorf("got %+v, want a failure that says %q", j, c.says)
			}
		})
	}
	for _, version := range []string{"", "1.2.3", "v1/../..", "v1.2.3\nx"} {
		inputs := publishing(url, "binary", "", "releases", url, "version", version)
		w.use(t, inputs).want(t, 2, "", "", "::error title=skillregistry::version has to be that of a release, such as v1.2.3\n")
	}
}
