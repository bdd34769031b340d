package client

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"time"
)

// Skill is one version of a skill.
type Skill struct {
	Descriptor Descriptor
	// Raw is the descriptor as the registry serves it, byte for byte.
	Raw json.RawMessage
}

// Version says of one version of a skill what a list of versions says.
type Version struct {
	Version string `json:"version"`
	// Status is Active, Deprecated or Yanked.
	Status string `json:"status"`
	// Reason is why it has that status, where someone said so.
	Reason        string    `json:"reason,omitempty"`
	Access        string    `json:"access"`
	Digest        string    `json:"digest"`
	PublishedAt   time.Time `json:"published_at"`
	DescriptorURL string    `json:"descriptor_url"`
	// Files says where its own files are; nil where it brings none.
	Files *FilesAddress `json:"files,omitempty"`
}

// FilesAddress says where the files of a version are.
type FilesAddress struct {
	Digest string `json:"digest"`
	URL    string `json:"url"`
}

// Get returns a version of a skill; an empty version is the latest. It returns an
// *Error with status 404 for what does not exist or may not be seen.
func (c *Client) Get(ctx context.Context, id, version string) (*Skill, error) {
	path, err := skillPath(id)
	if err != nil {
		return nil, err
	}
	if version != "" {
		path += "/versions/" + url.PathEscape(version)
	}
	answer, err := c.do(ctx, request{method: http.MethodGet, path: path, repeatable: true})
	if err != nil {
		return nil, err
	}
	skill := &Skill{Raw: answer.body}
	if err := c.decode(answer, &skill.Descriptor); err != nil {
		return nil, err
	}
	return skill, nil
}

// Versions returns all versions of a skill that the caller may see, highest first.
func (c *Client) Versions(ctx context.Context, id string) ([]Version, error) {
	path, err := skillPath(id)
	if err != nil {
		return nil, err
	}
	answer, err := c.do(ctx, request{method: http.MethodGet, path: path + "/versions", repeatable: true})
	if err != nil {
		return nil, err
	}
	var list struct {
		Versions []Version `json:"versions"`
	}
	if err := c.decode(answer, &list); err != nil {
		return nil, err
	}
	return list.Versions, nil
}

func skillPath(id string) (string, error) {
	if id == "" {
		return "", errors.New("a skill id is not empty")
	}
	return "/v1/skills/" + url.PathEscape(id), nil
}
