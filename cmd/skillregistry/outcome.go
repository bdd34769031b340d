package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/skillregistry/skillregistry/client"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
)

// What can become of a document.
const (
	resultPublished = "published"
	// resultUnchanged: the same content was there already.
	resultUnchanged = "unchanged"
	// resultAccepted: a dry run would have stored it, or found it there.
	resultAccepted = "accepted"
	resultValid    = "valid"
	resultRefused  = "refused"
	// resultFailed: nobody looked at it, because it could not be read or sent.
	resultFailed = "failed"
)

// outcome is what became of one document; its JSON form is a line of --json.
type outcome struct {
	File          string    `json:"file"`
	Result        string    `json:"result"`
	ID            string    `json:"id,omitempty"`
	Version       string    `json:"version,omitempty"`
	Digest        string    `json:"digest,omitempty"`
	DescriptorURL string    `json:"descriptor_url,omitempty"`
	PublishedAt   time.Time `json:"published_at,omitzero"`
	// FilesDigest is of the files that the version brings; empty for none.
	FilesDigest string           `json:"files_digest,omitempty"`
	Warnings    []client.Warning `json:"warnings,omitempty"`
	Error       *problem         `json:"error,omitempty"`
}

// problem is why a document was not taken.
type problem struct {
	Code       string             `json:"code,omitempty"`
	Message    string             `json:"message"`
	Violations []client.Violation `json:"violations,omitempty"`
	RequestID  string             `json:"request_id,omitempty"`
}

// refusal is the outcome of a document that does not pass the registry's door, with
// the codes and words of the HTTP interface.
func refusal(file string, err error) outcome {
	p := &problem{Message: err.Error()}
	var syntax *protocol.SyntaxError
	var incompatible *protocol.IncompatibleError
	var invalid *protocol.ValidationError
	var exists *store.VersionExistsError
	var large *tooLargeError
	switch {
	case errors.As(err, &syntax):
		p.Code = "INVALID_JSON"
	case errors.As(err, &incompatible):
		p.Code = string(protocol.CodeVersionIncompatible)
	case errors.As(err, &invalid):
		p.Code = string(protocol.CodeValidation)
		p.Violations = violations(invalid.Violations)
	case errors.As(err, &exists):
		p.Code = "VERSION_EXISTS"
	case errors.As(err, &large):
		p.Code = "BODY_TOO_LARGE"
	}
	return outcome{File: file, Result: resultRefused, Error: p}
}

// documentError returns the error that this program itself would have found, so that a
// document is refused in the same words with and without a registry; nil for others.
func documentError(e *client.Error) error {
	var details struct {
		Offset    int64  `json:"offset"`
		Pointer   string `json:"pointer"`
		Reason    string `json:"reason"`
		MaxBytes  int64  `json:"max_bytes"`
		Version   string `json:"descriptor_version"`
		Supported string `json:"consumer_supported_range"`
	}
	if err := json.Unmarshal(e.Details, &details); err != nil {
		return nil
	}
	switch {
	case e.Code == "INVALID_JSON" && details.Reason != "":
		return &protocol.SyntaxError{Offset: details.Offset, Pointer: details.Pointer, Reason: details.Reason}
	case e.Code == string(protocol.CodeVersionIncompatible) && details.Version != "":
		return &protocol.IncompatibleError{DescriptorVersion: details.Version, SupportedRange: details.Supported}
	case e.Code == "BODY_TOO_LARGE" && details.MaxBytes > 0:
		return &tooLargeError{max: details.MaxBytes}
	}
	return nil
}

// unread is the outcome of a document that could not be read: one that is too large is
// refused, every other fault is the file's.
func unread(file string, err error) outcome {
	o := refusal(file, err)
	if o.Error.Code == "" {
		o.Result = resultFailed
	}
	return o
}

func violations(from []protocol.Violation) []client.Violation {
	var to []client.Violation
	for _, v := range from {
		to = append(to, client.Violation(v))
	}
	return to
}

func warnings(from []protocol.Warning) []client.Warning {
	var to []client.Warning
	for _, w := range from {
		to = append(to, client.Warning(w))
	}
	return to
}

// write writes the outcome for people: what went well to out, what did not and
// warnings to errs, each line beginning with the file and, where there is one, the
// pointer to the member.
func (o outcome) write(out, errs io.Writer) {
	at := func(field string) string {
		if field == "" {
			return printable(o.File)
		}
		return printable(o.File + ":" + field)
	}
	for _, w := range o.Warnings {
		fmt.Fprintf(errs, "%s: warning: %s\n", at(w.Field), printable(w.Message))
	}
	switch {
	case o.Error == nil && o.ID == "":
		fmt.Fprintf(out, "%s: %s\n", at(""), o.Result)
	case o.Error == nil:
		fmt.Fprintf(out, "%s: %s %s %s\n", at(""), o.Result, printable(o.ID), printable(o.Version))
	case len(o.Error.Violations) == 0:
		fmt.Fprintf(errs, "%s: %s\n", at(""), printable(o.Error.Message))
	}
	if o.Error != nil {
		for _, v := range o.Error.Violations {
			fmt.Fprintf(errs, "%s: expected %s, got %s\n", at(v.Field), printable(v.Expected), printable(v.Actual))
		}
	}
}
