package httpapi_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// TestKeyThatIsRevokedWhileABodyArrivesWritesNothing begins a request with a valid key,
// revokes the key, and sends the rest.
func TestKeyThatIsRevokedWhileABodyArrivesWritesNothing(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		namespace := g.namespace()
		for _, test := range []struct {
			name, method, path, scope, body string
		}{
			{"publish", "POST", "/v1/skills", "publish", string(protocoltest.Valid(namespace+".late", "1.0.0", "public", "api"))},
			{"a new key", "POST", "/v1/keys", "admin", `{"name":"heir","scopes":["admin"],"namespaces":["*"]}`},
			{"a status", "PATCH", "/v1/skills/" + namespace + ".there/versions/1.0.0", "publish", `{"status":"yanked"}`},
		} {
			if test.method == "PATCH" {
				g.publish(protocoltest.Valid(namespace+".there", "1.0.0", "public", "api")).wantStatus(201)
			}
			reach := namespace
			if test.scope == "admin" {
				reach = "*"
			}
			key, id := g.key([]string{test.scope}, reach)
			body, rest := io.Pipe()
			answered := make(chan *answer)
			go func() {
				a, err := g.try(test.method, test.path, as(key), func(r *http.Request) {
					r.Header.Set("Content-Type", "application/json")
					r.Body, r.ContentLength = body, int64(len(test.body))
				})
				if err != nil {
					t.Errorf("%s: %v", test.name, err)
				}
				answered <- a
			}()
			if _, err := io.WriteString(rest, test.body[:10]); err != nil {
				t.Fatal(err)
			}
			g.send("DELETE", "/v1/keys/"+id, asAdmin()).wantStatus(204)
			if _, err := io.WriteString(rest, test.body[10:]); err != nil {
				t.Fatal(err)
			}
			rest.Close()
			if a := <-answered; a != nil {
				a.wantError(401, protocol.CodeAuthRequired)
			}
		}
		g.get("/v1/skills/"+namespace+".late").wantError(404, protocol.CodeSkillNotFound)
		g.get("/v1/skills/" + namespace + ".there").wantStatus(200)
	})
}
