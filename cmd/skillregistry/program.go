package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
)

// The exit statuses that a script can rely on. They are part of each verb's help.
const (
	statusOK = iota
	// statusFailed: it was tried and did not work, or a document was refused.
	statusFailed
	// statusUsage: the command line or a setting is wrong; nothing was tried.
	statusUsage
	// statusUnreachable: the registry could not be reached, or was not able to answer.
	statusUnreachable
)

// program is the command with everything that it takes from outside.
type program struct {
	// name is how the program was called, for lines to paste; empty is skillregistry.
	name    string
	environ []string
	stdin   io.Reader
	stdout  io.Writer
	stderr  io.Writer
	// terminal says that stderr is a person's terminal, where progress may be shown.
	terminal bool
	now      func() time.Time
	random   io.Reader
	// patience is how long a start waits for a database that is not up yet.
	patience time.Duration
}

// exitError ends the command with a status. A nil err says that everything was said
// already.
type exitError struct {
	status int
	err    error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.status)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// usageError says that the command line is wrong.
func usageError(format string, args ...any) error {
	return &exitError{status: statusUsage, err: fmt.Errorf(format, args...)}
}

// run runs the command until it is done or ctx ends, and returns its exit status.
func (p *program) run(ctx context.Context, args []string) int {
	root := p.root()
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return statusOK
	}
	// What a verb returns is an exitError; what cobra finds by itself is about the
	// command line.
	exit := &exitError{status: statusUsage, err: err}
	errors.As(err, &exit)
	if exit.err != nil {
		message := oneLine(exit.err.Error())
		if exit.status == statusUsage {
			message += fmt.Sprintf(" (see %s --help)", cmd.CommandPath())
		}
		fmt.Fprintf(p.stderr, "skillregistry: %s\n", plainLine(printable(message)))
	}
	return exit.status
}

// invocation is what a verb is called with, once its settings are in place.
type invocation struct {
	args []string
	// warnings are about the environment.
	warnings []string
	// nameOf returns by what a setting was given; see the function of that name.
	nameOf func(flag string) string
}

// verb makes a cobra function of one that finds its settings in place and returns
// what went wrong.
func (p *program) verb(run func(context.Context, invocation) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		env := environment(p.environ)
		warnings, err := resolve(cmd, env)
		if err != nil {
			return &exitError{status: statusUsage, err: err}
		}
		p.stdin = &interruptible{ctx: cmd.Context(), from: p.stdin}
		err = run(cmd.Context(), invocation{args: args, warnings: warnings, nameOf: nameOf(cmd.Flags(), env)})
		var exit *exitError
		switch {
		case err == nil || errors.As(err, &exit):
			return err
		case errors.Is(err, context.Canceled):
			err = errors.New("interrupted")
		}
		return &exitError{status: statusFailed, err: err}
	}
}

// plain is verb for those that have no log: warnings are lines on stderr.
func (p *program) plain(run func(context.Context, []string) error) func(*cobra.Command, []string) error {
	return p.verb(func(ctx context.Context, call invocation) error {
		for _, w := range call.warnings {
			fmt.Fprintf(p.stderr, "skillregistry: warning: %s\n", w)
		}
		return run(ctx, call.args)
	})
}

// atLeast refuses a command line with fewer than n arguments, in words that say what
// is missing.
func atLeast(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < n {
			return fmt.Errorf("%s needs %s", cmd.CommandPath(), what)
		}
		return nil
	}
}

// between refuses a command line with fewer than low or more than high arguments.
func between(low, high int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > high {
			return fmt.Errorf("%s takes %s, and %q is one too many", cmd.CommandPath(), what, args[high])
		}
		return atLeast(low, what)(cmd, args)
	}
}
