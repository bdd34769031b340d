package describe

import (
	"fmt"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// Options are what is added to a document, or said in place of it. All but Access may be
// empty.
type Options struct {
	// Namespace is put before the names of a document to make ids: com.example.
	Namespace string
	// ProviderName and ProviderURL win over the provider that a document names.
	ProviderName, ProviderURL string
	// Access is that of every descriptor.
	Access protocol.Access
	// Version wins over the version that a document gives; by SemVer 2.0.0.
	Version string
	// BaseURL is what relative server addresses are resolved against, and what stands in
	// place of those with variables.
	BaseURL string
}

// Result is what was made of a document, and what was not.
type Result struct {
	// Skills are in the order of the document, for OpenAPI by path and method.
	Skills []Skill
	// Losses are in the order in which they were met; each is told once.
	Losses []Loss
	// Found counts what might have become a descriptor: operations, servers, skills.
	Found int
}

// LeftOut counts what did not become a descriptor.
func (r *Result) LeftOut() int { return r.Found - len(r.Skills) }

// Skill is a descriptor, and where in the document it comes from.
type Skill struct {
	Pointer  string
	Document *protocol.Document
}

// Loss is something in a document that is not in the descriptors, or not as it was.
type Loss struct {
	// Pointer is a JSON Pointer (RFC 6901) into the document.
	Pointer string
	Kind    Kind
	// Text says what is lost, and why.
	Text string
}

// Kind says what sort of thing was lost.
type Kind string

// The kinds of losses.
const (
	// WholeSkill: there is no descriptor of it.
	WholeSkill Kind = "skill"
	Address    Kind = "address"
	Parameter  Kind = "parameter"
	Body       Kind = "body"
	Response   Kind = "response"
	Schema     Kind = "schema"
	Security   Kind = "security"
	// Calling is what goes the other way, or further: callbacks, webhooks, links, streams.
	Calling Kind = "calling"
	// Lifecycle: a descriptor does not say that a version is deprecated.
	Lifecycle Kind = "lifecycle"
	// Text was cut, or is put differently.
	Text Kind = "text"
	// Metadata is for people, or for other programs.
	Metadata Kind = "metadata"
)

// Need is something that neither the document nor the Options say.
type Need string

// What a document may lack.
const (
	NeedNamespace Need = "a namespace"
	NeedProvider  Need = "the name of a provider"
	NeedVersion   Need = "a version"
	NeedAddress   Need = "the address of the registry"
)

// NeedError says that Options must say something for this document.
type NeedError struct {
	Need Need
	// Reason is why the document does not do.
	Reason string
}

func (e *NeedError) Error() string { return fmt.Sprintf("it needs %s: %s", e.Need, e.Reason) }

// DocumentError says that a document is not what it was taken for.
type DocumentError struct {
	// Pointer is a JSON Pointer to what is wrong.
	Pointer string
	Reason  string
}

func (e *DocumentError) Error() string {
	if e.Pointer == "" {
		return e.Reason
	}
	return e.Pointer + ": " + e.Reason
}

// Describer makes descriptors. It is safe for concurrent use.
type Describer struct{ validator *protocol.Validator }

// New returns a describer that holds what it makes to the rules of validator.
func New(validator *protocol.Validator) *Describer { return &Describer{validator: validator} }
