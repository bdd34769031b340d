package main

import (
	"context"
	"fmt"

	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/spf13/cobra"
)

func (p *program) migrateCommand() *cobra.Command {
	v := databaseVerb{p: p}
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
			err := v.on(ctx, call, false, func(s *store.Store) error { return upToDate(ctx, s) })
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(p.stdout, "%s is up to date\n", withoutPassword(v.url))
			return err
		}),
	}
	v.define(cmd)
	return cmd
}

// upToDate brings a store to the form that this build needs.
func upToDate(ctx context.Context, s *store.Store) error {
	if _, err := s.Migrate(ctx, nil); err != nil {
		return fmt.Errorf("bringing the store up to date: %w", err)
	}
	return nil
}
