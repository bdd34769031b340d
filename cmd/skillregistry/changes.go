package main

import (
	"context"
	"time"

	"github.com/skillregistry/skillregistry/client"
	"github.com/spf13/cobra"
)

const changesHelp = `changes prints what changed in the index that the key sees, as JSON, one object a line:

  {"id":"…","entry":{…}}     the skill is in the index, with this entry
  {"id":"…","removed":true}  the skill is in the index no more
  {"cursor":"…"}             all lines above are told; --after goes on from here

Each skill comes once, in its present state, in the order of the last changes. Who
applies every line to what is there already has the index when the last line, a cursor,
is reached; who keeps that cursor can stop and resume at any time, with the same key.

With --follow it goes on and prints what changes as it happens, until it is stopped.

Exit status: 0 done, or stopped by a signal, 1 refused (a cursor that is not good any
more is: begin anew), 2 the command line or a setting is wrong, 3 the registry could not
be reached.`

// followWait is how long the registry is asked to hold an answer.
const followWait = 30 * time.Second

// changes is the verb with its flags.
type changes struct {
	remote
	p      *program
	after  string
	follow bool
}

func (p *program) changesCommand() *cobra.Command {
	v := changes{p: p}
	cmd := &cobra.Command{
		Use:   "changes",
		Short: "Print what changed in the index, or follow it",
		Long:  changesHelp,
		Example: `  skillregistry changes
  skillregistry changes --after p1234
  skillregistry changes --after now --follow | jq --unbuffered -r .id`,
		Args: between(0, 0, "no arguments"),
		RunE: p.plain(v.run),
	}
	v.remote.define(cmd.Flags())
	cmd.Flags().StringVar(&v.after, "after", "", "cursor to go on from, or now; default the beginning")
	cmd.Flags().BoolVar(&v.follow, "follow", false, "go on as things change, until stopped")
	return cmd
}

func (v *changes) run(ctx context.Context, _ []string) error {
	c, err := v.client()
	if err != nil {
		return err
	}
	query := client.ChangesQuery{After: v.after}
	if v.follow {
		query.Wait = followWait
	}
	printed := ""
	for page, err := range c.Changes(ctx, query) {
		switch {
		case v.follow && ctx.Err() != nil:
			return nil // stopped, which is how it ends
		case err != nil:
			return remoteError(err)
		case page.Cursor == printed:
			continue // nothing new
		}
		var lines []any
		for _, change := range page.Changes {
			lines = append(lines, change.Raw)
		}
		lines = append(lines, map[string]string{"cursor": page.Cursor})
		if err := writeLines(v.p.stdout, lines); err != nil {
			return err
		}
		printed = page.Cursor
	}
	return nil
}
