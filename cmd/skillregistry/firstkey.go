package main

import (
	"fmt"
	"io"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
)

// firstKey is the admin key that a registry makes for itself when it has none.
type firstKey struct{ token string }

// make makes the key. The last one that it made is the one that counts.
func (f *firstKey) make(now time.Time, random io.Reader) (access.Key, error) {
	key, token, err := access.NewKey(access.KeyRequest{
		Name:       "first admin key",
		Scopes:     []access.Scope{access.Admin},
		Namespaces: []access.Namespace{access.Everything},
	}, now.UTC().Truncate(time.Microsecond), random)
	f.token = token
	return key, err
}

// print shows the key, and lines to use it, with the program called as it was here.
func (f *firstKey) print(w io.Writer, baseURL, program string) error {
	_, err := fmt.Fprintf(w, `
This registry had no key, so an admin key was made. It is shown this once:

    %[1]s

To publish with it:

    export SKILLREGISTRY_URL=%[2]s SKILLREGISTRY_KEY=%[1]s
    %[3]s publish FILE.json

or, without this program:

    curl %[2]s/v1/skills -H 'Authorization: Bearer %[1]s' -H 'Content-Type: application/json' --data-binary @FILE.json

`, f.token, baseURL, program)
	if err != nil {
		return fmt.Errorf("printing the first admin key: %w", err)
	}
	return nil
}
