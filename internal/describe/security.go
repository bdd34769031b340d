package describe

import (
	"fmt"
	"strings"
)

// auth describes how a caller of an operation authenticates.
func (o *operation) auth() map[string]any {
	security := o.child("security")
	if !security.there {
		security = o.root.child("security")
	}
	return o.run.auth(security, o.root.path("components", "securitySchemes"), o.options.BaseURL)
}

// auth chooses among alternatives, each an object with the schemes that are needed
// together. It takes the first with a scheme, and notes the others.
func (r *run) auth(security, schemes node, base string) map[string]any {
	var chosen node
	for _, alternative := range security.items() {
		switch {
		case len(alternative.members()) == 0:
			r.lose(Security, alternative, "left out: that it may go without credentials")
		case chosen.there:
			r.lose(Security, alternative, "left out: a descriptor has one way to authenticate, here %s", chosen.pointer)
		default:
			chosen = alternative
		}
	}
	if !chosen.there {
		r.pending = withoutOptional(r.pending, security)
		return map[string]any{"type": "none"}
	}
	var all []map[string]any
	for _, m := range chosen.members() {
		scheme, ok := r.followed(schemes.child(m.name))
		if !ok || !scheme.isObject() {
			r.lose(Security, m.node, "the document does not say what %s is", shown(m.name))
			all = append(all, custom("Needs "+shown(m.name)+", which is not described."))
			continue
		}
		all = append(all, r.scheme(scheme, m.node, base))
	}
	if len(all) == 1 {
		return all[0]
	}
	var parts []string
	for _, one := range all {
		parts = append(parts, sayAuth(one))
	}
	r.lose(Security, chosen, "several schemes are needed together, which a descriptor has only words for")
	return custom("All of these are needed: " + strings.Join(parts, " "))
}

// withoutOptional takes back that credentials are optional where there are none at all.
func withoutOptional(losses []Loss, security node) []Loss {
	var kept []Loss
	for _, loss := range losses {
		if loss.Kind != Security || !strings.HasPrefix(loss.Pointer, security.pointer+"/") {
			kept = append(kept, loss)
		}
	}
	return kept
}

func custom(description string) map[string]any {
	description, _ = text(description)
	return map[string]any{"type": "custom", "description": description}
}

// sayAuth puts an auth config in a sentence.
func sayAuth(auth map[string]any) string {
	said, _ := auth["description"].(string)
	if header, ok := auth["header"].(string); ok {
		said = strings.TrimSpace("A key in the header " + header + ". " + said)
	}
	if said == "" {
		said = fmt.Sprintf("%v.", auth["type"])
	}
	return said
}

// scheme describes a security scheme, of which some scopes are needed.
func (r *run) scheme(scheme, scopes node, base string) map[string]any {
	about := r.prose(scheme.child("description"))
	say := func(format string, args ...any) map[string]any {
		return custom(strings.TrimSpace(fmt.Sprintf(format, args...) + " " + about))
	}
	switch kind := scheme.child("type").text(); kind {
	case "apiKey":
		in := scheme.child("in").text()
		name := shown(scheme.child("name").text())
		if in != inHeader {
			return say("A key in the %s parameter %s.", in, name)
		}
		auth := map[string]any{"type": "api_key", "header": scheme.child("name").text()}
		put(auth, "description", about)
		return auth
	case "http":
		format := ""
		if f := scheme.child("bearerFormat").text(); f != "" {
			format = " (" + shown(f) + ")"
		}
		return say("Authorization header of the scheme %s%s.", shown(scheme.child("scheme").text()), format)
	case "oauth2":
		return r.oauth2(scheme, scopes, base, about)
	case "openIdConnect":
		return say("OpenID Connect, described at %s.", shown(scheme.child("openIdConnectUrl").text()))
	case "mutualTLS":
		return say("A client certificate (mutual TLS).")
	default:
		r.lose(Security, scheme, "the type %s is not known", shown(kind))
		return say("Security scheme of the type %s.", shown(kind))
	}
}

// oauth2 describes the flow of an OAuth 2.0 scheme that a descriptor can hold, or one in
// words.
func (r *run) oauth2(scheme, needed node, base, about string) map[string]any {
	flows := scheme.child("flows")
	flow := flows.child("authorizationCode")
	authorize, token := flow.child("authorizationUrl").text(), flow.child("tokenUrl").text()
	if authorize != "" && token != "" {
		authorize, token = resolved(base, authorize), resolved(base, token)
	}
	if webURL(authorize) && webURL(token) {
		for _, other := range flows.members() {
			if other.name != "authorizationCode" {
				r.lose(Security, other.node, "left out: a descriptor has one flow, here the authorization code")
			}
		}
		auth := map[string]any{"type": "oauth2", "oauth2": map[string]any{
			"authorization_url": authorize, "token_url": token, "scopes": r.scopes(flow.child("scopes"), needed),
		}}
		put(auth, "description", about)
		return auth
	}
	var parts []string
	for _, m := range flows.members() {
		part := "flow " + m.name
		for _, url := range []string{"authorizationUrl", "tokenUrl", "deviceAuthorizationUrl"} {
			if address := m.child(url).text(); address != "" {
				part += ", " + url + " " + shown(address)
			}
		}
		parts = append(parts, part)
	}
	said := "OAuth 2.0"
	if len(parts) > 0 {
		said += ": " + strings.Join(parts, "; ")
	}
	if scopes := needed.texts(); len(scopes) > 0 {
		said += "; scopes " + strings.Join(scopes, " ")
	}
	r.lose(Security, flows, "told in words: a descriptor holds only the flow with an authorization code and both of its addresses")
	return custom(strings.TrimSpace(said + ". " + about))
}

// scopes are those that are needed, or all where none is named.
func (r *run) scopes(described, needed node) map[string]any {
	scopes := map[string]any{}
	names := needed.texts()
	if len(names) == 0 {
		for _, m := range described.members() {
			names = append(names, m.name)
		}
	}
	for _, name := range names {
		scopes[name] = r.prose(described.child(name))
	}
	return scopes
}
