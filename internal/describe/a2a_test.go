package describe

import (
	"strings"
	"testing"
)

func TestASkillOfAnAgentBecomesADescriptor(t *testing.T) {
	t.Parallel()
	got, result := only(t, (*Describer).A2A, `{
	"protocolVersion":"0.3.0","name":"Planner","description":"Plans.","url":"https://agents.example.com:8443/grpc","preferredTransport":"GRPC",
	"additionalInterfaces":[{"url":"https://agents.example.com/rest/","transport":"HTTP+JSON"},{"url":"https://agents.example.com/a2a","transport":"JSONRPC"}],
	"provider":{"organization":"Example Corp","url":"https://example.com"},"version":"2.0.1","documentationUrl":"https://example.com/docs",
	"capabilities":{"streaming":true},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain","application/json"],
	"securitySchemes":{"key":{"type":"apiKey","in":"header","name":"X-Key"},"google":{"type":"openIdConnect","openIdConnectUrl":"https://example.com/oidc"}},
	"security":[{"key":[]}],
	"skills":[{"id":"planTrip","name":"Plan a trip","description":"Plans a trip.","tags":["travel"],"examples":["To Rome"],"outputModes":["text/html"]}]}`, public())
	wantJSON(t, "the descriptor", got, `{
	"protocol":{"version":"1.0.0"},"id":"com.example.agents.plan-trip","name":"Plan a trip","version":"2.0.1","capability_type":"task",
	"description":"Plans a trip.","provider":{"name":"Example Corp","url":"https://example.com"},"tags":["travel"],"documentation_url":"https://example.com/docs",
	"endpoint":{"url":"https://agents.example.com/a2a","method":"POST","content_type":"application/json"},
	"inputs":[
		{"name":"jsonrpc","in":"body","type":"string","required":true,"enum":["2.0"],"description":"Version of JSON-RPC."},
		{"name":"id","in":"body","type":"string","required":true,"description":"By which the answer is found again."},
		{"name":"method","in":"body","type":"string","required":true,"enum":["message/send"],"description":"Method of the Agent2Agent protocol."},
		{"name":"params","in":"body","type":"object","required":true,"description":"The message, with parts such as {\"kind\": \"text\", \"text\": \"…\"}; media types: text/plain.",
		 "schema":{"type":"object","required":["message"],"properties":{"message":{"type":"object","required":["messageId","role","parts"],"properties":{
			"messageId":{"type":"string","description":"Chosen by the sender, for each message anew."},"role":{"const":"user"},
			"parts":{"type":"array","minItems":1,"items":{"type":"object"}}}}}}}],
	"output":{"type":"object","content_type":"application/json","description":"The JSON-RPC answer; its result is a task or a message. Media types of its parts: text/html"},
	"auth":{"type":"api_key","header":"X-Key"},"access":"public"}`)
	wantTold(t, result, "/name metadata", "/description metadata", "/capabilities calling", "/url address left out", "/additionalInterfaces/0 address left out", "/skills/0/examples metadata")
}

// A card, the method and address that its skill is asked at, and how a caller authenticates.
func TestCardsInTheFormsOfEachVersion(t *testing.T) {
	t.Parallel()
	const rest = `,"name":"a","version":"1.0.0","provider":{"organization":"Example"},"skills":[{"id":"a","name":"A","description":"d"}]}`
	for _, c := range []struct{ name, card, address, inputs, auth string }{
		{"0.2 with the first way to authenticate", `{"url":"https://example.com/","authentication":{"schemes":["Bearer","Basic"]}` + rest, "https://example.com/", "jsonrpc id method params",
			`{"type":"custom","description":"Authentication by Bearer or Basic."}`},
		{"0.2 without any", `{"url":"https://example.com/"` + rest, "https://example.com/", "jsonrpc id method params", `{"type":"none"}`},
		{"0.3 over REST", `{"url":"https://example.com/api/","preferredTransport":"HTTP+JSON","securitySchemes":{"b":{"type":"http","scheme":"bearer"}}` + rest,
			"https://example.com/api/v1/message:send", "message", `{"type":"custom","description":"Authorization header of the scheme bearer."}`},
		{"1.0", `{"supportedInterfaces":[{"url":"https://example.com/grpc","protocolBinding":"GRPC"},{"url":"https://example.com/a2a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],
			"securitySchemes":{"o":{"oauth2SecurityScheme":{"flows":{"authorizationCode":{"authorizationUrl":"https://example.com/a","tokenUrl":"https://example.com/t","scopes":{"s":"S."}}}}},
			"k":{"apiKeySecurityScheme":{"location":"header","name":"X-Key"}}},"securityRequirements":[{"schemes":{"o":{"list":["s"]}}}]` + rest,
			"https://example.com/a2a", "A2A-Version jsonrpc id method params",
			`{"type":"oauth2","oauth2":{"authorization_url":"https://example.com/a","token_url":"https://example.com/t","scopes":{"s":"S."}}}`},
		{"1.0 over REST", `{"supportedInterfaces":[{"url":"https://example.com/a2a","protocolBinding":"HTTP+JSON","protocolVersion":"1.0"}]` + rest,
			"https://example.com/a2a/message:send", "A2A-Version message", `{"type":"none"}`},
		{"the new form of a 0.3", `{"supportedInterfaces":[{"url":"https://example.com/a2a","protocolBinding":"JSONRPC","protocolVersion":"0.3"}]` + rest,
			"https://example.com/a2a", "jsonrpc id method params", `{"type":"none"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, _ := only(t, (*Describer).A2A, c.card, public())
			var names []string
			for _, p := range got["inputs"].([]any) {
				names = append(names, p.(map[string]any)["name"].(string))
			}
			if address := got["endpoint"].(map[string]any)["url"]; address != c.address || strings.Join(names, " ") != c.inputs {
				t.Errorf("got %s with %v, want %s with %s", address, names, c.address, c.inputs)
			}
			wantJSON(t, "auth", got["auth"], c.auth)
		})
	}
}

func TestAnAgentThatSpeaksNoJSONIsLeftOut(t *testing.T) {
	t.Parallel()
	result := made(t, (*Describer).A2A, `{"name":"a","version":"1.0.0","provider":{"organization":"Example"},
		"supportedInterfaces":[{"url":"https://example.com","protocolBinding":"GRPC"}],"skills":[{"id":"a"},{"id":"b"}]}`, public())
	if result.Found != 2 || len(result.Skills) != 0 {
		t.Errorf("got %d descriptors of %d, want none of 2", len(result.Skills), result.Found)
	}
	wantTold(t, result, "/supportedInterfaces/0 address", "/skills/0 skill left out: the agent has no address", "/skills/1 skill left out")
}
