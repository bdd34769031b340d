package client

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// PublishOptions say how to publish. The zero value publishes.
type PublishOptions struct {
	// DryRun has everything checked and nothing stored.
	DryRun bool
	// AllowBreaking publishes a version that breaks those who call the skill by an older
	// one, where the registry refuses that otherwise.
	AllowBreaking bool
}

// Published is the answer to a publication.
type Published struct {
	ID            string    `json:"id"`
	Version       string    `json:"version"`
	Digest        string    `json:"digest"`
	DescriptorURL string    `json:"descriptor_url"`
	PublishedAt   time.Time `json:"published_at"`
	Warnings      []Warning `json:"warnings"`
	DryRun        bool      `json:"dry_run"`
	// Created reports whether this publication stored the version; it is false when
	// the same content was there already, and after a dry run.
	Created bool `json:"-"`
}

// Publish publishes a descriptor. Publishing the same content again succeeds and
// changes nothing, which is why it is sent again when no answer came. A refusal is an
// *Error: status 422 with every violation, 409 when the version is taken by other
// content, 401 and 403 when the key does not reach.
func (c *Client) Publish(ctx context.Context, descriptor []byte, o PublishOptions) (*Published, error) {
	query := url.Values{}
	if o.DryRun {
		query.Set("dry_run", "true")
	}
	if o.AllowBreaking {
		query.Set("allow_breaking", "true")
	}
	path := "/v1/skills"
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	answer, err := c.do(ctx, request{method: http.MethodPost, path: path, body: body(descriptor), repeatable: true})
	if err != nil {
		return nil, err
	}
	var published Published
	if err := c.decode(answer, &published); err != nil {
		return nil, err
	}
	published.Created = answer.status == http.StatusCreated
	return &published, nil
}

// Report is what a validation says of a document.
type Report struct {
	Valid      bool        `json:"valid"`
	Violations []Violation `json:"violations"`
	Warnings   []Warning   `json:"warnings"`
}

// Validate has a document checked: kind is "descriptor", "index",
// "invocation-request" or "invocation-response". A document that breaks rules is a
// report, not an error; one that is not JSON is an *Error with status 400.
func (c *Client) Validate(ctx context.Context, kind string, document []byte) (*Report, error) {
	answer, err := c.do(ctx, request{
		method: http.MethodPost, path: "/v1/validate?kind=" + url.QueryEscape(kind), body: body(document), repeatable: true,
	})
	if err != nil {
		return nil, err
	}
	var report Report
	if err := c.decode(answer, &report); err != nil {
		return nil, err
	}
	return &report, nil
}

// body returns a body that is sent even when the document is empty, so that the
// registry is the one to refuse it.
func body(document []byte) []byte {
	if document == nil {
		return []byte{}
	}
	return document
}
