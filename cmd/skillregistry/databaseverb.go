package main

import (
	"context"

	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/spf13/cobra"
)

// databaseVerb is what the verbs share that work on a database without a registry.
type databaseVerb struct {
	p       *program
	url     string
	logging logging
}

func (v *databaseVerb) define(cmd *cobra.Command) {
	cmd.Flags().SortFlags = false
	defineDatabaseURL(cmd.Flags(), &v.url)
	v.logging.define(cmd.Flags())
}

// on opens the store for as long as do takes.
func (v *databaseVerb) on(ctx context.Context, call invocation, readOnly bool, do func(*store.Store) error) error {
	log := v.logging.logger(v.p.stderr)
	for _, w := range call.warnings {
		log.Warn(w)
	}
	s, err := v.p.openStore(ctx, store.Options{URL: v.url, ReadOnly: readOnly, Logger: log}, call.nameOf("database-url"))
	if err != nil {
		return err
	}
	err = do(s)
	if closing := s.Close(); err == nil {
		err = closing
	}
	return err
}
