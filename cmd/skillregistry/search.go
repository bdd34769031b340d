package main

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/skillregistry/skillregistry/client"
	"github.com/spf13/cobra"
)

const searchHelp = `search prints the skills that the key may see and that have every word, best first: in
their names, tags, ids, providers, descriptions and inputs, in this order. A word may
be the beginning of another one, and have a mistake or two if it is longer than three
letters. Without words, it prints all that the flags leave.

With --json, standard output has one JSON object a skill, as it stands in the index.

Exit status: 0 done, 1 refused, 2 the command line or a setting is wrong, 3 the
registry could not be reached.`

const defaultFound = 20

// search is the verb with its flags.
type search struct {
	remote
	p        *program
	types    []string
	tags     []string
	provider string
	limit    int
	asJSON   bool
}

func (p *program) searchCommand() *cobra.Command {
	v := search{p: p}
	cmd := &cobra.Command{
		Use:   "search [WORD…]",
		Short: "Search a registry for skills",
		Long:  searchHelp,
		Example: `  skillregistry search weather forecast
  skillregistry search translate --type api --tag language
  skillregistry search --provider "Example Corp" --json | jq -r .id`,
		Args: cobra.ArbitraryArgs,
		RunE: p.plain(v.run),
	}
	v.remote.define(cmd.Flags())
	cmd.Flags().Var(choicesValue(&v.types, "types", typeNames()...), "type", "only these capability types: plugin, api, knowledge, task")
	cmd.Flags().StringArrayVar(&v.tags, "tag", nil, "only skills with this tag; again for those that have all of several")
	cmd.Flags().StringVar(&v.provider, "provider", "", "only skills of the provider of this name")
	v.limit = defaultFound
	cmd.Flags().Var(countValue(&v.limit, 1, 100_000), "limit", "print this many skills at most")
	cmd.Flags().BoolVar(&v.asJSON, "json", false, "print one JSON object a skill")
	completeWith(cmd, "type", typeNames())
	return cmd
}

func (v *search) run(ctx context.Context, words []string) error {
	c, err := v.client()
	if err != nil {
		return err
	}
	t := newTable(v.p.stdout, "ID", "VERSION", "TYPE", "ACCESS", "NAME")
	query := client.SearchQuery{
		Text: strings.Join(words, " "), Types: v.types, Tags: v.tags, Provider: v.provider, PageSize: min(v.limit, 100),
	}
	left := v.limit
	for entry, err := range c.Search(ctx, query) {
		if err != nil {
			return remoteError(err)
		}
		if v.asJSON {
			if err := writeLines(v.p.stdout, []json.RawMessage{entry.Raw}); err != nil {
				return err
			}
		} else {
			t.row(entry.ID, entry.Version, entry.CapabilityType, entry.Access, entry.Name)
		}
		if left--; left == 0 {
			break
		}
	}
	if v.asJSON {
		return nil
	}
	return t.flush()
}
