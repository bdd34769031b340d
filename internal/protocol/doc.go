// Package protocol is the skill sharing protocol: its documents, their JSON Schema, how
// they are read, checked and written, and how their versions compare.
//
// It turns bytes into documents that are known to be valid, or into errors that say what
// to fix. A document is read as strict JSON, then held against schema.json and against
// the few rules that a schema can't say; what comes out is a Go value, the canonical
// bytes that are stored and served, and their digest.
//
// It knows nothing of callers, storage or HTTP.
package protocol
