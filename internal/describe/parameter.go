package describe

import (
	"slices"
	"strings"
)

// parameters makes inputs of the parameters of an operation and of its path.
func (o *operation) parameters() {
	inRoute := variables(o.route)
	var declared []string
	for _, at := range o.ownParameters() {
		name, in := at.child("name").text(), at.child("in").text()
		if in == inPath {
			if !slices.Contains(inRoute, name) {
				o.lose(Parameter, at, "left out: %s has no {%s}", o.route, shown(name))
				continue
			}
			declared = append(declared, name)
		}
		if why := o.parameter(at, name, in); why != "" {
			o.lose(Parameter, at, "left out: %s", why)
			if at.child("required").isTrue() || in == inPath {
				o.need("it can't be called without the parameter " + shown(name) + ": " + why)
			}
		}
	}
	for _, name := range inRoute {
		if !slices.Contains(declared, name) {
			o.need("its path has {" + shown(name) + "}, and no parameter says what that is")
		}
	}
}

// ownParameters returns an operation's parameters, then those of its path that it does not
// have itself.
func (o *operation) ownParameters() []node {
	var all []node
	seen := map[[2]string]bool{}
	for _, item := range slices.Concat(o.child("parameters").items(), o.around.child("parameters").items()) {
		at, ok := o.followed(item)
		if !ok {
			o.need("one of its parameters can't be read: " + item.pointer)
			continue
		}
		key := [2]string{at.child("in").text(), at.child("name").text()}
		if !seen[key] {
			seen[key] = true
			all = append(all, at)
		}
	}
	return all
}

// parameter makes an input of a parameter, or says why not.
func (o *operation) parameter(at node, name, in string) string {
	switch {
	case !slices.Contains([]string{inPath, inQuery, inHeader}, in):
		return shown(in) + " parameters have no place in a descriptor"
	case in == inHeader && slices.Contains([]string{"accept", "content-type", "authorization"}, strings.ToLower(name)):
		return "by OpenAPI's own rule, a header of this name is described elsewhere"
	}
	if plain, cut := line(name, maxLine); plain != name || cut || name == "" {
		return "an input's name is one line of at most 200 characters"
	}
	place, contentType := at.child("schema"), ""
	if content := at.child("content"); !place.there && content.there {
		var media node
		if contentType, media = o.media(Parameter, content); contentType != "" {
			place = media.child("schema")
		}
	}
	converted := o.schema(place, o.left)
	valueType := typeOf(converted)
	if valueType == "" {
		valueType = "string" // what goes into a path, a query or a header is text
		if converted != nil && converted != true {
			o.lose(Parameter, at, "its type is given as string, since its schema does not say a single one")
		}
	}
	o.annotate(converted, at)
	p := input(name, in, valueType, o.prose(at.child("description")), at.child("required").isTrue() || in == inPath, converted)
	put(p, "content_type", contentType)
	for _, how := range []string{"style", "explode", "allowReserved"} {
		if m := at.child(how); m.there && o.isWay(m.value) {
			p[how] = m.value
		}
	}
	o.loseEach(Parameter, at, "left out: a descriptor has no place for it", "allowEmptyValue")
	o.others(at, "name in description required deprecated allowEmptyValue style explode allowReserved schema example examples content")
	if !o.add(at, p) {
		return "another input, " + o.names[name] + ", has this name"
	}
	return ""
}

// isWay reports whether a value can say how a parameter is written.
func (o *operation) isWay(value any) bool {
	switch value.(type) {
	case string, bool:
		return true
	}
	return false
}

// annotate puts what stands beside a schema, and could stand in it, into it.
func (o *operation) annotate(converted any, at node) {
	s, ok := converted.(map[string]any)
	deprecated, examples := at.child("deprecated").isTrue(), o.examples(at)
	if !ok {
		if deprecated || len(examples) > 0 {
			o.lose(Parameter, at, "example and deprecated are left out: there is no schema to hold them")
		}
		return
	}
	if deprecated {
		s["deprecated"] = true
	}
	if len(examples) > 0 && s["examples"] == nil {
		s["examples"] = examples
	}
}

// examples are the values in example and examples.
func (o *operation) examples(at node) []any {
	var all []any
	if one := at.child("example"); one.there {
		all = append(all, one.value)
	}
	for _, m := range at.child("examples").members() {
		if value := m.child("value"); value.there {
			all = append(all, value.value)
		} else {
			o.lose(Metadata, m.node, "left out: its value does not stand here")
		}
	}
	return all
}
