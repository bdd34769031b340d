package access_test

import (
	"testing"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

func TestNamespaceCoversAtDots(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		namespace access.Namespace
		id        string
		want      bool
	}{
		{"com.example", "com.example", true},
		{"com.example", "com.example.a", true},
		{"com.example", "com.example.a.b", true},
		{"com.example", "com.examplex", false},
		{"com.example", "com.example-x", false},
		{"com.example", "com.example_x.a", false},
		{"com.example", "com", false},
		{"com.example", "org.com.example", false},
		{"*", "com.example", true},
		{"", "com.example", false},
		{"", "", false},
		{"com.*", "com.example", false},
	} {
		if got := test.namespace.Covers(test.id); got != test.want {
			t.Errorf("%q covers %q: %t, want %t", test.namespace, test.id, got, test.want)
		}
	}
}

func TestWhatCallersMayDo(t *testing.T) {
	t.Parallel()
	const inside, outside = "com.example.a", "org.example.a"
	key := func(s ...access.Scope) access.Caller {
		return access.Caller{KeyID: "k", Scopes: s, Namespaces: []access.Namespace{"com.example"}}
	}
	for _, test := range []struct {
		name                    string
		caller                  access.Caller
		anonymous, administers  bool
		publishesSomewhere      bool
		publishIn, publishOut   bool
		readIn, readOut         bool
		seesOpen, seesInPrivate bool
	}{
		{name: "anonymous", anonymous: true, seesOpen: true},
		{name: "a key without scopes", caller: key(), seesOpen: true},
		{name: "a scope that is not known", caller: key("root"), seesOpen: true},
		{name: "read", caller: key(access.Read), readIn: true, seesOpen: true, seesInPrivate: true},
		{name: "publish", caller: key(access.Publish), publishesSomewhere: true, publishIn: true, readIn: true, seesOpen: true, seesInPrivate: true},
		{name: "publish nowhere", caller: access.Caller{KeyID: "k", Scopes: []access.Scope{access.Publish}}, seesOpen: true},
		{
			name: "admin", caller: key(access.Admin), administers: true, publishesSomewhere: true,
			publishIn: true, publishOut: true, readIn: true, readOut: true, seesOpen: true, seesInPrivate: true,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := test.caller
			for _, fact := range []struct {
				name      string
				got, want bool
			}{
				{"anonymous", c.Anonymous(), test.anonymous},
				{"administers", c.Administers(), test.administers},
				{"publishes somewhere", c.PublishesSomewhere(), test.publishesSomewhere},
				{"may publish inside", c.MayPublish(inside), test.publishIn},
				{"may publish outside", c.MayPublish(outside), test.publishOut},
				{"may read private inside", c.MayReadPrivate(inside), test.readIn},
				{"may read private outside", c.MayReadPrivate(outside), test.readOut},
				{"sees a public skill", c.Sees(outside, protocol.Public, protocol.Public), test.seesOpen},
				{"sees a restricted skill", c.Sees(outside, protocol.Restricted, protocol.Restricted), test.seesOpen},
				{"sees a private version of an open skill", c.Sees(inside, protocol.Public, protocol.Private), test.seesInPrivate},
				{"sees an open version of a private skill", c.Sees(inside, protocol.Private, protocol.Public), test.seesInPrivate},
				{"sees an access that is not known", c.Sees(inside, "secret", "secret"), test.seesInPrivate},
				{"sees an empty access", c.Sees(inside, "", ""), test.seesInPrivate},
			} {
				if fact.got != fact.want {
					t.Errorf("%s: %t, want %t", fact.name, fact.got, fact.want)
				}
			}
		})
	}
}
