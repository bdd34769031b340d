package protocol_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// Feature: skill-sharing-protocol, Property 8: requests and responses of invocation have
// the members of section 4.
func TestProperty08InvocationMessagesHaveTheirMembers(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	states := []string{"accepted", "running", "completed", "failed", "cancelled", "timeout"}
	callers := []string{"ifay", "service", "user"}
	for _, message := range []struct {
		kind     protocol.Kind
		required []string // pointers, outer before inner
		enum     string
		values   []string
	}{
		{protocol.KindInvocationRequest, []string{"/caller", "/skill_id", "/inputs", "/caller/id", "/caller/type"}, "/caller/type", callers},
		{protocol.KindInvocationResponse, []string{"/execution_id", "/status", "/skill_id", "/timestamps", "/timestamps/accepted_at"}, "/status", states},
	} {
		t.Run(string(message.kind), func(t *testing.T) {
			t.Parallel()
			protocoltest.Property(t, 8, "requests and responses of invocation have the members of section 4", func(rt *rapid.T) {
				doc := protocoltest.Document(string(message.kind)).Draw(rt, "message")
				check(rt, v, message.kind, doc.JSON)
				for _, pointer := range message.required {
					if !has(doc.Tree, pointer) {
						rt.Fatalf("the valid message %s has no %s", doc.JSON, pointer)
					}
				}
				lacking := rapid.SampledFrom(message.required).Draw(rt, "lacking")
				check(rt, v, message.kind, protocoltest.Render(rt, put(doc.Tree, lacking, nil)), lacking)

				value := rapid.OneOf(rapid.SampledFrom(append(states, callers...)), rapid.String()).Draw(rt, "value")
				changed := protocoltest.Render(rt, put(doc.Tree, message.enum, value))
				if slices.Contains(message.values, value) {
					check(rt, v, message.kind, changed)
				} else {
					check(rt, v, message.kind, changed, message.enum)
				}
			})
		})
	}
}

func check(t *rapid.T, v *protocol.Validator, kind protocol.Kind, data []byte, want ...string) {
	report, err := v.Check(kind, data)
	if got := fieldsOf(report.Violations); err != nil || !slices.Equal(got, want) {
		t.Fatalf("Check(%s, %s) names %q, %v, want %q", kind, data, got, err, want)
	}
}

// has reports whether a tree has a member at a pointer of one or two steps.
func has(tree map[string]any, pointer string) bool {
	outer, inner, nested := strings.Cut(pointer[1:], "/")
	value, ok := tree[outer]
	if nested {
		_, ok = value.(map[string]any)[inner]
	}
	return ok
}

// put returns tree with another value at a pointer of one or two steps, or with nothing
// there for nil.
func put(tree map[string]any, pointer string, value any) map[string]any {
	tree = maps.Clone(tree)
	outer, inner, nested := strings.Cut(pointer[1:], "/")
	switch {
	case nested:
		tree[outer] = put(tree[outer].(map[string]any), "/"+inner, value)
	case value == nil:
		delete(tree, outer)
	default:
		tree[outer] = value
	}
	return tree
}
