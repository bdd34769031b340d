package main

import (
	"context"
	"runtime"

	"github.com/spf13/cobra"
)

const serveHelp = `serve runs the registry: it brings its store up to date, loads what is published, and
answers over HTTP until it is told to stop.

Without a database it keeps everything in one SQLite file, which one process at a time
may have; with a PostgreSQL any number of processes can serve the same registry. A
database that is not up yet is waited for, 30 seconds at most.

On its first start, with an empty store and no --admin-key, it makes an admin key and
prints it, this once, on standard output. The log goes to standard error.

SIGTERM and SIGINT stop it: for --shutdown-delay it answers on, but for /readyz, so that
balancers send their callers elsewhere; then it accepts no more, lets requests finish for
as long as --shutdown-timeout says, and ends with status 0. A second signal ends it at once.

Exit status: 0 stopped as it was told, 1 it failed, or a file of --publish-dir was
refused, or requests had to be cut off at the end, 2 the command line or a setting is
wrong.`

func (p *program) serveCommand() *cobra.Command {
	var c config
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the registry",
		Long:  serveHelp,
		Example: `  skillregistry serve
  skillregistry serve --publish-dir examples
  SKILLREGISTRY_DATABASE_URL_FILE=/run/secrets/database skillregistry serve --addr :8080 --base-url https://skills.example.com`,
		Args: between(0, 0, "no arguments"),
		RunE: p.verb(func(ctx context.Context, call invocation) error {
			if err := c.check(call.nameOf); err != nil {
				return &exitError{status: statusUsage, err: err}
			}
			log := c.logging.logger(p.stderr)
			for _, w := range call.warnings {
				log.Warn(w)
			}
			s := &server{program: p, config: c, nameOf: call.nameOf, log: log}
			defer s.Close()
			if err := s.Open(ctx); err != nil {
				if ctx.Err() != nil {
					// Told to stop before it was up: nothing went wrong.
					log.Info("stopped before it was ready")
					return nil
				}
				return err
			}
			ballast := newBallast()
			defer runtime.KeepAlive(ballast)
			return s.Run(ctx)
		}),
	}
	c.define(cmd.Flags())
	return cmd
}
