// Package protocol is the skill sharing protocol: its documents, their JSON Schema,
// how they are read, checked and written, and how their versions compare.
//
// It turns bytes into documents that are known to be valid, or into errors that say
// what to fix. It knows nothing of callers, storage or HTTP.
package protocol
