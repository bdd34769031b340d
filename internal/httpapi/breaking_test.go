package httpapi_test

import (
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/httpapi"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// needing is a version that needs an input which no other has.
func needing(t *testing.T, id, version, input string) []byte {
	t.Helper()
	doc := protocoltest.Tree(id, version, "public", "api")
	doc["inputs"] = []any{map[string]any{"name": input, "type": "string", "required": true}}
	return marshal(t, doc)
}

func withPolicy(p httpapi.BreakingChanges) options {
	return options{http: func(o *httpapi.Options) { o.BreakingChanges = p }}
}

func TestVersionsThatBreakCallersAreRefused(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		g := newRegistry(t, url, withPolicy(httpapi.RefuseBreaking))
		const id = "com.example.a"
		send := func(version, input, query string) *answer {
			return g.send("POST", "/v1/skills"+query, jsonBody(needing(t, id, version, input)), asAdmin())
		}
		send("1.0.0", "a", "").wantStatus(201)
		for _, query := range []string{"", "?dry_run=true", "?allow_breaking=false"} {
			a := send("1.1.0", "b", query).wantError(422, httpapi.CodeBreakingChange)
			for i, field := range []string{"/inputs/0/required", "/inputs"} {
				if got := a.violations()[i]; got != field {
					t.Errorf("violation %d is at %s, want %s: %v", i, got, field, a)
				}
			}
		}
		send("1.1.0", "b", "?allow_breaking=yes").wantError(400, httpapi.CodeInvalidQuery)
		send("1.1.0", "b", "?allow-breaking=true").wantError(400, httpapi.CodeInvalidQuery)
		a := send("1.1.0", "b", "?allow_breaking=true").wantStatus(201)
		if message := a.text("/warnings/0/message"); !strings.Contains(message, "1.0.0") {
			t.Errorf("the warning is %q, want it to name 1.0.0", message)
		}
		send("1.1.0", "b", "").wantStatus(200) // the same again
		send("1.0.5", "c", "").wantError(422, httpapi.CodeBreakingChange)
		send("1.0.5", "a", "").wantStatus(201) // as 1.0.0, whatever 1.1.0 is
		send("1.2.0", "a", "").wantError(422, httpapi.CodeBreakingChange)
		g.status(id, "1.1.0", access.Yanked, "")
		send("1.2.0", "a", "").wantStatus(201)
		send("2.0.0", "z", "").wantStatus(201)
		send("2.0.0", "y", "").wantError(409, httpapi.CodeVersionExists)
		send("0.1.0", "a", "").wantStatus(201)
		send("0.2.0", "b", "").wantStatus(201)
	})
}

func TestPoliciesForVersionsThatBreakCallers(t *testing.T) {
	t.Parallel()
	for policy, warned := range map[httpapi.BreakingChanges]bool{"": true, httpapi.WarnOfBreaking: true, httpapi.AllowBreaking: false} {
		t.Run("policy "+string(policy), func(t *testing.T) {
			t.Parallel()
			g := onSQLite(t, withPolicy(policy))
			g.publish(needing(t, "com.example.a", "1.0.0", "a")).wantStatus(201)
			g.publish(needing(t, "com.example.b", "1.1.0", "b")).wantStatus(201)
			a := g.publish(needing(t, "com.example.a", "1.1.0", "b")).wantStatus(201)
			if got := strings.Contains(string(a.body), "breaks those who call"); got != warned {
				t.Errorf("%v, want a warning: %t", a, warned)
			}
		})
	}
}

// What a private version was like is for those who publish it.
func TestOnlyWhoMayPublishLearnsWhatBreaks(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, withPolicy(httpapi.RefuseBreaking))
	g.publish(protocoltest.Valid("com.example.a", "1.0.0", "private", "api")).wantStatus(201)
	key, _ := g.key([]string{"publish"}, "com.other")
	g.publish(needing(t, "com.example.a", "1.1.0", "b"), as(key)).wantError(403, "PERMISSION_DENIED")
	own, _ := g.key([]string{"publish"}, "com.example")
	g.publish(needing(t, "com.example.a", "1.1.0", "b"), as(own)).wantError(422, httpapi.CodeBreakingChange)
}
