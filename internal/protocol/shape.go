package protocol

import (
	"encoding/json"
	"fmt"
	"strings"
)

// shape is what the schema names at one place: the members of an object, or what the
// items of an array are. A nil shape names nothing.
type shape struct {
	members map[string]*shape
	items   *shape
}

// schemaNode is the part of a schema that a shape is made of.
type schemaNode struct {
	Ref        string                `json:"$ref"`
	Properties map[string]schemaNode `json:"properties"`
	Items      *schemaNode           `json:"items"`
}

// newShapes reads the shape of every kind of document from the schema.
func newShapes(schema []byte) (map[Kind]*shape, error) {
	var root struct {
		Defs map[string]json.RawMessage `json:"$defs"`
	}
	if err := json.Unmarshal(schema, &root); err != nil {
		return nil, fmt.Errorf("reading the schema: %w", err)
	}
	// The vocabulary of JSON Schema contains itself, and is no place to look for slips:
	// other vocabularies are mixed into it.
	delete(root.Defs, "jsonSchema")
	nodes := make(map[string]schemaNode)
	for name, data := range root.Defs {
		var node schemaNode
		if err := json.Unmarshal(data, &node); err != nil {
			return nil, fmt.Errorf("reading the schema's definition %s: %w", name, err)
		}
		nodes[name] = node
	}
	shapes := make(map[Kind]*shape)
	for _, kind := range Kinds() {
		shapes[kind] = newShape(nodes[kind.definition()], nodes)
	}
	return shapes, nil
}

func newShape(node schemaNode, definitions map[string]schemaNode) *shape {
	if name, ok := strings.CutPrefix(node.Ref, "#/$defs/"); ok {
		node = definitions[name]
	}
	s := &shape{members: make(map[string]*shape)}
	for name, member := range node.Properties {
		s.members[name] = newShape(member, definitions)
	}
	if node.Items != nil {
		s.items = newShape(*node.Items, definitions)
	}
	if len(s.members) == 0 && s.items == nil {
		return nil
	}
	return s
}
