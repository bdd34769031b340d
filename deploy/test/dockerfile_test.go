package deploy_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

const dockerfile = "../../Dockerfile"

func TestDockerfileRaisesNoWarning(t *testing.T) {
	t.Parallel()
	_, warnings := parseDockerfile(t)
	for _, w := range warnings {
		t.Error(w)
	}
}

func TestDockerfileBuildsInABuilderThatCanBeChosen(t *testing.T) {
	t.Parallel()
	file, _ := parseDockerfile(t)
	if got, want := file.stages[0].BaseName, "${BUILDER}"; got != want {
		t.Errorf("base of the first stage: got %q, want %q", got, want)
	}
	if len(file.args) != 1 || len(file.args[0].Args) != 1 || file.args[0].Args[0].Key != "BUILDER" || file.args[0].Args[0].Value == nil {
		t.Errorf("arguments before the first stage: got %v, want BUILDER with a default", file.args)
	}
}

func TestDockerfileNeedsNoShell(t *testing.T) {
	t.Parallel()
	file, _ := parseDockerfile(t)
	for _, stage := range file.stages {
		for _, command := range stage.Commands {
			shell := false
			switch c := command.(type) {
			case *instructions.RunCommand:
				shell = c.PrependShell
			case *instructions.CmdCommand:
				shell = c.PrependShell
			case *instructions.EntrypointCommand:
				shell = c.PrependShell
			case *instructions.HealthCheckCommand:
				shell = c.Health.Test[0] != "CMD"
			}
			if shell {
				t.Errorf("line %d: %v has the form that needs a shell", command.Location()[0].Start.Line, command)
			}
		}
	}
}

func TestDockerfileEndsInAnImageWithoutASystem(t *testing.T) {
	t.Parallel()
	file, _ := parseDockerfile(t)
	final := file.stages[len(file.stages)-1]
	if final.Name != "final" || final.BaseName != "scratch" {
		t.Fatalf("last stage: got %q from %q, want final from scratch", final.Name, final.BaseName)
	}

	var user, workdir string
	var volumes, entrypoint, cmd, health []string
	env := map[string]string{}
	for _, command := range final.Commands {
		switch c := command.(type) {
		case *instructions.RunCommand:
			t.Errorf("line %d: nothing can run in an empty image", c.Location()[0].Start.Line)
		case *instructions.AddCommand:
			t.Errorf("line %d: ADD fetches and unpacks; COPY does not", c.Location()[0].Start.Line)
		case *instructions.CopyCommand:
			if c.From != "build" {
				t.Errorf("line %d: copies from %q, want the stage build", c.Location()[0].Start.Line, c.From)
			}
		case *instructions.UserCommand:
			user = c.User
		case *instructions.WorkdirCommand:
			workdir = c.Path
		case *instructions.VolumeCommand:
			volumes = append(volumes, c.Volumes...)
		case *instructions.EnvCommand:
			for _, e := range c.Env {
				env[e.Key] = e.Value
			}
		case *instructions.EntrypointCommand:
			entrypoint = c.CmdLine
		case *instructions.CmdCommand:
			cmd = c.CmdLine
		case *instructions.HealthCheckCommand:
			health = c.Health.Test
		}
	}
	for _, c := range []struct{ what, got, want string }{
		{"user", user, "65532:65532"},
		{"volumes", strings.Join(volumes, " "), "/data"},
		// The default database is a file in the working folder.
		{"working folder", workdir, "/data"},
		{"entry point", strings.Join(entrypoint, " "), "/skillregistry"},
		{"command", strings.Join(cmd, " "), "serve"},
		{"health check", strings.Join(health, " "), "CMD /skillregistry healthcheck"},
		{"SKILLREGISTRY_ADDR", env["SKILLREGISTRY_ADDR"], ":8080"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.what, c.got, c.want)
		}
	}
	known := settings(t)
	for name := range env {
		if !known[name] {
			t.Errorf("%s is set, but README.md knows no such setting", name)
		}
	}
	// An orchestrator's …_FILE would contradict a value that the image sets.
	for _, name := range []string{"SKILLREGISTRY_DATABASE_URL", "SKILLREGISTRY_ADMIN_KEY"} {
		if _, set := env[name]; set {
			t.Errorf("the image sets %s, so it could not come from a file", name)
		}
	}
}

type parsedDockerfile struct {
	stages []instructions.Stage
	args   []instructions.ArgCommand
}

func parseDockerfile(t *testing.T) (file parsedDockerfile, warnings []string) {
	t.Helper()
	data, err := os.ReadFile(dockerfile)
	if err != nil {
		t.Fatal(err)
	}
	ast, err := parser.Parse(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range ast.Warnings {
		warnings = append(warnings, w.Short)
	}
	lint := linter.New(&linter.Config{Warn: func(rule, _, _, message string, location []parser.Range) {
		warnings = append(warnings, linter.LintFormatShort(rule, message, location[0].Start.Line))
	}})
	file.stages, file.args, err = instructions.Parse(ast.AST, lint)
	if err != nil {
		t.Fatal(err)
	}
	if len(file.stages) != 2 {
		t.Fatalf("got %d stages, want 2", len(file.stages))
	}
	return file, warnings
}
