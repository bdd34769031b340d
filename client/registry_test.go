package client_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/client"
	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/httpapi"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

const adminKey = "an-admin-key-of-the-tests-0123456789"

// registry is a real registry, but for the command around it.
type registry struct {
	http.Handler
	url string
}

// serve runs a registry on a database. It knows itself by another address than the
// one it is reached by, as behind a proxy.
func serve(t *testing.T, databaseURL string) registry {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{URL: databaseURL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if _, err := s.Migrate(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	admin, err := access.NewConfiguredAdmin(adminKey)
	if err != nil {
		t.Fatal(err)
	}
	c, err := catalog.Open(t.Context(), s, catalog.Options{
		BaseURL: "https://skills.example.com", Provider: protocol.Provider{Name: "tests"}, Admin: admin, Now: time.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	validator, err := protocol.NewValidator(protocol.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	handler, err := httpapi.New(httpapi.Options{Validator: validator, Store: s, Catalog: c, BaseURL: "https://skills.example.com"})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return registry{handler, server.URL}
}

// open returns a client with a key.
func open(t *testing.T, url, key string) *client.Client {
	t.Helper()
	c, err := client.New(url, client.Options{Key: key})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// publish publishes a valid descriptor.
func publish(t *testing.T, c *client.Client, id, access, capabilityType string) {
	t.Helper()
	if _, err := c.Publish(t.Context(), protocoltest.Valid(id, "1.0.0", access, capabilityType), client.PublishOptions{}); err != nil {
		t.Fatalf("publishing %s: %v", id, err)
	}
}

// proxied puts a handler in front of the registry, which calls through where it wants.
func proxied(t *testing.T, front func(next http.Handler) http.HandlerFunc) string {
	t.Helper()
	r := serve(t, storetest.SQLite(t))
	server := httptest.NewServer(front(r))
	t.Cleanup(server.Close)
	return server.URL
}
