package catalog

import (
	"iter"
	"slices"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// Types is a set of capability types. The zero value is empty.
type Types uint8

// With returns the set with a type, and reports whether that is a capability type.
func (s Types) With(t protocol.CapabilityType) (Types, bool) {
	i := slices.Index(protocol.CapabilityTypes(), t)
	if i < 0 {
		return s, false
	}
	return s | 1<<i, true
}

// All yields the types of the set.
func (s Types) All() iter.Seq[protocol.CapabilityType] {
	return func(yield func(protocol.CapabilityType) bool) {
		for i, t := range protocol.CapabilityTypes() {
			if s&(1<<i) != 0 && !yield(t) {
				return
			}
		}
	}
}
