package describe

import (
	"mime"
	"slices"
	"strings"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// operation is an operation of an OpenAPI document on its way to be a descriptor.
type operation struct {
	*api
	node
	// route is the template of its path, and around what stands beside the operation.
	route  string
	method string
	around node

	left   *room
	inputs []any
	// names are those of the inputs, with where they come from.
	names map[string]string
	// contentType is that of the body.
	contentType string
	// missing is why it can't be called without what is left out, or "".
	missing string
}

func (o *operation) describe() {
	o.left, o.names, o.inputs = newRoom(), map[string]string{}, []any{}
	if !o.isObject() {
		o.leaveOut(o.node, "this is no operation")
		return
	}
	if o.method == "trace" {
		o.leaveOut(o.node, "TRACE asks what arrives, and invokes nothing")
		return
	}
	address, why := o.address()
	if why != "" {
		o.leaveOut(o.node, "%s", why)
		return
	}
	o.parameters()
	o.body()
	if o.missing != "" {
		o.leaveOut(o.node, "%s", o.missing)
		return
	}
	endpoint := map[string]any{"url": address, "method": strings.ToUpper(o.method)}
	put(endpoint, "content_type", o.contentType)
	draft := map[string]any{
		"id":              o.options.Namespace + "." + o.slug(),
		"name":            o.title(),
		"version":         o.version,
		"capability_type": string(protocol.API),
		"description":     o.about(),
		"provider":        o.provider,
		"endpoint":        endpoint,
		"inputs":          o.inputs,
		"output":          o.output(),
		"auth":            o.auth(),
	}
	o.words(draft)
	o.leftOver()
	o.finish(o.node, draft)
}

// slug is that of the operation's own name, or of its method and path where it has none.
func (o *operation) slug() string {
	if s := slug(o.child("operationId").text()); s != "" {
		return s
	}
	return slug(o.method + " " + o.route)
}

// call is the operation as a line: GET /pets.
func (o *operation) call() string { return strings.ToUpper(o.method) + " " + o.route }

func (o *operation) title() string {
	for _, at := range []node{o.child("summary"), o.child("operationId")} {
		if s := o.oneLine(at, maxLine); s != "" {
			return s
		}
	}
	s, _ := line(o.call(), maxLine)
	return s
}

func (o *operation) about() string {
	for _, at := range []node{o.child("description"), o.child("summary"), o.around.child("description"), o.around.child("summary")} {
		if s := o.prose(at); s != "" {
			return s
		}
	}
	s, _ := text(o.call())
	return s
}

// words adds what helps to find and to understand the operation.
func (o *operation) words(draft map[string]any) {
	var tags []any
	for _, item := range o.child("tags").items() {
		if tag := o.oneLine(item, maxTag); tag != "" && len(tags) < 100 && !slices.Contains(tags, any(tag)) {
			tags = append(tags, tag)
		}
	}
	if len(tags) > 0 {
		draft["tags"] = tags
	}
	for _, of := range []node{o.node, o.root} {
		if docs := o.link(of.path("externalDocs", "url")); docs != "" {
			draft["documentation_url"] = docs
			return
		}
	}
}

// leftOver notes what of an operation has no place in a descriptor.
func (o *operation) leftOver() {
	for _, m := range o.child("callbacks").members() {
		o.lose(Calling, m.node, "left out: the API calls it, not its caller")
	}
	if at := o.child("deprecated"); at.isTrue() {
		o.lose(Lifecycle, at, "left out: a descriptor does not say so; deprecate the version once it is published")
	}
	o.others(o.node, "tags summary description externalDocs operationId parameters requestBody responses callbacks deprecated security servers")
}

// need says that the operation can't be called without something.
func (o *operation) need(why string) {
	if o.missing == "" {
		o.missing = why
	}
}

// add adds an input, or reports that its name is taken.
func (o *operation) add(at node, p map[string]any) bool {
	name := p["name"].(string)
	if _, taken := o.names[name]; taken {
		return false
	}
	o.names[name] = at.pointer
	o.inputs = append(o.inputs, p)
	return true
}

// media chooses what is described of several media types: JSON, then forms, then the
// others by name. It notes those that are not.
func (o *operation) media(kind Kind, content node) (string, node) {
	all := content.members()
	rank := func(m member) int {
		name, _, err := mime.ParseMediaType(m.name)
		switch {
		case err != nil || !strings.Contains(name, "/") || len(m.name) > 200:
			return 9
		case name == "application/json":
			return 0
		case strings.HasSuffix(name, "+json") || strings.HasSuffix(name, "/json"):
			return 1
		case name == "application/x-www-form-urlencoded":
			return 2
		case name == "multipart/form-data":
			return 3
		case strings.Contains(name, "*"):
			return 5
		}
		return 4
	}
	slices.SortStableFunc(all, func(a, b member) int { return rank(a) - rank(b) })
	if len(all) == 0 || rank(all[0]) == 9 {
		return "", node{}
	}
	for _, other := range all[1:] {
		o.lose(kind, other.node, "left out: a descriptor has one media type, here %s", all[0].name)
	}
	return all[0].name, all[0].node
}

// isJSON reports whether the values of a media type are JSON.
func isJSON(mediaType string) bool {
	name, _, _ := mime.ParseMediaType(mediaType)
	return strings.HasSuffix(name, "/json") || strings.HasSuffix(name, "+json")
}

func isForm(mediaType string) bool {
	name, _, _ := mime.ParseMediaType(mediaType)
	return name == "application/x-www-form-urlencoded" || name == "multipart/form-data"
}
