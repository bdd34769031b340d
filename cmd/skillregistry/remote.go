package main

import (
	"errors"
	"net/http"
	"strings"

	"github.com/skillregistry/skillregistry/client"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/spf13/pflag"
)

// remote is the registry that a verb talks to.
type remote struct {
	server string
	key    string
}

func (r *remote) define(flags *pflag.FlagSet) {
	r.server = "http://127.0.0.1:8080"
	settingAs(flags, "server", "SKILLREGISTRY_URL", webAddressValue(&r.server, true), "the registry's address")
	secretAs(flags, "key", "SKILLREGISTRY_KEY", textValue(&r.key, "key"), "key, or token of an issuer that the registry takes, to ask with; without one, what everyone may")
}

func (r *remote) client() (*client.Client, error) {
	c, err := client.New(r.server, client.Options{
		Key:       r.key,
		UserAgent: "skillregistry/" + readBuild().Version,
	})
	if err != nil {
		return nil, &exitError{status: statusUsage, err: err}
	}
	return c, nil
}

// remoteError gives an error of the client its exit status, and its words for people.
func remoteError(err error) error {
	var refused *client.Error
	var unreachable *client.UnreachableError
	switch {
	case errors.As(err, &unreachable):
		return &exitError{status: statusUnreachable, err: err}
	case errors.As(err, &refused):
		return &exitError{status: refusalStatus(refused), err: errors.New(refusalText(refused))}
	}
	return err
}

// refusalStatus tells a registry that says no from one that could not answer.
func refusalStatus(e *client.Error) int {
	if e.StatusCode >= 500 || e.StatusCode == http.StatusTooManyRequests || e.Code == "" {
		return statusUnreachable
	}
	return statusFailed
}

// needsKey is what AUTH_REQUIRED means to who uses this program: the registry's own words
// are about headers.
const needsKey = "This needs a key that is valid, by --key or SKILLREGISTRY_KEY: the registry got none, or one that does not exist, was revoked or has expired."

// lacksKey reports whether a registry wants a key, or another one. What it says of a token
// is better than anything that could be said here.
func lacksKey(e *client.Error) bool {
	return e.Code == string(protocol.CodeAuthRequired) && !strings.HasPrefix(e.Message, "The token ")
}

func refusalText(e *client.Error) string {
	text := e.Text(len(e.Violations))
	if lacksKey(e) {
		text = needsKey
	}
	if e.Code != "" {
		text += " (" + e.Code + ")"
	}
	if e.StatusCode >= 500 && e.RequestID != "" {
		text += ", request " + e.RequestID
	}
	return text
}
