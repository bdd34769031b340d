package main

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/skillregistry/skillregistry/client"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/spf13/cobra"
)

const publishHelp = `publish publishes descriptors: files, the *.json files of folders and of the folders
in them, and standard input where the name is "-".

A folder with a SKILL.md is one skill with its own files (an Agent Skill), and so is
each such folder inside of another. Its descriptor is the descriptor.json beside
SKILL.md; without one it is made of the front matter: the id is --namespace and the
name, the version is --skill-version or that of metadata. All other files are attached
to the version. Hidden files are left out, and links out of the folder are refused.

What a file is refused for is reported all at once, each line with the file, line and
column, what is expected there and what was found, and the JSON Pointer to the member.
The next files are tried all the same. Publishing what is published already changes
nothing and is no error, so the same command may be run again. --dry-run has everything
checked by the registry, the key's rights included, and stores nothing. A version that
breaks callers of an older one of its MAJOR is warned of, or refused where the registry
is told to.

With --changed-only the registry is asked first, all files are checked, by the registry
too as with --dry-run, and only what it does not have is sent. A version that it has with
other content is refused then, since it never changes: raise the version. Nothing is sent
where anything is refused; only what breaks callers of another version of the same run,
which the registry does not have yet, is found when that was sent.

With --watch it stays, and publishes again what changes, once a file has been at rest for
a moment. What goes wrong is told and does not end it; SIGINT and SIGTERM do.

With --json, standard output has one JSON object a file: file, result (published,
unchanged, accepted, refused, failed), id, version, digest, descriptor_url,
published_at, files_digest, warnings, and error with code, message and violations.
` + annotateHelp + `
Exit status: 0 all are published, or --watch was told to end, 1 one or more were
refused, 2 the command line or a setting is wrong or a file is missing, 3 the registry
could not be reached or was not able to answer; what comes after that is not tried.`

// publish is the verb with its flags.
type publish struct {
	remote
	reporting
	p      *program
	dryRun bool
	// changedOnly asks the registry first what it has.
	changedOnly bool
	watch       bool
	// allowBreaking is for registries that refuse versions which break callers.
	allowBreaking bool

	// Of folders without a descriptor.
	namespace, skillVersion, access string
}

func (p *program) publishCommand() *cobra.Command {
	v := publish{p: p}
	cmd := &cobra.Command{
		Use:   "publish FILE|DIR…",
		Short: "Publish descriptors to a registry",
		Long:  publishHelp,
		Example: `  skillregistry publish forecast.json --key "$KEY"
  skillregistry publish examples --dry-run
  skillregistry publish skills --changed-only --annotate github
  skillregistry publish my-skill --namespace com.example --skill-version 1.0.0
  generate-descriptor | skillregistry publish - --json --server https://skills.example.com`,
		Args: atLeast(1, `a FILE or a folder, or "-" for standard input`),
		RunE: p.plain(v.run),
	}
	v.remote.define(cmd.Flags())
	cmd.Flags().BoolVar(&v.dryRun, "dry-run", false, "check everything, store nothing")
	cmd.Flags().BoolVar(&v.allowBreaking, "allow-breaking", false, "publish what breaks callers of an older version, where the registry refuses that")
	cmd.Flags().BoolVar(&v.changedOnly, "changed-only", false, "ask first, and send only what the registry does not have")
	cmd.Flags().BoolVar(&v.watch, "watch", false, "stay, and publish again what changes")
	v.reporting.define(cmd)
	cmd.Flags().StringVar(&v.namespace, "namespace", "", "begins the ids of folders without a descriptor.json")
	cmd.Flags().StringVar(&v.skillVersion, "skill-version", "", "version of folders without a descriptor.json; empty is their own")
	cmd.Flags().StringVar(&v.access, "access", string(protocol.Public), "access of folders without a descriptor.json")
	return cmd
}

func (v *publish) run(ctx context.Context, paths []string) error {
	if err := v.reporting.check(); err != nil {
		return err
	}
	if v.watch && slices.Contains(paths, stdinName) {
		return usageError("--watch needs files and folders: standard input is read once")
	}
	if v.watch && v.annotate == annotateGitLab {
		return usageError("--watch never ends, and --annotate gitlab writes its report at the end")
	}
	files, err := publishable(paths)
	if err != nil {
		return usageError("%w", err)
	}
	c, err := v.client()
	if err != nil {
		return err
	}
	if v.watch {
		return v.follow(ctx, c, paths)
	}
	return v.publishAll(ctx, c, files, nil)
}

// publishAll publishes files; of those that are known it leaves out what did not change
// since. Without known files it is all of them.
func (v *publish) publishAll(ctx context.Context, c *client.Client, files []string, known seen) error {
	report := v.p.reporter(len(files), v.reporting)
	run := &publishRun{publish: v, client: c, report: report, known: known}
	err := run.all(ctx, files)
	if known != nil {
		report.total = report.seen
	}
	return errors.Join(err, report.end())
}

// publishOutcome puts the registry's answer in our words.
func publishOutcome(file string, published *client.Published, err error) outcome {
	var refused *client.Error
	switch {
	case errors.As(err, &refused):
		if known := documentError(refused); known != nil {
			return refusal(file, known)
		}
		o := outcome{File: file, Result: resultRefused, Error: &problem{
			Code: refused.Code, Message: refused.Message, Violations: violations(refused.Violations),
		}}
		if lacksKey(refused) {
			o.Error.Message = needsKey
		}
		if refusalStatus(refused) == statusUnreachable {
			o.Result, o.Error.RequestID = resultFailed, refused.RequestID
		}
		return o
	case errors.Is(err, context.Canceled):
		return outcome{File: file, Result: resultFailed, Error: &problem{Message: "interrupted"}}
	case err != nil:
		return outcome{File: file, Result: resultFailed, Error: &problem{Message: err.Error()}}
	}
	o := outcome{
		File: file, Result: resultUnchanged, ID: published.ID, Version: published.Version, Digest: published.Digest,
		DescriptorURL: published.DescriptorURL, PublishedAt: published.PublishedAt, Warnings: warnings(published.Warnings),
	}
	switch {
	case published.DryRun:
		o.Result = resultAccepted
	case published.Created:
		o.Result = resultPublished
	}
	return o
}

// hopeless returns the status to end with when the next file would fare no better, and
// statusOK when it may.
func hopeless(err error) int {
	var refused *client.Error
	switch {
	case err == nil:
		return statusOK
	case errors.Is(err, context.Canceled):
		return statusFailed
	case !errors.As(err, &refused):
		return statusUnreachable
	case refusalStatus(refused) == statusUnreachable:
		return statusUnreachable
	case refused.StatusCode == http.StatusUnauthorized:
		return statusFailed
	}
	return statusOK
}
