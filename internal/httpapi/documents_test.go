package httpapi_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/httpapi"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// edit puts a value at a place of a document: members by name, items by number. The
// value absent takes the member away.
type edit struct {
	place []any
	value any
}

type absent struct{}

func at(value any, place ...any) edit { return edit{place, value} }

func apply(doc any, e edit) any {
	switch step := e.place[0].(type) {
	case string:
		object := doc.(map[string]any)
		switch _, gone := e.value.(absent); {
		case len(e.place) > 1:
			object[step] = apply(object[step], edit{e.place[1:], e.value})
		case gone:
			delete(object, step)
		default:
			object[step] = e.value
		}
	case int:
		doc.([]any)[step] = apply(doc.([]any)[step], edit{e.place[1:], e.value})
	}
	return doc
}

type members = map[string]any

func TestWhatADocumentBreaksIsNamed(t *testing.T) {
	t.Parallel()
	oauth2 := func(change ...edit) members {
		var auth any = members{"type": "oauth2", "oauth2": members{
			"authorization_url": "https://a.example/auth", "token_url": "https://a.example/token", "scopes": members{"read:all": "Read"},
		}}
		for _, e := range change {
			auth = apply(auth, e)
		}
		return auth.(members)
	}
	tests := map[string]struct {
		edits  []edit
		fields []string
	}{
		"a missing member":                  {[]edit{at(absent{}, "name")}, []string{"/name"}},
		"a missing member inside":           {[]edit{at(absent{}, "provider", "name")}, []string{"/provider/name"}},
		"a missing member of a parameter":   {[]edit{at([]any{members{"name": "a", "type": "string"}, members{"name": "b"}}, "inputs")}, []string{"/inputs/1/type"}},
		"a number for text":                 {[]edit{at(1, "name")}, []string{"/name"}},
		"null for text":                     {[]edit{at(nil, "name")}, []string{"/name"}},
		"text for an object":                {[]edit{at("Example", "provider")}, []string{"/provider"}},
		"an array for text":                 {[]edit{at([]string{"public"}, "access")}, []string{"/access"}},
		"an unknown type":                   {[]edit{at("tool", "capability_type")}, []string{"/capability_type"}},
		"a type in capitals":                {[]edit{at("API", "capability_type")}, []string{"/capability_type"}},
		"an unknown access":                 {[]edit{at("open", "access")}, []string{"/access"}},
		"an unknown authentication":         {[]edit{at("basic", "auth", "type")}, []string{"/auth/type"}},
		"an unknown type of a value":        {[]edit{at("text", "output", "type")}, []string{"/output/type"}},
		"several things at once":            {[]edit{at("open", "access"), at("one", "version"), at("nowhere", "endpoint", "url"), at(absent{}, "name")}, []string{"/access", "/version", "/endpoint/url", "/name"}},
		"a version of two parts":            {[]edit{at("1.0", "version")}, []string{"/version"}},
		"a version with a v":                {[]edit{at("v1.0.0", "version")}, []string{"/version"}},
		"a pre-release with a zero ahead":   {[]edit{at("1.0.0-01", "version")}, []string{"/version"}},
		"a protocol version with a suffix":  {[]edit{at("1.0.0-rc1", "protocol", "version")}, []string{"/protocol/version"}},
		"a protocol version in wide digits": {[]edit{at("１.0.0", "protocol", "version")}, []string{"/protocol/version"}},
		"an id in capitals":                 {[]edit{at("Com.Example.a", "id")}, []string{"/id"}},
		"an id with two dots":               {[]edit{at("a..b", "id")}, []string{"/id"}},
		"the reserved id":                   {[]edit{at("index.json", "id")}, []string{"/id"}},
		"an empty name":                     {[]edit{at("", "name")}, []string{"/name"}},
		"a script for an address":           {[]edit{at("javascript:alert(1)", "endpoint", "url")}, []string{"/endpoint/url"}},
		"an address without a host":         {[]edit{at("http://", "endpoint", "url")}, []string{"/endpoint/url"}},
		"a template without the id":         {[]edit{at("https://example.com/s", "endpoint", "status_url")}, []string{"/endpoint/status_url"}},
		"two parameters of one name":        {[]edit{at([]any{members{"name": "a", "type": "string"}, members{"name": "a", "type": "number"}}, "inputs")}, []string{"/inputs/1/name"}},
		"a default of another type":         {[]edit{at([]any{members{"name": "a", "type": "integer", "default": 1.5}}, "inputs")}, []string{"/inputs/0/default"}},
		"a default outside the enum":        {[]edit{at([]any{members{"name": "a", "type": "string", "enum": []string{"x"}, "default": "z"}}, "inputs")}, []string{"/inputs/0/default"}},
		"a schema that is none":             {[]edit{at([]any{members{"name": "a", "type": "string", "schema": members{"type": "nonsense"}}}, "inputs")}, []string{"/inputs/0/schema/type"}},
		"oauth2 without its member":         {[]edit{at(members{"type": "oauth2"}, "auth")}, []string{"/auth/oauth2"}},
		"oauth2 with a wrong address":       {[]edit{at(oauth2(at("nowhere", "oauth2", "token_url")), "auth")}, []string{"/auth/oauth2/token_url"}},
		"a name that needs escapes":         {[]edit{at(oauth2(at(5, "oauth2", "scopes", "read/all~x")), "auth")}, []string{"/auth/oauth2/scopes/read~1all~0x"}},
		"a time that is none":               {[]edit{at("2026-02-30T00:00:00Z", "created_at")}, []string{"/created_at"}},
		"a NUL in a text":                   {[]edit{at("a\x00b", "description")}, []string{"/description"}},
	}
	g := onSQLite(t, options{})
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := g.in(t)
			var doc any = protocoltest.Tree(g.namespace()+".skill", "1.0.0", "public", "api")
			for _, e := range test.edits {
				doc = apply(doc, e)
			}
			body := marshal(t, doc)
			refused := g.publish(body).wantError(422, protocol.CodeValidation)
			report := g.send("POST", "/v1/validate?kind=descriptor", jsonBody(body)).wantStatus(200)
			for _, field := range test.fields {
				if !slices.Contains(refused.violations(), field) {
					t.Errorf("%s: violations at %q, want one at %q", body, refused.violations(), field)
				}
			}
			if !slices.Equal(refused.violations(), report.violations()) || report.at("/valid") != false {
				t.Errorf("%s: violations at %q on publication, and on validation %v", body, refused.violations(), report)
			}
			if id, ok := doc.(members)["id"].(string); ok && protocol.ValidID(id) {
				g.get("/v1/skills/"+id, asAdmin()).wantStatus(404)
			}
		})
	}
}

func TestOtherMajorIsIncompatible(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	for _, version := range []string{"2.0.0", "0.9.0", "18446744073709551617.0.0"} {
		doc := apply(protocoltest.Tree("com.example.a", "1.0.0", "public", "api"), at(version, "protocol", "version"))
		a := g.publish(marshal(t, doc)).wantError(422, protocol.CodeVersionIncompatible)
		if a.text("/error/details/descriptor_version") != version || a.text("/error/details/consumer_supported_range") != "1.x.x" {
			t.Errorf("%v; want details with %s and 1.x.x", a, version)
		}
		report := g.send("POST", "/v1/validate?kind=descriptor", jsonBody(marshal(t, doc))).wantStatus(200)
		if !slices.Contains(report.violations(), "/protocol/version") || report.at("/valid") != false {
			t.Errorf("%v; want a violation at /protocol/version", report)
		}
	}
}

func TestBodiesThatAreNoStrictJSON(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	tests := map[string]string{
		"a word":                    "nope",
		"nothing":                   "",
		"space":                     " \r\n",
		"half of an object":         `{"id":"a"`,
		"two values":                "{}{}",
		"a doubled member":          `{"id":"a","id":"b"}`,
		"a doubled member inside":   `{"provider":{"name":"a","name":"b"}}`,
		"a doubled member, escaped": `{"id":"a","\u0069d":"b"}`,
		"bytes that are no UTF-8":   "{\"name\":\"\xff\"}",
		"an overlong form":          "{\"name\":\"\xc0\xaf\"}",
		"a lone surrogate":          `{"name":"\ud800"}`,
		"single quotes":             `{'id':'a'}`,
		"a comment":                 "{/*x*/}",
		"a trailing comma":          `{"a":1,}`,
		"NaN":                       `{"a":NaN}`,
		"a zero ahead":              `{"a":01}`,
		"a control character":       "{\"a\":\"\x01\"}",
		"a NUL at the end":          "{}\x00",
		"UTF-16":                    "\xff\xfe{\x00}\x00",
		"a byte order mark":         "\xef\xbb\xbf{}",
		"100,000 brackets":          strings.Repeat("[", 100_000),
		"100,000 objects":           strings.Repeat(`{"a":`, 100_000),
		"a number without end":      `{"a":` + strings.Repeat("9", 100_000) + "}",
	}
	for name, body := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := g.in(t)
			for _, path := range []string{"/v1/skills", "/v1/skills?dry_run=true", "/v1/validate?kind=index", "/v1/keys"} {
				g.send("POST", path, asAdmin(), jsonBody([]byte(body))).wantError(400, httpapi.CodeInvalidJSON)
			}
		})
	}
}

func TestJSONThatIsNoObject(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	for _, body := range []string{"null", "[]", "1", `"x"`, "true", "{}"} {
		g.publish([]byte(body)).wantError(422, protocol.CodeValidation)
		if a := g.send("POST", "/v1/validate?kind=descriptor", jsonBody([]byte(body))).wantStatus(200); a.at("/valid") != false {
			t.Errorf("%s is valid: %v", body, a)
		}
	}
}

func TestBodyTooLarge(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{http: func(o *httpapi.Options) { o.MaxBody = 2000 }})
	fits := protocoltest.Valid("com.example.a", "1.0.0", "public", "api")
	padded := append(fits, bytes.Repeat([]byte(" "), 2000-len(fits))...)
	g.publish(padded).wantStatus(201)
	for _, size := range []int{2001, 3000, 100_000, 5_000_000} {
		body := append(fits, bytes.Repeat([]byte(" "), size-len(fits))...)
		for name, send := range map[string]change{"announced": jsonBody(body), "in chunks": chunked(body)} {
			for _, path := range []string{"/v1/skills", "/v1/keys", "/v1/validate?kind=descriptor"} {
				a, err := g.try("POST", path, asAdmin(), send)
				if err != nil {
					t.Errorf("%d bytes %s to %s: %v", size, name, path, err)
					continue
				}
				a.wantError(413, httpapi.CodeBodyTooLarge)
				if !strings.Contains(a.text("/error/message"), "2000") {
					t.Errorf("%v; want a message with the limit", a)
				}
			}
		}
	}
}

func TestValidateKnowsEveryKind(t *testing.T) {
	t.Parallel()
	entry := members{"id": "com.example.a", "name": "N", "capability_type": "api", "description": "D", "descriptor_url": "https://e.example/d", "access": "public", "version": "1.0.0"}
	index := func(entries ...any) members {
		return members{"protocol": members{"version": "1.0.0"}, "provider": members{"name": "P"}, "skills": entries}
	}
	request := members{"caller": members{"id": "i1", "type": "ifay"}, "skill_id": "com.example.a", "inputs": members{}}
	response := members{"execution_id": "e1", "status": "accepted", "skill_id": "com.example.a", "timestamps": members{"accepted_at": "2026-01-01T00:00:00Z"}}
	tests := map[string]struct {
		kind   string
		doc    any
		fields []string
	}{
		"a descriptor":                     {"descriptor", protocoltest.Tree("com.example.a", "1.0.0", "public", "api"), nil},
		"an empty descriptor":              {"descriptor", members{}, []string{"/id", "/access"}},
		"an index":                         {"index", index(entry), nil},
		"an index with an id twice":        {"index", index(entry, entry), []string{"/skills/1/id"}},
		"an index with a wrong version":    {"index", index(apply(copyOf(entry), at("1", "version"))), []string{"/skills/0/version"}},
		"a request":                        {"invocation-request", request, nil},
		"a request without a caller":       {"invocation-request", apply(copyOf(request), at(absent{}, "caller")), []string{"/caller"}},
		"a request of an unknown caller":   {"invocation-request", apply(copyOf(request), at(members{"id": "x", "type": "robot"}, "caller")), []string{"/caller/type"}},
		"a request with a list of inputs":  {"invocation-request", apply(copyOf(request), at([]any{}, "inputs")), []string{"/inputs"}},
		"a response":                       {"invocation-response", response, nil},
		"a response of an unknown status":  {"invocation-response", apply(copyOf(response), at("done", "status")), []string{"/status"}},
		"a response without its beginning": {"invocation-response", apply(copyOf(response), at(members{}, "timestamps")), []string{"/timestamps/accepted_at"}},
		"a response at a time that's none": {"invocation-response", apply(copyOf(response), at(members{"accepted_at": "now"}, "timestamps")), []string{"/timestamps/accepted_at"}},
	}
	g := onSQLite(t, options{})
	reader, _ := g.key([]string{"read"}, "com.example")
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := g.in(t)
			for _, who := range []change{header("X-None", ""), as(reader)} {
				a := g.send("POST", "/v1/validate?kind="+test.kind, who, jsonBody(marshal(t, test.doc))).wantStatus(200)
				if a.at("/valid") != (test.fields == nil) || a.at("/violations") == nil || a.at("/warnings") == nil {
					t.Errorf("%v; want valid to be %v, and both lists", a, test.fields == nil)
				}
				for _, field := range test.fields {
					if !slices.Contains(a.violations(), field) {
						t.Errorf("violations at %q, want one at %q", a.violations(), field)
					}
				}
			}
		})
	}
	for _, query := range []string{"", "?kind=", "?kind=nonsense", "?kind=Index", "?kind=index&kind=index"} {
		a := g.send("POST", "/v1/validate"+query, jsonBody([]byte("{}"))).wantError(400, httpapi.CodeInvalidQuery)
		if !strings.Contains(a.text("/error/message"), "descriptor, index, invocation-request, invocation-response") {
			t.Errorf("%v; want a message that names the kinds", a)
		}
	}
	if got := g.get("/.well-known/skills", asAdmin()).entries("com.example"); len(got) != 0 {
		t.Errorf("after validations the registry holds %v", got)
	}
}

func copyOf(m members) members {
	c := members{}
	for name, v := range m {
		c[name] = v
	}
	return c
}

func TestWarningsComeWithAValidDocument(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	doc := marshal(t, apply(protocoltest.Tree("com.example.a", "1.0.0", "restricted", "api"), at("x", "documentation_ur")))
	report := g.send("POST", "/v1/validate?kind=descriptor", jsonBody(doc)).wantStatus(200)
	published := g.publish(doc).wantStatus(201)
	if report.at("/valid") != true || len(report.at("/warnings").([]any)) == 0 {
		t.Errorf("%v; want it valid, with warnings", report)
	}
	if got, want := string(marshal(t, published.at("/warnings"))), string(marshal(t, report.at("/warnings"))); got != want {
		t.Errorf("warnings on publication %s, and on validation %s", got, want)
	}
}
