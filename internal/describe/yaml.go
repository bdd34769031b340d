package describe

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"go.yaml.in/yaml/v4"
)

// readYAML reads one YAML document as the JSON that it stands for. Aliases and merge keys
// are put in place; times and other scalars that JSON does not know are their text.
func readYAML(data []byte) (any, error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var document yaml.Node
	switch err := dec.Decode(&document); {
	case errors.Is(err, io.EOF):
		return nil, &DocumentError{Reason: "it is empty"}
	case err != nil:
		return nil, notYAML(err)
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		if err != nil {
			return nil, notYAML(err)
		}
		return nil, &DocumentError{Reason: "there is more than one YAML document in it"}
	}
	if document.Kind != yaml.DocumentNode || len(document.Content) != 1 {
		return nil, &DocumentError{Reason: "it is empty"}
	}
	r := yamlReader{values: maxValues}
	return r.value(document.Content[0], 0)
}

func notYAML(err error) error {
	return &DocumentError{Reason: "not valid YAML: " + strings.Join(strings.Fields(err.Error()), " ")}
}

type yamlReader struct{ values int }

func (r *yamlReader) value(n *yaml.Node, depth int) (any, error) {
	if r.values--; r.values < 0 {
		return nil, at(n, "there are more than %d values, with aliases put in place", maxValues)
	}
	if depth > maxDepth {
		return nil, at(n, "values nest deeper than %d", maxDepth)
	}
	switch n.Kind {
	case yaml.AliasNode:
		return r.value(n.Alias, depth+1) // an alias inside of what it stands for ends at the depth
	case yaml.SequenceNode:
		list := make([]any, 0, len(n.Content))
		for _, item := range n.Content {
			value, err := r.value(item, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	case yaml.MappingNode:
		return r.object(n, depth)
	default:
		return scalar(n)
	}
}

func (r *yamlReader) object(n *yaml.Node, depth int) (any, error) {
	object := make(map[string]any, len(n.Content)/2)
	var merged []any
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		if key.Kind != yaml.ScalarNode {
			return nil, at(key, "a name is not text")
		}
		value, err := r.value(n.Content[i+1], depth+1)
		if err != nil {
			return nil, err
		}
		if key.ShortTag() == "!!merge" {
			merged = append(merged, value)
			continue
		}
		if _, twice := object[key.Value]; twice {
			return nil, at(key, "the name %q is there twice", key.Value)
		}
		object[key.Value] = value
	}
	for _, value := range merged {
		if err := r.merge(object, value); err != nil {
			return nil, at(n, "%s", err)
		}
	}
	return object, nil
}

// merge adds the members of an object, or of each in a list, that are not there yet.
func (r *yamlReader) merge(into map[string]any, value any) error {
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	for _, item := range list {
		from, ok := item.(map[string]any)
		if !ok {
			return errors.New("a merge key (<<) has something else than an object")
		}
		for name, member := range from {
			if _, there := into[name]; !there {
				into[name] = member
			}
		}
	}
	return nil
}

func scalar(n *yaml.Node) (any, error) {
	switch n.ShortTag() {
	case "!!null":
		return nil, nil
	case "!!bool":
		var b bool
		if err := n.Decode(&b); err != nil {
			return nil, at(n, "this is no boolean")
		}
		return b, nil
	case "!!int", "!!float":
		return number(n)
	}
	return n.Value, nil
}

// number keeps the digits of a number that JSON knows, and writes others, such as 0x1F, in
// JSON's way.
func number(n *yaml.Node) (any, error) {
	text := strings.TrimPrefix(n.Value, "+")
	if stdjson.Valid([]byte(text)) {
		if _, err := protocol.Canonicalize([]byte(text), protocol.Limits{}); err != nil {
			return nil, at(n, "%s", err) // too long to be held
		}
		return stdjson.Number(text), nil
	}
	var value any
	if err := n.Decode(&value); err != nil {
		return nil, at(n, "this is no number")
	}
	written, err := stdjson.Marshal(value)
	if err != nil {
		return nil, at(n, "%s is no number in JSON", n.Value)
	}
	return stdjson.Number(written), nil
}

func at(n *yaml.Node, format string, args ...any) error {
	return &DocumentError{Reason: fmt.Sprintf("line %d: ", n.Line) + fmt.Sprintf(format, args...)}
}
