package describe

import "strings"

// mostMembers is how many inputs are made of the members of a body.
const mostMembers = 150

// body makes inputs of a request's body: of each member where it is a plain object, or else
// of the whole.
func (o *operation) body() {
	if !o.child("requestBody").there {
		return
	}
	at, ok := o.followed(o.child("requestBody"))
	if !ok {
		o.need("its body can't be read: " + o.child("requestBody").pointer)
		return
	}
	required := at.child("required").isTrue()
	contentType, media := o.media(Body, at.child("content"))
	if contentType == "" {
		o.lose(Body, at, "left out: it has no media type")
		if required {
			o.need("its body has no media type")
		}
		return
	}
	if contentType == "*/*" || contentType == "application/*" {
		o.lose(Body, at, "any media type %s is taken, so JSON is", contentType)
		contentType = "application/json"
	}
	o.contentType = contentType
	o.loseEach(Body, media, "left out: a descriptor does not say how the parts of a form are written", "encoding")
	o.others(at, "description content required")
	o.others(media, "schema example examples encoding")
	if why := o.byMember(media, required); why != "" {
		o.wholeBody(at, media, required)
		return
	}
	o.loseEach(Text, at, "left out: the body's members are inputs, and have descriptions of their own", "description")
	o.loseEach(Metadata, media, "left out: the body's members are inputs, and have examples of their own", "example", "examples")
}

// plainObject are the keywords with which an object is the same as its members.
var plainObject = map[string]bool{
	"type": true, "properties": true, "required": true, "title": true, "description": true, "additionalProperties": true,
	"example": true, "examples": true, "externalDocs": true, "xml": true, "$comment": true, "$schema": true,
}

// byMember makes an input of each member of the body, or says why that would not be the
// same.
func (o *operation) byMember(media node, required bool) string {
	if !isJSON(o.contentType) && !isForm(o.contentType) {
		return "it is no object"
	}
	before := len(o.pending)
	at, ok := o.followed(media.child("schema"))
	if !ok {
		o.pending = o.pending[:before]
		return "its schema can't be read"
	}
	for _, m := range at.members() {
		if !plainObject[m.name] && !strings.HasPrefix(m.name, "x-") {
			return "its schema has " + m.name
		}
	}
	further := at.child("additionalProperties")
	members := at.child("properties").members()
	needed := map[string]bool{}
	for _, name := range at.child("required").texts() {
		needed[name] = true
	}
	switch {
	case at.child("type").there && at.child("type").text() != "object",
		further.isObject(), len(members) == 0, len(members) > mostMembers,
		!required && len(needed) > 0:
		return "it is no plain object, or may be left out as a whole"
	}
	left := *o.left
	var inputs []map[string]any
	var sources []node
	for _, m := range members {
		delete(needed, m.name)
		if m.child("readOnly").isTrue() {
			continue // is not part of a request
		}
		converted := o.schema(m.node, &left)
		valueType := typeOf(converted)
		plain, cut := line(m.name, maxLine)
		if _, taken := o.names[m.name]; taken || cut || plain != m.name || valueType == "" {
			o.pending = o.pending[:before]
			return "not all of its members can be inputs"
		}
		sources = append(sources, m.node)
		inputs = append(inputs, input(m.name, inBody, valueType, "", o.requires(at, m.name), converted))
	}
	if len(needed) > 0 {
		o.pending = o.pending[:before]
		return "it requires members that it does not describe"
	}
	for i, p := range inputs {
		o.add(sources[i], p)
	}
	*o.left = left
	if further.isTrue() {
		o.lose(Body, further, "left out: only the members that are named are inputs")
	}
	o.loseEach(Text, at, "left out: the body's members are inputs, and have descriptions of their own", "title", "description")
	o.loseEach(Metadata, at, "left out: the body's members are inputs, and have examples of their own", "example", "examples")
	return ""
}

func (o *operation) requires(object node, name string) bool {
	for _, required := range object.child("required").texts() {
		if required == name {
			return true
		}
	}
	return false
}

// wholeBody makes one input of the body.
func (o *operation) wholeBody(body, media node, required bool) {
	converted := o.schema(media.child("schema"), o.left)
	valueType := typeOf(converted)
	switch {
	case valueType != "":
	case !isJSON(o.contentType):
		valueType = "string"
	case required:
		o.need("its body is JSON, of no type that its schema says")
		return
	default:
		o.lose(Body, body, "left out: it is JSON, of no type that its schema says")
		o.contentType = ""
		return
	}
	o.annotate(converted, media)
	for _, name := range []string{"body", "request_body"} {
		if o.add(body, input(name, inWholeBody, valueType, o.prose(body.child("description")), required, converted)) {
			return
		}
	}
	o.need("body and request_body are names of other inputs")
}
