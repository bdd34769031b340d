package protocol

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestSchemaHasTheAddressWhereItIsServed(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"": schemaID,
		"https://r.example/schemas/1.0.0/schema.json": "https://r.example/schemas/1.0.0/schema.json",
		`https://r.example/"\`:                        `https://r.example/"\`,
	} {
		var schema struct {
			ID     string `json:"$id"`
			Schema string `json:"$schema"`
		}
		if err := json.Unmarshal(Schema(id), &schema); err != nil {
			t.Fatalf("Schema(%q): %v", id, err)
		}
		if schema.ID != want || schema.Schema != "https://json-schema.org/draft/2020-12/schema" {
			t.Errorf("Schema(%q) has $id %s and $schema %s, want $id %s", id, schema.ID, schema.Schema, want)
		}
	}
	data := Schema("")
	if !bytes.Equal(data, schemaJSON) {
		t.Error(`Schema("") is not the schema as embedded`)
	}
	data[0] = 'x'
	if schemaJSON[0] == 'x' {
		t.Error("Schema gives away the embedded bytes themselves")
	}
}

// The Go types have exactly the members of the schema, and can leave out exactly those
// that are not required.
func TestGoTypesHaveTheMembersOfTheSchema(t *testing.T) {
	t.Parallel()
	definitions := schemaDefinitions(t)
	for name, goType := range map[string]reflect.Type{
		"descriptor":      reflect.TypeFor[Descriptor](),
		"protocolVersion": reflect.TypeFor[ProtocolVersion](),
		"provider":        reflect.TypeFor[Provider](),
		"endpoint":        reflect.TypeFor[Endpoint](),
		"parameter":       reflect.TypeFor[Parameter](),
		"output":          reflect.TypeFor[Output](),
		"auth":            reflect.TypeFor[Auth](),
		"oauth2":          reflect.TypeFor[OAuth2](),
		"index":           reflect.TypeFor[Index](),
		"indexEntry":      reflect.TypeFor[IndexEntry](),
		"error":           reflect.TypeFor[ErrorAnswer](),
		"errorDetail":     reflect.TypeFor[ErrorDetail](),
		"retry":           reflect.TypeFor[Retry](),
		"violation":       reflect.TypeFor[Violation](),
	} {
		definition := definitions[name]
		var members, required []string
		for field := range goType.Fields() {
			member, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			if options == "embed" {
				continue
			}
			members = append(members, member)
			if options == "" {
				required = append(required, member)
			}
		}
		var properties []string
		for property := range definition.Properties {
			properties = append(properties, property)
		}
		for _, list := range [][]string{members, properties, required, definition.Required} {
			slices.Sort(list)
		}
		if !slices.Equal(members, properties) {
			t.Errorf("%s has the members %q, the schema's %s has %q", goType, members, name, properties)
		}
		if !slices.Equal(required, definition.Required) {
			t.Errorf("%s requires %q, the schema's %s requires %q", goType, required, name, definition.Required)
		}
	}
}

// The constants of Go are the enumerations of the schema, in their order.
func TestGoConstantsAreTheEnumerationsOfTheSchema(t *testing.T) {
	t.Parallel()
	definitions := schemaDefinitions(t)
	var capabilityTypes []string
	for _, c := range CapabilityTypes() {
		capabilityTypes = append(capabilityTypes, string(c))
	}
	for name, want := range map[string][]string{
		"capabilityType": capabilityTypes,
		"access":         {string(Public), string(Restricted), string(Private)},
		"valueType":      valueTypes(),
	} {
		if got := definitions[name].Enum; !slices.Equal(got, want) {
			t.Errorf("the schema's %s is one of %q, in Go one of %q", name, got, want)
		}
	}
}

// Every member of every document is described: the documentation and other languages'
// types are made from that.
func TestSchemaDescribesEveryMember(t *testing.T) {
	t.Parallel()
	var schema map[string]any
	if err := json.Unmarshal(schemaJSON, &schema); err != nil {
		t.Fatal(err)
	}
	walkSchema(schema, "#", func(at string, node map[string]any) {
		if strings.HasPrefix(at, "#/$defs/jsonSchema/properties") {
			return // the draft describes its keywords
		}
		_, asserts := node["properties"].(map[string]any)
		if asserts && !strings.HasSuffix(at, "/if") && !strings.HasSuffix(at, "/details") && node["title"] == nil {
			t.Errorf("%s has no title", at)
		}
		properties, _ := node["properties"].(map[string]any)
		for name, member := range properties {
			if inner, ok := member.(map[string]any); ok && inner["description"] == nil && !strings.HasSuffix(at, "/if") && at != "#/$defs/jsonSchema" {
				t.Errorf("%s has a member %s without a description", at, name)
			}
		}
		if strings.Count(at, "/") == 2 && node["description"] == nil && node["allOf"] == nil {
			t.Errorf("%s has no description", at)
		}
	})
}

type definition struct {
	Required   []string                   `json:"required"`
	Properties map[string]json.RawMessage `json:"properties"`
	Enum       []string                   `json:"enum"`
}

func schemaDefinitions(t *testing.T) map[string]definition {
	t.Helper()
	var schema struct {
		Defs map[string]definition `json:"$defs"`
	}
	if err := json.Unmarshal(schemaJSON, &schema); err != nil {
		t.Fatal(err)
	}
	return schema.Defs
}
