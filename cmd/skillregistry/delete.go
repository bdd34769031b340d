package main

import (
	"context"
	"fmt"

	"github.com/skillregistry/skillregistry/client"
	"github.com/spf13/cobra"
)

const deleteHelp = `delete deletes a version of a skill, or all of them where no version is named. It needs
an admin key, and is for good: nothing is left but that the versions can never be
published again. To take a version out of use and keep it for those who rely on it,
yank it.

Because it can't be taken back, it needs --yes.

Exit status: 0 done, 1 refused, or there is nothing to delete, 2 the command line or a
setting is wrong, 3 the registry could not be reached.`

// deletion is the verb with its flags.
type deletion struct {
	remote
	p   *program
	yes bool
}

func (p *program) deleteCommand() *cobra.Command {
	v := deletion{p: p}
	cmd := &cobra.Command{
		Use:   "delete ID [VERSION]",
		Short: "Delete a version or a whole skill, for good",
		Long:  deleteHelp,
		Example: `  skillregistry delete com.example.forecast 1.2.0 --yes
  skillregistry delete com.example.forecast --yes`,
		Args: between(1, 2, "an ID and perhaps a VERSION"),
		RunE: p.plain(v.run),
	}
	v.remote.define(cmd.Flags())
	cmd.Flags().BoolVar(&v.yes, "yes", false, "it is meant")
	return cmd
}

func (v *deletion) run(ctx context.Context, args []string) error {
	for _, a := range args {
		if a == "" {
			return usageError("neither the ID nor the VERSION is empty")
		}
	}
	what := printable(args[0])
	if len(args) > 1 {
		what += " " + printable(args[1])
	}
	if !v.yes {
		return usageError("this deletes %s for good: where that is meant, say --yes", what)
	}
	c, err := v.client()
	if err != nil {
		return err
	}
	if err := deleteFrom(ctx, c, args); err != nil {
		return remoteError(err)
	}
	_, err = fmt.Fprintf(v.p.stdout, "%s: deleted\n", what)
	return err
}

func deleteFrom(ctx context.Context, c *client.Client, args []string) error {
	if len(args) > 1 {
		return c.DeleteVersion(ctx, args[0], args[1])
	}
	return c.DeleteSkill(ctx, args[0])
}
