package main

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const rootHelp = `skillregistry is a registry of skills: what they are, where they are invoked and
who may see them, published once, checked at the door, and read over HTTP.

Every flag that has an environment variable says so in brackets; the flag wins over
the variable, the variable over the default. A variable that is set but empty counts
as not set.

Exit status: 0 done, 1 failed or refused, 2 the command line or a setting is wrong,
3 the registry could not be reached.`

// root returns the whole command.
func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "skillregistry",
		Short: "A registry of skills, and the tool to use one",
		Long:  rootHelp,
		Example: `  skillregistry serve
  skillregistry publish examples --server http://127.0.0.1:8080 --key "$KEY"
  skillregistry list --server http://127.0.0.1:8080`,
		Version:       readBuild().Version,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(p.stdin)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	root.AddCommand(
		p.serveCommand(),
		p.publishCommand(),
		p.validateCommand(),
		p.diffCommand(),
		p.getCommand(),
		p.listCommand(),
		p.searchCommand(),
		p.changesCommand(),
		p.deprecateCommand(),
		p.yankCommand(),
		p.activateCommand(),
		p.deleteCommand(),
		p.keysCommand(),
		p.auditCommand(),
		p.migrateCommand(),
		p.exportCommand(),
		p.importCommand(),
		p.healthcheckCommand(),
		p.versionCommand(),
		p.manCommand(),
	)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		var invalid *pflag.InvalidValueError
		if errors.As(err, &invalid) {
			return wrongFlag(invalid.GetFlag(), invalid.GetValue(), invalid.Unwrap())
		}
		return err
	})
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			cmd.Example = "  source <(skillregistry completion bash)"
		}
	}
	return root
}
