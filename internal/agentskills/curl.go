package agentskills

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// Where an input may say that it goes, by a member "in" beside those that the protocol
// names: docs/import.md has what they mean.
const (
	inPath       = "path"
	inParameters = "query"
	inHeader     = "header"
	inBody       = "body"
	isBody       = "entire_body"
)

// places has a word for each of them.
func places() map[string]string {
	return map[string]string{
		inPath: "in the path", inParameters: "in the query", inHeader: "in a header",
		inBody: "in the body", isBody: "the whole body",
	}
}

// placeOf returns where an input says that it goes; empty where it does not say.
func placeOf(p protocol.Parameter) string {
	var said struct {
		In jsontext.Value `json:"in"`
	}
	var place string
	if p.Extra == nil || json.Unmarshal(p.Extra, &said) != nil || json.Unmarshal(said.In, &place) != nil {
		return ""
	}
	if _, known := places()[place]; !known {
		return ""
	}
	return place
}

func isPlaced(p protocol.Parameter) bool { return placeOf(p) != "" }

// Curl returns a command for a POSIX shell that calls the skill with the inputs that it
// needs, for which values are given by example.
func Curl(d *protocol.Descriptor, example func(protocol.Parameter) jsontext.Value) string {
	method := cmp.Or(d.Endpoint.Method, http.MethodPost)
	c := command{address: d.Endpoint.URL, example: example}
	usual := inBody
	if inQuery(method) {
		usual = inParameters
	}
	for _, p := range d.Inputs {
		place := cmp.Or(placeOf(p), usual)
		c.body = c.body || place == inBody
		if p.Required != nil && *p.Required || place == inPath {
			c.give(p, place)
		}
	}
	return c.text(d, method)
}

// command is a call of curl.
type command struct {
	example func(protocol.Parameter) jsontext.Value
	address string
	headers []string
	query   []string // already percent-encoded
	plain   []string // the same as it is
	members []protocol.Parameter
	whole   jsontext.Value // the body; nil where it is an object of the members
	body    bool
}

// give gives the endpoint an input.
func (c *command) give(p protocol.Parameter, place string) {
	text := asText(c.example(p))
	switch place {
	case inPath:
		if p.Default == nil && len(p.Enum) == 0 {
			text = p.Name
		}
		c.address = strings.ReplaceAll(c.address, "{"+p.Name+"}", url.PathEscape(text))
	case inParameters:
		c.query = append(c.query, url.QueryEscape(p.Name)+"="+url.QueryEscape(text))
		c.plain = append(c.plain, p.Name+"="+text)
	case inHeader:
		c.headers = append(c.headers, p.Name+": "+text)
	case inBody:
		c.members = append(c.members, p)
	case isBody:
		c.whole, c.body = c.example(p), true
	}
}

func (c *command) text(d *protocol.Descriptor, method string) string {
	first := "curl -X " + method
	if method == http.MethodHead {
		first = "curl -I"
	}
	if strings.ContainsAny(c.address, "[]{}") {
		first += " --globoff"
	}
	var lines []string
	switch {
	case len(c.query) > 0 && c.body:
		join := "?"
		if strings.Contains(c.address, "?") {
			join = "&"
		}
		lines = []string{first + " " + ShellQuoted(c.address+join+strings.Join(c.query, "&"))}
	case len(c.query) > 0:
		lines = []string{first + " -G " + ShellQuoted(c.address)}
	default:
		lines = []string{first + " " + ShellQuoted(c.address)}
	}
	switch d.Auth.Type {
	case "api_key":
		lines = append(lines, "-H "+ShellQuoted(header(d.Auth)+": ")+`"$API_KEY"`)
	case "oauth2":
		lines = append(lines, `-H "Authorization: Bearer $ACCESS_TOKEN"`)
	}
	for _, h := range c.headers {
		lines = append(lines, "-H "+ShellQuoted(h))
	}
	if c.body {
		lines = append(lines, c.content(d.Endpoint)...)
	} else {
		for _, pair := range c.plain {
			lines = append(lines, "--data-urlencode "+ShellQuoted(pair))
		}
	}
	return strings.Join(lines, " \\\n  ")
}

// content returns what gives the request its body, in the form that the endpoint takes.
func (c *command) content(e protocol.Endpoint) (lines []string) {
	announced := "-H " + ShellQuoted("Content-Type: "+mediaType(e))
	switch form := formOf(e); {
	case form == otherForm:
		return []string{announced, "--data-binary @FILE"}
	case form == jsonForm && c.whole != nil:
		return []string{announced, "--data " + ShellQuoted(string(c.whole))}
	case form == jsonForm:
		return []string{announced, "--data " + ShellQuoted(c.object())}
	case form == multipartForm: // curl announces it, with the boundary that it draws
		for _, p := range c.members {
			// -F would send the file that a value behind "@" or "<" names.
			lines = append(lines, "--form-string "+ShellQuoted(p.Name+"="+asText(c.example(p))))
		}
		return lines
	}
	lines = []string{announced}
	for _, p := range c.members {
		lines = append(lines, "--data-urlencode "+ShellQuoted(p.Name+"="+asText(c.example(p))))
	}
	return lines
}

// The forms that a body may have.
type bodyForm int

const (
	jsonForm bodyForm = iota
	urlencodedForm
	multipartForm
	otherForm
)

func formOf(e protocol.Endpoint) bodyForm {
	base, _, _ := strings.Cut(mediaType(e), ";")
	switch base = strings.ToLower(strings.TrimSpace(base)); {
	case base == "application/json" || strings.HasSuffix(base, "+json"):
		return jsonForm
	case base == "application/x-www-form-urlencoded":
		return urlencodedForm
	case base == "multipart/form-data":
		return multipartForm
	}
	return otherForm
}

// header returns the name of the header that carries the key.
func header(a protocol.Auth) string { return cmp.Or(a.Header, "X-API-Key") }

// example returns a value that the parameter may have, as far as that is known without
// its schema.
func example(p protocol.Parameter) jsontext.Value {
	switch {
	case p.Default != nil:
		return p.Default
	case len(p.Enum) > 0:
		return p.Enum[0]
	}
	return jsontext.Value(map[string]string{
		"string": `"…"`, "number": "0", "integer": "0", "boolean": "true", "object": "{}", "array": "[]",
	}[p.Type])
}

// asText returns a value as it stands in a query: a string as it is, others as JSON.
func asText(v jsontext.Value) string {
	var text string
	if v.Kind() == '"' && json.Unmarshal(v, &text) == nil {
		return text
	}
	return string(v)
}

func (c *command) object() string {
	var members []string
	for _, p := range c.members {
		name, err := jsontext.AppendQuote(nil, p.Name)
		if err == nil {
			members = append(members, string(name)+":"+string(c.example(p)))
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

// ShellQuoted returns a text as one word of a POSIX shell.
func ShellQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
