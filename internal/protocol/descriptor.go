package protocol

import (
	"github.com/go-json-experiment/json/jsontext"
)

// Version is the protocol version that this package implements.
const Version = "1.0.0"

// CapabilityType says what kind of thing a skill is.
type CapabilityType string

// The four capability types.
const (
	Plugin    CapabilityType = "plugin"
	API       CapabilityType = "api"
	Knowledge CapabilityType = "knowledge"
	Task      CapabilityType = "task"
)

// CapabilityTypes lists every capability type, in the order of the protocol.
func CapabilityTypes() []CapabilityType {
	return []CapabilityType{Plugin, API, Knowledge, Task}
}

// Access says who may discover and invoke a skill.
type Access string

// The three access levels, from open to closed.
const (
	Public     Access = "public"
	Restricted Access = "restricted"
	Private    Access = "private"
)

// Descriptor is a Skill Descriptor: what a skill is and how it is invoked.
// Optional members that were absent are nil or empty, and are left out again by
// Serialize. Extra holds, at each level, the members that this version of the
// protocol does not name; they come back unchanged.
type Descriptor struct {
	Protocol         ProtocolVersion `json:"protocol"`
	ID               string          `json:"id"`
	Name             string          `json:"name"`
	Version          string          `json:"version"`
	CapabilityType   CapabilityType  `json:"capability_type"`
	Description      string          `json:"description"`
	Provider         Provider        `json:"provider"`
	Endpoint         Endpoint        `json:"endpoint"`
	Inputs           []Parameter     `json:"inputs"`
	Output           Output          `json:"output"`
	Auth             Auth            `json:"auth"`
	Access           Access          `json:"access"`
	Tags             []string        `json:"tags,omitzero"`
	DocumentationURL string          `json:"documentation_url,omitzero"`
	CreatedAt        string          `json:"created_at,omitzero"`
	UpdatedAt        string          `json:"updated_at,omitzero"`
	Extra            jsontext.Value  `json:",embed"`
}

// ProtocolVersion is the protocol version that a document is written in.
type ProtocolVersion struct {
	Version      string         `json:"version"`
	ChangelogURL string         `json:"changelog_url,omitzero"`
	Extra        jsontext.Value `json:",embed"`
}

// Provider is who offers a skill.
type Provider struct {
	Name  string         `json:"name"`
	URL   string         `json:"url,omitzero"`
	Extra jsontext.Value `json:",embed"`
}

// Endpoint says where and how a skill is invoked. An empty Method means POST, an
// empty ContentType application/json. StatusURL and ResultURL are templates that
// contain {execution_id}.
type Endpoint struct {
	URL         string         `json:"url"`
	Method      string         `json:"method,omitzero"`
	ContentType string         `json:"content_type,omitzero"`
	StatusURL   string         `json:"status_url,omitzero"`
	ResultURL   string         `json:"result_url,omitzero"`
	Extra       jsontext.Value `json:",embed"`
}

// Parameter defines one input. A nil Default, Enum or Schema was absent; a
// Default of null is the four bytes of null.
type Parameter struct {
	Name        string           `json:"name"`
	Type        string           `json:"type"`
	Description *string          `json:"description,omitzero"`
	Required    *bool            `json:"required,omitzero"`
	Default     jsontext.Value   `json:"default,omitzero"`
	Enum        []jsontext.Value `json:"enum,omitzero"`
	Schema      jsontext.Value   `json:"schema,omitzero"`
	Extra       jsontext.Value   `json:",embed"`
}

// Output defines what an invocation gives back.
type Output struct {
	Type        string         `json:"type"`
	Description *string        `json:"description,omitzero"`
	ContentType string         `json:"content_type,omitzero"`
	Schema      jsontext.Value `json:"schema,omitzero"`
	Extra       jsontext.Value `json:",embed"`
}

// Auth says how a caller authenticates to the skill's own endpoint. An empty
// Header means X-API-Key where Type is api_key.
type Auth struct {
	Type        string         `json:"type"`
	Description *string        `json:"description,omitzero"`
	Header      string         `json:"header,omitzero"`
	OAuth2      *OAuth2        `json:"oauth2,omitzero"`
	Extra       jsontext.Value `json:",embed"`
}

// OAuth2 holds the addresses and scopes of an oauth2 authentication.
type OAuth2 struct {
	AuthorizationURL string            `json:"authorization_url"`
	TokenURL         string            `json:"token_url"`
	Scopes           map[string]string `json:"scopes"`
	Extra            jsontext.Value    `json:",embed"`
}

// Document is a descriptor that was accepted, with the bytes that are stored and
// served for it.
type Document struct {
	Descriptor Descriptor
	// Canonical is the document in canonical form: RFC 8785 member order, no
	// insignificant space, every number with the digits that it was written with.
	Canonical []byte
	// Digest is "sha256:" and the hexadecimal SHA-256 of Canonical.
	Digest string
	// Warnings are oddities that break no rule, by pointer.
	Warnings []Warning
}
