package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version and commit are set by the linker: -ldflags "-X main.version=1.2.3". Without
// that, what the Go toolchain recorded is used.
var version, commit string

// build says what this binary was made from.
type build struct {
	Version   string `json:"version"`
	Commit    string `json:"commit,omitempty"`
	GoVersion string `json:"go_version"`
	Platform  string `json:"platform"`
}

func readBuild() build {
	b := build{
		Version:   version,
		Commit:    commit,
		GoVersion: runtime.Version(),
		Platform:  runtime.GOOS + "/" + runtime.GOARCH,
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.Version = cmp.Or(b.Version, info.Main.Version)
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				b.Commit = cmp.Or(b.Commit, s.Value)
			}
		}
	}
	b.Version = cmp.Or(b.Version, "unknown")
	return b
}

func (p *program) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Say which build this is",
		Long:  "version says which build this is, and what it was built from.",
		Example: `  skillregistry version
  skillregistry version --json`,
		Args: between(0, 0, "no arguments"),
		RunE: p.plain(func(context.Context, []string) error {
			b := readBuild()
			if asJSON {
				return json.NewEncoder(p.stdout).Encode(b)
			}
			from := b.GoVersion + ", " + b.Platform
			if b.Commit != "" {
				from = "commit " + b.Commit + ", " + from
			}
			_, err := fmt.Fprintf(p.stdout, "skillregistry %s (%s)\n", b.Version, from)
			return err
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}
