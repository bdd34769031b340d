package describe

import (
	"fmt"

	"github.com/skillregistry/skillregistry/internal/agentskills"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// FolderOptions say of a folder with a SKILL.md what the SKILL.md does not.
type FolderOptions struct {
	// Namespace begins the id, and stands in the place of a provider: com.example.
	Namespace string
	// Version wins over that of the front matter; empty is that one.
	Version string
	Access  protocol.Access
	// RegistryURL is where the SKILL.md will be served, without a slash at its end.
	RegistryURL string
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
		return nil, fmt.Errorf("without a descriptor.json it needs a namespace, such as com.example for com.example.%s", front.Name)
	case !protocol.ValidID(id):
		return nil, fmt.Errorf("%q is no id: the namespace has to be lower-case letters and digits, with single dots between them", id)
	case version == "":
		return nil, fmt.Errorf("it needs a version: its front matter has no member version in metadata")
	case !protocol.ValidVersion(version):
		return nil, fmt.Errorf("the version %q is not one by SemVer 2.0.0, such as 1.0.0", version)
	}
	return protocol.Serialize(protocol.Descriptor{
		Protocol: protocol.ProtocolVersion{Version: protocol.Version},
		ID:       id, Name: front.Name, Version: version, CapabilityType: protocol.Knowledge,
		Description: front.Description,
		Provider:    protocol.Provider{Name: o.Namespace},
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
