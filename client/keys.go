package client

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"time"
)

// KeyRequest asks for a key.
type KeyRequest struct {
	Name string `json:"name"`
	// Scopes are of "read", "publish" and "admin".
	Scopes []string `json:"scopes"`
	// Namespaces are id prefixes at a dot, such as "com.example"; "*" is every id.
	Namespaces []string `json:"namespaces,omitempty"`
	// ExpiresAt is when the key stops working; zero is never.
	ExpiresAt time.Time `json:"expires_at,omitzero"`
}

// Key is a key without its secret.
type Key struct {
	ID         string    `json:"id"`
	Name       string    `json:"name"`
	Scopes     []string  `json:"scopes"`
	Namespaces []string  `json:"namespaces"`
	CreatedAt  time.Time `json:"created_at"`
	// ExpiresAt is when the key stops working; zero is never.
	ExpiresAt time.Time `json:"expires_at,omitzero"`
	// RevokedAt is when the key was revoked; zero is not.
	RevokedAt time.Time `json:"revoked_at,omitzero"`
	// LastUsedAt is when the key was last used, or up to a minute before; zero is never.
	LastUsedAt time.Time `json:"last_used_at,omitzero"`
}

// NewKey is a key that was just made.
type NewKey struct {
	Key
	// Secret is what is sent as Options.Key. It can't be had again.
	Secret string `json:"key"`
}

// CreateKey makes a key. It is sent once only: a second try could make a second key.
func (c *Client) CreateKey(ctx context.Context, r KeyRequest) (*NewKey, error) {
	data, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	answer, err := c.do(ctx, request{method: http.MethodPost, path: "/v1/keys", body: data})
	if err != nil {
		return nil, err
	}
	var key NewKey
	if err := c.decode(answer, &key); err != nil {
		return nil, err
	}
	return &key, nil
}

// ListKeys returns every key, those that were revoked or have expired included, by
// the time of their creation.
func (c *Client) ListKeys(ctx context.Context) ([]Key, error) {
	answer, err := c.do(ctx, request{method: http.MethodGet, path: "/v1/keys", repeatable: true})
	if err != nil {
		return nil, err
	}
	var list struct {
		Keys []Key `json:"keys"`
	}
	if err := c.decode(answer, &list); err != nil {
		return nil, err
	}
	return list.Keys, nil
}

// RevokeKey revokes a key: it is refused everywhere once this returns nil. Revoking a
// revoked key does nothing.
func (c *Client) RevokeKey(ctx context.Context, id string) error {
	if id == "" {
		return errors.New("a key id is not empty")
	}
	_, err := c.do(ctx, request{method: http.MethodDelete, path: "/v1/keys/" + url.PathEscape(id), repeatable: true})
	return err
}
