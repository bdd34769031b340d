package client

import (
	"context"
	"net/http"
)

// Attached is the answer to files that were attached to a version.
type Attached struct {
	ID      string `json:"id"`
	Version string `json:"version"`
	// Digest is over the archive that the registry packed of the files.
	Digest string `json:"digest"`
	// Files are their names, SKILL.md first.
	Files    []string  `json:"files"`
	Warnings []Warning `json:"warnings"`
	// Created reports whether this call stored them; it is false when the same files were
	// there already.
	Created bool `json:"-"`
}

// AttachFiles gives a version its own files, once and for all: a tar in gzip with SKILL.md
// at its root and whatever stands beside it. The same files again succeed and change
// nothing. A refusal is an *Error: status 422 with every violation, 409 when the version
// has other files, 404 when there is no such version, 401 and 403 when the key does not
// reach.
func (c *Client) AttachFiles(ctx context.Context, id, version string, archive []byte) (*Attached, error) {
	path, err := versionPath(id, version)
	if err != nil {
		return nil, err
	}
	answer, err := c.do(ctx, request{
		method: http.MethodPost, path: path + "/files", body: body(archive), mediaType: "application/gzip", repeatable: true,
	})
	if err != nil {
		return nil, err
	}
	var attached Attached
	if err := c.decode(answer, &attached); err != nil {
		return nil, err
	}
	attached.Created = answer.status == http.StatusCreated
	return &attached, nil
}

// Files returns the files that a version brings, as a tar in gzip. It returns an *Error
// with status 404 for a version that brings none, does not exist or may not be seen.
func (c *Client) Files(ctx context.Context, id, version string) ([]byte, error) {
	path, err := versionPath(id, version)
	if err != nil {
		return nil, err
	}
	answer, err := c.do(ctx, request{method: http.MethodGet, path: path + "/files", repeatable: true})
	if err != nil {
		return nil, err
	}
	return answer.body, nil
}
