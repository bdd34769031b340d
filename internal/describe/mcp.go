package describe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// MCP makes a descriptor of each server in a server.json of the MCP registry, in a list of
// such, or in an answer of a registry's API. Only a server that is reached at a URL can be
// one. The error is a *DocumentError, a *protocol.SyntaxError, or a *NeedError where the
// options have to say more.
func (d *Describer) MCP(data []byte, options Options) (*Result, error) {
	r, err := d.start(data, options)
	if err != nil {
		return nil, err
	}
	servers := []node{r.root}
	if list := r.root.child("servers"); list.there {
		servers = list.items()
		r.loseEach(Metadata, r.root, "left out: it is about the list", "metadata")
	} else if _, isList := r.root.value.([]any); isList {
		servers = r.root.items()
	}
	for _, at := range servers {
		if inner := at.child("server"); inner.isObject() {
			r.loseEach(Metadata, at, "left out: it is the registry's own", "_meta")
			at = inner
		}
		if !r.found(at) {
			continue
		}
		s := server{run: r, node: at}
		switch err := s.describe(); {
		case err != nil && len(servers) == 1:
			return nil, err
		case err != nil:
			r.leaveOut(at, "%s", err)
		}
	}
	return &r.result, nil
}

func (r *run) isServer(at node) error {
	if at.child("name").text() == "" || !(at.child("packages").there || at.child("remotes").there || at.child("description").there) {
		return &DocumentError{at.pointer, "this is no server.json of an MCP server: it has no name, or neither description, packages nor remotes"}
	}
	return nil
}

// server is an MCP server on its way to be a descriptor.
type server struct {
	*run
	node
	inputs []any
	auths  []string
	// header is the one that a secret goes into, where there is just one.
	header string
}

func (s *server) describe() error {
	if err := s.isServer(s.node); err != nil {
		return err
	}
	if status := s.child("status").text(); status == "deleted" {
		s.leaveOut(s.node, "its status is deleted")
		return nil
	} else if status == "deprecated" {
		s.lose(Lifecycle, s.child("status"), "left out: a descriptor does not say so; deprecate the version once it is published")
	}
	s.packages()
	remote, reached := s.remote()
	if !reached {
		packages := s.pending
		s.leaveOut(s.node, "it has no remote of the type streamable-http or sse, and nothing else has a URL that could be an endpoint")
		s.pending = packages
		s.tell()
		return nil
	}
	address, why := s.address(remote)
	if why != "" {
		s.leaveOut(s.node, "%s", why)
		return nil
	}
	id, publisher, err := s.id()
	if err != nil {
		return err
	}
	given := s.child("version")
	if !given.there {
		given = s.path("version_detail", "version") // as of July 2025
	}
	version, err := s.version(given)
	if err != nil {
		return err
	}
	draft := map[string]any{
		"id":              id,
		"name":            s.title(),
		"version":         version,
		"capability_type": string(protocol.Plugin),
		"description":     s.about(),
		"provider":        s.publisher(publisher),
		"endpoint":        map[string]any{"url": address, "method": "POST", "content_type": "application/json"},
	}
	s.call(draft, remote)
	s.headers(remote)
	draft["inputs"], draft["auth"] = s.inputs, s.auth(remote)
	s.links(draft)
	s.loseEach(Metadata, s.node, "left out: a descriptor has no place for it", "icons", "_meta")
	s.others(s.node, "$schema name title description version version_detail status repository websiteUrl website_url icons _meta packages remotes")
	s.finish(s.node, draft)
	return nil
}

// id returns the id, and the part of the server's name that says whose it is.
func (s *server) id() (id, publisher string, err error) {
	name := s.child("name").text()
	publisher, own, ok := strings.Cut(name, "/")
	if !ok {
		publisher, own = "", name
	}
	namespace := s.options.Namespace
	if namespace == "" {
		namespace = slug(strings.ToLower(publisher))
	}
	if namespace == "" {
		return "", "", &NeedError{NeedNamespace, fmt.Sprintf("the name %q has none before a slash", shown(name))}
	}
	return namespace + "." + slug(strings.ToLower(own)), publisher, nil
}

func (s *server) title() string {
	for _, name := range []string{"title", "name"} {
		if title := s.oneLine(s.child(name), maxLine); title != "" {
			return title
		}
	}
	return ""
}

func (s *server) about() string {
	if about := s.prose(s.child("description")); about != "" {
		return about
	}
	return s.title()
}

// publisher is the provider: whoever has the namespace.
func (s *server) publisher(namespace string) map[string]any {
	provider := map[string]any{}
	put(provider, "name", s.options.ProviderName)
	if s.options.ProviderName == "" {
		put(provider, "name", namespace)
	}
	put(provider, "url", s.options.ProviderURL)
	return provider
}

// packages notes those that would have to be run.
func (s *server) packages() {
	for _, p := range s.child("packages").items() {
		kind := first(p, "registryType", "registry_type", "registry_name")
		s.lose(Address, p, "left out: the package %s (%s) is run by its user, and has no URL that could be an endpoint",
			shown(first(p, "identifier", "name")), shown(kind))
	}
}

// first returns the text of the first member that is there.
func first(of node, names ...string) string {
	for _, name := range names {
		if text := of.child(name).text(); text != "" {
			return text
		}
	}
	return ""
}

// remote chooses among the addresses of a server: one that speaks streamable HTTP, else one
// of the older way with events. It notes the others.
func (s *server) remote() (node, bool) {
	all := s.child("remotes").items()
	slices.SortStableFunc(all, func(a, b node) int { return remoteRank(a) - remoteRank(b) })
	for _, other := range all[min(1, len(all)):] {
		s.lose(Address, other, "left out: a descriptor has one endpoint")
	}
	if len(all) == 0 || remoteRank(all[0]) == unknownRemote {
		return node{}, false
	}
	return all[0], true
}

func remoteRank(remote node) int {
	switch first(remote, "type", "transport_type") {
	case "streamable-http", "streamable", "http":
		return 0
	case "sse":
		return 1
	}
	return unknownRemote
}

const unknownRemote = 2

// address returns the URL of a remote. What is variable in its path becomes an input.
func (s *server) address(remote node) (address, why string) {
	at := remote.child("url")
	address = at.text()
	for _, name := range variables(address) {
		variable := remote.path("variables", name)
		beforePath, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(address, "https://"), "http://"), "/")
		if !strings.Contains(beforePath, "{"+name+"}") {
			p := s.value(variable, name, inPath)
			p["required"] = true
			s.inputs = append(s.inputs, p)
			continue
		}
		byDefault := first(variable, "value", "default")
		if byDefault == "" {
			return "", fmt.Sprintf("its address %s has %s in the host, and no default for it", shown(address), shown(name))
		}
		address = strings.ReplaceAll(address, "{"+name+"}", byDefault)
		s.lose(Address, variable, "its default %s is taken", shown(byDefault))
	}
	if !webURL(strings.NewReplacer("{", "", "}", "").Replace(address)) {
		return "", fmt.Sprintf("its address %s is no absolute http or https URL", shown(address))
	}
	return address, ""
}

// value makes an input of what server.json calls one.
func (s *server) value(at node, name, in string) map[string]any {
	valueType := "string"
	switch format := at.child("format").text(); format {
	case "number", "boolean":
		valueType = format
	case "", "string":
	default:
		s.lose(Parameter, at.child("format"), "left out: a descriptor knows no format %s", shown(format))
	}
	schema := map[string]any{"type": valueType}
	if v := at.child("default"); v.there {
		schema["default"] = typed(v.value, valueType)
	}
	if choices := at.child("choices").items(); len(choices) > 0 {
		var enum []any
		for _, choice := range choices {
			enum = append(enum, typed(choice.value, valueType))
		}
		schema["enum"] = enum
	}
	if fixed := at.child("value"); fixed.text() != "" {
		value := typed(fixed.value, valueType)
		schema["enum"], schema["default"] = []any{value}, value
	}
	if placeholder := at.child("placeholder").text(); placeholder != "" {
		schema["examples"] = []any{placeholder}
	}
	return input(name, in, valueType, s.prose(at.child("description")), at.child("isRequired").isTrue() || at.child("is_required").isTrue(), schema)
}

// typed is a value of a type, where text that stands for one was given.
func typed(value any, valueType string) any {
	text, ok := value.(string)
	if !ok || valueType == "string" {
		return value
	}
	if read, err := readJSON([]byte(text)); err == nil && isOf(read, valueType) {
		return read
	}
	return value
}

// headers makes inputs of the headers of a remote, but for those that hold a secret: these
// say how to authenticate.
func (s *server) headers(remote node) {
	for _, at := range remote.child("headers").items() {
		name := at.child("name").text()
		template := at.child("value").text()
		secret := at.child("isSecret").isTrue() || at.child("is_secret").isTrue()
		for _, m := range at.child("variables").members() {
			secret = secret || m.child("isSecret").isTrue() || m.child("is_secret").isTrue()
		}
		if strings.EqualFold(name, "authorization") {
			secret = true
		}
		if !secret {
			if len(variables(template)) > 0 {
				s.lose(Parameter, at.child("value"), "left out: a descriptor has no place for the template of a value")
			}
			s.inputs = append(s.inputs, s.value(withoutTemplate(at), name, inHeader))
			continue
		}
		s.header = name
		said := "Header " + shown(name)
		if template != "" {
			said += ": " + shown(template)
		}
		if !at.child("isRequired").isTrue() && !at.child("is_required").isTrue() {
			said += " (optional)"
		}
		s.auths = append(s.auths, strings.TrimSpace(said+". "+s.prose(at.child("description"))))
	}
}

// withoutTemplate drops a value that is none yet.
func withoutTemplate(at node) node {
	if len(variables(at.child("value").text())) == 0 {
		return at
	}
	object := map[string]any{}
	for _, m := range at.members() {
		if m.name != "value" {
			object[m.name] = m.value
		}
	}
	return node{value: object, pointer: at.pointer, there: true}
}

func (s *server) auth(remote node) map[string]any {
	if len(s.auths) == 0 {
		s.lose(Security, remote, "nothing is said of credentials, which is not the same as none")
		return custom("Not said. A client of the Model Context Protocol learns it from the server's answer to its first request.")
	}
	if len(s.auths) == 1 && !strings.EqualFold(s.header, "authorization") && !strings.Contains(s.auths[0], s.header+": ") {
		return map[string]any{"type": "api_key", "header": s.header, "description": s.auths[0]}
	}
	return custom(strings.Join(s.auths, " "))
}

// call adds what every MCP server takes and gives.
func (s *server) call(draft map[string]any, remote node) {
	if remoteRank(remote) == 1 {
		// A client first opens a stream, which tells it where to post.
		draft["endpoint"] = map[string]any{"url": draft["endpoint"].(map[string]any)["url"], "method": "GET"}
		draft["output"] = map[string]any{
			"type": "string", "content_type": "text/event-stream",
			"description": "A stream of events of the Model Context Protocol (HTTP with SSE). The first, endpoint, has the address that messages are posted to; answers arrive on the stream.",
		}
		s.inputs = append([]any{}, s.inputs...)
		return
	}
	s.inputs = append(s.inputs,
		map[string]any{"name": "Accept", "in": inHeader, "type": "string", "required": true, "enum": []any{"application/json, text/event-stream"},
			"description": "Both forms that an answer may have."},
		map[string]any{"name": "jsonrpc", "in": inBody, "type": "string", "required": true, "enum": []any{"2.0"}, "description": "Version of JSON-RPC."},
		map[string]any{"name": "id", "in": inBody, "type": "string", "required": true, "description": "By which the answer is found again."},
		map[string]any{"name": "method", "in": inBody, "type": "string", "required": true,
			"description": "Method of the Model Context Protocol: initialize comes first, tools/list tells which tools there are, tools/call calls one."},
		map[string]any{"name": "params", "in": inBody, "type": "object", "description": "Parameters of the method; for tools/call the name of a tool and its arguments."},
	)
	draft["output"] = map[string]any{
		"type": "object", "content_type": "application/json",
		"description": "The JSON-RPC answer, with result or error; it may come as a stream of events (text/event-stream) instead.",
	}
	s.lose(Calling, s.node, "its tools are not in server.json; a client asks for them with tools/list")
}

// links adds where to read on.
func (s *server) links(draft map[string]any) {
	website := s.child("websiteUrl")
	if !website.there {
		website = s.child("website_url")
	}
	repository := s.child("repository")
	if repository.isObject() {
		repository = repository.child("url")
	}
	put(draft, "documentation_url", s.link(website))
	if draft["documentation_url"] == nil {
		put(draft, "documentation_url", s.link(repository))
		return
	}
	if repository.there {
		s.lose(Metadata, repository, "left out: a descriptor has one address to read on")
	}
}
