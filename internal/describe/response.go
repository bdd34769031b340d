package describe

import (
	"slices"
	"strings"
)

// output describes what an operation answers when it goes well.
func (o *operation) output() map[string]any {
	all := o.child("responses").members()
	slices.SortStableFunc(all, func(a, b member) int { return answerRank(a.name) - answerRank(b.name) })
	var others []string
	for i, m := range all {
		if (i > 0 || answerRank(m.name) == notGood) && !strings.HasPrefix(m.name, "x-") {
			others = append(others, m.name)
		}
	}
	if len(others) > 0 {
		o.lose(Response, o.child("responses"), "left out: %s, since a descriptor has one output", strings.Join(others, ", "))
	}
	if len(all) == 0 || answerRank(all[0].name) == notGood {
		o.lose(Response, o.child("responses"), "the output is given as string: no answer is described for when it goes well")
		return map[string]any{"type": "string"}
	}
	at, ok := o.followed(all[0].node)
	if !ok {
		return map[string]any{"type": "string"}
	}
	output := map[string]any{}
	put(output, "description", o.prose(at.child("description")))
	o.loseEach(Response, at, "left out: a descriptor's output is a body", "headers")
	for _, m := range at.child("links").members() {
		o.lose(Calling, m.node, "left out: a descriptor does not say what may be called next")
	}
	o.others(at, "description headers content links summary")
	o.answer(output, at)
	return output
}

const notGood = 3

// answerRank orders the keys of responses: the lowest is the one that a descriptor has.
func answerRank(status string) int {
	switch {
	case len(status) == 3 && status[0] == '2' && strings.Trim(status, "0123456789") == "":
		return 0 // they are in the order of their names already
	case strings.EqualFold(status, "2XX"):
		return 1
	case status == "default":
		return 2
	}
	return notGood
}

// answer adds type, media type and schema of a response to an output.
func (o *operation) answer(output map[string]any, at node) {
	content := at.child("content")
	if len(content.members()) == 0 || o.method == "head" {
		// No body is text of no length.
		output["type"], output["schema"] = "string", map[string]any{"type": "string", "maxLength": 0}
		return
	}
	contentType, media := o.media(Response, content)
	o.others(media, "schema example examples encoding")
	if !strings.Contains(contentType, "*") {
		put(output, "content_type", contentType)
	}
	converted := o.schema(media.child("schema"), o.left)
	o.annotate(converted, media)
	output["type"] = typeOf(converted)
	if output["type"] == "" {
		output["type"] = "string"
		if isJSON(contentType) || converted != nil {
			o.lose(Response, media, "the output's type is given as string, since its schema does not say a single one")
		}
	}
	if s, ok := converted.(map[string]any); ok && len(s) > 0 {
		output["schema"] = s
	}
}
