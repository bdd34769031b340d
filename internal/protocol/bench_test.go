package protocol_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// BenchmarkParse1KB reads, validates and canonicalises a descriptor of 1 KB, and compares
// that with reading it alone.
func BenchmarkParse1KB(b *testing.B) {
	tree := protocoltest.Tree("com.example.translate-v1", "2.1.0", "restricted", "api")
	tree["inputs"] = []any{
		map[string]any{"name": "text", "type": "string", "description": "The text to translate.", "required": true},
		map[string]any{"name": "target", "type": "string", "enum": []any{"de", "en", "fr"}, "default": "en"},
		map[string]any{"name": "options", "type": "object", "schema": map[string]any{"type": "object", "properties": map[string]any{"formal": map[string]any{"type": "boolean"}}}},
	}
	tree["auth"] = map[string]any{"type": "api_key", "header": "X-API-Key"}
	tree["tags"] = []any{"translation", "language"}
	tree["created_at"] = "2026-01-31T12:00:00Z"
	data, err := json.Marshal(tree)
	if err != nil {
		b.Fatal(err)
	}
	tree["description"] = strings.Repeat("d", 1024-len(data)+len(tree["description"].(string)))
	if data, err = json.Marshal(tree); err != nil || len(data) != 1024 {
		b.Fatalf("a descriptor of %d bytes, %v, want 1024", len(data), err)
	}
	v := newValidator(b)
	b.Run("parse", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := v.Parse(data); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read and canonicalise", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := protocol.Canonicalize(data, protocol.Limits{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
