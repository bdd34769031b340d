package deploy_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

const githubAction = "../github-action/action.yml"

// action is the action, as GitHub's runner reads it.
type action struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Inputs      map[string]struct {
		Description string `json:"description"`
		Required    bool   `json:"required"`
		Default     string `json:"default"`
	} `json:"inputs"`
	Outputs map[string]struct {
		Description string `json:"description"`
		Value       string `json:"value"`
	} `json:"outputs"`
	Runs struct {
		Using string `json:"using"`
		Steps []struct {
			ID    string            `json:"id"`
			Shell string            `json:"shell"`
			Env   map[string]string `json:"env"`
			Run   string            `json:"run"`
		} `json:"steps"`
	} `json:"runs"`
}

func readAction(t *testing.T) action {
	t.Helper()
	data, err := os.ReadFile(githubAction)
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := yaml.UnmarshalStrict(data, &a); err != nil {
		t.Fatal(err)
	}
	if a.Runs.Using != "composite" || len(a.Runs.Steps) != 2 {
		t.Fatalf("got %+v, want a composite action of two steps", a.Runs)
	}
	return a
}

// expression is one that stands for a whole value: an input, or the output of a step.
var expression = regexp.MustCompile(`^\$\{\{ (inputs\.[a-z0-9-]+|steps\.[a-z]+\.outputs\.[a-z]+) \}\}$`)

// job is what became of the action in a job.
type job struct {
	ended
	// outputs are those of the action; commands what the runner would carry out.
	outputs  map[string]string
	commands []string
}

// use runs the action's steps as the runner does, until one fails, with the inputs and with
// what else is in the job's environment.
func (w workspace) use(t *testing.T, inputs map[string]string, environ ...string) job {
	t.Helper()
	a, values := readAction(t), map[string]string{}
	for name, input := range a.Inputs {
		values["inputs."+name] = input.Default
	}
	for name, value := range inputs {
		if _, ok := a.Inputs[name]; !ok {
			t.Fatalf("there is no input %s", name)
		}
		values["inputs."+name] = value
	}
	of := func(text string) string {
		m := expression.FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("got the value %q, want one expression that is an input or an output", text)
		}
		return values[m[1]]
	}
	j := job{outputs: map[string]string{}}
	for i, step := range a.Runs.Steps {
		if step.Shell != "bash" {
			t.Fatalf("got the shell %q, want bash", step.Shell)
		}
		place := t.TempDir()
		script, output := filepath.Join(place, "step.sh"), filepath.Join(place, "output")
		for file, text := range map[string]string{script: step.Run, output: ""} {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		env := append([]string{"RUNNER_TEMP=" + w.temp, "GITHUB_OUTPUT=" + output}, environ...)
		for name, value := range step.Env {
			env = append(env, name+"="+of(value))
		}
		done := w.run(t, env, "bash", "--noprofile", "--norc", "-eo", "pipefail", script)
		j.status, j.stdout, j.stderr = done.status, j.stdout+done.stdout, j.stderr+done.stderr
		written, err := os.ReadFile(output)
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(values, outputsIn(t, fmt.Sprintf("steps.%s.outputs.", step.ID), string(written)))
		if j.status != 0 && i < len(a.Runs.Steps)-1 {
			break
		}
	}
	for line := range strings.Lines(j.stdout + "\n" + j.stderr) {
		if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
			j.commands = append(j.commands, strings.TrimSpace(line))
		}
	}
	for name, output := range a.Outputs {
		if value := of(output.Value); value != "" {
			j.outputs[name] = value
		}
	}
	return j
}

// outputsIn reads what a step wrote, a line each, and names them with a prefix.
func outputsIn(t *testing.T, prefix, text string) map[string]string {
	t.Helper()
	values := map[string]string{}
	for line := range strings.Lines(text) {
		name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if _, again := values[prefix+name]; !ok || again || strings.Contains(name, "<<") {
			t.Errorf("got the output %q in %q, want one line with a name of its own", line, text)
		}
		values[prefix+name] = value
	}
	return values
}
