package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"

	"github.com/skillregistry/skillregistry/client"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// submission is what a file or the folder of a skill has to publish.
type submission struct {
	file       string
	descriptor []byte
	// source is the file that the descriptor is in, empty for file itself; written says that
	// it is in one, and was not made.
	source  string
	written bool
	// archive holds the skill's own files; nil for none. The digest is the registry's.
	archive     []byte
	filesDigest string
}

// content tells submissions apart.
func (s *submission) content() string {
	return fmt.Sprintf("%x %s", sha256.Sum256(s.descriptor), s.filesDigest)
}

// locate finds in the descriptor's file what is wrong with it.
func (s *submission) locate(o outcome) outcome {
	if s.written {
		o.locate(s.source, s.descriptor)
	}
	return o
}

// seen is what became known of files by their names: the content that was dealt with.
type seen map[string]string

// publishRun is one run over files.
type publishRun struct {
	*publish
	client *client.Client
	report *reporter
	// known is nil where all files are dealt with, whatever came before.
	known seen
}

// all publishes files, one after the other.
func (r *publishRun) all(ctx context.Context, files []string) error {
	var ready []*submission
	for _, file := range files {
		r.report.starting(file)
		s, o := r.read(file)
		switch {
		case o != nil:
			if r.isKnown(file, o.Error.Message) {
				continue
			}
			if err := r.report.report(*o); err != nil {
				return err
			}
		case r.isKnown(file, s.content()):
		case r.changedOnly:
			ready = append(ready, s)
		default:
			if err := r.send(ctx, s); err != nil {
				return err
			}
		}
	}
	if r.changedOnly {
		if err := r.changed(ctx, ready); err != nil {
			return err
		}
	}
	if r.report.refused() {
		return &exitError{status: statusFailed}
	}
	return nil
}

// isKnown reports whether the content of a file was dealt with, and notes that it is.
func (r *publishRun) isKnown(file, content string) bool {
	if r.known == nil {
		return false
	}
	was, ok := r.known[file]
	r.known[file] = content
	return ok && was == content
}

// read reads what there is to publish, or returns the outcome of what can't be.
func (r *publishRun) read(file string) (*submission, *outcome) {
	if file != stdinName && isSkillFolder(file) {
		s, err := r.readFolder(file, r.client.BaseURL())
		var unreadable *unreadableError
		switch {
		case errors.As(err, &unreadable):
			o := unread(file, unreadable.err)
			return nil, &o
		case err != nil:
			o := refusal(file, err)
			return nil, &o
		}
		return s, nil
	}
	document, err := readDocument(file, r.p.stdin, maxDocument)
	if err != nil {
		o := unread(file, err)
		return nil, &o
	}
	return &submission{file: file, descriptor: document, written: true}, nil
}

// send publishes a submission and attaches its files, and reports it. Where it was stopped in
// between, it goes on when it is called again. The error is for what comes after.
func (r *publishRun) send(ctx context.Context, s *submission) error {
	published, err := r.client.Publish(ctx, s.descriptor, client.PublishOptions{DryRun: r.dryRun, AllowBreaking: r.allowBreaking})
	o := s.locate(publishOutcome(s.file, published, err))
	if err == nil && s.archive != nil && !r.dryRun {
		var attached *client.Attached
		if attached, err = r.client.AttachFiles(ctx, published.ID, published.Version, s.archive); err != nil {
			o = publishOutcome(s.file, nil, err)
		} else {
			if attached.Created {
				o.Result = resultPublished
			}
			o.FilesDigest, o.Warnings = attached.Digest, append(o.Warnings, warnings(attached.Warnings)...)
		}
	}
	return r.tell(s, o, err)
}

// tell reports an outcome. The error is for what comes after.
func (r *publishRun) tell(s *submission, o outcome, cause error) error {
	if o.Result == resultFailed && r.known != nil {
		delete(r.known, s.file) // to be tried again
	}
	if err := r.report.report(o); err != nil {
		return err
	}
	if status := hopeless(cause); status != statusOK {
		return &exitError{status: status}
	}
	return nil
}

// changed checks submissions and asks the registry what it has of them, and sends the others,
// unless something is refused.
func (r *publishRun) changed(ctx context.Context, all []*submission) error {
	validator, err := protocol.NewValidator(lenient())
	if err != nil {
		return err
	}
	var missing []*submission
	files := map[string]string{} // of each version that is to be sent
	versions := map[string][]client.Version{}
	for _, s := range all {
		document, err := validator.Parse(s.descriptor)
		if err != nil {
			if err := r.tell(s, s.locate(refusal(s.file, err)), nil); err != nil {
				return err
			}
			continue
		}
		id := document.Descriptor.ID
		if _, asked := versions[id]; !asked {
			if versions[id], err = r.versions(ctx, id); err != nil {
				return r.tell(s, publishOutcome(s.file, nil, err), err)
			}
		}
		o, there := s.among(versions[id], document)
		if !there {
			version := id + "@" + protocol.VersionWithoutBuild(document.Descriptor.Version)
			other, twice := files[version]
			if !twice {
				files[version] = s.file
				missing = append(missing, s)
				continue
			}
			o = outcome{File: s.file, Result: resultRefused, Error: &problem{
				Code: codeVersionExists, Message: fmt.Sprintf("%s is the version of %s, too", version, other),
			}}
		}
		if err := r.tell(s, s.locate(o), nil); err != nil {
			return err
		}
	}
	if err := r.checked(ctx, missing); err != nil {
		return err
	}
	for _, s := range missing {
		if r.report.refused() {
			if r.known != nil {
				delete(r.known, s.file)
			}
			continue
		}
		if err := r.send(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// checked has the registry check what it does not have, and reports what it refuses.
func (r *publishRun) checked(ctx context.Context, missing []*submission) error {
	if r.dryRun {
		return nil // that is what sending does then
	}
	for _, s := range missing {
		_, err := r.client.Publish(ctx, s.descriptor, client.PublishOptions{DryRun: true, AllowBreaking: r.allowBreaking})
		if err == nil {
			continue
		}
		if err := r.tell(s, s.locate(publishOutcome(s.file, nil, err)), err); err != nil {
			return err
		}
	}
	return nil
}

// versions returns what the registry has of a skill; nothing where there is none to be seen.
func (r *publishRun) versions(ctx context.Context, id string) ([]client.Version, error) {
	found, err := r.client.Versions(ctx, id)
	var refused *client.Error
	if errors.As(err, &refused) && refused.StatusCode == http.StatusNotFound && refused.Code != "" {
		return nil, nil
	}
	return found, err
}

// among returns the outcome of a submission whose version is among those that are there, and
// reports whether it is. One that lacks its files is not.
func (s *submission) among(versions []client.Version, document *protocol.Document) (outcome, bool) {
	d := &document.Descriptor
	for _, v := range versions {
		if protocol.VersionWithoutBuild(v.Version) != protocol.VersionWithoutBuild(d.Version) {
			continue
		}
		o := outcome{
			File: s.file, Result: resultUnchanged, ID: d.ID, Version: v.Version, Digest: v.Digest,
			DescriptorURL: v.DescriptorURL, PublishedAt: v.PublishedAt, Warnings: warnings(document.Warnings),
		}
		what := ""
		switch {
		case v.Digest != document.Digest:
			what = "content"
		case s.archive == nil:
			return o, true
		case v.Files == nil:
			return outcome{}, false
		case v.Files.Digest != s.filesDigest:
			what = "files"
		default:
			o.FilesDigest = v.Files.Digest
			return o, true
		}
		return outcome{File: s.file, Result: resultRefused, Error: &problem{
			Code:    codeVersionExists,
			Message: fmt.Sprintf("%s %s is published with other %s, and never changes: raise the version", d.ID, v.Version, what),
		}}, true
	}
	return outcome{}, false
}
