package describe

import (
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

func public() Options { return Options{Access: protocol.Public} }

func TestAServerBecomesADescriptor(t *testing.T) {
	t.Parallel()
	got, result := only(t, (*Describer).MCP, `{
	"$schema":"https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
	"name":"io.github.Owner/Weather_Server","title":"Weather","description":"Tells the weather.","version":"1.0",
	"websiteUrl":"https://example.com/weather","repository":{"url":"https://github.com/Owner/weather","source":"github"},
	"remotes":[
		{"type":"sse","url":"https://example.com/sse"},
		{"type":"streamable-http","url":"https://{host}/{tenant}/mcp",
		 "variables":{"host":{"default":"mcp.example.com"},"tenant":{"description":"Yours.","choices":["a","b"],"default":"a"}},
		 "headers":[
			{"name":"X-Key","isSecret":true,"isRequired":true,"description":"Ask for one."},
			{"name":"X-Limit","format":"number","default":"1.50","placeholder":"10","isRequired":true},
			{"name":"X-Fixed","value":"yes"}]}],
	"packages":[{"registryType":"npm","identifier":"@owner/weather","version":"1.0.0","transport":{"type":"stdio"}}],
	"icons":[]}`, public())
	wantJSON(t, "the descriptor", got, `{
	"protocol":{"version":"1.0.0"},"id":"io.github.owner.weather_server","name":"Weather","version":"1.0.0","capability_type":"plugin",
	"description":"Tells the weather.","provider":{"name":"io.github.Owner"},"documentation_url":"https://example.com/weather",
	"endpoint":{"url":"https://mcp.example.com/{tenant}/mcp","method":"POST","content_type":"application/json"},
	"inputs":[
		{"name":"tenant","in":"path","type":"string","required":true,"description":"Yours.","enum":["a","b"],"default":"a"},
		{"name":"Accept","in":"header","type":"string","required":true,"enum":["application/json, text/event-stream"],"description":"Both forms that an answer may have."},
		{"name":"jsonrpc","in":"body","type":"string","required":true,"enum":["2.0"],"description":"Version of JSON-RPC."},
		{"name":"id","in":"body","type":"string","required":true,"description":"By which the answer is found again."},
		{"name":"method","in":"body","type":"string","required":true,"description":"Method of the Model Context Protocol: initialize comes first, tools/list tells which tools there are, tools/call calls one."},
		{"name":"params","in":"body","type":"object","description":"Parameters of the method; for tools/call the name of a tool and its arguments."},
		{"name":"X-Limit","in":"header","type":"number","required":true,"default":1.50,"schema":{"type":"number","examples":["10"]}},
		{"name":"X-Fixed","in":"header","type":"string","enum":["yes"],"default":"yes"}],
	"output":{"type":"object","content_type":"application/json","description":"The JSON-RPC answer, with result or error; it may come as a stream of events (text/event-stream) instead."},
	"auth":{"type":"api_key","header":"X-Key","description":"Header X-Key. Ask for one."},"access":"public"}`)
	wantTold(t, result, "/packages/0 address left out: the package @owner/weather (npm) is run by its user", "/remotes/0 address left out: a descriptor has one endpoint",
		"/remotes/1/variables/host address its default mcp.example.com is taken", `/version text "1.0" is written 1.0.0`,
		"/repository/url metadata left out", "/icons metadata left out", " calling its tools are not in server.json")
}

// The forms that server.json had, and what of them becomes address, version and credentials.
func TestServersInTheFormsOfEachVersion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, server string
		id, version  string
		address      string
		auth         string
	}{
		{"July 2025, names with underscores", `{"name":"com.example/a","description":"d","version_detail":{"version":"1.2.3"},"remotes":[
			{"transport_type":"streamable","url":"https://example.com/mcp","headers":[{"name":"X-Key","is_secret":true,"is_required":true}]}],
			"packages":[{"registry_name":"npm","name":"x","version":"1.0.0"}],"repository":{"url":"https://example.com","source":"github"}}`,
			"com.example.a", "1.2.3", "POST https://example.com/mcp", "api_key"},
		{"September 2025", `{"name":"com.example/a","description":"d","version":"1.0.0","status":"active","remotes":[
			{"type":"sse","url":"https://example.com/sse"}],"_meta":{}}`, "com.example.a", "1.0.0", "GET https://example.com/sse", "custom"},
		{"a secret in a template", `{"name":"com.example/a","description":"d","version":"1.0.0","remotes":[{"type":"streamable-http","url":"https://example.com/mcp",
			"headers":[{"name":"X-Auth","value":"Token {token}","variables":{"token":{"isSecret":true}}}]}]}`, "com.example.a", "1.0.0", "POST https://example.com/mcp", "custom"},
		{"an answer of a registry", `{"servers":[{"server":{"name":"com.example/a","description":"d","version":"1.0.0","remotes":[{"type":"streamable-http","url":"https://example.com/mcp"}]},
			"_meta":{"io.modelcontextprotocol.registry/official":{}}}],"metadata":{"count":1}}`, "com.example.a", "1.0.0", "POST https://example.com/mcp", "custom"},
		{"a list", `[{"name":"com.example/a","description":"d","version":"1.0.0","remotes":[{"type":"streamable-http","url":"https://example.com/mcp",
			"headers":[{"name":"Authorization"}]}],"repository":"https://example.com"}]`, "com.example.a", "1.0.0", "POST https://example.com/mcp", "custom"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, _ := only(t, (*Describer).MCP, c.server, public())
			endpoint, auth := got["endpoint"].(map[string]any), got["auth"].(map[string]any)
			if address := endpoint["method"].(string) + " " + endpoint["url"].(string); got["id"] != c.id || got["version"] != c.version || address != c.address || auth["type"] != c.auth {
				t.Errorf("got %v %v at %s with auth %v, want %s %s at %s with %s", got["id"], got["version"], address, auth, c.id, c.version, c.address, c.auth)
			}
			for _, p := range got["inputs"].([]any) {
				if p.(map[string]any)["in"] == "header" && p.(map[string]any)["name"] != "Accept" {
					t.Errorf("got the input %v, want what holds a secret in auth alone", p)
				}
			}
		})
	}
}

func TestServersWithoutAnAddressAreLeftOut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, members, want string }{
		{"packages alone", `"packages":[{"registryType":"oci","identifier":"x"}]`, "it has no remote"},
		{"a package that listens on its user's machine", `"packages":[{"registryType":"npm","identifier":"x","transport":{"type":"streamable-http","url":"http://localhost:8080/mcp"}}]`, "it has no remote"},
		{"a remote of a kind that is not known", `"remotes":[{"type":"websocket","url":"https://example.com"}]`, "it has no remote"},
		{"a host that is variable", `"remotes":[{"type":"sse","url":"https://{tenant}.example.com/mcp","variables":{"tenant":{"isRequired":true}}}]`, "has tenant in the host"},
		{"an address that is all variable", `"remotes":[{"type":"sse","url":"{base}/mcp"}]`, "has base in the host"},
		{"no web address", `"remotes":[{"type":"sse","url":"npx server"}]`, "no absolute http or https URL"},
		{"deleted", `"status":"deleted","remotes":[{"type":"sse","url":"https://example.com"}]`, "its status is deleted"},
	} {
		result := made(t, (*Describer).MCP, `{"name":"com.example/a","description":"d","version":"1.0.0",`+c.members+`}`, public())
		if len(result.Skills) != 0 || result.Found != 1 || !strings.Contains(told(result), " skill left out: ") || !strings.Contains(told(result), c.want) {
			t.Errorf("%s: got %d descriptors and the losses\n%swant none, and %q", c.name, len(result.Skills), told(result), c.want)
		}
	}
}

func TestOneBadServerDoesNotSpoilAList(t *testing.T) {
	t.Parallel()
	const good = `{"name":"com.example/a","description":"d","version":"1.0.0","remotes":[{"type":"sse","url":"https://example.com"}]}`
	result := made(t, (*Describer).MCP, `[1,{"name":"x"},`+strings.Replace(good, "1.0.0", "latest", 1)+","+good+","+good+"]", public())
	if result.Found != 5 || len(result.Skills) != 1 {
		t.Errorf("got %d descriptors of %d, want 1 of 5", len(result.Skills), result.Found)
	}
	wantTold(t, result, "/0 skill left out: ", "/1 skill left out: ", "/2 skill left out: it needs a version", "/4 skill left out: its id would be com.example.a, which is that of /3")
}
