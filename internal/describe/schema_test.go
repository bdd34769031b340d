package describe

import (
	"strings"
	"testing"
)

// A schema of OpenAPI, what it is in a descriptor, and what is lost.
func TestSchemasAreConverted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, version, schema, want string
		losses                      []string
	}{
		{"nullable", "3.0.0", `{type: string, nullable: true}`, `{"type":["string","null"]}`, nil},
		{"nullable without a type", "3.0.0", `{nullable: true, enum: [a]}`, `{"enum":["a"]}`, []string{"nullable schema left out"}},
		{"exclusive limits", "3.0.0", `{type: number, minimum: 1, exclusiveMinimum: true, maximum: 2, exclusiveMaximum: false}`,
			`{"type":"number","exclusiveMinimum":1,"maximum":2}`, nil},
		{"exclusive limits of today", "3.1.0", `{type: number, exclusiveMinimum: 1.50, exclusiveMaximum: x}`,
			`{"type":"number","exclusiveMinimum":1.5}`, []string{"exclusiveMaximum schema left out: this is no number"}},
		{"an example", "3.0.0", `{type: string, example: a}`, `{"type":"string","examples":["a"]}`, nil},
		{"a discriminator", "3.0.0", `{type: object, discriminator: {propertyName: kind}, xml: {name: x}, x-a: 1}`,
			`{"type":"object","xml":{"name":"x"},"x-a":1}`, []string{"discriminator schema left out"}},
		{"keywords of the wrong kind", "3.0.0", `{type: strin, required: true, enum: a, minLength: -1, maxLength: 1.5, pattern: 1, allOf: [], properties: [], items: [1], multipleOf: 0, minimum: a, uniqueItems: 1}`,
			`{}`, []string{"type schema left out", "required schema left out", "enum schema", "minLength schema", "maxLength schema", "pattern schema", "allOf schema",
				"properties schema", "items schema", "multipleOf schema", "minimum schema", "uniqueItems schema"}},
		{"required names that are there twice", "3.1.0", `{type: object, required: [a, a], dependentRequired: {a: [b], c: d}}`,
			`{"type":"object","dependentRequired":{"a":["b"]}}`, []string{"required schema", "dependentRequired/c schema"}},
		{"booleans", "3.1.0", `{type: object, additionalProperties: false, properties: {a: true}}`,
			`{"type":"object","additionalProperties":false,"properties":{"a":true}}`, nil},
		{"something that is no schema", "3.1.0", `{type: array, prefixItems: [1]}`, `{"type":"array","prefixItems":[true]}`, []string{"prefixItems/0 schema left open"}},
		{"bases and anchors", "3.1.0", `{type: object, $id: 'https://example.com/a', $anchor: a, $dynamicRef: '#a', $schema: 'https://json-schema.org/draft/2020-12/schema'}`,
			`{"type":"object"}`, []string{"$id schema left out", "$anchor schema left out", "$dynamicRef schema left out"}},
		{"a reference to nothing", "3.1.0", `{type: object, properties: {a: {$ref: '#/components/schemas/None'}}}`,
			`{"type":"object","properties":{"a":{}}}`, []string{"properties/a/$ref schema refers to #/components/schemas/None, which is not there"}},
		{"a reference to a file", "3.1.0", `{type: object, properties: {a: {$ref: '/etc/passwd', description: d}}}`,
			`{"type":"object","properties":{"a":{"description":"d"}}}`, []string{"properties/a/$ref schema refers to /etc/passwd, and nothing outside"}},
		{"what stands beside a reference, before", "3.0.0", `{type: object, properties: {a: {$ref: '#/components/schemas/Word', description: d, nullable: true, title: t}}}`,
			`{"type":"object","properties":{"a":{"$ref":"#/$defs/Word","description":"d"}},"$defs":{"Word":{"type":"string"}}}`, []string{"properties/a/title schema left out: beside $ref", "properties/a/nullable schema left out: without a type"}},
		{"what stands beside a reference, today", "3.1.0", `{type: object, properties: {a: {$ref: '#/components/schemas/Word', maxLength: 3}}}`,
			`{"type":"object","properties":{"a":{"$ref":"#/$defs/Word","maxLength":3}},"$defs":{"Word":{"type":"string"}}}`, nil},
		{"names that are alike", "3.1.0", `{type: array, prefixItems: [{$ref: '#/components/schemas/Word'}, {$ref: '#/components/schemas/A~1%C3%A4'}, {$ref: '#/components/x-other/Word'}]}`,
			`{"type":"array","prefixItems":[{"$ref":"#/$defs/Word"},{"$ref":"#/$defs/A_1_"},{"$ref":"#/$defs/Word-2"}],
			"$defs":{"Word":{"type":"string"},"A_1_":{"type":"boolean"},"Word-2":{"type":"number"}}}`, nil},
		{"a name that is empty", "3.1.0", `{type: array, items: {$ref: '#/components/schemas/'}}`,
			`{"type":"array","items":{"$ref":"#/$defs/-2"},"$defs":{"-2":{"type":"integer"}}}`, nil},
		{"a tree", "3.1.0", `{$ref: '#/components/schemas/Tree'}`,
			`{"type":"object","properties":{"left":{"$ref":"#"},"right":{"$ref":"#/$defs/Branch"}},"$defs":{"Branch":{"allOf":[{"$ref":"#"}]}}}`, nil},
		{"a circle of references", "3.1.0", `{type: array, items: {$ref: '#/components/schemas/Round'}}`,
			`{"type":"array","items":{"$ref":"#/$defs/Round"},"$defs":{"Round":{"$ref":"#/$defs/Round"}}}`, nil},
		{"digits", "3.1.0", `{type: number, maximum: 12345678901234567890.10, const: 0x1F}`, `{"type":"number","maximum":12345678901234567890.10,"const":31}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			document := "openapi: " + c.version + `
info: {}
components:
  schemas:
    Word: {type: string}
    '': {type: integer}
    A/ä: {type: boolean}
    Tree: {type: object, properties: {left: {$ref: '#/components/schemas/Tree'}, right: {$ref: '#/components/schemas/Branch'}}}
    Branch: {allOf: [{$ref: '#/components/schemas/Tree'}]}
    Round: {$ref: '#/components/schemas/Round'}
  x-other: {Word: {type: number}}
paths: {/a: {get: {responses: {'200': {content: {application/json: {schema: ` + c.schema + `}}}}}}}
`
			got, result := only(t, (*Describer).OpenAPI, document, enough())
			schema := got["output"].(map[string]any)["schema"]
			if c.want == "{}" {
				c.want = "null" // an empty schema is left out
			}
			wantJSON(t, "schema", schema, c.want)
			all := told(result)
			for _, loss := range c.losses {
				if !strings.Contains(all, "/schema/"+loss) {
					t.Errorf("got the losses\n%swant one at %s", all, loss)
				}
			}
			if n := strings.Count(all, " schema left ") + strings.Count(all, " schema refers "); n != len(c.losses) {
				t.Errorf("got the losses\n%swant %d of schemas", all, len(c.losses))
			}
		})
	}
}
