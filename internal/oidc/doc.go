// Package oidc makes callers of the tokens that others issue: a job of a pipeline shows
// who it is by a token of its own platform, and the operator has said what such a job
// may do.
//
// Issuers are those of the configuration alone. A token of anybody else is refused before
// anything is asked of the network; so is one that is too long, expired, for another
// audience, or signed by an algorithm that its issuer is not configured with. What is
// fetched are the issuer's discovery document and keys, within bounds of time and size,
// without following redirects, and never more often than every ten seconds for each
// issuer, whatever tokens come. Keys are asked for anew after an hour; an issuer that does
// not answer is taken at its last word for a day.
//
// The package knows nothing of HTTP requests to the registry, nor of skills.
package oidc
