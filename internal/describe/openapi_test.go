package describe

import (
	"strings"
	"testing"
)

// operationOf is a document with one operation, whose members are given as YAML.
func operationOf(version, route, method, members string) string {
	var indented strings.Builder
	for line := range strings.Lines(strings.TrimLeft(members, "\n")) {
		indented.WriteString("      " + line)
	}
	return "openapi: " + version + `
info: {title: A, version: 1.2.3, contact: {name: Example Corp, url: https://example.com}}
servers: [{url: https://api.example.com/v1/}]
components:
  schemas:
    Pet: {type: object, required: [name], properties: {name: {type: string}, parent: {$ref: '#/components/schemas/Pet'}}}
  parameters:
    limit: {name: limit, in: query, schema: {type: integer, default: 10, maximum: 100}}
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key, description: Ask for one.}
    query: {type: apiKey, in: query, name: key}
    bearer: {type: http, scheme: bearer, bearerFormat: JWT}
    oauth: {type: oauth2, flows: {implicit: {authorizationUrl: https://example.com/a, scopes: {}}, authorizationCode: {authorizationUrl: https://example.com/a, tokenUrl: https://example.com/t, scopes: {read: Read., write: Write.}}}}
    machine: {type: oauth2, flows: {clientCredentials: {tokenUrl: https://example.com/t, scopes: {}}}}
    oidc: {type: openIdConnect, openIdConnectUrl: https://example.com/.well-known/openid-configuration}
    mtls: {type: mutualTLS}
paths:
  ` + route + `:
    ` + method + `:
` + indented.String()
}

func TestAnOperationBecomesADescriptor(t *testing.T) {
	t.Parallel()
	document := operationOf("3.0.3", "/pets/{petId}", "put", `
operationId: updatePet
summary: Change a pet
description: Changes what is known of a pet.
tags: [pets, pets, "two\n lines"]
externalDocs: {url: https://example.com/docs}
parameters:
  - {name: petId, in: path, required: true, description: Which., schema: {type: string, minLength: 1}}
  - {$ref: '#/components/parameters/limit'}
  - {name: tags, in: query, style: pipeDelimited, explode: false, schema: {type: array, items: {type: string}}}
  - {name: X-Trace, in: header, example: abc, schema: {type: string, enum: [abc, def]}}
requestBody:
  required: true
  content:
    application/json:
      schema:
        type: object
        required: [name]
        properties:
          name: {type: string, description: What it is called.}
          age: {type: integer, nullable: true, minimum: 0, exclusiveMinimum: true}
          id: {type: string, readOnly: true}
          friend: {$ref: '#/components/schemas/Pet'}
responses:
  '200':
    description: The pet.
    content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}
`)
	got, result := only(t, (*Describer).OpenAPI, document, Options{Namespace: "com.example", Access: "restricted"})
	wantJSON(t, "the descriptor", got, `{
	"protocol":{"version":"1.0.0"},"id":"com.example.update-pet","name":"Change a pet","version":"1.2.3","capability_type":"api",
	"description":"Changes what is known of a pet.","provider":{"name":"Example Corp","url":"https://example.com"},
	"endpoint":{"url":"https://api.example.com/v1/pets/{petId}","method":"PUT","content_type":"application/json"},
	"inputs":[
		{"name":"petId","in":"path","type":"string","required":true,"description":"Which.","schema":{"type":"string","minLength":1}},
		{"name":"limit","in":"query","type":"integer","default":10,"schema":{"type":"integer","maximum":100}},
		{"name":"tags","in":"query","type":"array","style":"pipeDelimited","explode":false,"schema":{"type":"array","items":{"type":"string"}}},
		{"name":"X-Trace","in":"header","type":"string","enum":["abc","def"],"schema":{"type":"string","examples":["abc"]}},
		{"name":"age","in":"body","type":"integer","schema":{"type":["integer","null"],"exclusiveMinimum":0}},
		{"name":"friend","in":"body","type":"object","schema":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"parent":{"$ref":"#"}}}},
		{"name":"name","in":"body","type":"string","required":true,"description":"What it is called."}],
	"output":{"type":"object","description":"The pet.","content_type":"application/json",
		"schema":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"parent":{"$ref":"#"}}}},
	"auth":{"type":"none"},"access":"restricted","tags":["pets","two lines"],"documentation_url":"https://example.com/docs"}`)
	if got, want := told(result), "/info/title metadata left out: a descriptor is about one operation\n"; got != want {
		t.Errorf("losses: got\n%swant\n%s", got, want)
	}
	if result.Skills[0].Pointer != "/paths/~1pets~1{petId}/put" {
		t.Errorf("got the pointer %s", result.Skills[0].Pointer)
	}
}

// What an operation says, what one member of its descriptor is, and what is lost.
func TestMembersOfAnOperation(t *testing.T) {
	t.Parallel()
	const answered = "\nresponses: {'200': {description: Good.}}"
	for _, c := range []struct {
		name, version, members string
		member, want           string
		losses                 []string
	}{
		{"no operationId", "3.1.0", answered, "id", `"com.example.post-things"`, nil},
		{"no words at all", "3.1.0", answered, "description", `"POST /things"`, nil},
		{"a summary alone", "3.1.0", "summary: Do." + answered, "description", `"Do."`, nil},
		{"a name that is too long", "3.1.0", "summary: " + strings.Repeat("ä", 201) + "\ndescription: d" + answered, "name",
			`"` + strings.Repeat("ä", 199) + `…"`, []string{"/paths/~1things/post/summary text cut after 200 characters"}},

		{"no answer with a body", "3.1.0", answered, "output", `{"type":"string","description":"Good.","schema":{"type":"string","maxLength":0}}`, nil},
		{"the lowest good answer", "3.1.0", "responses: {default: {description: d}, '404': {description: n}, '202': {description: b}, '201': {description: a}}", "output",
			`{"type":"string","description":"a","schema":{"type":"string","maxLength":0}}`,
			[]string{"/paths/~1things/post/responses response left out: 202, default, 404, since a descriptor has one output"}},
		{"no good answer", "3.1.0", "responses: {'404': {description: n}}", "output", `{"type":"string"}`,
			[]string{"/paths/~1things/post/responses response the output is given as string"}},
		{"an answer of several media types", "3.1.0", "responses: {'200': {description: d, content: {text/csv: {}, application/problem+json: {schema: {type: array}}, image/*: {}}}}", "output",
			`{"type":"array","description":"d","content_type":"application/problem+json","schema":{"type":"array"}}`,
			[]string{"/paths/~1things/post/responses/200/content/text~1csv response left out", "/paths/~1things/post/responses/200/content/image~1* response left out"}},
		{"an answer of several types", "3.1.0", "responses: {'200': {description: d, content: {application/json: {schema: {oneOf: [{type: string}, {type: array}]}}}}}", "output",
			`{"type":"string","description":"d","content_type":"application/json","schema":{"oneOf":[{"type":"string"},{"type":"array"}]}}`,
			[]string{"/paths/~1things/post/responses/200/content/application~1json response the output's type is given as string"}},
		{"links and headers", "3.1.0", "responses: {'200': {description: d, headers: {X: {}}, links: {next: {}}}}", "output",
			`{"type":"string","description":"d","schema":{"type":"string","maxLength":0}}`,
			[]string{"/paths/~1things/post/responses/200/headers response left out", "/paths/~1things/post/responses/200/links/next calling left out"}},

		{"a body that is a list", "3.1.0", "requestBody: {required: true, description: All., content: {application/json: {schema: {type: array, items: {type: string}}}}}" + answered, "inputs",
			`[{"name":"body","in":"entire_body","type":"array","required":true,"description":"All.","schema":{"type":"array","items":{"type":"string"}}}]`, nil},
		{"a body with alternatives", "3.1.0", "requestBody: {content: {application/json: {schema: {oneOf: [{type: object}, {$ref: '#/components/schemas/Pet'}]}}}}" + answered, "inputs",
			`[{"name":"body","in":"entire_body","type":"object","schema":{"oneOf":[{"type":"object"},{"$ref":"#/$defs/Pet"}],
			"$defs":{"Pet":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"parent":{"$ref":"#/$defs/Pet"}}}}}}]`, nil},
		{"a body that may be left out, of which a member is required", "3.1.0", "requestBody: {content: {application/json: {schema: {type: object, required: [a], properties: {a: {type: string}}}}}}" + answered, "inputs",
			`[{"name":"body","in":"entire_body","type":"object","schema":{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}}]`, nil},
		{"a body with the name of a parameter in it", "3.1.0", "parameters: [{name: a, in: query, schema: {type: integer}}]\nrequestBody: {content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}" + answered, "inputs",
			`[{"name":"a","in":"query","type":"integer"},{"name":"body","in":"entire_body","type":"object","schema":{"type":"object","properties":{"a":{"type":"string"}}}}]`, nil},
		{"a body that requires a member which it does not describe", "3.1.0", "requestBody: {required: true, content: {application/json: {schema: {type: object, required: [a, b], properties: {a: {type: string}}}}}}" + answered, "inputs",
			`[{"name":"body","in":"entire_body","type":"object","required":true,"schema":{"type":"object","required":["a","b"],"properties":{"a":{"type":"string"}}}}]`, nil},
		{"a form", "3.0.0", "requestBody: {required: true, content: {multipart/form-data: {schema: {type: object, properties: {file: {type: string, format: binary}}}, encoding: {file: {contentType: image/png}}}}}" + answered, "inputs",
			`[{"name":"file","in":"body","type":"string","schema":{"type":"string","format":"binary"}}]`,
			[]string{"/paths/~1things/post/requestBody/content/multipart~1form-data/encoding body left out"}},
		{"a body that is bytes", "3.0.0", "requestBody: {required: true, content: {application/octet-stream: {}}}" + answered, "inputs",
			`[{"name":"body","in":"entire_body","type":"string","required":true}]`, nil},
		{"a body of any type", "3.0.0", "requestBody: {required: true, content: {'*/*': {schema: {type: object, properties: {a: {type: string}}}}}}" + answered, "endpoint",
			`{"url":"https://api.example.com/v1/things","method":"POST","content_type":"application/json"}`,
			[]string{"/paths/~1things/post/requestBody body any media type */* is taken, so JSON is"}},

		{"a cookie", "3.1.0", "parameters: [{name: a, in: cookie, schema: {type: string}}]" + answered, "inputs", `[]`,
			[]string{"/paths/~1things/post/parameters/0 parameter left out: cookie parameters have no place in a descriptor"}},
		{"headers that are described elsewhere", "3.1.0", "parameters: [{name: Content-Type, in: header, schema: {type: string}}]" + answered, "inputs", `[]`,
			[]string{"/paths/~1things/post/parameters/0 parameter left out: by OpenAPI's own rule"}},
		{"a parameter that is JSON", "3.1.0", "parameters: [{name: a, in: query, deprecated: true, content: {application/json: {schema: {type: object}}}}]" + answered, "inputs",
			`[{"name":"a","in":"query","type":"object","content_type":"application/json","schema":{"type":"object","deprecated":true}}]`, nil},
		{"a parameter of several types", "3.1.0", "parameters: [{name: a, in: query, schema: {type: [string, boolean], enum: [a, true]}}]" + answered, "inputs",
			`[{"name":"a","in":"query","type":"string","schema":{"type":["string","boolean"],"enum":["a",true]}}]`,
			[]string{"/paths/~1things/post/parameters/0 parameter its type is given as string"}},
		{"a parameter of a number or null", "3.1.0", "parameters: [{name: a, in: query, schema: {type: [integer, number, 'null'], default: null}}]" + answered, "inputs",
			`[{"name":"a","in":"query","type":"number","schema":{"type":["integer","number","null"],"default":null}}]`, nil},
		{"a default that the enum does not have", "3.1.0", "parameters: [{name: a, in: query, schema: {type: string, enum: [a], default: b}}]" + answered, "inputs",
			`[{"name":"a","in":"query","type":"string","enum":["a"],"schema":{"type":"string","default":"b"}}]`, nil},

		{"a key", "3.1.0", "security: [{key: []}]" + answered, "auth", `{"type":"api_key","header":"X-Key","description":"Ask for one."}`, nil},
		{"a key in the query", "3.1.0", "security: [{query: []}]" + answered, "auth", `{"type":"custom","description":"A key in the query parameter key."}`, nil},
		{"a bearer token", "3.1.0", "security: [{bearer: []}]" + answered, "auth", `{"type":"custom","description":"Authorization header of the scheme bearer (JWT)."}`, nil},
		{"OAuth", "3.1.0", "security: [{oauth: [read]}]" + answered, "auth",
			`{"type":"oauth2","oauth2":{"authorization_url":"https://example.com/a","token_url":"https://example.com/t","scopes":{"read":"Read."}}}`,
			[]string{"/components/securitySchemes/oauth/flows/implicit security left out"}},
		{"OAuth without a user", "3.1.0", "security: [{machine: [x]}]" + answered, "auth",
			`{"type":"custom","description":"OAuth 2.0: flow clientCredentials, tokenUrl https://example.com/t; scopes x."}`,
			[]string{"/components/securitySchemes/machine/flows security told in words"}},
		{"OpenID Connect", "3.1.0", "security: [{oidc: []}]" + answered, "auth",
			`{"type":"custom","description":"OpenID Connect, described at https://example.com/.well-known/openid-configuration."}`, nil},
		{"a client certificate", "3.1.0", "security: [{mtls: []}]" + answered, "auth", `{"type":"custom","description":"A client certificate (mutual TLS)."}`, nil},
		{"one or the other", "3.1.0", "security: [{}, {bearer: []}, {key: []}]" + answered, "auth", `{"type":"custom","description":"Authorization header of the scheme bearer (JWT)."}`,
			[]string{"/paths/~1things/post/security/0 security left out: that it may go without credentials", "/paths/~1things/post/security/2 security left out: a descriptor has one way"}},
		{"none needed", "3.1.0", "security: [{}]" + answered, "auth", `{"type":"none"}`, nil},
		{"two together", "3.1.0", "security: [{key: [], mtls: []}]" + answered, "auth",
			`{"type":"custom","description":"All of these are needed: A key in the header X-Key. Ask for one. A client certificate (mutual TLS)."}`,
			[]string{"/paths/~1things/post/security/0 security several schemes are needed together"}},
		{"a scheme that is not there", "3.1.0", "security: [{other: []}]" + answered, "auth", `{"type":"custom","description":"Needs other, which is not described."}`,
			[]string{"/paths/~1things/post/security/0/other security the document does not say what other is"}},

		{"deprecated, with callbacks and an extension", "3.1.0", "deprecated: true\ncallbacks: {done: {}}\nx-a: 1" + answered, "id", `"com.example.post-things"`, []string{
			"/paths/~1things/post/deprecated lifecycle left out", "/paths/~1things/post/callbacks/done calling left out", "/paths/~1things/post/x-a metadata left out"}},
		{"a server of its own", "3.1.0", "servers: [{url: 'ftp://example.com'}, {url: 'https://{region}.example.com', variables: {region: {default: eu}}}]" + answered, "endpoint",
			`{"url":"https://eu.example.com/things","method":"POST"}`,
			[]string{"/paths/~1things/post/servers/0 address left out", "/paths/~1things/post/servers/1/variables/region address its default eu is taken"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, result := only(t, (*Describer).OpenAPI, operationOf(c.version, "/things", "post", c.members), Options{Namespace: "com.example", Access: "public"})
			wantJSON(t, c.member, got[c.member], c.want)
			wantTold(t, result, c.losses...)
			if len(c.losses) == 0 && len(result.Losses) != 1 {
				t.Errorf("got the losses\n%swant that of the title alone", told(result))
			}
		})
	}
}

func TestOperationsThatCantBeCalledAreLeftOut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, route, method, members, want string }{
		{"TRACE", "/a", "trace", "{}", "TRACE"},
		{"no operation", "/a", "get", "1", "this is no operation"},
		{"a path parameter that is not described", "/a/{b}", "get", "{}", "its path has {b}"},
		{"a path parameter of another name", "/a/{b}", "get", "parameters: [{name: c, in: path, required: true, schema: {type: string}}]", "its path has {b}"},
		{"a cookie that is required", "/a", "get", "parameters: [{name: c, in: cookie, required: true}]", "it can't be called without the parameter c: cookie"},
		{"two required parameters of one name", "/a", "get", "parameters: [{name: c, in: query, required: true}, {name: c, in: header, required: true}]", "without the parameter c"},
		{"a parameter in another file", "/a", "get", "parameters: [{$ref: 'other.yaml#/c'}]", "one of its parameters can't be read"},
		{"a body in another file", "/a", "post", "requestBody: {$ref: 'https://example.com/body.yaml'}", "its body can't be read"},
		{"a body without a media type", "/a", "post", "requestBody: {required: true, content: {}}", "its body has no media type"},
		{"a body of several types", "/a", "post", "requestBody: {required: true, content: {application/json: {schema: {oneOf: [{type: string}, {type: object}]}}}}", "of no type that its schema says"},
		{"a server that is no web address", "/a", "get", "servers: [{url: 'wss://example.com'}]", "the address wss://example.com of its server is no absolute http"},
		{"a relative server", "/a", "get", "servers: [{url: /v2}]", "the address of its server is /v2, and no base URL is given"},
		{"a server with a variable without a default", "/a", "get", "servers: [{url: 'https://{x}.example.com'}]", "has no default for x"},
		{"a server with a query", "/a", "get", "servers: [{url: 'https://example.com/?a=1'}]", "a path can't be added"},
		{"a path that no URL has", "/a b", "get", "{}", "the descriptor would break the rules: /endpoint/url: expected"},
		{"an id that is too long", "/a", "get", "operationId: " + strings.Repeat("a", 200), "the descriptor would break the rules: /id: expected"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			result := made(t, (*Describer).OpenAPI, operationOf("3.1.0", c.route, c.method, c.members), Options{Namespace: "com.example", Access: "public"})
			if result.Found != 1 || len(result.Skills) != 0 {
				t.Fatalf("got %d descriptors of %d, want none of one", len(result.Skills), result.Found)
			}
			if got := told(result); !strings.Contains(got, " skill left out: ") || !strings.Contains(got, c.want) {
				t.Errorf("got the losses\n%swant %q", got, c.want)
			}
			if n := strings.Count(told(result), "\n"); n != 2 {
				t.Errorf("got the losses\n%swant none of what an operation loses that is left out itself", told(result))
			}
		})
	}
}

func TestIdsAreMadeOnce(t *testing.T) {
	t.Parallel()
	const document = `{"openapi":"3.1.0","info":{},"paths":{
		"/a-b":{"get":{}},"/a/b":{"get":{}},"/c":{"get":{"operationId":"same"},"post":{"operationId":"Same"}}}}`
	result := made(t, (*Describer).OpenAPI, document, enough())
	if result.Found != 4 || len(result.Skills) != 2 {
		t.Errorf("got %d of %d descriptors, want 2 of 4", len(result.Skills), result.Found)
	}
	wantTold(t, result,
		"/paths/~1a~1b/get skill left out: its id would be com.example.get-a-b, which is that of /paths/~1a-b/get",
		"/paths/~1c/post skill left out: its id would be com.example.same, which is that of /paths/~1c/get")
}

func TestABaseURLStandsInForWhatIsRelativeOrVariable(t *testing.T) {
	t.Parallel()
	for server, want := range map[string]string{
		`{"url":"/v1"}`:                     "https://example.com/v1/a",
		`{"url":"v1/"}`:                     "https://example.com/v1/a",
		`{"url":"https://{x}.example.org"}`: "https://example.com/base/a",
		`{"url":"https://example.org/x"}`:   "https://example.org/x/a",
		`{"url":"//example.org/x"}`:         "https://example.org/x/a",
	} {
		document := `{"openapi":"3.1.0","info":{},"servers":[` + server + `],"paths":{"/a":{"get":{}}}}`
		got, _ := only(t, (*Describer).OpenAPI, document, enough())
		if url := got["endpoint"].(map[string]any)["url"]; url != want {
			t.Errorf("server %s: got %s, want %s", server, url, want)
		}
	}
	got, _ := only(t, (*Describer).OpenAPI, `{"openapi":"3.1.0","info":{},"paths":{"/a":{"get":{}}}}`, enough())
	if url := got["endpoint"].(map[string]any)["url"]; url != "https://example.com/a" {
		t.Errorf("no server: got %s, want the root of the base URL", url)
	}
}

func TestWebhooksAndWhatIsAroundOperationsIsTold(t *testing.T) {
	t.Parallel()
	const document = `
openapi: 3.1.0
info: {title: t, version: 1.2, license: {name: MIT}, termsOfService: https://example.com, contact: {name: c, email: e}, x-logo: 1}
tags: [{name: a, description: b}]
webhooks: {new: {post: {}}}
x-ext: 1
paths:
  /a: {$ref: '#/components/pathItems/a', x-b: 2}
  /b: {$ref: 'other.yaml'}
  x-c: 3
components: {pathItems: {a: {query: {}, get: {servers: [{url: https://example.com}]}}}}
`
	got, result := only(t, (*Describer).OpenAPI, document, Options{Namespace: "com.example", Access: "public"})
	if got["version"] != "1.2.0" || got["id"] != "com.example.get-a" {
		t.Errorf("got %v %v, want com.example.get-a 1.2.0", got["id"], got["version"])
	}
	wantTold(t, result,
		`/info/version text "1.2" is written 1.2.0`, "/info/license metadata", "/info/termsOfService metadata", "/info/contact/email metadata",
		"/info/x-logo metadata", "/tags metadata", "/webhooks/new calling", "/x-ext metadata", "/components/pathItems/a/query metadata",
		"/paths/~1b skill left out: it refers to other.yaml, and nothing outside of the document is read")
}
