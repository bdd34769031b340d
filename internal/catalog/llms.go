package catalog

import (
	"strings"

	"github.com/skillregistry/skillregistry/internal/agentskills"
)

// llmsLayout returns the layout of llms.txt (llmstxt.org): Markdown with a title, a
// summary, and lists of links, each with a note.
func llmsLayout(o Options, d *deflater) layout {
	base := o.BaseURL
	head := "# " + oneLine(o.Provider.Name) + "\n\n" +
		"> The skills that agents may find and use here: APIs, plugins, knowledge and tasks of people. " +
		"Each has a descriptor in JSON and a SKILL.md that says how it is called.\n\n" +
		"## Registry\n\n" +
		"- [Skill Index](" + base + "/.well-known/skills): all skills, in JSON\n" +
		"- [Agent Skills](" + base + "/.well-known/agent-skills/index.json): the same for installers\n" +
		"- [OpenAPI](" + base + "/openapi.json): the interface of the registry itself\n\n" +
		"## Skills\n\n"
	return layout{form: llmsForm, head: d.piece([]byte(head)), between: d.piece([]byte("\n")), tail: d.piece([]byte("\n"))}
}

func (r *renderer) llmsLine(s *skill) []byte {
	d := s.latest.read()
	plain := strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "<", `\<`)
	return []byte("- [" + plain.Replace(oneLine(d.Name)) + "](" + r.baseURL + "/.well-known/skills/" + agentskills.Name(s.id) + "/" + agentskills.SkillFile +
		"): " + plain.Replace(agentskills.Description(d.Description)))
}

// oneLine returns the text with single spaces for all white space in it.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
