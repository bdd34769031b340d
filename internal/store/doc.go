// Package store is the durable store: it orders every change and keeps it.
//
// Every write is one transaction that takes the next revision from a one-row table,
// whose row lock orders all writes, and stamps the rows that it touches with it. A
// method that returns nil has its change on disk; one that returns an error other
// than an UnavailableError has changed nothing.
//
// SQL stands in this package alone. It knows nothing of HTTP or of what readers see.
package store
