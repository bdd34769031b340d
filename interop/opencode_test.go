//go:build clients

package interop

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// opencode is an agent that pulls skills from the addresses in its configuration.
type opencode struct {
	*home
	program, path string
}

// startOpencode returns a start of the client with the path below the registry's address.
func startOpencode(path string) func(t *testing.T) client {
	return func(t *testing.T) client {
		t.Helper()
		program, err := filepath.Abs("opencode/node_modules/opencode-linux-x64-baseline/bin/opencode")
		if err != nil {
			t.Fatal(err)
		}
		return &opencode{newHome(t,
			"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1",
			"npm_config_offline=true", // it installs what plugins need
		), program, path}
	}
}

// pulled are all skills that the agent has, after it pulled those at the address.
func (o *opencode) pulled(t *testing.T, at string) map[string]struct{ Name, Description, Location string } {
	t.Helper()
	config, err := json.Marshal(map[string]any{"skills": map[string]any{"urls": []string{at + o.path}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(o.work, "opencode.json"), config, 0o600); err != nil {
		t.Fatal(err)
	}
	output := o.run(t, o.program, "debug", "skill")
	var all []struct{ Name, Description, Location string }
	if err := json.Unmarshal([]byte(output), &all); err != nil {
		t.Fatalf("opencode debug skill: %v in\n%s", err, output)
	}
	pulled := make(map[string]struct{ Name, Description, Location string })
	for _, skill := range all {
		if skill.Location != "<built-in>" {
			pulled[skill.Name] = skill
		}
	}
	return pulled
}

func (o *opencode) list(t *testing.T, at string) map[string]string {
	t.Helper()
	listed := make(map[string]string)
	for name, skill := range o.pulled(t, at) {
		listed[name] = skill.Description
		if folder := filepath.Dir(skill.Location); filepath.Base(folder) != name {
			t.Errorf("opencode reads %s from %s", name, folder)
		}
	}
	return listed
}

// install pulls all skills, for the agent knows no other way.
func (o *opencode) install(t *testing.T, at, _ string) {
	t.Helper()
	o.pulled(t, at)
}

func (o *opencode) update(t *testing.T, at string) {
	t.Helper()
	o.pulled(t, at)
}

func (o *opencode) installed(t *testing.T) map[string]map[string][]byte {
	t.Helper()
	found := folders(t, filepath.Join(o.dir, ".cache/opencode/skills"), ".opencode-version")
	for name := range found {
		if strings.Contains(name, ".tmp-") || strings.Contains(name, ".old-") {
			t.Errorf("opencode left %s behind", name)
		}
	}
	return found
}

func (o *opencode) keeps(files map[string][]byte) map[string][]byte { return files }

func (o *opencode) describes() bool { return true }
