package describe

import (
	"fmt"
	"strings"
)

// address returns the URL of an operation, with the names of path parameters in braces, or
// why it has none.
func (o *operation) address() (address, why string) {
	servers := o.child("servers")
	for _, of := range []node{o.around, o.root} {
		if len(servers.items()) == 0 {
			servers = of.child("servers")
		}
	}
	all := servers.items()
	if len(all) == 0 {
		all = []node{{value: map[string]any{"url": "/"}, pointer: servers.pointer}} // as OpenAPI has it
	}
	for i, server := range all {
		base, reason := o.server(server)
		if reason != "" {
			if why == "" {
				why = reason
			}
			continue
		}
		for j, other := range all {
			if j != i {
				o.lose(Address, other, "left out: a descriptor has one endpoint")
			}
		}
		return strings.TrimRight(base, "/") + o.route, ""
	}
	return "", why
}

// server returns the address of a server, or why it can't be used.
func (o *operation) server(server node) (base, why string) {
	at := server.child("url")
	base = at.text()
	if o.options.BaseURL != "" && strings.Contains(base, "{") {
		o.lose(Address, at, "the base URL is taken in its place")
		return o.options.BaseURL, ""
	}
	for _, name := range variables(base) {
		variable := server.path("variables", name)
		value := variable.child("default").text()
		if value == "" {
			return "", fmt.Sprintf("the address %s of its server has no default for %s, and no base URL is given", shown(base), shown(name))
		}
		base = strings.ReplaceAll(base, "{"+name+"}", value)
		o.lose(Address, variable, "its default %s is taken", shown(value))
	}
	if !strings.Contains(base, "://") {
		if o.options.BaseURL == "" {
			return "", fmt.Sprintf("the address of its server is %s, and no base URL is given", shown(base))
		}
		base = resolved(o.options.BaseURL, base)
	}
	switch {
	case !webURL(strings.NewReplacer("{", "", "}", "").Replace(base)):
		return "", fmt.Sprintf("the address %s of its server is no absolute http or https URL", shown(base))
	case strings.ContainsAny(base, "?#"):
		return "", fmt.Sprintf("a path can't be added to the address %s of its server", shown(base))
	}
	return base, ""
}
