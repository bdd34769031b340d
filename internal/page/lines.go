package page

import (
	"strconv"
	"strings"

	"github.com/skillregistry/skillregistry/internal/agentskills"
	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// installer is the client of Agent Skills that the registry is tested with.
const installer = "npx skills@1.5.18 add "

// Snippet is something to paste.
type Snippet struct {
	Name, Title, Note string
	Text              string
}

// calling returns a command that calls the skill.
func calling(v catalog.View) Snippet {
	s := Snippet{Name: "call", Title: "Call it with curl", Text: agentskills.Curl(v.Descriptor, example)}
	switch v.Auth.Type {
	case "api_key":
		s.Note = "Put your key into API_KEY first."
	case "oauth2":
		s.Note = "Put your token into ACCESS_TOKEN first."
	case "custom":
		s.Note = "The provider has a way of its own to authenticate, which is not in this command."
	}
	return s
}

// getting returns what gets a version's descriptor, in each of the languages.
func (s *Site) getting(v catalog.View, latest bool) []Snippet {
	id, version, base := v.ID, v.Life.Version, strconv.Quote(s.base)
	address := s.base + "/v1/skills/" + id + "/versions/" + version
	private := v.Access == protocol.Private
	header, optionsTS, optionsGo, note := "", "", "client.Options{}", ""
	if private {
		header = ` \` + "\n  " + `-H "Authorization: Bearer $SKILLREGISTRY_KEY"`
		optionsTS, optionsGo = ", { key: process.env.SKILLREGISTRY_KEY }", `client.Options{Key: os.Getenv("SKILLREGISTRY_KEY")}`
		note = "It is private: put a key that may read it into SKILLREGISTRY_KEY first."
	}
	all := []Snippet{
		{"descriptor", "Get its descriptor with curl", note, "curl " + agentskills.ShellQuoted(address) + header},
		{"typescript", "TypeScript", note, strings.Join([]string{
			`import { SkillRegistry } from "@skillregistry/protocol";`, "",
			"const registry = new SkillRegistry(" + base + optionsTS + ");",
			"const { descriptor } = await registry.get(" + strconv.Quote(id) + ", { version: " + strconv.Quote(version) + " });",
			"console.log(descriptor.endpoint.url);",
		}, "\n")},
		{"go", "Go", note, strings.Join([]string{
			"registry, err := client.New(" + base + ", " + optionsGo + ")", "if err != nil {", "\treturn err", "}",
			"skill, err := registry.Get(ctx, " + strconv.Quote(id) + ", " + strconv.Quote(version) + ")", "if err != nil {", "\treturn err", "}",
			"fmt.Println(skill.Descriptor.Endpoint.URL)",
		}, "\n")},
	}
	if latest && !private {
		all = append(all, Snippet{
			"install", "Install it as an Agent Skill", "",
			installer + agentskills.ShellQuoted(s.base) + " --skill " + agentskills.Name(id),
		})
	}
	return all
}
