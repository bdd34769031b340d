package client

import "encoding/json"

// Descriptor is what a skill is and how it is invoked. Optional members that were
// absent are empty; Skill.Raw has the document as it was published, with members
// that this package does not know.
type Descriptor struct {
	Protocol         ProtocolVersion `json:"protocol"`
	ID               string          `json:"id"`
	Name             string          `json:"name"`
	Version          string          `json:"version"`
	CapabilityType   string          `json:"capability_type"`
	Description      string          `json:"description"`
	Provider         Provider        `json:"provider"`
	Endpoint         Endpoint        `json:"endpoint"`
	Inputs           []Parameter     `json:"inputs"`
	Output           Output          `json:"output"`
	Auth             Auth            `json:"auth"`
	Access           string          `json:"access"`
	Tags             []string        `json:"tags"`
	DocumentationURL string          `json:"documentation_url"`
	CreatedAt        string          `json:"created_at"`
	UpdatedAt        string          `json:"updated_at"`
}

// ProtocolVersion is the protocol version that a document is written in.
type ProtocolVersion struct {
	Version      string `json:"version"`
	ChangelogURL string `json:"changelog_url"`
}

// Provider is who offers a skill, or an index.
type Provider struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// Endpoint says where and how a skill is invoked. An empty Method means POST, an
// empty ContentType application/json. StatusURL and ResultURL are templates that
// contain {execution_id}.
type Endpoint struct {
	URL         string `json:"url"`
	Method      string `json:"method"`
	ContentType string `json:"content_type"`
	StatusURL   string `json:"status_url"`
	ResultURL   string `json:"result_url"`
}

// Parameter defines one input. Values are kept as JSON, so that numbers keep their
// digits; nil was absent.
type Parameter struct {
	Name        string            `json:"name"`
	Type        string            `json:"type"`
	Description string            `json:"description"`
	Required    bool              `json:"required"`
	Default     json.RawMessage   `json:"default"`
	Enum        []json.RawMessage `json:"enum"`
	Schema      json.RawMessage   `json:"schema"`
}

// Output defines what an invocation gives back.
type Output struct {
	Type        string          `json:"type"`
	Description string          `json:"description"`
	ContentType string          `json:"content_type"`
	Schema      json.RawMessage `json:"schema"`
}

// Auth says how a caller authenticates to the skill's own endpoint. An empty Header
// means X-API-Key where Type is api_key.
type Auth struct {
	Type        string  `json:"type"`
	Description string  `json:"description"`
	Header      string  `json:"header"`
	OAuth2      *OAuth2 `json:"oauth2"`
}

// OAuth2 holds the addresses and scopes of an oauth2 authentication.
type OAuth2 struct {
	AuthorizationURL string            `json:"authorization_url"`
	TokenURL         string            `json:"token_url"`
	Scopes           map[string]string `json:"scopes"`
}
