package access

import (
	"slices"
	"strings"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// Scope is a kind of thing that a caller may do.
type Scope string

// The scopes. Each holds within the caller's namespaces, but for Admin, which holds
// everywhere.
const (
	// Read sees private skills.
	Read Scope = "read"
	// Publish also publishes.
	Publish Scope = "publish"
	// Admin does everything, keys included.
	Admin Scope = "admin"
)

// Scopes lists every scope.
func Scopes() []Scope { return []Scope{Read, Publish, Admin} }

// Namespace is a skill id prefix at a dot: "com.example" covers com.example and
// com.example.*; "*" covers every id.
type Namespace string

// Everything is the namespace that covers every id.
const Everything Namespace = "*"

// Covers reports whether id lies in the namespace.
func (n Namespace) Covers(id string) bool {
	if n == Everything {
		return true
	}
	rest, ok := strings.CutPrefix(id, string(n))
	return ok && n != "" && (rest == "" || rest[0] == '.')
}

// Caller is who asks. The zero value is an anonymous caller.
type Caller struct {
	// KeyID identifies the key that the caller came with; empty for anonymous.
	KeyID      string
	Scopes     []Scope
	Namespaces []Namespace
}

// Anonymous reports whether the caller came without credentials.
func (c Caller) Anonymous() bool { return c.KeyID == "" }

// Administers reports whether the caller may do everything.
func (c Caller) Administers() bool { return slices.Contains(c.Scopes, Admin) }

// PublishesSomewhere reports whether there may be an id that the caller may publish.
func (c Caller) PublishesSomewhere() bool {
	return c.Administers() || slices.Contains(c.Scopes, Publish) && len(c.Namespaces) > 0
}

// MayPublish reports whether the caller may publish the skill.
func (c Caller) MayPublish(id string) bool {
	return c.Administers() || slices.Contains(c.Scopes, Publish) && c.covers(id)
}

// MayReadPrivate reports whether the caller may see the skill when it is private.
func (c Caller) MayReadPrivate(id string) bool {
	return slices.ContainsFunc(c.PrivateNamespaces(), func(n Namespace) bool { return n.Covers(id) })
}

// PrivateNamespaces lists the namespaces whose private skills the caller may see:
// none for an anonymous caller, Everything for an administrator.
func (c Caller) PrivateNamespaces() []Namespace {
	switch {
	case c.Administers():
		return []Namespace{Everything}
	case slices.Contains(c.Scopes, Read), slices.Contains(c.Scopes, Publish):
		return c.Namespaces
	default:
		return nil
	}
}

func (c Caller) covers(id string) bool {
	return slices.ContainsFunc(c.Namespaces, func(n Namespace) bool { return n.Covers(id) })
}

// Sees reports whether the caller may see a version of a skill, given the skill's
// access and the version's own.
func (c Caller) Sees(id string, skill, version protocol.Access) bool {
	return open(skill) && open(version) || c.MayReadPrivate(id)
}

// open reports whether everyone may discover what has this access. An access that
// is not known is closed.
func open(a protocol.Access) bool { return a == protocol.Public || a == protocol.Restricted }
