// Package httpapi is the registry over HTTP: the router, the handlers, the one table
// from errors to statuses, and openapi.json, which says all of it to machines.
//
// A handler decodes, decides, does, and encodes. What a caller may see is decided in
// catalog and access, what a document must be in protocol, and what is kept in store;
// this package knows requests and answers only. No address is ever made from a
// request's own headers, and no key is ever logged.
package httpapi
