package client_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/client"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// The client's types stand apart from those of the registry, so that users need
// nothing else. This holds them to the same members.
func TestTheTypesHaveTheMembersOfTheProtocol(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]any{
		{client.Descriptor{}, protocol.Descriptor{}},
		{client.ProtocolVersion{}, protocol.ProtocolVersion{}},
		{client.Provider{}, protocol.Provider{}},
		{client.Endpoint{}, protocol.Endpoint{}},
		{client.Parameter{}, protocol.Parameter{}},
		{client.Output{}, protocol.Output{}},
		{client.Auth{}, protocol.Auth{}},
		{client.OAuth2{}, protocol.OAuth2{}},
		{client.Entry{}, protocol.IndexEntry{}},
		{client.Violation{}, protocol.Violation{}},
		{client.Warning{}, protocol.Warning{}},
	} {
		got, want := members(pair[0]), members(pair[1])
		if !slices.Equal(got, want) {
			t.Errorf("%T: got the members %v, want those of %T: %v", pair[0], got, pair[1], want)
		}
	}
}

// members lists the names of a type's JSON members.
func members(v any) []string {
	var names []string
	for _, field := range reflect.VisibleFields(reflect.TypeOf(v)) {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" && name != "-" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Names that differ in case alone are different names, which a descriptor may have.
func TestMembersOfOtherCaseAreOthers(t *testing.T) {
	t.Parallel()
	const document = `{"ID":5,"id":"com.a","Inputs":true,"auth":{"type":"none","Type":[]},"endpoint":{"url":"https://a.example","URL":1},
		"inputs":[{"name":"a","Name":{},"required":true,"REQUIRED":"no"}],"output":{"TYPE":0,"type":"object"},"Access":1,"access":"public"}`
	var d client.Descriptor
	if err := json.Unmarshal([]byte(document), &d); err != nil {
		t.Fatal(err)
	}
	if len(d.Inputs) != 1 || d.Inputs[0].Name != "a" || !d.Inputs[0].Required {
		t.Errorf("inputs: got %+v", d.Inputs)
	}
	for _, got := range [][2]string{{d.ID, "com.a"}, {d.Auth.Type, "none"}, {d.Endpoint.URL, "https://a.example"}, {d.Output.Type, "object"}, {d.Access, "public"}} {
		if got[0] != got[1] {
			t.Errorf("got %q, want %q", got[0], got[1])
		}
	}
	if err := json.Unmarshal([]byte(`{"auth":{"type":1}}`), &d); err == nil || !strings.Contains(err.Error(), "auth: type: ") {
		t.Errorf("a type that is a number: got %v, want an error that says where", err)
	}
}
