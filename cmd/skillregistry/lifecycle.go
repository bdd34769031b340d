package main

import (
	"context"
	"fmt"

	"github.com/skillregistry/skillregistry/client"
	"github.com/spf13/cobra"
)

const lifecycleExits = `

Exit status: 0 done, 1 refused, or there is no such version, 2 the command line or a
setting is wrong, 3 the registry could not be reached.`

const deprecateHelp = `deprecate marks a version as one that should no longer be used. It is served as before,
and says so: in the list of versions and in a Deprecation header. It may still be the
latest. A new reason replaces the one before.` + lifecycleExits

const yankHelp = `yank takes a version out of use: it answers at its own address only, for those who rely
on it, and is never the latest. The latest version is then the next lower one that is not
yanked, and a skill with nothing else is in no index. It can be taken back with activate.

Access goes with the latest version: where a private version becomes the latest, the
skill is private from then on.` + lifecycleExits

const activateHelp = `activate takes back a deprecation or a yank: the version is as it was published.` + lifecycleExits

func (p *program) deprecateCommand() *cobra.Command {
	return p.statusCommand(client.Deprecated, "deprecate", "Mark a version as one not to be used any more", deprecateHelp,
		`  skillregistry deprecate com.example.forecast 1.2.0 --reason "Use 2.0.0."`)
}

func (p *program) yankCommand() *cobra.Command {
	return p.statusCommand(client.Yanked, "yank", "Take a version out of use", yankHelp,
		`  skillregistry yank com.example.forecast 1.2.0 --reason "It reports the wrong unit."`)
}

func (p *program) activateCommand() *cobra.Command {
	return p.statusCommand(client.Active, "activate", "Take back a deprecation or a yank", activateHelp,
		`  skillregistry activate com.example.forecast 1.2.0`)
}

// setStatus is one of the three verbs with its flags.
type setStatus struct {
	remote
	p      *program
	status string
	reason string
}

func (p *program) statusCommand(status, verb, short, long, example string) *cobra.Command {
	v := setStatus{p: p, status: status}
	cmd := &cobra.Command{
		Use:     verb + " ID VERSION",
		Short:   short,
		Long:    long,
		Example: example,
		Args:    between(2, 2, "an ID and a VERSION"),
		RunE:    p.plain(v.run),
	}
	v.remote.define(cmd.Flags())
	cmd.Flags().StringVar(&v.reason, "reason", "", "why, for all who see the version: 1000 characters at most")
	return cmd
}

func (v *setStatus) run(ctx context.Context, args []string) error {
	id, version := args[0], args[1]
	if id == "" || version == "" {
		return usageError("neither the ID nor the VERSION is empty")
	}
	c, err := v.client()
	if err != nil {
		return err
	}
	if err := c.SetStatus(ctx, id, version, v.status, v.reason); err != nil {
		return remoteError(err)
	}
	_, err = fmt.Fprintf(v.p.stdout, "%s %s: %s\n", printable(id), printable(version), v.status)
	return err
}
