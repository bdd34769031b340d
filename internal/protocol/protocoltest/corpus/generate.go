package main

import (
	"encoding/json"
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// generate makes the document of a seed: half of them valid descriptors, the others
// spoilt in one place or several, or not even JSON.
func generate(seed int) document {
	return rapid.Custom(draw).Example(seed)
}

func draw(t *rapid.T) document {
	doc := protocoltest.Descriptor().Draw(t, "descriptor")
	switch spoil := rapid.IntRange(0, 9).Draw(t, "spoil"); {
	case spoil < 5:
		return document{Kind: protocol.KindDescriptor, Bytes: doc.JSON}
	case spoil < 9:
		var tree any = doc.Tree
		for range rapid.IntRange(1, 3).Draw(t, "faults") {
			tree = spoilt(t, tree)
		}
		return document{Kind: protocol.KindDescriptor, Bytes: protocoltest.Render(t, tree)}
	default:
		return document{Kind: protocol.KindDescriptor, Bytes: cut(t, doc.JSON)}
	}
}

// spoilt returns a tree with one value in it left out or replaced.
func spoilt(t *rapid.T, tree any) any {
	if rapid.IntRange(0, 4).Draw(t, "here?") == 0 {
		return replacement().Draw(t, "replacement")
	}
	switch v := tree.(type) {
	case map[string]any:
		if len(v) == 0 {
			break
		}
		name := rapid.SampledFrom(names(v)).Draw(t, "member")
		if rapid.IntRange(0, 4).Draw(t, "left out?") == 0 {
			delete(v, name)
		} else {
			v[name] = spoilt(t, v[name])
		}
		return v
	case []any:
		if len(v) == 0 {
			break
		}
		i := rapid.IntRange(0, len(v)-1).Draw(t, "item")
		if rapid.Bool().Draw(t, "twice?") {
			return append(v, v[i])
		}
		v[i] = spoilt(t, v[i])
		return v
	}
	return replacement().Draw(t, "replacement")
}

// replacement generates values that are seldom right where they stand.
func replacement() *rapid.Generator[any] {
	return rapid.OneOf(
		protocoltest.Value(2),
		rapid.Map(protocoltest.Number(), func(n json.Number) any { return n }),
		rapid.SampledFrom([]any{
			"", " ", "1.0", "v1.0.0", "2.0.0", "1.0.0", "API", "oauth2", "index.json", "https://", "javascript:alert(1)",
			"https://example.com/{execution_id}", "2026-02-30T00:00:00Z", "2026-06-30T23:59:60Z", "a\nb", "\u2028", "\u00a0\u3000",
			"text/plain;", "#/$defs/a", "http://example.com/schema", "integer", []any{"null", "null"}, []any{}, map[string]any{},
		}),
	)
}

// cut returns the bytes with some of them left out or changed.
func cut(t *rapid.T, data []byte) []byte {
	at := rapid.IntRange(0, len(data)-1).Draw(t, "at")
	if rapid.Bool().Draw(t, "end here?") {
		return data[:at]
	}
	data[at] = rapid.Byte().Draw(t, "byte")
	return data
}

// names lists the names in o in one order, so that a seed always makes the same document.
func names(o map[string]any) []string { return slices.Sorted(maps.Keys(o)) }
