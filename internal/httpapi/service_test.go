package httpapi_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/httpapi"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

func TestServiceAnswers(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		tests := map[string]map[string]any{
			"/livez":   {"/status": "live"},
			"/readyz":  {"/status": "ready"},
			"/version": {"/version": "1.2.3", "/commit": "abc", "/go_version": "go1", "/protocol": "1.0.0"},
			"/schemas/1.0.0/schema.json": {
				"/$schema": "https://json-schema.org/draft/2020-12/schema", "/$id": g.base + "/schemas/1.0.0/schema.json",
			},
			"/openapi.json": {"/servers/0/url": g.base},
		}
		for path, want := range tests {
			// They look at no credentials: a health check with a key that was revoked is one still.
			for _, who := range []change{header("X-None", ""), as("wrong"), asAdmin()} {
				a := g.get(path, who).wantStatus(200).wantHeader("Content-Type", "application/json")
				for pointer, value := range want {
					if got := a.at(pointer); got != value {
						t.Errorf("%s: %s is %v, want %v", path, pointer, got, value)
					}
				}
			}
		}
	})
}

func TestServedSchemaIsTheProtocols(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	if got, want := string(g.get("/schemas/1.0.0/schema.json").body), string(protocol.Schema(g.base+"/schemas/1.0.0/schema.json")); got != want {
		t.Errorf("the schema that is served is not that of the protocol: %.200s", got)
	}
}

// What openapi.json says of documents is what the schema says: the same members, the
// same of them required, the same values.
func TestOpenAPISaysOfDocumentsWhatTheSchemaSays(t *testing.T) {
	t.Parallel()
	definitions := func(data []byte, path ...string) map[string]any {
		var v map[string]any
		if err := json.Unmarshal(data, &v); err != nil {
			t.Fatal(err)
		}
		for _, p := range path {
			v = v[p].(map[string]any)
		}
		return v
	}
	schema := definitions(protocol.Schema(""), "$defs")
	g := onSQLite(t, options{})
	openapi := definitions(g.get("/openapi.json").body, "components", "schemas")
	for name, component := range map[string]string{
		"descriptor": "Descriptor", "protocolVersion": "ProtocolVersion", "provider": "Provider", "endpoint": "Endpoint",
		"parameter": "Parameter", "output": "Output", "auth": "Auth", "oauth2": "OAuth2", "index": "Index", "indexEntry": "IndexEntry",
		"invocationRequest": "InvocationRequest", "caller": "Caller", "invocationContext": "InvocationContext",
		"invocationResponse": "InvocationResponse", "timestamps": "Timestamps", "error": "Error", "errorDetail": "ErrorDetail",
		"violation": "Violation", "retry": "Retry", "capabilityType": "CapabilityType", "access": "Access", "valueType": "ValueType",
	} {
		want, _ := schema[name].(map[string]any)
		got, _ := openapi[component].(map[string]any)
		if want == nil || got == nil {
			t.Errorf("%s: in the schema %v, in openapi.json %v", name, want != nil, got != nil)
			continue
		}
		for _, keyword := range []string{"type", "required", "enum"} {
			if !reflect.DeepEqual(got[keyword], want[keyword]) {
				t.Errorf("%s: %s is %v in openapi.json, and %v in the schema", component, keyword, got[keyword], want[keyword])
			}
		}
		ours, _ := got["properties"].(map[string]any)
		theirs, _ := want["properties"].(map[string]any)
		if got, want := names(ours), names(theirs); !slices.Equal(got, want) {
			t.Errorf("%s: members %v in openapi.json, and %v in the schema", component, got, want)
		}
		for member, v := range theirs {
			want := v.(map[string]any)
			got, _ := ours[member].(map[string]any)
			if want["enum"] != nil && !reflect.DeepEqual(got["enum"], want["enum"]) {
				t.Errorf("%s.%s: %v in openapi.json, and %v in the schema", component, member, got["enum"], want["enum"])
			}
			if want["default"] != nil && !reflect.DeepEqual(got["default"], want["default"]) {
				t.Errorf("%s.%s: the default is %v in openapi.json, and %v in the schema", component, member, got["default"], want["default"])
			}
		}
	}
}

func names(members map[string]any) []string {
	var all []string
	for name := range members {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

func TestOpenAPINamesEveryCode(t *testing.T) {
	t.Parallel()
	code := loadContract(t).doc.Components.Schemas["ErrorCode"].Value
	for _, c := range []protocol.Code{
		protocol.CodeValidation, protocol.CodeAuthRequired, protocol.CodePermissionDenied, protocol.CodeSkillNotFound,
		protocol.CodeVersionIncompatible, protocol.CodeEndpointUnreachable,
		httpapi.CodeInvalidJSON, httpapi.CodeInvalidQuery, httpapi.CodeNotFound, httpapi.CodeKeyNotFound, httpapi.CodeMethodNotAllowed,
		httpapi.CodeRequestTimeout, httpapi.CodeVersionExists, httpapi.CodeBreakingChange, httpapi.CodeBodyTooLarge, httpapi.CodeUnsupportedMediaType,
		httpapi.CodeRateLimited, httpapi.CodeInternal,
	} {
		if !slices.Contains(code.Enum, any(string(c))) || !strings.Contains(code.Description, string(c)+" (") {
			t.Errorf("openapi.json does not list and explain the code %s", c)
		}
	}
}

func TestNewRefusesWhatItCantWorkWith(t *testing.T) {
	t.Parallel()
	validator, err := protocol.NewValidator(protocol.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	g := onSQLite(t, options{})
	good := httpapi.Options{Validator: validator, Store: g.store, Catalog: &catalog.Catalog{}, BaseURL: "https://registry.example/below/"}
	if _, err := httpapi.New(good); err != nil {
		t.Fatalf("New with all it needs: %v", err)
	}
	tests := map[string]func(*httpapi.Options){
		"no validator":               func(o *httpapi.Options) { o.Validator = nil },
		"no store":                   func(o *httpapi.Options) { o.Store = nil },
		"no catalog":                 func(o *httpapi.Options) { o.Catalog = nil },
		"no base URL":                func(o *httpapi.Options) { o.BaseURL = "" },
		"a base URL without scheme":  func(o *httpapi.Options) { o.BaseURL = "registry.example" },
		"a base URL of another kind": func(o *httpapi.Options) { o.BaseURL = "ftp://registry.example" },
		"a base URL without a host":  func(o *httpapi.Options) { o.BaseURL = "http:///x" },
		"a base URL with a query":    func(o *httpapi.Options) { o.BaseURL = "http://registry.example?x" },
		"a base URL with a fragment": func(o *httpapi.Options) { o.BaseURL = "http://registry.example#x" },
		"a base URL with a password": func(o *httpapi.Options) { o.BaseURL = "http://a:b@registry.example" },
	}
	for name, spoil := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := good
			spoil(&o)
			if _, err := httpapi.New(o); err == nil {
				t.Errorf("New(%+v) takes it", o)
			}
		})
	}
}

func TestDrainingSendsCallersElsewhere(t *testing.T) {
	t.Parallel()
	draining := make(chan struct{})
	g := onSQLite(t, options{http: func(o *httpapi.Options) { o.Draining = draining }})
	connection := func() string {
		answer := httptest.NewRecorder()
		g.handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/livez", nil))
		return answer.Header().Get("Connection")
	}
	g.get("/readyz").wantStatus(200)
	if got := connection(); got != "" {
		t.Errorf("before: got Connection %q, want none", got)
	}
	close(draining)
	g.get("/readyz").wantError(503, protocol.CodeEndpointUnreachable).wantHeader("Retry-After", "1")
	// Until they have gone, everything is answered, and no connection is kept for more.
	g.get("/livez").wantStatus(200)
	g.published([4]string{"com.example.late", "1.0.0", "public", "api"})
	g.get("/v1/skills/com.example.late").wantStatus(200)
	if got := connection(); got != "close" {
		t.Errorf("Connection: got %q, want close", got)
	}
}
