// Package client talks to a skill registry over HTTP.
//
//	c, err := client.New("https://skills.example.com", client.Options{Key: key})
//	for entry, err := range c.Index(ctx, client.IndexQuery{Types: []string{"api"}}) {
//		…
//	}
//
// Every method takes a context and returns when it ends. A request that may be sent
// twice without harm is sent again, after a pause, when the registry could not be
// reached or asked for it; see Options.Attempts. What comes back is bounded in size.
//
// Three kinds of errors come back: *Error is an answer that refuses, *UnreachableError
// says that there was no answer of a registry, and the context's own error that it
// ended. The package uses the standard library alone.
package client
