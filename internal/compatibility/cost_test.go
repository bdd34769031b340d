package compatibility_test

import (
	"fmt"
	"testing"

	"github.com/skillregistry/skillregistry/internal/compatibility"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// tangle is a schema whose definitions choose among each other.
func tangle(definitions int, title string) map[string]any {
	defs := map[string]any{}
	for i := range definitions {
		var choices []any
		for k := range 6 {
			choices = append(choices, map[string]any{"$ref": fmt.Sprintf("#/$defs/d%d", (i*7+k*3+1)%definitions)})
		}
		defs[fmt.Sprintf("d%d", i)] = map[string]any{"properties": map[string]any{"k": map[string]any{"anyOf": choices}}, "title": title}
	}
	return map[string]any{"$ref": "#/$defs/d0", "$defs": defs}
}

func numbers(n int) []any {
	all := make([]any, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// manyChoices are sets of numbers to choose from.
func manyChoices(n, least int) map[string]any {
	var all []any
	for i := range n {
		all = append(all, map[string]any{"enum": numbers(least + i%150)})
	}
	return map[string]any{"anyOf": all}
}

// What schemas cost is bounded by the values that are looked at, whatever they are made of:
// a comparison that is not done by then says that there are changes.
func TestSchemasOfManyPartsCostLittle(t *testing.T) {
	five := func(schema map[string]any) *protocol.Descriptor {
		var all []any
		for i := range 5 {
			all = append(all, map[string]any{"name": fmt.Sprintf("i%d", i), "type": "object", "schema": schema})
		}
		return &having(t, inputs(all...)).Descriptor
	}
	large := tangle(20, "new")
	large["x-1"], large["x-big"] = 1, numbers(2_000)
	for name, pair := range map[string][2]map[string]any{
		"a tangle":       {tangle(20, "old"), tangle(20, "new")},
		"a large tangle": {tangle(20, "old"), large},
		"many choices":   {manyChoices(60, 2), manyChoices(60, 1)},
	} {
		older, newer := five(pair[0]), five(pair[1])
		// Work is told by what it allocates, whatever the pace of the machine.
		if got := testing.AllocsPerRun(1, func() { compatibility.Changes(older, newer) }); got > 2_000_000 {
			t.Errorf("%s: comparing allocates %.0f times, want less", name, got)
		} else {
			t.Logf("%s: %.0f", name, got)
		}
	}
}

func TestNoMoreChangesThanCanBeRead(t *testing.T) {
	t.Parallel()
	older := having(t, inputs(map[string]any{"name": "a", "type": "integer", "enum": numbers(500)})).Descriptor
	newer := having(t, inputs(map[string]any{"name": "a", "type": "integer", "enum": []any{-1}})).Descriptor
	if got := compatibility.Changes(&older, &newer); len(got) != 100 {
		t.Errorf("got %d changes, want 100", len(got))
	}
}
