package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
)

func (p *program) migrateCommand() *cobra.Command {
	var databaseURL string
	var l logging
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Bring the store up to date, and nothing else",
		Long: `migrate brings the store to the form that this build needs. serve does so by itself;
this is for those who want it done beforehand, with rights that serve does not have.
It may run while others do: they wait for each other.

Exit status: 0 the store is up to date, 1 it failed, 2 the command line or a setting is
wrong.`,
		Example: `  skillregistry migrate --database-url sqlite:skillregistry.db
  SKILLREGISTRY_DATABASE_URL_FILE=/run/secrets/database skillregistry migrate`,
		Args: between(0, 0, "no arguments"),
		RunE: p.verb(func(ctx context.Context, call invocation) error {
			log := l.logger(p.stderr)
			for _, w := range call.warnings {
				log.Warn(w)
			}
			s, err := p.openStore(ctx, databaseURL, call.nameOf("database-url"), log)
			if err != nil {
				return err
			}
			_, err = s.Migrate(ctx, nil)
			if closing := s.Close(); err == nil {
				err = closing
			}
			if err != nil {
				return fmt.Errorf("bringing the store up to date: %w", err)
			}
			_, err = fmt.Fprintf(p.stdout, "%s is up to date\n", withoutPassword(databaseURL))
			return err
		}),
	}
	cmd.Flags().SortFlags = false
	defineDatabaseURL(cmd.Flags(), &databaseURL)
	l.define(cmd.Flags())
	return cmd
}
