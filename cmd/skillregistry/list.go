package main

import (
	"context"
	"encoding/json"

	"github.com/skillregistry/skillregistry/client"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/spf13/cobra"
)

const listHelp = `list prints the index: every skill that the key may see, in its latest version, by id.
However long the index is, it is fetched page by page.

With --json, standard output has one JSON object a skill, as it stands in the index.

Exit status: 0 done, 1 refused, 2 the command line or a setting is wrong, 3 the
registry could not be reached.`

// list is the verb with its flags.
type list struct {
	remote
	p      *program
	types  []string
	asJSON bool
}

func (p *program) listCommand() *cobra.Command {
	v := list{p: p}
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the skills of a registry",
		Long:  listHelp,
		Example: `  skillregistry list
  skillregistry list --type api,task
  skillregistry list --json | jq -r .id`,
		Args: between(0, 0, "no arguments"),
		RunE: p.plain(v.run),
	}
	v.remote.define(cmd.Flags())
	cmd.Flags().Var(choicesValue(&v.types, "types", typeNames()...), "type", "only these capability types: plugin, api, knowledge, task")
	cmd.Flags().BoolVar(&v.asJSON, "json", false, "print one JSON object a skill")
	completeWith(cmd, "type", typeNames())
	return cmd
}

func typeNames() []string {
	var names []string
	for _, t := range protocol.CapabilityTypes() {
		names = append(names, string(t))
	}
	return names
}

func (v *list) run(ctx context.Context, _ []string) error {
	c, err := v.client()
	if err != nil {
		return err
	}
	t := newTable(v.p.stdout, "ID", "VERSION", "TYPE", "ACCESS", "NAME")
	for entry, err := range c.Index(ctx, client.IndexQuery{Types: v.types}) {
		if err != nil {
			return remoteError(err)
		}
		if v.asJSON {
			if err := writeLines(v.p.stdout, []json.RawMessage{entry.Raw}); err != nil {
				return err
			}
			continue
		}
		t.row(entry.ID, entry.Version, entry.CapabilityType, entry.Access, entry.Name)
	}
	if v.asJSON {
		return nil
	}
	return t.flush()
}
