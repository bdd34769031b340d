package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/spf13/cobra"
)

const importHelp = `import fills an empty store with what export wrote; "-" is standard input. A registry on
it then answers as the exported one did, byte for byte: documents, ETags, cursors of
changes and of the audit log. Keys work again, those included that were revoked after the
export, and what was deleted can't be published again. What is not in the file, such as
the base URL and SKILLREGISTRY_ADMIN_KEY, is yours to set.

The store is made, or brought up to date, where it has to be. One in which there ever was
a skill, a key or an event is refused, and so is a SQLite file that a registry runs on:
import first, then serve.

The file is stored as a whole or not at all: where it was cut off or changed, a digest or
a count is wrong, or the disk is full, the store stays empty. The error names the line.

import openapi, mcp and a2a make descriptors of other documents, and touch no store.

Exit status: 0 the store holds all that is in the file, 1 it failed, or the file or the
store was refused, 2 the command line or a setting is wrong.`

// importing is the verb with its flags.
type importing struct{ databaseVerb }

func (p *program) importCommand() *cobra.Command {
	v := importing{databaseVerb{p: p}}
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Fill an empty store with what export wrote, or describe OpenAPI, MCP, A2A or a SKILL.md",
		Long:  importHelp,
		Example: `  skillregistry import backup.jsonl --database-url sqlite:restored.db
  gunzip < backup.jsonl.gz | skillregistry import -
  skillregistry export --database-url sqlite:skillregistry.db | skillregistry import - --database-url "$POSTGRES"`,
		Args: between(1, 1, `a FILE, or "-" for standard input`),
		RunE: p.verb(v.run),
	}
	v.define(cmd)
	for _, form := range foreignForms() {
		cmd.AddCommand(p.describeCommand(form))
	}
	return cmd
}

func (v *importing) run(ctx context.Context, call invocation) error {
	name, in := call.args[0], v.p.stdin
	if name != stdinName {
		f, err := os.Open(name)
		if err != nil {
			return usageError("%s: %w", name, withoutPath(err))
		}
		defer f.Close()
		in = f
	}
	var imported store.Counts
	err := v.on(ctx, call, false, func(s *store.Store) (err error) {
		if err := upToDate(ctx, s); err != nil {
			return err
		}
		t := v.p.transfer("importing")
		defer t.end()
		if imported, err = s.Import(ctx, io.TeeReader(in, t)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(v.p.stderr, "imported %s\n", imported)
	return err
}
