package protocoltest

import (
	"encoding/json"
	"fmt"
	"slices"

	"pgregory.net/rapid"
)

// Index generates valid Skill Indexes, with distinct ids.
func Index() *rapid.Generator[Doc] {
	return document(func(t *rapid.T) map[string]any {
		skills := []any{}
		for _, id := range rapid.SliceOfNDistinct(ID(), 0, 4, rapid.ID).Draw(t, "ids") {
			skills = append(skills, entryTree(t, id))
		}
		o := object{t: t, members: map[string]any{
			"protocol": protocolTree(t),
			"provider": providerTree(t),
			"skills":   skills,
		}}
		return o.unknown()
	})
}

func entryTree(t *rapid.T, id string) map[string]any {
	o := object{t: t, members: map[string]any{
		"id":              id,
		"name":            Line(200).Draw(t, "name"),
		"capability_type": oneOf(t, "plugin", "api", "knowledge", "task"),
		"description":     Text(10000).Draw(t, "description"),
		"descriptor_url":  URL().Draw(t, "descriptor_url"),
		"access":          oneOf(t, "public", "restricted", "private"),
		"version":         Version().Draw(t, "version"),
	}}
	return o.unknown()
}

// InvocationRequest generates valid invocation requests.
func InvocationRequest() *rapid.Generator[Doc] {
	return document(func(t *rapid.T) map[string]any {
		caller := object{t: t, members: map[string]any{
			"id":   Line(200).Draw(t, "caller id"),
			"type": oneOf(t, "ifay", "service", "user"),
		}}
		caller.maybe("credentials", func() any { return Value(2).Draw(t, "credentials") })
		o := object{t: t, members: map[string]any{
			"caller":   caller.unknown(),
			"skill_id": ID().Draw(t, "skill_id"),
			"inputs":   rapid.MapOfN(rapid.String(), Value(2), 0, 3).Draw(t, "inputs"),
		}}
		o.maybe("context", func() any {
			context := object{t: t, members: map[string]any{}}
			context.maybe("trace_id", func() any { return Line(200).Draw(t, "trace_id") })
			context.maybe("priority", func() any {
				return rapid.SampledFrom([]any{"high", "", json.Number("1"), json.Number("-0.5e3")}).Draw(t, "priority")
			})
			context.maybe("timeout_ms", func() any { return json.Number(oneOf(t, "0", "1e3", "30000", "1000.0")) })
			return context.unknown()
		})
		return o.unknown()
	})
}

// InvocationResponse generates valid invocation responses.
func InvocationResponse() *rapid.Generator[Doc] {
	return document(func(t *rapid.T) map[string]any {
		times := object{t: t, members: map[string]any{"accepted_at": Time().Draw(t, "accepted_at")}}
		times.maybe("started_at", func() any { return Time().Draw(t, "started_at") })
		times.maybe("completed_at", func() any { return Time().Draw(t, "completed_at") })
		o := object{t: t, members: map[string]any{
			"execution_id": Line(200).Draw(t, "execution_id"),
			"status":       oneOf(t, "accepted", "running", "completed", "failed", "cancelled", "timeout"),
			"skill_id":     ID().Draw(t, "skill_id"),
			"timestamps":   times.unknown(),
		}}
		o.maybe("output", func() any { return Value(3).Draw(t, "output") })
		o.maybe("error", func() any {
			detail := object{t: t, members: map[string]any{"code": oneOf(t, "EXECUTION_TIMEOUT", "A", "X_1"), "message": Text(200).Draw(t, "message")}}
			detail.maybe("details", func() any { return map[string]any{"x": Value(1).Draw(t, "details")} })
			detail.maybe("retry", func() any {
				retry := object{t: t, members: map[string]any{"suggested_delay_ms": json.Number("1000"), "max_attempts": json.Number("3")}}
				return retry.unknown()
			})
			return detail.unknown()
		})
		return o.unknown()
	})
}

// Document generates valid documents of a kind, by the name that the HTTP contract gives
// it.
func Document(kind string) *rapid.Generator[Doc] {
	switch kind {
	case "descriptor":
		return Descriptor()
	case "index":
		return Index()
	case "invocation-request":
		return InvocationRequest()
	case "invocation-response":
		return InvocationResponse()
	}
	panic("no kind of document: " + kind)
}

func document(tree func(*rapid.T) map[string]any) *rapid.Generator[Doc] {
	return rapid.Custom(func(t *rapid.T) Doc {
		made := tree(t)
		return Doc{JSON: Render(t, made), Tree: made}
	})
}

// Fault is a document that is not valid.
type Fault struct {
	// JSON is the document.
	JSON []byte
	// What says what is wrong with it.
	What string
	// Fields are the pointers of exactly the violations that it has.
	Fields []string
}

// GoString shows the fault where a failed property lists what was drawn.
func (f Fault) GoString() string {
	return fmt.Sprintf("%s, so violations at %q: %s", f.What, f.Fields, f.JSON)
}

// Invalid generates documents of a kind with one to three things wrong.
func Invalid(kind string) *rapid.Generator[Fault] {
	return rapid.Custom(func(t *rapid.T) Fault {
		tree := Document(kind).Draw(t, "valid").Tree
		var made []Change
		faults := faultsByClass(Changes(kind, tree))
		for range rapid.IntRange(1, 3).Draw(t, "faults") {
			change := rapid.SampledFrom(rapid.SampledFrom(faults).Draw(t, "class")).Draw(t, "fault")
			if apart(made, change) {
				made = append(made, change)
			}
		}
		var fault Fault
		for _, change := range made {
			tree = change.Apply(tree)
			fault.What += change.What + "; "
			fault.Fields = append(fault.Fields, change.Fields...)
		}
		fault.JSON = Render(t, tree)
		return fault
	})
}

// faultsByClass gathers the changes that make a document invalid, one list for each class
// that has any.
func faultsByClass(all []Change) [][]Change {
	byClass := make([][]Change, ofSchema+1)
	for _, change := range all {
		if len(change.Fields) > 0 {
			byClass[change.class] = append(byClass[change.class], change)
		}
	}
	return slices.DeleteFunc(byClass, func(list []Change) bool { return len(list) == 0 })
}

func apart(made []Change, change Change) bool {
	for _, other := range made {
		if !change.Apart(other) {
			return false
		}
	}
	return true
}
