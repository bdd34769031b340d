package compatibility

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// Changes returns what in a skill's descriptor breaks those who call it by an older one, each
// as a violation whose Field is a place in the newer descriptor, in their order in it. It is
// empty where every call that was valid still is, and gets an answer of the form that was
// promised. There are no more than 100.
//
// Calls are those that give no inputs, and no members of objects, but the declared ones.
func Changes(older, newer *protocol.Descriptor) []protocol.Violation {
	c := &changes{version: older.Version, steps: maxSteps, rules: rules()}
	c.member("/capability_type", string(older.CapabilityType), string(newer.CapabilityType))
	c.endpoint(older.Endpoint, newer.Endpoint)
	c.inputs(older.Inputs, newer.Inputs)
	c.output(older.Output, newer.Output)
	c.auth(older.Auth, newer.Auth)
	c.access(older.Access, newer.Access)
	return c.found
}

// changes gathers what was found.
type changes struct {
	version string // the older one
	found   []protocol.Violation
	// steps counts how many values may still be looked at.
	steps int
	rules map[string]rule
}

const maxFound = 100

// full reports whether nothing more is told of.
func (c *changes) full() bool { return len(c.found) >= maxFound }

// add adds a violation. What was expected is that which the older version says.
func (c *changes) add(field, expected, actual string) {
	c.note(protocol.Violation{Field: field, Expected: expected + ", as in " + c.version, Actual: actual})
}

func (c *changes) note(v protocol.Violation) {
	if !c.full() {
		c.found = append(c.found, v)
	}
}

// member holds a member to what it was.
func (c *changes) member(field, older, newer string) {
	if older != newer {
		c.add(field, older, newer)
	}
}

func (c *changes) endpoint(older, newer protocol.Endpoint) {
	c.member("/endpoint/method", or(older.Method, "POST"), or(newer.Method, "POST"))
	c.member("/endpoint/content_type", or(older.ContentType, "application/json"), or(newer.ContentType, "application/json"))
	for _, template := range []struct{ field, older, newer string }{
		{"/endpoint/status_url", older.StatusURL, newer.StatusURL}, {"/endpoint/result_url", older.ResultURL, newer.ResultURL},
	} {
		if template.older != "" && template.newer == "" {
			c.add(template.field, "there", "missing")
		}
	}
}

// or returns the text, or what it means where it is not there.
func or(text, absent string) string {
	if text == "" {
		return absent
	}
	return text
}

func (c *changes) inputs(older, newer []protocol.Parameter) {
	before, after := byName(older), byName(newer)
	for i, p := range newer {
		field := "/inputs/" + strconv.Itoa(i)
		o, known := before[p.Name]
		if !known {
			if required(p) {
				c.note(protocol.Violation{
					Field:    field + "/required",
					Expected: fmt.Sprintf("false, since callers of %s do not give %q", c.version, p.Name), Actual: "true",
				})
			}
			continue
		}
		c.input(field, o, p)
	}
	for _, o := range older {
		if _, still := after[o.Name]; !still {
			c.add("/inputs", fmt.Sprintf("an input %q", o.Name), "missing")
		}
	}
}

func byName(inputs []protocol.Parameter) map[string]protocol.Parameter {
	named := make(map[string]protocol.Parameter, len(inputs))
	for _, p := range inputs {
		named[p.Name] = p
	}
	return named
}

func required(p protocol.Parameter) bool { return p.Required != nil && *p.Required }

func (c *changes) input(field string, older, newer protocol.Parameter) {
	if required(newer) && !required(older) {
		c.add(field+"/required", "false", "true")
	}
	if !typeWithin(older.Type, newer.Type) {
		c.add(field+"/type", older.Type, newer.Type)
		return // all else follows
	}
	before, after := valuesOf(older.Type, older.Enum, older.Schema), valuesOf(newer.Type, newer.Enum, newer.Schema)
	c.schema(calling, field, before, after)
}

// typeWithin reports whether every value of a type of protocol is one of another.
func typeWithin(narrow, wide string) bool {
	return narrow == wide || narrow == "integer" && wide == "number"
}

func (c *changes) output(older, newer protocol.Output) {
	if !typeWithin(newer.Type, older.Type) {
		c.add("/output/type", older.Type, newer.Type)
		return
	}
	if older.ContentType != "" {
		c.member("/output/content_type", older.ContentType, or(newer.ContentType, "missing"))
	}
	c.schema(answering, "/output", valuesOf(older.Type, nil, older.Schema), valuesOf(newer.Type, nil, newer.Schema))
}

func (c *changes) auth(older, newer protocol.Auth) {
	if newer.Type == "none" {
		return // it became easier
	}
	if older.Type != newer.Type {
		c.add("/auth/type", older.Type, newer.Type)
		return
	}
	switch {
	case newer.Type == "api_key":
		c.member("/auth/header", or(older.Header, "X-API-Key"), or(newer.Header, "X-API-Key"))
	case newer.Type == "oauth2" && older.OAuth2 != nil && newer.OAuth2 != nil:
		for _, scope := range sortedKeys(newer.OAuth2.Scopes) {
			if _, ok := older.OAuth2.Scopes[scope]; !ok {
				c.add("/auth/oauth2/scopes/"+escaped(scope), "missing", "a scope that callers may have no consent for")
			}
		}
	}
}

// access holds that whoever found the skill, and may call it, still does.
func (c *changes) access(older, newer protocol.Access) {
	order := []protocol.Access{protocol.Public, protocol.Restricted, protocol.Private}
	if slices.Index(order, newer) > slices.Index(order, older) {
		c.add("/access", string(older), string(newer))
	}
}
