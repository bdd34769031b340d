package protocol_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// Feature: skill-sharing-protocol, Property 5: the ids in a Skill Index are mutually
// distinct.
func TestProperty05IDsInAnIndexAreDistinct(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	protocoltest.Property(t, 5, "the ids in a Skill Index are mutually distinct", func(rt *rapid.T) {
		ids := rapid.SliceOfN(rapid.SampledFrom([]string{"a.a", "a.b", "a.c", "a.a-a", "a.a1"}), 0, 5).Draw(rt, "ids")
		skills := []any{}
		var want []string
		for i, id := range ids {
			skills = append(skills, map[string]any{
				"id": id, "name": "N", "capability_type": "api", "description": "D",
				"descriptor_url": "https://e.example/d", "access": "public", "version": "1.0.0",
			})
			if slices.Contains(ids[:i], id) {
				want = append(want, fmt.Sprintf("/skills/%d/id", i))
			}
		}
		tree := protocoltest.Index().Draw(rt, "index").Tree
		tree["skills"] = skills
		data := protocoltest.Render(rt, tree)
		report, err := v.Check(protocol.KindIndex, data)
		if got := fieldsOf(report.Violations); err != nil || !slices.Equal(got, want) {
			rt.Fatalf("Check of an index with ids %q names %q, %v, want %q", ids, got, err, want)
		}
	})
}

// Feature: skill-sharing-protocol, Property 7: filtering by capability type returns
// exactly the matching skills.
func TestProperty07FilterReturnsExactlyTheMatchingSkills(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	protocoltest.Property(t, 7, "filtering by capability type returns exactly the matching skills", func(rt *rapid.T) {
		var index protocol.Index
		for i := range rapid.IntRange(0, 12).Draw(rt, "skills") {
			doc := protocoltest.Descriptor(protocoltest.With("id", fmt.Sprintf("com.example.n%d", i))).Draw(rt, "descriptor")
			document, err := v.Parse(doc.JSON)
			if err != nil {
				rt.Fatalf("Parse(%s): %v", doc.JSON, err)
			}
			index.Skills = append(index.Skills, document.Descriptor.Entry(fmt.Sprintf("https://e.example/%d", i)))
		}
		types := rapid.SliceOfN(rapid.SampledFrom(append(protocol.CapabilityTypes(), "nonsense")), 0, 3).Draw(rt, "types")
		before := slices.Clone(index.Skills)
		filtered := index.Filter(types...)
		if !slices.Equal(index.Skills, before) {
			rt.Fatalf("Filter(%q) changed the index: %+v, want %+v", types, index.Skills, before)
		}
		next := 0
		for _, entry := range index.Skills {
			there := next < len(filtered.Skills) && filtered.Skills[next] == entry
			if want := slices.Contains(types, entry.CapabilityType); there != want {
				rt.Fatalf("Filter(%q) has %s, a %s: %t, want %t", types, entry.ID, entry.CapabilityType, there, want)
			}
			if there {
				next++
			}
		}
		if next != len(filtered.Skills) {
			rt.Fatalf("Filter(%q) of %+v = %+v, which has others", types, index.Skills, filtered.Skills)
		}
	})
}
