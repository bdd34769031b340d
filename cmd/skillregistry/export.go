package main

import (
	"context"
	"fmt"
	"io"

	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/spf13/cobra"
)

const exportHelp = `export writes everything that a store holds to one file: skills with all their versions,
deleted ones included, keys, the audit log, and where the order of changes stands. import
makes a registry of it that answers as this one does, on SQLite or on PostgreSQL. Without
a FILE, or with "-", it goes to standard output.

It reads the database itself, and all of it as of one moment, while a registry runs on it
or not. The database has to be in the form that this build needs, as migrate leaves it.

The file is lines of JSON, and its last line tells whether it is whole. It has the name
once it is, and nobody but its owner may read it: it holds every private descriptor. Of
keys it has hashes, not the keys. A file that is there already is kept, unless --force
is given.

Exit status: 0 the file is whole, 1 it failed, or there is such a file already, 2 the
command line or a setting is wrong.`

// export is the verb with its flags.
type export struct {
	databaseVerb
	force bool
}

func (p *program) exportCommand() *cobra.Command {
	v := export{databaseVerb: databaseVerb{p: p}}
	cmd := &cobra.Command{
		Use:   "export [FILE]",
		Short: "Write everything that a store holds to a file",
		Long:  exportHelp,
		Example: `  skillregistry export backup.jsonl --database-url sqlite:skillregistry.db
  skillregistry export "backup-$(date +%F).jsonl"
  SKILLREGISTRY_DATABASE_URL_FILE=/run/secrets/database skillregistry export | gzip > backup.jsonl.gz`,
		Args: between(0, 1, "at most a FILE"),
		RunE: p.verb(v.run),
	}
	v.define(cmd)
	cmd.Flags().BoolVar(&v.force, "force", false, "replace a file that is there already")
	return cmd
}

func (v *export) run(ctx context.Context, call invocation) error {
	name := stdinName
	if len(call.args) > 0 {
		name = call.args[0]
	}
	var exported store.Counts
	write := func(w io.Writer) error {
		return v.on(ctx, call, true, func(s *store.Store) (err error) {
			t := v.p.transfer("exporting")
			defer t.end()
			exported, err = s.Export(ctx, io.MultiWriter(w, t))
			return err
		})
	}
	var err error
	if name == stdinName {
		err = write(v.p.stdout)
	} else {
		err = writeNewFile(name, v.force, write)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(v.p.stderr, "exported %s\n", exported)
	return err
}
