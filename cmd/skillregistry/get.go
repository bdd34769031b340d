package main

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/skillregistry/skillregistry/client"
	"github.com/spf13/cobra"
)

const getHelp = `get prints a descriptor: of the latest version of a skill, or of the version that is
named. It is indented for people; --raw prints the bytes as the registry serves them,
over which the digest is made. --versions lists all versions instead.

Exit status: 0 done, 1 there is no such skill or version, or it may not be seen, 2 the
command line or a setting is wrong, 3 the registry could not be reached.`

// get is the verb with its flags.
type get struct {
	remote
	p        *program
	raw      bool
	versions bool
	asJSON   bool
}

func (p *program) getCommand() *cobra.Command {
	v := get{p: p}
	cmd := &cobra.Command{
		Use:   "get ID [VERSION]",
		Short: "Print a skill's descriptor, or list its versions",
		Long:  getHelp,
		Example: `  skillregistry get com.example.forecast
  skillregistry get com.example.forecast 1.2.0 --raw | sha256sum
  skillregistry get com.example.forecast --versions`,
		Args: between(1, 2, "an ID and perhaps a VERSION"),
		RunE: p.plain(v.run),
	}
	v.remote.define(cmd.Flags())
	cmd.Flags().BoolVar(&v.raw, "raw", false, "print the bytes as they are served")
	cmd.Flags().BoolVar(&v.versions, "versions", false, "list the versions instead")
	cmd.Flags().BoolVar(&v.asJSON, "json", false, "with --versions: print one JSON object a version")
	return cmd
}

func (v *get) run(ctx context.Context, args []string) error {
	if v.versions && (len(args) > 1 || v.raw) {
		return usageError("--versions lists all versions: it takes no VERSION and no --raw")
	}
	if v.asJSON && !v.versions {
		return usageError("--json goes with --versions: a descriptor is JSON anyway")
	}
	c, err := v.client()
	if err != nil {
		return err
	}
	if v.versions {
		return v.list(ctx, c, args[0])
	}
	version := ""
	if len(args) > 1 {
		if version = args[1]; version == "" {
			return usageError("the VERSION is empty")
		}
	}
	skill, err := c.Get(ctx, args[0], version)
	if err != nil {
		return remoteError(err)
	}
	if v.raw {
		_, err := v.p.stdout.Write(skill.Raw)
		return err
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, skill.Raw, "", "  "); err != nil {
		return err
	}
	indented.WriteByte('\n')
	_, err = indented.WriteTo(v.p.stdout)
	return err
}

func (v *get) list(ctx context.Context, c *client.Client, id string) error {
	versions, err := c.Versions(ctx, id)
	if err != nil {
		return remoteError(err)
	}
	if v.asJSON {
		return writeLines(v.p.stdout, versions)
	}
	columns := []string{"VERSION", "STATUS", "ACCESS", "PUBLISHED", "DIGEST"}
	reasons := slices.ContainsFunc(versions, func(v client.Version) bool { return v.Reason != "" })
	if reasons {
		columns = append(columns, "REASON")
	}
	t := newTable(v.p.stdout, columns...)
	for _, version := range versions {
		cells := []string{version.Version, version.Status, version.Access, version.PublishedAt.UTC().Format(time.RFC3339), version.Digest}
		if reasons {
			cells = append(cells, version.Reason)
		}
		t.row(cells...)
	}
	return t.flush()
}
