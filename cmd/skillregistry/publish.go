package main

import (
	"context"
	"errors"
	"net/http"

	"github.com/skillregistry/skillregistry/client"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/spf13/cobra"
)

const publishHelp = `publish publishes descriptors: files, the *.json files of folders and of the folders
in them, and standard input where the name is "-".

What a file is refused for is reported all at once, each line with the file, the JSON
Pointer to the member, what is expected there and what was found. The next files are
tried all the same. Publishing what is published already changes nothing and is no
error, so the same command may be run again. --dry-run has everything checked by the
registry, the key's rights included, and stores nothing.

With --json, standard output has one JSON object a file: file, result (published,
unchanged, accepted, refused, failed), id, version, digest, descriptor_url,
published_at, warnings, and error with code, message and violations.

Exit status: 0 all are published, 1 one or more were refused, 2 the command line or a
setting is wrong or a file is missing, 3 the registry could not be reached or was not
able to answer; what comes after that is not tried.`

// publish is the verb with its flags.
type publish struct {
	remote
	p      *program
	dryRun bool
	asJSON bool
}

func (p *program) publishCommand() *cobra.Command {
	v := publish{p: p}
	cmd := &cobra.Command{
		Use:   "publish FILE|DIR…",
		Short: "Publish descriptors to a registry",
		Long:  publishHelp,
		Example: `  skillregistry publish forecast.json --key "$KEY"
  skillregistry publish examples --dry-run
  generate-descriptor | skillregistry publish - --json --server https://skills.example.com`,
		Args: atLeast(1, `a FILE or a folder, or "-" for standard input`),
		RunE: p.plain(v.run),
	}
	v.remote.define(cmd.Flags())
	cmd.Flags().BoolVar(&v.dryRun, "dry-run", false, "check everything, store nothing")
	cmd.Flags().BoolVar(&v.asJSON, "json", false, "print one JSON object a file")
	return cmd
}

func (v *publish) run(ctx context.Context, paths []string) error {
	files, err := documentFiles(paths)
	if err != nil {
		return usageError("%w", err)
	}
	c, err := v.client()
	if err != nil {
		return err
	}
	report := v.p.reporter(len(files), v.asJSON)
	defer report.summary()
	for _, file := range files {
		report.starting(file)
		document, err := readDocument(file, v.p.stdin, maxDocument)
		if err != nil {
			if err := report.report(unread(file, err)); err != nil {
				return err
			}
			continue
		}
		published, err := c.Publish(ctx, document, client.PublishOptions{DryRun: v.dryRun})
		if err := report.report(publishOutcome(file, published, err)); err != nil {
			return err
		}
		if status := hopeless(err); status != statusOK {
			return &exitError{status: status}
		}
	}
	if report.refused() {
		return &exitError{status: statusFailed}
	}
	return nil
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
			Code: refused.Code, Message: refused.Message, Violations: refused.Violations,
		}}
		if refused.Code == string(protocol.CodeAuthRequired) {
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
		DescriptorURL: published.DescriptorURL, PublishedAt: published.PublishedAt, Warnings: published.Warnings,
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
