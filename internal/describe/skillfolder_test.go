package describe_test

import (
	"errors"
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

func TestASkillFileIsDescribed(t *testing.T) {
	t.Parallel()
	validator, err := protocol.NewValidator(protocol.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	d := describe.New(validator)
	text := []byte("---\nname: my-skill\ndescription: Does it.\nlicense: MIT\nmetadata:\n  version: 1.2.0\n---\nDo it.\n")
	options := describe.Options{Namespace: "com.example", BaseURL: "https://skills.example.com/", Access: protocol.Public, ProviderName: "Example Corp"}
	result, err := d.SkillFile(text, options)
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Skills) != 1 || len(result.Losses) != 1 || result.Losses[0].Pointer != "/license" {
		t.Fatalf("got %+v, want one skill, and the licence as a loss", result)
	}
	got := result.Skills[0].Document.Descriptor
	address := "https://skills.example.com/.well-known/skills/" + agentskills.Name("com.example.my-skill") + "/SKILL.md"
	if got.ID != "com.example.my-skill" || got.Version != "1.2.0" || got.Endpoint.URL != address || got.Provider.Name != "Example Corp" {
		t.Errorf("got %+v, want what the SKILL.md and the options say", got)
	}
	for need, change := range map[describe.Need]func(*describe.Options){
		describe.NeedNamespace: func(o *describe.Options) { o.Namespace = "" },
		describe.NeedAddress:   func(o *describe.Options) { o.BaseURL = "" },
	} {
		lacking := options
		change(&lacking)
		_, err := d.SkillFile(text, lacking)
		if e, ok := errors.AsType[*describe.NeedError](err); !ok || e.Need != need {
			t.Errorf("without %s: got %v, want that it is needed", need, err)
		}
	}
	if _, err := d.SkillFile([]byte("# No front matter\n"), options); err == nil {
		t.Error("a SKILL.md without front matter was described")
	}
}
