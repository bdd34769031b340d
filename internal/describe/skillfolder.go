package describe

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/skillregistry/skillregistry/internal/agentskills"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// FolderOptions say of a folder with a SKILL.md what the SKILL.md does not.
type FolderOptions struct {
	// Namespace begins the id: com.example.
	Namespace string
	// Version wins over that of the front matter; empty is that one.
	Version string
	Access  protocol.Access
	// ProviderName and ProviderURL are the provider's; an empty name is the namespace.
	ProviderName, ProviderURL string
	// RegistryURL is where the SKILL.md will be served, without a slash at its end.
	RegistryURL string
}

// SkillFile makes the descriptor of the folder of a SKILL.md, whose text it gets. The base
// URL of the options is the registry's that will serve it.
func (d *Describer) SkillFile(text []byte, o Options) (*Result, error) {
	front, err := agentskills.ParseFrontMatter(text)
	switch {
	case err != nil:
		return nil, err
	case o.BaseURL == "":
		return nil, &NeedError{NeedAddress, "the endpoint of such a skill is where a registry serves its SKILL.md"}
	}
	descriptor, err := SkillFolder(front, FolderOptions{
		Namespace: o.Namespace, Version: o.Version, Access: o.Access, RegistryURL: strings.TrimRight(o.BaseURL, "/"),
		ProviderName: o.ProviderName, ProviderURL: o.ProviderURL,
	})
	if err != nil {
		return nil, err
	}
	document, err := d.validator.Parse(descriptor)
	if err != nil {
		return nil, err
	}
	result := &Result{Skills: []Skill{{Document: document}}, Found: 1}
	for _, name := range front.Others {
		result.Losses = append(result.Losses, Loss{Pointer: "/" + escape(name), Kind: Metadata, Text: name + " is said by the SKILL.md alone"})
	}
	return result, nil
}

// SkillFolder makes the descriptor of a folder with a SKILL.md, in canonical form: a skill
// that is invoked by reading its instructions. Its errors say what is to be given. What
// the front matter has besides is in the SKILL.md alone.
func SkillFolder(front agentskills.FrontMatter, o FolderOptions) ([]byte, error) {
	version := o.Version
	if version == "" {
		version = front.Version
	}
	id := o.Namespace + "." + front.Name
	switch {
	case o.Namespace == "":
		return nil, &NeedError{NeedNamespace, "without a descriptor.json its id is made of one, such as com.example." + front.Name}
	case !protocol.ValidID(id):
		return nil, fmt.Errorf("%q is no id: the namespace has to be lower-case letters and digits, with single dots between them", id)
	case version == "":
		return nil, &NeedError{NeedVersion, "the front matter has no member version in metadata"}
	case !protocol.ValidVersion(version):
		return nil, fmt.Errorf("the version %q is not one by SemVer 2.0.0, such as 1.0.0", version)
	}
	return protocol.Serialize(protocol.Descriptor{
		Protocol: protocol.ProtocolVersion{Version: protocol.Version},
		ID:       id, Name: front.Name, Version: version, CapabilityType: protocol.Knowledge,
		Description: front.Description,
		Provider:    protocol.Provider{Name: cmp.Or(o.ProviderName, o.Namespace), URL: o.ProviderURL},
		Endpoint: protocol.Endpoint{
			URL:    o.RegistryURL + "/.well-known/skills/" + agentskills.Name(id) + "/" + agentskills.SkillFile,
			Method: "GET",
		},
		Inputs: []protocol.Parameter{},
		Output: protocol.Output{Type: "string", ContentType: "text/markdown"},
		Auth:   protocol.Auth{Type: "none"},
		Access: o.Access,
	})
}
