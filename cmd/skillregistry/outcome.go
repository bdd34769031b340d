package main

import (
	"cmp"
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

// Codes of the HTTP interface that are met here.
const (
	codeInvalidJSON   = "INVALID_JSON"
	codeVersionExists = "VERSION_EXISTS"
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
	FilesDigest string    `json:"files_digest,omitempty"`
	Warnings    []warning `json:"warnings,omitempty"`
	Error       *problem  `json:"error,omitempty"`

	// source is the file that positions are in; empty is File itself.
	source string
}

// warning is an oddity, with its position where its file is known.
type warning struct {
	client.Warning
	position
}

// violation is a rule that is broken, with its position where its file is known.
type violation struct {
	client.Violation
	position
}

// problem is why a document was not taken.
type problem struct {
	Code       string      `json:"code,omitempty"`
	Message    string      `json:"message"`
	Violations []violation `json:"violations,omitempty"`
	RequestID  string      `json:"request_id,omitempty"`
	// position is where a text is no JSON, or the member that this is about.
	position
	offset int64
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
		p.Code, p.offset = codeInvalidJSON, syntax.Offset
	case errors.As(err, &incompatible):
		p.Code = string(protocol.CodeVersionIncompatible)
	case errors.As(err, &invalid):
		p.Code = string(protocol.CodeValidation)
		p.Violations = violations(invalid.Violations)
	case errors.As(err, &exists):
		p.Code = codeVersionExists
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
	case e.Code == codeInvalidJSON && details.Reason != "":
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

func violations[V client.Violation | protocol.Violation](from []V) []violation {
	var to []violation
	for _, v := range from {
		to = append(to, violation{Violation: client.Violation(v)})
	}
	return to
}

func warnings[W client.Warning | protocol.Warning](from []W) []warning {
	var to []warning
	for _, w := range from {
		to = append(to, warning{Warning: client.Warning(w)})
	}
	return to
}

// locate finds in the text of a file, which the outcome is of, what is wrong with it. An
// empty source is the outcome's own file.
func (o *outcome) locate(source string, text []byte) {
	if text == nil {
		return // it could not be read
	}
	o.source = source
	var pointers []string
	for _, w := range o.Warnings {
		pointers = append(pointers, w.Field)
	}
	if o.Error != nil {
		for _, v := range o.Error.Violations {
			pointers = append(pointers, v.Field)
		}
		pointers = append(pointers, o.Error.about())
	}
	offsets := protocol.Locate(text, pointers)
	if o.Error != nil && o.Error.Code == codeInvalidJSON {
		offsets[len(offsets)-1] = o.Error.offset
	}
	found := positionsAt(text, offsets)
	for i := range o.Warnings {
		o.Warnings[i].position = found[i]
	}
	if o.Error == nil {
		return
	}
	for i := range o.Error.Violations {
		o.Error.Violations[i].position = found[len(o.Warnings)+i]
	}
	if o.Error.Code == codeInvalidJSON || o.Error.about() != "" {
		o.Error.position = found[len(found)-1]
	}
}

// about is a pointer to the member that a problem without violations is about; empty for none.
func (p *problem) about() string {
	switch p.Code {
	case string(protocol.CodeVersionIncompatible):
		return "/protocol/version"
	case codeVersionExists:
		return "/version"
	}
	return ""
}

// remark is one thing that is said about a file.
type remark struct {
	file string
	position
	// rule is what the remark is by: a code, or that of warnings.
	rule string
	// pointer is to the member that it is about; empty is the whole.
	pointer string
	message string
	// fault tells what is refused from an oddity.
	fault bool
}

// String is the remark as a line for people and their editors.
func (r remark) String() string {
	at := r.file
	if r.Line > 0 {
		at = fmt.Sprintf("%s:%d:%d", r.file, r.Line, r.Column)
	}
	return printable(at + ": " + r.text())
}

// text is the remark without its place in the file.
func (r remark) text() string {
	text := r.message
	if !r.fault {
		text = "warning: " + text
	}
	if r.pointer != "" {
		text += " (" + r.pointer + ")"
	}
	return text
}

// ruleOfWarnings stands for a code with warnings.
const ruleOfWarnings = "WARNING"

// remarks lists what is said of the document, warnings first.
func (o outcome) remarks() (all []remark) {
	file := cmp.Or(o.source, o.File)
	for _, w := range o.Warnings {
		all = append(all, remark{file: file, position: w.position, rule: ruleOfWarnings, pointer: w.Field, message: w.Message})
	}
	if o.Error == nil {
		return all
	}
	rule := cmp.Or(o.Error.Code, "FAILED")
	if len(o.Error.Violations) == 0 {
		return append(all, remark{file: file, position: o.Error.position, rule: rule, message: o.Error.Message, fault: true})
	}
	for _, v := range o.Error.Violations {
		all = append(all, remark{
			file: file, position: v.position, rule: rule, pointer: v.Field, fault: true,
			message: fmt.Sprintf("expected %s, got %s", v.Expected, v.Actual),
		})
	}
	return all
}

// success says what became of a document that was taken; empty for one that was not.
func (o outcome) success() string {
	switch {
	case o.Error != nil:
		return ""
	case o.ID == "":
		return printable(fmt.Sprintf("%s: %s", o.File, o.Result))
	default:
		return printable(fmt.Sprintf("%s: %s %s %s", o.File, o.Result, o.ID, o.Version))
	}
}

// write writes the outcome for people: what went well to out, what did not and
// warnings to errs, each line beginning with the file and, where it is known, the place in it.
func (o outcome) write(out, errs io.Writer) {
	for _, r := range o.remarks() {
		fmt.Fprintln(errs, r)
	}
	if line := o.success(); line != "" {
		fmt.Fprintln(out, line)
	}
}
