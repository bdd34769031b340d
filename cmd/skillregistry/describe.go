package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/skillregistry/skillregistry/internal/agentskills"
	"github.com/skillregistry/skillregistry/internal/describe"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/spf13/cobra"
)

const describeHelp = `It reads files, and standard input where the name is "-", as JSON or YAML. Nothing is
fetched, and what a document refers to outside of itself is not read.

Every descriptor is one that a registry takes. With --out, each becomes a file of a
folder, named after its id; a file with other content is kept, unless --force is given.
Without it, standard output has one descriptor a line.

What a descriptor has no place for is a line on standard error with the file, the JSON
Pointer to it, and the reason; docs/import.md has what becomes of what. Nothing is made
up: where a document does not say what a descriptor needs, a flag has to.

Exit status: 0 descriptors were made of all documents, though parts may be left out, 1 a
document was refused, nothing could be made of it, or there is such a file already, 2 the
command line is wrong or a file is missing.`

// foreignForm is a kind of document of which descriptors are made.
type foreignForm struct {
	name, short, long, example string
	// thing is what becomes a descriptor.
	thing string
	make  func(*describe.Describer, []byte, describe.Options) (*describe.Result, error)
}

func foreignForms() []foreignForm {
	return []foreignForm{{
		name: "openapi", thing: "operation", make: (*describe.Describer).OpenAPI,
		short: "Make descriptors of the operations in OpenAPI documents",
		long: `import openapi makes a descriptor of each operation in OpenAPI documents of version 3.0
or 3.1. Its id is the namespace and the operation's own name: listPets is
com.example.list-pets.`,
		example: `  skillregistry import openapi petstore.yaml --namespace com.example --out skills
  skillregistry import openapi - --namespace com.example --base-url https://api.example.com < api.json`,
	}, {
		name: "mcp", thing: "server", make: (*describe.Describer).MCP,
		short: "Make descriptors of the servers in server.json of the MCP registry",
		long: `import mcp makes a descriptor of each server in a server.json of the MCP registry, in a
list of such, or in an answer of a registry's API. The server's name gives the id:
io.github.owner/server is io.github.owner.server. A server without a remote address is
left out: what has to be installed first has no endpoint.`,
		example: `  skillregistry import mcp server.json | skillregistry publish -
  skillregistry import mcp servers.json --out skills`,
	}, {
		name: "a2a", thing: "skill", make: (*describe.Describer).A2A,
		short: "Make descriptors of the skills in agent cards of A2A",
		long: `import a2a makes a descriptor of each skill in agent cards of the Agent2Agent protocol,
in the forms of its versions 0.2, 0.3 and 1.0. Without --namespace, the host of the
agent's address gives it: a skill plan at agents.example.com is
com.example.agents.plan.`,
		example: `  skillregistry import a2a agent-card.json --out skills
  skillregistry import a2a agent-card.json --namespace com.example --access private`,
	}, {
		name: "skill", thing: "skill", make: (*describe.Describer).SkillFile,
		short: "Make the descriptor of a folder with a SKILL.md",
		long: `import skill makes the descriptor of a skill that is a folder with a SKILL.md: its name
and description are those of the front matter, and it is invoked by reading the SKILL.md
where the registry at --base-url serves it. publish does the same with a folder, and
sends its files, too; as descriptor.json in the folder, what is made here can be changed
before.`,
		example: `  skillregistry import skill my-skill --namespace com.example --base-url https://skills.example.com > my-skill/descriptor.json`,
	}}
}

// describing is the verb with its flags.
type describing struct {
	p       *program
	form    foreignForm
	options describe.Options
	access  string
	out     string
	force   bool
}

func (p *program) describeCommand(form foreignForm) *cobra.Command {
	v := describing{p: p, form: form, access: string(protocol.Public)}
	cmd := &cobra.Command{
		Use:     form.name + " FILE…",
		Short:   form.short,
		Long:    form.long + "\n\n" + describeHelp,
		Example: form.example,
		Args:    atLeast(1, `a FILE, or "-" for standard input`),
		RunE:    p.plain(v.run),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(namespaceValue(&v.options.Namespace), "namespace", "what ids begin with, such as com.example")
	flags.Var(nonEmptyValue(&v.options.ProviderName, "name", "a name"), "provider-name", "who offers the skills, if not as the document says")
	flags.Var(webAddressValue(&v.options.ProviderURL, false), "provider-url", "the provider's own page")
	flags.Var(versionValue(&v.options.Version), "skill-version", "version of the skills, if not as the document says")
	flags.Var(choiceValue(&v.access, "access", accessNames()...), "access", "public, restricted or private")
	switch form.name {
	case "skill":
		flags.Var(webAddressValue(&v.options.BaseURL, true), "base-url", "address of the registry that will serve the skill")
	case "openapi":
		flags.Var(webAddressValue(&v.options.BaseURL, true), "base-url", "what relative servers are added to, and what stands in for those with variables")
	}
	flags.StringVar(&v.out, "out", "", "folder that gets a file for each descriptor")
	flags.BoolVar(&v.force, "force", false, "replace files that are there already")
	completeWith(cmd, "access", accessNames())
	return cmd
}

func accessNames() []string {
	return []string{string(protocol.Public), string(protocol.Restricted), string(protocol.Private)}
}

// namespaceValue takes what can stand before a dot in an id.
func namespaceValue(to *string) value[string] {
	return value[string]{to: to, kind: "namespace", show: asIs, parse: func(s string) (string, error) {
		if !protocol.ValidID(s + ".a") {
			return "", expected("lower-case letters and digits with single dots or dashes between them, such as com.example")
		}
		return s, nil
	}}
}

func versionValue(to *string) value[string] {
	return value[string]{to: to, kind: "version", show: asIs, parse: func(s string) (string, error) {
		if !protocol.ValidVersion(s) {
			return "", expected("a version by SemVer 2.0.0 such as 1.2.3")
		}
		return s, nil
	}}
}

func (v *describing) run(ctx context.Context, files []string) error {
	for _, file := range files {
		if file == stdinName {
			continue
		}
		if _, err := os.Stat(file); err != nil {
			return usageError("%s: %w", file, withoutPath(err))
		}
	}
	validator, err := protocol.NewValidator(protocol.Limits{})
	if err != nil {
		return err
	}
	v.options.Access = protocol.Access(v.access)
	describer := describe.New(validator)
	failed := false
	for _, file := range files {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := v.one(describer, file); err != nil {
			fmt.Fprintf(v.p.stderr, "%s: %s\n", printable(file), printable(err.Error()))
			failed = true
		}
	}
	if failed {
		return &exitError{status: statusFailed}
	}
	return nil
}

var errNothingMade = errors.New("nothing in it could be described")

// one makes the descriptors of a file.
func (v *describing) one(describer *describe.Describer, file string) error {
	if v.form.name == "skill" && isSkillFolder(file) {
		file = filepath.Join(file, agentskills.SkillFile)
	}
	data, err := readDocument(file, v.p.stdin, describe.MaxDocument)
	if err != nil {
		return err
	}
	result, err := v.form.make(describer, data, v.options)
	if err != nil {
		return withFlag(err)
	}
	for _, loss := range result.Losses {
		at := file
		if loss.Pointer != "" {
			at += ":" + loss.Pointer
		}
		fmt.Fprintf(v.p.stderr, "%s: %s\n", printable(at), printable(loss.Text))
	}
	fmt.Fprintf(v.p.stderr, "%s: %s of %s, %s\n", printable(file),
		counted(len(result.Skills), "descriptor"), counted(result.Found, v.form.thing), countedLosses(len(result.Losses)))
	if len(result.Skills) == 0 {
		return errNothingMade
	}
	for _, skill := range result.Skills {
		if err := v.write(skill.Document); err != nil {
			return err
		}
	}
	return nil
}

func countedLosses(n int) string {
	if n == 1 {
		return "1 loss"
	}
	return fmt.Sprintf("%d losses", n)
}

// withFlag says by which flag a document is helped.
func withFlag(err error) error {
	var need *describe.NeedError
	if !errors.As(err, &need) {
		return err
	}
	flag := map[describe.Need]string{
		describe.NeedNamespace: "--namespace",
		describe.NeedProvider:  "--provider-name",
		describe.NeedVersion:   "--skill-version",
		describe.NeedAddress:   "--base-url",
	}[need.Need]
	return fmt.Errorf("%w; give it with %s", err, flag)
}

// write puts a descriptor where it is wanted.
func (v *describing) write(document *protocol.Document) error {
	if v.out == "" {
		_, err := fmt.Fprintf(v.p.stdout, "%s\n", document.Canonical)
		return err
	}
	var text bytes.Buffer
	if err := json.Indent(&text, document.Canonical, "", "  "); err != nil {
		return err
	}
	text.WriteByte('\n')
	if err := os.MkdirAll(v.out, 0o777); err != nil {
		return err
	}
	return v.writeFile(filepath.Join(v.out, document.Descriptor.ID+".json"), text.Bytes())
}

// writeFile writes a file that is not there, or that may be replaced. One with the same
// content is left as it is.
func (v *describing) writeFile(name string, content []byte) error {
	if v.force {
		return os.WriteFile(name, content, 0o666)
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		if have, err := os.ReadFile(name); err == nil && bytes.Equal(have, content) {
			return nil
		}
		return fmt.Errorf("%s: %w", name, errFileExists)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}
