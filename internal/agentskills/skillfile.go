package agentskills

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

const (
	// maxNote is how much of the description of one input is told, in UTF-16 units, and
	// maxSchema how long a schema may be to be told, in bytes; all of it is in the descriptor.
	maxNote, maxSchema = 500, 800
	// maxValues is how many values of an enum are told.
	maxValues = 20
)

const wholeDescriptor = "[" + DescriptorFile + "](" + DescriptorFile + ")"

// skillFile writes the SKILL.md of a descriptor: what the skill is for, and how an agent
// calls it.
func skillFile(d *protocol.Descriptor) []byte {
	var b strings.Builder
	frontMatter(&b, d)
	fmt.Fprintf(&b, "# %s\n\n", oneLine(d.Name))
	quote(&b, strings.TrimSpace(d.Description))
	calling(&b, d)
	inputs(&b, d)
	output(&b, d.Output)
	authentication(&b, d)
	more(&b, d)
	return []byte(b.String())
}

// frontMatter writes what agents choose a skill by. Its values are strings in quotes, so
// that none is taken for something else.
func frontMatter(b *strings.Builder, d *protocol.Descriptor) {
	fmt.Fprintf(b, "---\nname: %s\ndescription: %s\nmetadata:\n", yamlString(Name(d.ID)), yamlString(Description(d.Description)))
	for _, m := range [][2]string{
		{"id", d.ID}, {"version", d.Version}, {"title", oneLine(d.Name)}, {"provider", oneLine(d.Provider.Name)},
		{"capability_type", string(d.CapabilityType)}, {"access", string(d.Access)},
	} {
		fmt.Fprintf(b, "  %s: %s\n", m[0], yamlString(m[1]))
	}
	b.WriteString("---\n\n")
}

// calling says how a request to the skill's endpoint is made.
func calling(b *strings.Builder, d *protocol.Descriptor) {
	e := d.Endpoint
	method := cmp.Or(e.Method, http.MethodPost)
	fmt.Fprintf(b, "## Calling it\n\nSend %s", code(method+" "+e.URL))
	switch {
	case len(d.Inputs) == 0:
		b.WriteString(".\n\n")
	case slices.ContainsFunc(d.Inputs, isPlaced):
		b.WriteString(". Each input goes where it says below.\n\n")
	case inQuery(method):
		b.WriteString(" with the inputs as query parameters, percent-encoded.\n\n")
	default:
		fmt.Fprintf(b, " with the header %s and the inputs as %s.\n\n", code("Content-Type: "+mediaType(e)), map[bodyForm]string{
			jsonForm: "the members of one object in the body", urlencodedForm: "the fields of a form in the body",
			multipartForm: "the parts of the body", otherForm: "the body, in a form that the descriptor does not say",
		}[formOf(e)])
	}
	block(b, "sh", Curl(d, example))
	if e.StatusURL != "" || e.ResultURL != "" {
		b.WriteString("The answer may come later: it then names an execution id, which takes the place of `{execution_id}`.\n\n")
		if e.StatusURL != "" {
			fmt.Fprintf(b, "- Where it stands: %s\n", code("GET "+e.StatusURL))
		}
		if e.ResultURL != "" {
			fmt.Fprintf(b, "- What came of it: %s\n", code("GET "+e.ResultURL))
		}
		b.WriteByte('\n')
	}
}

// inQuery reports whether requests of the method have their inputs in the query, because
// they have no body.
func inQuery(method string) bool {
	return slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodDelete}, method)
}

func mediaType(e protocol.Endpoint) string { return cmp.Or(e.ContentType, "application/json") }

func inputs(b *strings.Builder, d *protocol.Descriptor) {
	if len(d.Inputs) == 0 {
		return
	}
	b.WriteString("## Inputs\n\n")
	for _, p := range d.Inputs {
		need := "optional"
		if p.Required != nil && *p.Required {
			need = "required"
		}
		if words, placed := places()[placeOf(p)]; placed {
			need += ", " + words
		}
		fmt.Fprintf(b, "- %s (%s, %s)", code(oneLine(p.Name)), p.Type, need)
		if p.Description != nil && oneLine(*p.Description) != "" {
			fmt.Fprintf(b, ": %s", shortened(oneLine(*p.Description), maxNote))
		}
		b.WriteByte('\n')
		if p.Default != nil {
			fmt.Fprintf(b, "  - Default: %s\n", value(p.Default))
		}
		if len(p.Enum) > 0 {
			values := make([]string, 0, maxValues)
			for _, v := range p.Enum[:min(len(p.Enum), maxValues)] {
				values = append(values, value(v))
			}
			rest := ""
			if more := len(p.Enum) - maxValues; more > 0 {
				rest = fmt.Sprintf(", and %d more in %s", more, wholeDescriptor)
			}
			fmt.Fprintf(b, "  - One of: %s%s\n", strings.Join(values, ", "), rest)
		}
		if p.Schema != nil {
			fmt.Fprintf(b, "  - JSON Schema: %s\n", value(p.Schema))
		}
	}
	b.WriteByte('\n')
}

// value shows a value of JSON where it is short, and otherwise says where it is.
func value(v jsontext.Value) string {
	if len(v) > maxSchema {
		return "in " + wholeDescriptor
	}
	return code(string(v))
}

func output(b *strings.Builder, o protocol.Output) {
	fmt.Fprintf(b, "## Output\n\nType `%s`", o.Type)
	if o.ContentType != "" {
		b.WriteString(", as " + code(o.ContentType))
	}
	b.WriteString(".")
	if o.Description != nil && oneLine(*o.Description) != "" {
		b.WriteString(" " + oneLine(*o.Description))
	}
	b.WriteString("\n\n")
	if o.Schema != nil {
		fmt.Fprintf(b, "JSON Schema: %s\n\n", value(o.Schema))
	}
}

func authentication(b *strings.Builder, d *protocol.Descriptor) {
	b.WriteString("## Authentication\n\n")
	switch d.Auth.Type {
	case "none":
		b.WriteString("None is needed.")
	case "api_key":
		fmt.Fprintf(b, "Send an API key in the header %s.", code(header(d.Auth)))
	case "oauth2":
		b.WriteString("Send an OAuth 2.0 access token: `Authorization: Bearer …`.")
	default:
		b.WriteString("The provider has a way of its own.")
	}
	if text := d.Auth.Description; text != nil && oneLine(*text) != "" {
		b.WriteString(" " + oneLine(*text))
	}
	b.WriteString("\n\n")
	if o := d.Auth.OAuth2; o != nil && d.Auth.Type == "oauth2" {
		fmt.Fprintf(b, "- A user grants access at: %s\n- Tokens come from: %s\n", code(o.AuthorizationURL), code(o.TokenURL))
		names := make([]string, 0, len(o.Scopes))
		for name := range o.Scopes {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			fmt.Fprintf(b, "- Scope %s: %s\n", code(oneLine(name)), shortened(oneLine(o.Scopes[name]), maxNote))
		}
		b.WriteByte('\n')
	}
}

func more(b *strings.Builder, d *protocol.Descriptor) {
	fmt.Fprintf(b, "## More\n\n- The whole descriptor: %s\n", wholeDescriptor)
	if d.DocumentationURL != "" {
		fmt.Fprintf(b, "- Documentation: <%s>\n", d.DocumentationURL)
	}
	provider := oneLine(d.Provider.Name)
	if d.Provider.URL != "" {
		provider += ", <" + d.Provider.URL + ">"
	}
	fmt.Fprintf(b, "- Provider: %s\n", provider)
}

// code returns a text as a span of code in Markdown, whatever backticks are in it.
func code(text string) string {
	fence := strings.Repeat("`", longestRun(text)+1)
	if fence == "`" {
		return fence + text + fence
	}
	return fence + " " + text + " " + fence
}

// block writes a text as a block of code, whatever backticks are in it.
func block(b *strings.Builder, language, text string) {
	fence := strings.Repeat("`", max(3, longestRun(text)+1))
	fmt.Fprintf(b, "%s%s\n%s\n%s\n\n", fence, language, text, fence)
}

// quote writes a text of several lines as a quotation: whatever Markdown it begins ends
// with it.
func quote(b *strings.Builder, text string) {
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimRight("> "+line, " \r\n") + "\n")
	}
	b.WriteByte('\n')
}

// longestRun returns how many backticks there are in a row at most.
func longestRun(text string) (longest int) {
	run := 0
	for _, r := range text {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
