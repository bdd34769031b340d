package protocol

import (
	"bytes"
	_ "embed"
	"encoding/json"
)

//go:embed schema.json
var schemaJSON []byte

// schemaID is the $id that schema.json has as embedded.
const schemaID = "https://skillregistry.example/schemas/1.0.0/schema.json"

// Schema returns the JSON Schema of the protocol's documents with the given $id, which
// is where it is served; with the empty string it is as embedded. The caller owns the
// bytes.
func Schema(id string) []byte {
	if id == "" {
		id = schemaID
	}
	quoted, _ := json.Marshal(id) // a string always has a JSON form
	return bytes.Replace(schemaJSON, []byte(`"`+schemaID+`"`), quoted, 1)
}

// Kind is a kind of document that the schema describes.
type Kind string

// The kinds of documents.
const (
	KindDescriptor         Kind = "descriptor"
	KindIndex              Kind = "index"
	KindInvocationRequest  Kind = "invocation-request"
	KindInvocationResponse Kind = "invocation-response"
)

// Kinds lists every kind of document.
func Kinds() []Kind {
	return []Kind{KindDescriptor, KindIndex, KindInvocationRequest, KindInvocationResponse}
}

// definition is the name of the kind's definition in the schema.
func (k Kind) definition() string {
	switch k {
	case KindDescriptor:
		return "descriptor"
	case KindIndex:
		return "index"
	case KindInvocationRequest:
		return "invocationRequest"
	case KindInvocationResponse:
		return "invocationResponse"
	}
	return ""
}
