package compatibility_test

import (
	"encoding/json"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/compatibility"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// having returns a valid descriptor of version 1.2.3 with members of its own.
func having(t *testing.T, members map[string]any) *protocol.Document {
	t.Helper()
	tree := protocoltest.Tree("com.example.a", "1.2.3", "public", "api")
	for name, value := range members {
		tree[name] = value
	}
	text, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	validator, err := protocol.NewValidator(protocol.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := validator.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

type members = map[string]any

func inputs(all ...any) members { return members{"inputs": all} }

func TestDifferencesAskForTheirPartOfTheNumber(t *testing.T) {
	t.Parallel()
	text := members{"name": "text", "type": "string", "enum": []any{"a", "b"}}
	count := members{"name": "count", "type": "integer"}
	open := func(properties members) members {
		return members{"output": members{"type": "object", "schema": members{"properties": properties, "required": []any{"a"}}}}
	}
	for _, c := range []struct {
		name          string
		older, newer  members
		fields        []string // those that break have a ! before them
		level         compatibility.Level
		next, before1 string
	}{
		{"the same", nil, nil, nil, compatibility.None, "1.2.3", "0.2.3"},
		{"another name", nil, members{"name": "B"}, []string{"/name"}, compatibility.Patch, "1.2.4", "0.2.4"},
		{"a member that no rule knows", nil, members{"x-a/b": 1}, []string{"/x-a~1b"}, compatibility.Patch, "1.2.4", "0.2.4"},
		{"another provider", nil, members{"provider": members{"name": "B"}}, []string{"/provider/name"}, compatibility.Patch, "1.2.4", "0.2.4"},
		{"an input described", inputs(count), inputs(members{"name": "count", "type": "integer", "description": "D"}), []string{"/inputs/0/description"}, compatibility.Patch, "1.2.4", "0.2.4"},
		{"another order of inputs", inputs(text, count), inputs(count, text), nil, compatibility.None, "1.2.3", "0.2.3"},
		{"an optional input", inputs(text), inputs(count, text), []string{"/inputs/0"}, compatibility.Minor, "1.3.0", "0.2.4"},
		{"another address", nil, members{"endpoint": members{"url": "https://b.example"}}, []string{"/endpoint/url"}, compatibility.Minor, "1.3.0", "0.2.4"},
		{"an input gone and one added", inputs(text), inputs(count), []string{"!/inputs", "/inputs/0"}, compatibility.Major, "2.0.0", "0.3.0"},
		{"a required input", nil, inputs(members{"name": "x", "type": "string", "required": true}), []string{"!/inputs/0/required"}, compatibility.Major, "2.0.0", "0.3.0"},
		{"a value gone", inputs(text), inputs(members{"name": "text", "type": "string", "enum": []any{"a"}}), []string{"!/inputs/0/enum"}, compatibility.Major, "2.0.0", "0.3.0"},
		{"a member of the output gone", open(members{"a": true, "b": members{"type": "string"}}), open(members{"a": true}), []string{"!/output/schema/properties"}, compatibility.Major, "2.0.0", "0.3.0"},
		{"a private one", nil, members{"access": "private"}, []string{"!/access"}, compatibility.Major, "2.0.0", "0.3.0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := compatibility.Differences(having(t, c.older), having(t, c.newer))
			var fields []string
			for _, d := range got {
				if d.Breaks {
					fields = append(fields, "!"+d.Field)
				} else {
					fields = append(fields, d.Field)
				}
			}
			if !slices.Equal(fields, c.fields) {
				t.Errorf("got %+v, want %v", got, c.fields)
			}
			level := compatibility.Asks(got)
			if level != c.level {
				t.Errorf("%+v asks for %s, want %s", got, level, c.level)
			}
			for older, want := range map[string]string{"1.2.3": c.next, "0.2.3": c.before1} {
				if next := compatibility.Next(older, level); next != want {
					t.Errorf("%s after %s: got %s, want %s", level, older, next, want)
				}
			}
		})
	}
	if got := compatibility.Next("1.99999999999999999999.0-rc.1+b", compatibility.Minor); got != "1.99999999999999999999.0" {
		t.Errorf("after a pre-release: got %s, want its release", got)
	}
	if got := compatibility.Next("1.99999999999999999999.0", compatibility.Minor); got != "1.100000000000000000000.0" {
		t.Errorf("after a number without end: got %s", got)
	}
}

// What breaks is what Changes says, and nothing that differs goes untold.
func TestDifferencesTellAllThatDiffers(t *testing.T) {
	t.Parallel()
	validator, err := protocol.NewValidator(protocol.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	parse := func(t *rapid.T, tree any) *protocol.Document {
		text, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		d, err := validator.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return d
	}
	protocoltest.Check(t, func(t *rapid.T) {
		pins := []protocoltest.Pin{protocoltest.With("id", "com.example.a"), protocoltest.With("version", "1.0.0")}
		older := parse(t, protocoltest.Descriptor(pins...).Draw(t, "older").Tree)
		newer := parse(t, protocoltest.Descriptor(pins...).Draw(t, "newer").Tree)
		changes := compatibility.Changes(&older.Descriptor, &newer.Descriptor)
		got := compatibility.Differences(older, newer)
		for i, d := range got {
			if d.Breaks != (i < len(changes)) || d.Breaks && d.Field != changes[i].Field {
				t.Fatalf("difference %d is %+v, want it to be told as in %+v", i, d, changes)
			}
		}
		if len(got) == 0 && older.Digest != newer.Digest {
			t.Fatalf("nothing differs between\n%s\nand\n%s", older.Canonical, newer.Canonical)
		}
		if same := compatibility.Differences(older, older); len(same) != 0 {
			t.Fatalf("%s differs from itself: %+v", older.Canonical, same)
		}
	})
}
