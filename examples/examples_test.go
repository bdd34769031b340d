// Package examples holds descriptors of services that exist. This test keeps them
// publishable: nothing else is in the package.
package examples

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

func TestEveryExampleIsValidWithoutWarnings(t *testing.T) {
	t.Parallel()
	for file, d := range documents(t) {
		for _, w := range d.Warnings {
			t.Errorf("%s: warning at %s: %s", file, w.Field, w.Message)
		}
		if got, want := d.Descriptor.ID+".json", file; got != want {
			t.Errorf("%s: named after the id it would be %s", want, got)
		}
	}
}

func TestTheExamplesShowEveryTypeAccessAndAuthentication(t *testing.T) {
	t.Parallel()
	var types, levels, auths []string
	for _, d := range documents(t) {
		types = append(types, string(d.Descriptor.CapabilityType))
		levels = append(levels, string(d.Descriptor.Access))
		auths = append(auths, d.Descriptor.Auth.Type)
	}
	for _, c := range []struct {
		what      string
		got, want []string
	}{
		{"capability types", types, []string{"api", "knowledge", "plugin", "task"}},
		{"access levels", levels, []string{"private", "public", "restricted"}},
		{"kinds of authentication", auths, []string{"api_key", "custom", "none", "oauth2"}},
	} {
		slices.Sort(c.got)
		if got := slices.Compact(c.got); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.what, got, c.want)
		}
	}
}

func TestTheExamplesShowEveryMemberOfADescriptor(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for _, d := range documents(t) {
		var tree any
		if err := json.Unmarshal(d.Canonical, &tree); err != nil {
			t.Fatal(err)
		}
		collectMembers(used, "", tree)
	}
	for _, member := range strings.Fields(`
		protocol.version protocol.changelog_url id name version capability_type description
		provider.name provider.url
		endpoint.url endpoint.method endpoint.content_type endpoint.status_url endpoint.result_url
		inputs.name inputs.type inputs.description inputs.required inputs.default inputs.enum inputs.schema
		output.type output.description output.content_type output.schema
		auth.type auth.description auth.header
		auth.oauth2.authorization_url auth.oauth2.token_url auth.oauth2.scopes
		access tags documentation_url created_at updated_at`) {
		if !used[member] {
			t.Errorf("no example has the member %s", member)
		}
	}
}

// collectMembers notes the paths of all members below value, without array indexes.
func collectMembers(used map[string]bool, path string, value any) {
	switch v := value.(type) {
	case []any:
		for _, element := range v {
			collectMembers(used, path, element)
		}
	case map[string]any:
		for name, member := range v {
			inside := strings.TrimPrefix(path+"."+name, ".")
			used[inside] = true
			collectMembers(used, inside, member)
		}
	}
}

// documents returns the examples by file name, and fails the test for one that is
// refused.
func documents(t *testing.T) map[string]*protocol.Document {
	t.Helper()
	validator, err := protocol.NewValidator(protocol.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 8 {
		t.Fatalf("found %d examples, want 8 or more", len(files))
	}
	documents := map[string]*protocol.Document{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d, err := validator.Parse(data)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		documents[file] = d
	}
	return documents
}
