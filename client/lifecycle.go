package client

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
)

// The statuses that a version can be given.
const (
	Active     = "active"
	Deprecated = "deprecated"
	Yanked     = "yanked"
)

// SetStatus makes a version active, deprecated or yanked, for a reason that everyone who
// sees the version can read; it may be empty. A version that is so already stays as it
// is. It returns an *Error with status 404 for a version that does not exist, 403 where
// the key does not reach.
func (c *Client) SetStatus(ctx context.Context, id, version, status, reason string) error {
	path, err := versionPath(id, version)
	if err != nil {
		return err
	}
	data, err := json.Marshal(struct {
		Status string `json:"status"`
		Reason string `json:"reason,omitempty"`
	}{status, reason})
	if err != nil {
		return err
	}
	_, err = c.do(ctx, request{method: http.MethodPatch, path: path, body: data, repeatable: true})
	return err
}

// DeleteVersion deletes a version for good: it is gone, and nothing can be published
// under it again. It returns an *Error with status 404 for one that does not exist. It is
// sent once only: a second try after a lost answer would find nothing to delete.
func (c *Client) DeleteVersion(ctx context.Context, id, version string) error {
	path, err := versionPath(id, version)
	if err != nil {
		return err
	}
	return c.delete(ctx, path)
}

// DeleteSkill deletes every version of a skill, as DeleteVersion does. New versions of it
// may be published.
func (c *Client) DeleteSkill(ctx context.Context, id string) error {
	path, err := skillPath(id)
	if err != nil {
		return err
	}
	return c.delete(ctx, path)
}

func (c *Client) delete(ctx context.Context, path string) error {
	_, err := c.do(ctx, request{method: http.MethodDelete, path: path})
	return err
}

func versionPath(id, version string) (string, error) {
	path, err := skillPath(id)
	if err != nil {
		return "", err
	}
	if version == "" {
		return "", errors.New("a version is not empty")
	}
	return path + "/versions/" + url.PathEscape(version), nil
}
