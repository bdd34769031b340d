// Package interop runs real clients of Agent Skills against the registry's own binary. It
// holds tests only, which know the registry by its interface alone: what an index promises
// is taken from its answers, and compared with what a client made of them.
//
// It is a module of its own so that what npm installs beside it is no part of the registry.
package interop
