package protocol_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

func TestMain(m *testing.M) { protocoltest.Main(m) }

func newValidator(t testing.TB) *protocol.Validator {
	t.Helper()
	v, err := protocol.NewValidator(protocol.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Feature: skill-sharing-protocol, Property 3: parse(serialize(d)) == d.
func TestProperty03SerializedDescriptorParsesToItself(t *testing.T) {
	v := newValidator(t)
	protocoltest.Property(t, 3, "parse(serialize(d)) == d", func(rt *rapid.T) {
		doc := protocoltest.Descriptor().Draw(rt, "descriptor")
		first, err := v.Parse(doc.JSON)
		if err != nil {
			rt.Fatalf("Parse(%s) = %v, want a document", doc.JSON, err)
		}
		data, err := protocol.Serialize(first.Descriptor)
		if err != nil {
			rt.Fatalf("Serialize after Parse(%s): %v", doc.JSON, err)
		}
		if string(data) != string(first.Canonical) {
			rt.Fatalf("Serialize after Parse(%s) = %s, want %s", doc.JSON, data, first.Canonical)
		}
	})
}
