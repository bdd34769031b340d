package client_test

import (
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
