package main

import (
	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// generate makes the document of a seed: of any kind, valid or not, or not even JSON.
func generate(seed int) document {
	return rapid.Custom(func(t *rapid.T) document {
		kind := rapid.SampledFrom(protocol.Kinds()).Draw(t, "kind")
		switch rapid.IntRange(0, 4).Draw(t, "what") {
		case 0, 1:
			return document{Kind: kind, Bytes: protocoltest.Document(string(kind)).Draw(t, "valid").JSON}
		case 2, 3:
			return document{Kind: kind, Bytes: protocoltest.Invalid(string(kind)).Draw(t, "invalid").JSON}
		default:
			return document{Kind: kind, Bytes: cut(t, protocoltest.Document(string(kind)).Draw(t, "whole").JSON)}
		}
	}).Example(seed)
}

// cut returns the bytes without those behind a place, or with another byte there.
func cut(t *rapid.T, data []byte) []byte {
	at := rapid.IntRange(0, len(data)-1).Draw(t, "at")
	if rapid.Bool().Draw(t, "end here?") {
		return data[:at]
	}
	data[at] = rapid.Byte().Draw(t, "byte")
	return data
}
