package describe

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// A2A makes a descriptor of each skill in an agent card of the Agent2Agent protocol, in the
// forms of its versions 0.2, 0.3 and 1.0. A caller can't choose a skill in a request, so all
// of an agent's have its address. The error is a *DocumentError, a *protocol.SyntaxError, or
// a *NeedError where the options have to say more.
func (d *Describer) A2A(data []byte, options Options) (*Result, error) {
	r, err := d.start(data, options)
	if err != nil {
		return nil, err
	}
	if !r.root.isObject() || !r.root.child("skills").there || !(r.root.child("url").there || r.root.child("supportedInterfaces").there) {
		return nil, &DocumentError{"", "this is no agent card: it has no skills, or neither url nor supportedInterfaces"}
	}
	c := card{run: r}
	c.around()
	reachable := c.endpoint()
	if c.namespace = options.Namespace; c.namespace == "" && reachable {
		host, _ := url.Parse(c.address)
		if c.namespace = reversed(host.Hostname()); c.namespace == "" {
			return nil, &NeedError{NeedNamespace, fmt.Sprintf("the host of its address %s is no domain name", shown(c.address))}
		}
	}
	if c.version, err = r.version(r.root.child("version")); err != nil {
		return nil, err
	}
	provider := r.root.child("provider")
	if c.provider, err = r.provider(provider.child("organization"), provider.child("url")); err != nil {
		return nil, err
	}
	r.tell()
	for _, at := range r.root.child("skills").items() {
		switch {
		case !r.found(at):
		case !reachable:
			r.leaveOut(at, "the agent has no address that speaks JSON over HTTP")
		default:
			c.skill(at)
		}
	}
	return &r.result, nil
}

// card is an agent card.
type card struct {
	*run
	namespace, version string
	provider           map[string]any
	// address is where the agent is reached, and binding how: JSONRPC or HTTP+JSON.
	address, binding string
	// new says that it is the 1.0 of the protocol.
	new bool
}

// around notes what of the card has no place in the descriptors of its skills.
func (c *card) around() {
	c.loseEach(Metadata, c.root, "left out: a descriptor is about one skill", "name", "description")
	c.loseEach(Metadata, c.root, "left out: a descriptor has no place for it", "iconUrl", "signatures")
	c.loseEach(Calling, c.root, "left out: a descriptor describes one request and its answer",
		"capabilities", "supportsAuthenticatedExtendedCard")
	c.others(c.root, "name description version url provider skills protocolVersion preferredTransport additionalInterfaces supportedInterfaces "+
		"documentationUrl iconUrl signatures capabilities supportsAuthenticatedExtendedCard securitySchemes security securityRequirements "+
		"authentication defaultInputModes defaultOutputModes")
}

// endpoint chooses the address, and reports whether there is one.
func (c *card) endpoint() bool {
	interfaces := c.root.child("supportedInterfaces").items()
	c.new = len(interfaces) > 0
	if !c.new {
		own := map[string]any{"url": c.root.child("url").value, "transport": c.root.child("preferredTransport").value}
		interfaces = append([]node{{value: own, pointer: c.root.child("url").pointer, there: true}},
			c.root.child("additionalInterfaces").items()...)
	}
	chosen := node{}
	for _, want := range []string{"JSONRPC", "HTTP+JSON"} {
		for _, at := range interfaces {
			if !chosen.there && bindingOf(at) == want && webURL(at.child("url").text()) {
				chosen, c.binding, c.address = at, want, at.child("url").text()
			}
		}
	}
	for _, at := range interfaces {
		if at.pointer == chosen.pointer || at.child("url").text() == c.address && bindingOf(at) == c.binding {
			continue
		}
		c.lose(Address, at, "left out: a descriptor has one endpoint, and JSON over HTTP is what can be described")
	}
	if at := chosen.child("protocolVersion"); at.there && strings.HasPrefix(at.text(), "0.") {
		c.new = false
	}
	if at := chosen.child("tenant"); at.text() != "" {
		c.lose(Address, at, "left out: a descriptor has no place for a tenant")
	}
	return chosen.there
}

func bindingOf(at node) string {
	if binding := first(at, "protocolBinding", "transport"); binding != "" {
		return strings.ToUpper(binding)
	}
	return "JSONRPC" // as the protocol has it
}

func (c *card) skill(at node) {
	id := slug(at.child("id").text())
	if id == "" {
		c.leaveOut(at, "it has no id of letters or digits")
		return
	}
	name := c.oneLine(at.child("name"), maxLine)
	if name == "" {
		name = c.oneLine(at.child("id"), maxLine)
	}
	about := c.prose(at.child("description"))
	if about == "" {
		about = name
	}
	draft := map[string]any{
		"id":              c.namespace + "." + id,
		"name":            name,
		"version":         c.version,
		"capability_type": string(protocol.Task),
		"description":     about,
		"provider":        c.provider,
		"auth":            c.auth(at),
	}
	var tags []any
	for _, item := range at.child("tags").items() {
		if tag := c.oneLine(item, maxTag); tag != "" && len(tags) < 100 {
			tags = append(tags, tag)
		}
	}
	if len(tags) > 0 {
		draft["tags"] = tags
	}
	put(draft, "documentation_url", c.link(c.root.child("documentationUrl")))
	c.loseEach(Metadata, at, "left out: a descriptor has no place for it", "examples")
	c.others(at, "id name description tags examples inputModes outputModes security securityRequirements")
	c.call(draft, at)
	c.finish(at, draft)
}

// call adds how the agent is sent a message.
func (c *card) call(draft map[string]any, at node) {
	role, method, part := "user", "message/send", `{"kind": "text", "text": "…"}`
	if c.new {
		role, method, part = "ROLE_USER", "SendMessage", `{"text": "…"}`
	}
	message := map[string]any{"type": "object", "required": []any{"messageId", "role", "parts"}, "properties": map[string]any{
		"messageId": map[string]any{"type": "string", "description": "Chosen by the sender, for each message anew."},
		"role":      map[string]any{"const": role},
		"parts":     map[string]any{"type": "array", "minItems": 1, "items": map[string]any{"type": "object"}},
	}}
	about := "The message, with parts such as " + part + modes("; media types: ", at.child("inputModes"), c.root.child("defaultInputModes")) + "."
	answer := "a task or a message." + modes(" Media types of its parts: ", at.child("outputModes"), c.root.child("defaultOutputModes"))

	var inputs []any
	if c.new {
		inputs = append(inputs, map[string]any{"name": "A2A-Version", "in": inHeader, "type": "string", "required": true, "enum": []any{"1.0"},
			"description": "Version of the Agent2Agent protocol."})
	}
	address := c.address
	if c.binding == "HTTP+JSON" {
		route := "/v1/message:send"
		if c.new {
			route = "/message:send"
		}
		address = strings.TrimRight(address, "/") + route
		answer = "An object with " + answer
		inputs = append(inputs, map[string]any{"name": "message", "in": inBody, "type": "object", "required": true, "description": about, "schema": message})
	} else {
		answer = "The JSON-RPC answer; its result is " + answer
		inputs = append(inputs,
			map[string]any{"name": "jsonrpc", "in": inBody, "type": "string", "required": true, "enum": []any{"2.0"}, "description": "Version of JSON-RPC."},
			map[string]any{"name": "id", "in": inBody, "type": "string", "required": true, "description": "By which the answer is found again."},
			map[string]any{"name": "method", "in": inBody, "type": "string", "required": true, "enum": []any{method}, "description": "Method of the Agent2Agent protocol."},
			map[string]any{"name": "params", "in": inBody, "type": "object", "required": true, "description": about,
				"schema": map[string]any{"type": "object", "required": []any{"message"}, "properties": map[string]any{"message": message}}},
		)
	}
	draft["endpoint"] = map[string]any{"url": address, "method": "POST", "content_type": "application/json"}
	draft["inputs"] = inputs
	draft["output"] = map[string]any{"type": "object", "content_type": "application/json", "description": answer}
}

// modes lists the media types of a skill, or those of the whole agent.
func modes(before string, own, all node) string {
	texts := own.texts()
	if len(texts) == 0 {
		texts = all.texts()
	}
	if len(texts) == 0 {
		return ""
	}
	s, _ := line(strings.Join(texts, ", "), maxLine)
	return before + s
}

// auth describes how a caller of the agent authenticates. Schemes that nothing refers to are
// alternatives.
func (c *card) auth(skill node) map[string]any {
	schemes := plainSchemes(c.root.child("securitySchemes"))
	for _, of := range []node{skill, c.root} {
		for _, name := range []string{"security", "securityRequirements"} {
			if security := of.child(name); security.there {
				return c.run.auth(plainRequirements(security), schemes, "")
			}
		}
	}
	var alternatives []any
	for _, m := range schemes.members() {
		alternatives = append(alternatives, map[string]any{m.name: []any{}})
	}
	if len(alternatives) > 0 {
		c.lose(Security, schemes, "nothing says which are needed; each is taken for enough")
		return c.run.auth(node{value: alternatives, pointer: schemes.pointer, there: true}, schemes, "")
	}
	// Before 0.2.4.
	if old := c.root.path("authentication", "schemes").texts(); len(old) > 0 {
		s, _ := line(strings.Join(old, " or "), maxLine)
		return custom("Authentication by " + s + ".")
	}
	return map[string]any{"type": "none"}
}

// plainSchemes takes schemes out of the wrappers that 1.0 has around them.
func plainSchemes(schemes node) node {
	wrapped := map[string]string{
		"apiKeySecurityScheme": "apiKey", "httpAuthSecurityScheme": "http", "oauth2SecurityScheme": "oauth2",
		"openIdConnectSecurityScheme": "openIdConnect", "mtlsSecurityScheme": "mutualTLS",
	}
	plain := map[string]any{}
	for _, m := range schemes.members() {
		plain[m.name] = m.value
		for _, inner := range m.members() {
			if kind, ok := wrapped[inner.name]; ok {
				scheme := map[string]any{"type": kind}
				for _, part := range inner.members() {
					scheme[part.name] = part.value
				}
				if location := inner.child("location"); location.there {
					scheme["in"] = location.value
				}
				plain[m.name] = scheme
			}
		}
	}
	return node{value: plain, pointer: schemes.pointer, there: schemes.there}
}

// plainRequirements takes requirements out of the wrappers that 1.0 has around them.
func plainRequirements(security node) node {
	list := []any{}
	for _, item := range security.items() {
		inner := item.child("schemes")
		if !inner.isObject() {
			list = append(list, item.value)
			continue
		}
		plain := map[string]any{}
		for _, m := range inner.members() {
			plain[m.name] = m.value
			if scopes := m.child("list"); scopes.there {
				plain[m.name] = scopes.value
			}
		}
		list = append(list, plain)
	}
	return node{value: list, pointer: security.pointer, there: true}
}
