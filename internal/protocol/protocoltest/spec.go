package protocoltest

import (
	"encoding/json"
	"strings"
)

// spec is what the protocol says of one place in a document. It is written down here
// apart from the schema, so that the two can be held against each other.
type spec struct {
	types   []string // JSON types; none: any value
	enum    []string
	bad     []any // values of the right type that break the rule
	good    []any // values that keep it
	members []member
	items   *spec
	values  *spec // of members with any name
}

type member struct {
	name     string
	required bool
	spec
}

func required(name string, s spec) member { return member{name: name, required: true, spec: s} }
func optional(name string, s spec) member { return member{name: name, spec: s} }

func objectOf(members ...member) spec { return spec{types: []string{"object"}, members: members} }

func enumOf(values ...string) spec {
	bad := []any{"", "nonsense", values[0] + " ", strings.ToUpper(values[0])}
	good := []any{}
	for _, v := range values {
		good = append(good, v)
	}
	return spec{types: []string{"string"}, enum: values, bad: bad, good: good}
}

func text(good, bad []any) spec { return spec{types: []string{"string"}, good: good, bad: bad} }

// specOf returns the rules of a kind of document, by the names that the HTTP contract
// gives the kinds.
func specOf(kind string) spec {
	switch kind {
	case "descriptor":
		return descriptorSpec()
	case "index":
		return indexSpec()
	case "invocation-request":
		return requestSpec()
	case "invocation-response":
		return responseSpec()
	}
	panic("no kind of document: " + kind)
}

func descriptorSpec() spec {
	return objectOf(
		required("protocol", protocolSpec()),
		required("id", idSpec()),
		required("name", lineSpec(200)),
		required("version", versionSpec()),
		required("capability_type", capabilityTypeSpec()),
		required("description", textSpec()),
		required("provider", providerSpec()),
		required("endpoint", objectOf(
			required("url", urlSpec()),
			optional("method", text([]any{"GET", "QUERY"}, []any{"", "post", "PO ST", "-", strings.Repeat("A", 21)})),
			optional("content_type", mediaTypeSpec()),
			optional("status_url", templateSpec()),
			optional("result_url", templateSpec()),
		)),
		required("inputs", spec{types: []string{"array"}, items: new(parameterSpec())}),
		required("output", objectOf(
			required("type", valueTypeSpec()),
			optional("description", noteSpec()),
			optional("content_type", mediaTypeSpec()),
			optional("schema", schemaSpec()),
		)),
		required("auth", objectOf(
			required("type", enumOf("api_key", "custom", "none", "oauth2")),
			optional("description", noteSpec()),
			optional("header", text([]any{"X-API-Key"}, []any{"", "X API Key", "X-Key:", "é", strings.Repeat("a", 201)})),
			optional("oauth2", objectOf(
				required("authorization_url", urlSpec()),
				required("token_url", urlSpec()),
				required("scopes", spec{types: []string{"object"}, values: new(noteSpec())}),
			)),
		)),
		required("access", accessSpec()),
		optional("tags", spec{types: []string{"array"}, items: new(lineSpec(100)), bad: []any{manyTags(101)}, good: []any{manyTags(100)}}),
		optional("documentation_url", urlSpec()),
		optional("created_at", timeSpec()),
		optional("updated_at", timeSpec()),
	)
}

func indexSpec() spec {
	return objectOf(
		required("protocol", protocolSpec()),
		required("provider", providerSpec()),
		required("skills", spec{types: []string{"array"}, items: new(objectOf(
			required("id", idSpec()),
			required("name", lineSpec(200)),
			required("capability_type", capabilityTypeSpec()),
			required("description", textSpec()),
			required("descriptor_url", urlSpec()),
			required("access", accessSpec()),
			required("version", versionSpec()),
		))}),
	)
}

func requestSpec() spec {
	milliseconds := spec{
		types: []string{"integer"},
		good:  []any{json.Number("0"), json.Number("1e3"), json.Number("1000.0"), json.Number("9007199254740991")},
		bad:   []any{json.Number("-1"), json.Number("0.5"), json.Number("9007199254740992"), json.Number("1e400")},
	}
	return objectOf(
		required("caller", objectOf(
			required("id", lineSpec(200)),
			required("type", enumOf("ifay", "service", "user")),
			optional("credentials", spec{}),
		)),
		required("skill_id", idSpec()),
		required("inputs", spec{types: []string{"object"}}),
		optional("context", objectOf(
			optional("trace_id", lineSpec(200)),
			optional("priority", spec{types: []string{"string", "number"}}),
			optional("timeout_ms", milliseconds),
		)),
	)
}

func responseSpec() spec {
	count := spec{types: []string{"integer"}, bad: []any{json.Number("-1"), json.Number("1.5")}}
	return objectOf(
		required("execution_id", lineSpec(200)),
		required("status", enumOf("accepted", "running", "completed", "failed", "cancelled", "timeout")),
		required("skill_id", idSpec()),
		required("timestamps", objectOf(
			required("accepted_at", timeSpec()),
			optional("started_at", timeSpec()),
			optional("completed_at", timeSpec()),
		)),
		optional("output", spec{}),
		optional("error", objectOf(
			required("code", text([]any{"EXECUTION_TIMEOUT"}, []any{"", "lower", "A__B", "1A"})),
			required("message", textSpec()),
			optional("details", spec{types: []string{"object"}}),
			optional("retry", objectOf(
				required("suggested_delay_ms", count),
				required("max_attempts", count),
			)),
		)),
	)
}

func protocolSpec() spec {
	return objectOf(
		required("version", text(
			[]any{"1.0.0", "1.99.12345678901234567890"},
			[]any{"", "1", "1.0", "v1.0.0", "01.0.0", "1.0.0-rc1", "1.0.0+b", "1.0.0.0", "1.0.-1", "１.0.0", "1.0.0\n", " 1.0.0"})),
		optional("changelog_url", urlSpec()),
	)
}

func providerSpec() spec {
	return objectOf(required("name", lineSpec(200)), optional("url", urlSpec()))
}

func parameterSpec() spec {
	return objectOf(
		required("name", lineSpec(200)),
		required("type", valueTypeSpec()),
		optional("description", noteSpec()),
		optional("required", spec{types: []string{"boolean"}}),
		optional("default", spec{}),
		optional("enum", spec{types: []string{"array"}, bad: []any{[]any{}}}),
		optional("schema", schemaSpec()),
	)
}

// schemaSpec is what a schema member may be. Its own keywords are checked apart.
func schemaSpec() spec {
	o := func(keyword string, value any) map[string]any { return map[string]any{keyword: value} }
	return spec{
		types: []string{"object", "boolean"},
		good: []any{
			true, map[string]any{},
			o("$ref", "#/$defs/a"),
			o("x-unknown", []any{nil}),
			o("enum", []any{}),
			o("properties", o("type", o("type", "string"))),
		},
	}
}

func capabilityTypeSpec() spec { return enumOf("plugin", "api", "knowledge", "task") }
func accessSpec() spec         { return enumOf("public", "restricted", "private") }

func valueTypeSpec() spec {
	s := enumOf("string", "number", "integer", "boolean", "object", "array")
	s.bad = append(s.bad, "int", "null", "text")
	s.good = nil // another type may not fit the values beside it
	return s
}

func idSpec() spec {
	return text(
		[]any{"a.b", "000", "com.example.translate-v1", "a_b-c.d", strings.Repeat("a", 200)},
		[]any{
			"", "ab", "Com.Example.a", ".a.b", "a.b.", "a..b", "a.-b", "a/b", "a b", "a%2fb", "index.json", "com.exämple.a",
			"com.example.a\n", strings.Repeat("a", 201), "../etc", "com.example.a\x00", "-ab", "ab_", "a\u0660b",
		})
}

func versionSpec() spec {
	return text(
		[]any{"0.0.0", "1.0.0-rc.1+build.5", "1.0.0--", "2.0.0-0a", "1.0.99999999999999999999", "1.0.0+001", "1.0.0-0"},
		[]any{
			"", "1", "1.0", "v1.0.0", "01.0.0", "1.0.0-", "1.0.0-01", "1.0.0+", "1.0.0-a..b", "1.0.0 ", "latest", "1.0.0-ü",
			"1.0.0\n", "1.0.0+a+b", "1.0.0.0", "-1.0.0", "1.0.0-00", "1.0.0-a_b", "1.0." + strings.Repeat("9", 200),
		})
}

func lineSpec(max int) spec {
	return text(
		[]any{"x", strings.Repeat("語", max), "{execution_id}", "a\u00a0b", "\u200bx"},
		[]any{"", " ", "\u00a0\u3000", "\u200b", "a\nb", "a\x00b", "a\u0085", "\x7f", strings.Repeat("語", max+1)})
}

func textSpec() spec {
	return text(
		[]any{"x", "a\tb\r\nc", strings.Repeat("語", 10000)},
		[]any{"", " \n\t", "\u2028\u2029", "a\x00b", "a\x1bb", strings.Repeat("語", 10001)})
}

func noteSpec() spec {
	return text([]any{"", " ", "a\nb"}, []any{"a\x00b", "a\x0bb", strings.Repeat("語", 10001)})
}

func urlSpec() spec {
	return text(
		[]any{
			"http://a", "HTTPS://EXAMPLE.COM/", "https://a:1", "https://a:65535?q#f", "https://a.b.:80/%41", "http://[::]/", "http://[1:2:3:4:5:6:7:8]",
			"http://[1::8]", "http://255.0.0.1", "https://a/{b}", "https://e.example?a=[1]",
		},
		[]any{
			"", "javascript:alert(1)", "/invoke", "ftp://example.com/x", "example.com", "http://", "http:///x", "https:example.com", "https://exa mple.com", "file:///etc/passwd",
			"//example.com/x", "https://example.com:99999/", "https://example.com:0/", "https://example.com:/", "https://example.com:65536",
			"data:text/html,x", "https://exämple.com", "https://example.com/é", "https://example.com/a b", "https://example.com/\n", "https://example.com\n",
			"https://user@example.com", "https://user:password@example.com/", "https://-a.example", "https://a..b", "https://256.1.1.1", "https://1.2.3", "https://[::1", "https://[::1::]",
			"https://[1:2:3:4:5:6:7]", "https://[1:2:3:4:5:6:7:8:9]", "https://[12345::]", "https://a/%zz", "https://a/%2", "https://a#b#c", `https://a\b`, "https://a/<b>", " https://a",
			"https://a/" + strings.Repeat("a", 2000),
		})
}

func templateSpec() spec {
	return text(
		[]any{"https://a/{execution_id}", "https://a/?x={execution_id}&y={execution_id}"},
		[]any{"", "https://example.com/status", "https://example.com/r/{id}", "https://example.com/%7Bexecution_id%7D", "/s/{execution_id}", "{execution_id}", "https://{execution_id}", "ftp://a/{execution_id}"})
}

func mediaTypeSpec() spec {
	return text(
		[]any{"application/json", "text/plain;charset=utf-8", "a/b ; c=\"d e\""},
		[]any{"", "json", "application/", "a/b/c", "a/b;", "text/plain; charset", "a/b\n", "é/b", "a b/c"})
}

func timeSpec() spec {
	return text(
		[]any{"2026-01-01T00:00:00.123456789+05:30", "2024-02-29t00:00:00z", "1990-12-31T23:59:60Z"},
		[]any{
			"", "yesterday", "now", "2026-02-30T00:00:00Z", "2025-02-29T00:00:00Z", "2026-01-01", "2026-01-01T00:00:00", "2026-01-01 00:00:00Z", "2026-13-01T00:00:00Z",
			"2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:60Z", "2026-1-1T00:00:00Z", "2026-01-01T00:00Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+24:00",
			"2026-01-01T00:00:00+0100", "2026-01-01T00:00:00Z\n", "20260101T000000Z", "2026-01-01T00:00:00,5Z", "12026-01-01T00:00:00Z",
		})
}

func manyTags(n int) []any {
	tags := make([]any, n)
	for i := range tags {
		tags[i] = "tag"
	}
	return tags
}
