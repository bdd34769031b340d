package main

import (
	"context"
	"errors"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/spf13/cobra"
)

const validateHelp = `validate checks documents by the rules that a registry has at its door, without one:
files, the *.json files of folders and of the folders in them, and standard input
where the name is "-".

Every violation is a line on standard error with the file, line and column, what is
expected there and what was found, and the JSON Pointer to the member. Warnings are
about oddities that break no rule.

With --json, standard output has one JSON object a file: file, result (valid, refused,
failed), id and version of a descriptor, warnings, and error with code, message and
violations.
` + annotateHelp + `

Exit status: 0 all are valid, 1 one or more are not, 2 the command line or a setting is
wrong or a file is missing.`

// validate is the verb with its flags.
type validate struct {
	p        *program
	kind     string
	maxBody  int64
	maxDepth int
	reporting
}

func (p *program) validateCommand() *cobra.Command {
	v := validate{p: p, kind: string(protocol.KindDescriptor)}
	cmd := &cobra.Command{
		Use:   "validate FILE|DIR…",
		Short: "Check documents without a registry",
		Long:  validateHelp,
		Example: `  skillregistry validate forecast.json
  skillregistry validate examples --json
  curl -s https://skills.example.com/.well-known/skills | skillregistry validate --kind index -`,
		Args: atLeast(1, `a FILE or a folder, or "-" for standard input`),
		RunE: p.plain(v.run),
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().Var(choiceValue(&v.kind, "kind", kindNames()...), "kind", "descriptor, index, invocation-request or invocation-response")
	v.reporting.define(cmd)
	defineLimits(cmd.Flags(), &v.maxBody, &v.maxDepth)
	completeWith(cmd, "kind", kindNames())
	return cmd
}

func kindNames() []string {
	var names []string
	for _, k := range protocol.Kinds() {
		names = append(names, string(k))
	}
	return names
}

func (v *validate) run(ctx context.Context, paths []string) error {
	if err := v.reporting.check(); err != nil {
		return err
	}
	files, err := documentFiles(paths)
	if err != nil {
		return usageError("%w", err)
	}
	validator, err := protocol.NewValidator(protocol.Limits{MaxDepth: v.maxDepth})
	if err != nil {
		return err
	}
	report := v.p.reporter(len(files), v.reporting)
	return errors.Join(v.checkAll(ctx, validator, files, report), report.end())
}

func (v *validate) checkAll(ctx context.Context, validator *protocol.Validator, files []string, report *reporter) error {
	for _, file := range files {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		report.starting(file)
		if err := report.report(v.check(validator, file)); err != nil {
			return err
		}
	}
	if report.refused() {
		return &exitError{status: statusFailed}
	}
	return nil
}

// check returns what a registry would say of the document.
func (v *validate) check(validator *protocol.Validator, file string) outcome {
	data, err := readDocument(file, v.p.stdin, v.maxBody)
	if err != nil {
		return unread(file, err)
	}
	o := v.judge(validator, file, data)
	o.locate("", data)
	return o
}

// judge returns what a registry would say of a text.
func (v *validate) judge(validator *protocol.Validator, file string, data []byte) outcome {
	// Parse is the door itself; the other kinds have none.
	if v.kind == string(protocol.KindDescriptor) {
		document, err := validator.Parse(data)
		if err != nil {
			return refusal(file, err)
		}
		return outcome{
			File: file, Result: resultValid, ID: document.Descriptor.ID, Version: document.Descriptor.Version,
			Digest: document.Digest, Warnings: warnings(document.Warnings),
		}
	}
	report, err := validator.Check(protocol.Kind(v.kind), data)
	if err != nil {
		return refusal(file, err)
	}
	if len(report.Violations) > 0 {
		o := refusal(file, &protocol.ValidationError{Violations: report.Violations})
		o.Warnings = warnings(report.Warnings)
		return o
	}
	return outcome{File: file, Result: resultValid, Warnings: warnings(report.Warnings)}
}
