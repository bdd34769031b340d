package protocoltest

import "encoding/json"

// Valid returns a small valid descriptor with the given members.
func Valid(id, version, access, capabilityType string) []byte {
	data, err := json.Marshal(Tree(id, version, access, capabilityType))
	if err != nil {
		panic(err) // strings always have a JSON form
	}
	return data
}

// Tree returns what Valid returns as a tree of maps, for a test to change.
func Tree(id, version, access, capabilityType string) map[string]any {
	return map[string]any{
		"protocol":        map[string]any{"version": "1.0.0"},
		"id":              id,
		"name":            "Translator",
		"version":         version,
		"capability_type": capabilityType,
		"description":     "Translates text between languages.",
		"provider":        map[string]any{"name": "Example Corp"},
		"endpoint":        map[string]any{"url": "https://example.com/invoke"},
		"inputs":          []any{},
		"output":          map[string]any{"type": "object"},
		"auth":            map[string]any{"type": "none"},
		"access":          access,
	}
}
