package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/skillregistry/skillregistry/client"
	"github.com/spf13/cobra"
)

const auditHelp = `audit prints who did what and when, and who was refused, oldest first. It needs an admin
key.

An actor is the id of a key, "configured" for the admin key of the configuration, or
"server" for the registry itself; "-" came without a valid key. Refusals that were alike
are one line, with their number behind the code.

With --json it prints one object a line, and last {"cursor":"…"}: --after goes on from
there.

Exit status: 0 done, 1 refused, 2 the command line or a setting is wrong, 3 the
registry could not be reached.`

// audit is the verb with its flags.
type audit struct {
	remote
	p      *program
	query  client.AuditQuery
	asJSON bool
}

func (p *program) auditCommand() *cobra.Command {
	v := audit{p: p}
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Print who did what and when",
		Long:  auditHelp,
		Example: `  skillregistry audit
  skillregistry audit --of-key KEY-ID
  skillregistry audit --of-skill com.example.translate-v1 --json`,
		Args: between(0, 0, "no arguments"),
		RunE: p.plain(v.run),
	}
	v.remote.define(cmd.Flags())
	cmd.Flags().StringVar(&v.query.Key, "of-key", "", "only what was done with this key, or to it, by its id")
	cmd.Flags().StringVar(&v.query.Skill, "of-skill", "", "only what was done to this skill")
	cmd.Flags().StringVar(&v.query.After, "after", "", "cursor to go on from; default the beginning")
	cmd.Flags().BoolVar(&v.asJSON, "json", false, "print one JSON object an event, and the cursor")
	return cmd
}

func (v *audit) run(ctx context.Context, _ []string) error {
	c, err := v.client()
	if err != nil {
		return err
	}
	cursor := v.query.After
	t := newTable(v.p.stdout, "TIME", "ACTOR", "ADDRESS", "ACTION", "OF", "OUTCOME", "REQUEST")
	for page, err := range c.Audit(ctx, v.query) {
		if err != nil {
			return remoteError(err)
		}
		cursor = page.Cursor
		if v.asJSON {
			if err := writeLines(v.p.stdout, page.Events); err != nil {
				return err
			}
			continue
		}
		for _, e := range page.Events {
			t.row(e.At.UTC().Format(time.RFC3339), cmp.Or(e.Actor, "-"), cmp.Or(e.Address, "-"), e.Action,
				cmp.Or(subject(e), "-"), fate(e), cmp.Or(e.RequestID, "-"))
		}
	}
	if v.asJSON {
		return writeLines(v.p.stdout, []map[string]string{{"cursor": cursor}})
	}
	return t.flush()
}

// subject says what an event was about.
func subject(e client.Event) string {
	return strings.Join(strings.Fields(e.Skill+" "+e.Version+" "+e.Status+" "+e.Key), " ")
}

// fate says what became of it.
func fate(e client.Event) string {
	text := cmp.Or(e.Code, e.Outcome)
	if e.Requests > 1 {
		text += fmt.Sprintf(" ×%d", e.Requests)
	}
	return text
}
