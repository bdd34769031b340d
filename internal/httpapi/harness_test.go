package httpapi_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/httpapi"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// adminKey is the configured admin key of every registry in the tests.
const adminKey = "an admin key that only tests have"

// registry is a whole registry behind a real listener. Every answer that its client
// gets is held to openapi.json.
type registry struct {
	t testing.TB
	// address is the listener's, and base the base URL: the same in most tests.
	address, base string
	client        *http.Client
	store         *store.Store
	// handler is what the listener serves.
	handler http.Handler
	// namespaces counts those that were given out.
	namespaces *atomic.Int64
}

// options change what a registry is made of.
type options struct {
	http    func(*httpapi.Options)
	catalog func(*catalog.Options)
	// base is the base URL, where it is not to be the listener's.
	base string
	// source puts something between the store and everything else.
	source func(*store.Store) source
}

// source is the store, as everything else knows it.
type source interface {
	catalog.Source
	httpapi.Store
}

func newRegistry(t testing.TB, storeURL string, change options) *registry {
	t.Helper()
	ctx := t.Context()
	db, err := store.Open(ctx, store.Options{URL: storeURL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.Migrate(ctx, nil); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + listener.Addr().String()
	base := address
	if change.base != "" {
		base = change.base
	}
	admin, err := access.NewConfiguredAdmin(adminKey)
	if err != nil {
		t.Fatal(err)
	}
	catalogOptions := catalog.Options{
		BaseURL: base, Provider: protocol.Provider{Name: "Tests"}, StaleIfError: time.Minute, Admin: admin, Now: time.Now,
	}
	if change.catalog != nil {
		change.catalog(&catalogOptions)
	}
	var from source = db
	if change.source != nil {
		from = change.source(db)
	}
	readable, err := catalog.Open(ctx, from, catalogOptions)
	if err != nil {
		t.Fatal(err)
	}
	validator, err := protocol.NewValidator(protocol.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	httpOptions := httpapi.Options{
		Validator: validator, Store: from, Catalog: readable, BaseURL: base,
		Version: httpapi.BuildInfo{Version: "1.2.3", Commit: "abc", GoVersion: "go1"},
	}
	if change.http != nil {
		change.http(&httpOptions)
	}
	handler, err := httpapi.New(httpOptions)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(handler)
	server.Listener.Close()
	server.Listener = listener
	server.Start()
	t.Cleanup(server.Close)
	transport := &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 20}
	t.Cleanup(transport.CloseIdleConnections)
	return &registry{
		t: t, address: address, base: base, store: db, handler: handler, namespaces: new(atomic.Int64),
		client: &http.Client{Transport: &contractTransport{t: t, next: transport, contract: loadContract(t)}},
	}
}

// in is the registry for a subtest.
func (g *registry) in(t testing.TB) *registry {
	sub := *g
	sub.t = t
	return &sub
}

// onEachStore runs a test against a registry on each kind of store.
func onEachStore(t *testing.T, test func(*testing.T, *registry)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, url string) { test(t, newRegistry(t, url, options{})) })
}

// onSQLite returns a registry for a test of what no store has a part in.
func onSQLite(t testing.TB, change options) *registry {
	t.Helper()
	return newRegistry(t, "sqlite:"+t.TempDir()+"/registry.db", change)
}

// contractTransport fails the test on an answer that openapi.json does not allow.
type contractTransport struct {
	t        testing.TB
	next     http.RoundTripper
	contract *contract
}

func (c *contractTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := c.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil {
		return nil, err
	}
	answer.Body = io.NopCloser(bytes.NewReader(body))
	plain := body
	if answer.Header.Get("Content-Encoding") == "gzip" && len(body) > 0 {
		if plain, err = gunzip(body); err != nil {
			c.t.Errorf("%s %s: %v", r.Method, r.URL, err)
		}
	}
	if err := c.contract.check(r, answer, plain); err != nil {
		c.t.Errorf("openapi.json does not allow the answer to %s %s: %v\n%d %v\n%.2000s", r.Method, r.URL, err, answer.StatusCode, answer.Header, plain)
	}
	return answer, nil
}

func gunzip(data []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// answer is what came back, with its body read.
type answer struct {
	t       testing.TB
	request string
	status  int
	header  http.Header
	body    []byte
}

// change changes a request before it is sent.
type change func(*http.Request)

// as sends a request with a key.
func as(key string) change { return header("Authorization", "Bearer "+key) }

func asAdmin() change { return as(adminKey) }

// header sets a header; an empty value removes it.
func header(name, value string) change {
	return func(r *http.Request) {
		if value == "" {
			r.Header.Del(name)
		} else {
			r.Header.Set(name, value)
		}
	}
}

// jsonBody sends a JSON body.
func jsonBody(body []byte) change {
	return func(r *http.Request) {
		r.Body = io.NopCloser(bytes.NewReader(body))
		r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
		r.ContentLength = int64(len(body))
		r.Header.Set("Content-Type", "application/json")
	}
}

// try sends a request. It may be called from any goroutine.
func (g *registry) try(method, path string, changes ...change) (*answer, error) {
	r, err := http.NewRequest(method, g.address+strings.TrimPrefix(path, g.base), nil)
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		c(r)
	}
	response, err := g.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	return &answer{t: g.t, request: method + " " + path, status: response.StatusCode, header: response.Header, body: body}, nil
}

func (g *registry) send(method, path string, changes ...change) *answer {
	g.t.Helper()
	a, err := g.try(method, path, changes...)
	if err != nil {
		g.t.Fatalf("%s %s: %v", method, path, err)
	}
	return a
}

func (g *registry) get(path string, changes ...change) *answer {
	g.t.Helper()
	return g.send(http.MethodGet, path, changes...)
}

// publish publishes a document as the administrator.
func (g *registry) publish(doc []byte, changes ...change) *answer {
	g.t.Helper()
	return g.send(http.MethodPost, "/v1/skills", append([]change{jsonBody(doc), asAdmin()}, changes...)...)
}

// published publishes small documents, given as id, version, access and type.
func (g *registry) published(docs ...[4]string) {
	g.t.Helper()
	for _, d := range docs {
		g.publish(protocoltest.Valid(d[0], d[1], d[2], d[3])).wantStatus(http.StatusCreated)
	}
}

// key makes a key and returns it with its id.
func (g *registry) key(scopes []string, namespaces ...string) (key, id string) {
	g.t.Helper()
	body := marshal(g.t, map[string]any{"name": "test", "scopes": scopes, "namespaces": namespaces})
	a := g.send(http.MethodPost, "/v1/keys", asAdmin(), jsonBody(body)).wantStatus(http.StatusCreated)
	return a.text("/key"), a.text("/id")
}

// namespace returns a namespace that no other test uses.
func (g *registry) namespace() string { return fmt.Sprintf("com.n%d", g.namespaces.Add(1)) }

func marshal(t testing.TB, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func (a *answer) String() string {
	return fmt.Sprintf("%s: %d %.1000s", a.request, a.status, a.body)
}

func (a *answer) wantStatus(want int) *answer {
	a.t.Helper()
	if a.status != want {
		a.t.Fatalf("%v; want status %d", a, want)
	}
	return a
}

// wantError checks the status and the code of an error answer.
func (a *answer) wantError(status int, code protocol.Code) *answer {
	a.t.Helper()
	a.wantStatus(status)
	if got := a.text("/error/code"); got != string(code) {
		a.t.Errorf("%v; want the code %s", a, code)
	}
	if a.text("/error/message") == "" {
		a.t.Errorf("%v; want a message", a)
	}
	return a
}

func (a *answer) wantHeader(name, want string) *answer {
	a.t.Helper()
	if got := a.header.Get(name); got != want {
		a.t.Errorf("%s: header %s is %q, want %q", a.request, name, got, want)
	}
	return a
}

// at returns what stands at a JSON Pointer, and nil where nothing does.
func (a *answer) at(pointer string) any {
	a.t.Helper()
	var v any
	d := json.NewDecoder(bytes.NewReader(a.body))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		a.t.Fatalf("%v: not JSON: %v", a, err)
	}
	for _, step := range strings.Split(pointer, "/")[1:] {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch parent := v.(type) {
		case map[string]any:
			v = parent[step]
		case []any:
			i := -1
			if _, err := fmt.Sscan(step, &i); err != nil || i < 0 || i >= len(parent) {
				return nil
			}
			v = parent[i]
		default:
			return nil
		}
	}
	return v
}

func (a *answer) text(pointer string) string {
	a.t.Helper()
	s, _ := a.at(pointer).(string)
	return s
}

// violations lists the fields of the violations in an error or a report.
func (a *answer) violations() []string {
	a.t.Helper()
	list, ok := a.at("/error/details/violations").([]any)
	if !ok {
		list, _ = a.at("/violations").([]any)
	}
	var fields []string
	for _, v := range list {
		fields = append(fields, v.(map[string]any)["field"].(string))
	}
	return fields
}

// entries lists the ids of an index that lie in a namespace, in its order.
func (a *answer) entries(namespace string) []string {
	a.t.Helper()
	a.wantStatus(http.StatusOK)
	var index protocolIndex
	if err := json.Unmarshal(a.body, &index); err != nil {
		a.t.Fatalf("%v: %v", a, err)
	}
	found := []string{}
	for _, e := range index.Skills {
		if inNamespace(namespace, e.ID) {
			found = append(found, e.ID)
		}
	}
	return found
}

// protocolIndex is an index as a client reads it.
type protocolIndex struct {
	Skills []indexEntry `json:"skills"`
}

type indexEntry struct {
	ID             string `json:"id"`
	CapabilityType string `json:"capability_type"`
	Access         string `json:"access"`
	Version        string `json:"version"`
}

func inNamespace(namespace, id string) bool { return access.Namespace(namespace).Covers(id) }

// chunked sends a JSON body whose length is not announced.
func chunked(body []byte) change {
	return func(r *http.Request) {
		jsonBody(body)(r)
		r.ContentLength = -1
		r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body)))
	}
}
