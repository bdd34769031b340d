package describe_test

import (
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/agentskills"
	"github.com/skillregistry/skillregistry/internal/describe"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

func TestADescriptorOfAFolderPassesTheDoor(t *testing.T) {
	t.Parallel()
	v, err := protocol.NewValidator(protocol.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, front := range []agentskills.FrontMatter{
		{Name: "a", Description: "b", Version: "1.0.0"},
		{Name: strings.Repeat("n", 64), Description: strings.Repeat("é\n", 512), Version: "1.0.0-rc.1+b"},
	} {
		made, err := describe.SkillFolder(front, describe.FolderOptions{Namespace: "com.example", Access: protocol.Public, RegistryURL: "https://registry.example/base"})
		if err != nil {
			t.Errorf("%+v: %v", front, err)
			continue
		}
		document, err := v.Parse(made)
		if err != nil || len(document.Warnings) > 0 {
			t.Errorf("%s: got %+v, %v; want it valid and without warnings", made, document, err)
			continue
		}
		d := document.Descriptor
		if want := "https://registry.example/base/.well-known/skills/" + agentskills.Name(d.ID) + "/SKILL.md"; d.ID != "com.example."+front.Name ||
			d.Version != front.Version || d.Endpoint.URL != want || d.CapabilityType != protocol.Knowledge {
			t.Errorf("%+v: got %s, want it at %s", front, made, want)
		}
	}
}
