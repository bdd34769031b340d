package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/httpapi"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// event is an event as a client reads it.
type event struct {
	At, Actor, Address, Action, Skill, Version, Status, Key, Outcome, Code string
	RequestID                                                              string `json:"request_id"`
	Requests                                                               int
}

// tell says what an event is, but for its time, address and request id.
func (e event) tell() string {
	words := []string{e.Actor, e.Action, e.Skill, e.Version, e.Status, e.Key, e.Outcome, e.Code}
	if e.Requests != 1 {
		words = append(words, fmt.Sprint("×", e.Requests))
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

// audit returns the events that a query asks for, and the cursor behind them.
func (g *registry) audit(query string) (events []event, cursor string) {
	g.t.Helper()
	a := g.get("/v1/audit?"+query, asAdmin()).wantStatus(200).wantHeader("Cache-Control", "private, no-store").wantHeader("Age", "")
	var page struct {
		Events []event
		Cursor string
	}
	if err := json.Unmarshal(a.body, &page); err != nil {
		g.t.Fatalf("%v: %v", a, err)
	}
	return page.Events, page.Cursor
}

func (g *registry) wantAudit(query string, want ...string) {
	g.t.Helper()
	events, _ := g.audit(query)
	got := []string{}
	for _, e := range events {
		got = append(got, e.tell())
	}
	if !slices.Equal(got, want) {
		g.t.Errorf("audit?%s: got\n%s\nwant\n%s", query, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestAuditSaysWhoDidWhat(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		key, id := g.key([]string{"publish"}, n)
		_, other := g.key([]string{"read"}, n)
		doc := jsonBody(protocoltest.Valid(n+".a", "1.0.0", "private", "api"))
		at := "/v1/skills/" + n + ".a/versions/1.0.0"
		yank := jsonBody([]byte(`{"status":"yanked","reason":"why not"}`))
		g.send("POST", "/v1/skills?dry_run=true", doc, as(key)).wantStatus(200)
		for _, want := range []int{201, 200} {
			g.send("POST", "/v1/skills", doc, as(key), header("X-Request-Id", "find-me")).wantStatus(want)
		}
		for range 2 {
			g.send("PATCH", at, yank, as(key)).wantStatus(200)
			g.send("DELETE", "/v1/keys/"+other, asAdmin()).wantStatus(204)
		}
		g.send("DELETE", at, asAdmin()).wantStatus(204)
		g.published([4]string{n + ".a", "2.0.0", "public", "api"})
		g.send("DELETE", "/v1/skills/"+n+".a", asAdmin()).wantStatus(204)
		all := []string{
			"configured create_key " + id + " done", "configured create_key " + other + " done",
			id + " publish " + n + ".a 1.0.0 done", id + " set_status " + n + ".a 1.0.0 yanked done",
			"configured revoke_key " + other + " done", "configured delete " + n + ".a 1.0.0 done",
			"configured publish " + n + ".a 2.0.0 done", "configured delete " + n + ".a done",
		}
		g.wantAudit("", all...)
		g.wantAudit("key="+id, all[0], all[2], all[3])
		g.wantAudit("skill="+n+".a&key="+id, all[2], all[3])
		g.wantAudit("skill="+n, []string{}...)
		published, _ := g.audit("skill=" + n + ".a&limit=1")
		if e := published[0]; e.Address != "127.0.0.1" || e.RequestID != "find-me" || e.At == "" {
			t.Errorf("a publication has the event %+v", e)
		}
	})
}

func TestAuditSaysWhoWasRefused(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		key, id := g.key([]string{"publish"}, n)
		reader, readerID := g.key([]string{"read"}, n)
		g.published([4]string{n + ".a", "1.0.0", "public", "api"})
		body := func(text string) change { return jsonBody([]byte(text)) }
		doc := func(id string) change { return jsonBody(protocoltest.Valid(id, "1.0.0", "private", "api")) }
		at := "/v1/skills/" + n + ".a/versions/1.0.0"
		_, after := g.audit("")
		g.send("POST", "/v1/skills", doc(n+".a")).wantStatus(401)
		g.send("POST", "/v1/skills", doc(n+".a"), as(reader)).wantStatus(403)
		g.send("POST", "/v1/skills", doc("com.else.a"), as(key)).wantStatus(403)
		g.send("POST", "/v1/skills", doc(n+".a"), as(key)).wantStatus(409)
		g.send("POST", "/v1/skills", body(`{}`), as(key)).wantStatus(422)
		g.send("POST", "/v1/skills", body(`{`), as(key)).wantStatus(400)
		g.send("POST", "/v1/skills?dry_run=yes", doc(n+".a"), as(key)).wantStatus(400)
		g.send("POST", "/v1/skills", doc(n+".a"), as(key), header("Content-Type", "text/plain")).wantStatus(415)
		g.send("POST", "/v1/skills", body(strings.Repeat(" ", 2<<20)), as(key)).wantStatus(413)
		g.send("PATCH", at, body(`{"status":"gone"}`), as(key)).wantStatus(422)
		g.send("PATCH", at+"+x", body(`{"status":"yanked"}`), as(key)).wantStatus(404)
		g.send("PATCH", at, body(`{"status":"yanked"}`), as("wrong")).wantStatus(401)
		g.send("DELETE", at, as(key)).wantStatus(403)
		g.send("DELETE", "/v1/skills/"+n+".none?dry_run=true", asAdmin()).wantStatus(404)
		g.send("POST", "/v1/keys", body(`{"name":"x","scopes":["admin"]}`), as(key)).wantStatus(403)
		g.send("DELETE", "/v1/keys/"+readerID, as(key)).wantStatus(403)
		g.send("DELETE", "/v1/keys/nobodys", asAdmin()).wantStatus(404)
		// What is no write is none that was refused.
		g.send("POST", "/v1/skills?dry_run=true", doc(n+".a"), as(key)).wantStatus(409)
		g.send("POST", "/v1/skills?dry_run=true", doc(n+".a")).wantStatus(401)
		g.send("POST", "/v1/validate?kind=descriptor", body(`{`)).wantStatus(400)
		g.get("/v1/keys", as(key)).wantStatus(403)
		g.get("/v1/skills/com.example.none").wantStatus(404)
		g.send("PUT", "/v1/skills").wantStatus(405)
		g.wantAudit("after="+after,
			"publish refused AUTH_REQUIRED",
			readerID+" publish refused PERMISSION_DENIED",
			id+" publish com.else.a 1.0.0 refused PERMISSION_DENIED",
			id+" publish "+n+".a 1.0.0 refused VERSION_EXISTS",
			id+" publish refused VALIDATION_ERROR",
			id+" publish refused INVALID_JSON",
			id+" publish refused INVALID_QUERY",
			id+" publish refused UNSUPPORTED_MEDIA_TYPE",
			id+" publish refused BODY_TOO_LARGE",
			id+" set_status "+n+".a 1.0.0 refused VALIDATION_ERROR",
			id+" set_status "+n+".a 1.0.0+x refused SKILL_NOT_FOUND",
			"set_status "+n+".a 1.0.0 refused AUTH_REQUIRED",
			id+" delete "+n+".a 1.0.0 refused PERMISSION_DENIED",
			"configured delete "+n+".none refused SKILL_NOT_FOUND",
			id+" create_key refused PERMISSION_DENIED",
			id+" revoke_key "+readerID+" refused PERMISSION_DENIED",
			"configured revoke_key nobodys refused KEY_NOT_FOUND")
	})
}

func TestRefusalsAboveTheRateAreCounted(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{http: func(o *httpapi.Options) { o.RateLimit = 1 }})
	const sent = 300
	for range sent {
		g.send("POST", "/v1/skills", jsonBody([]byte(`{}`)), as("wrong"))
	}
	events, _ := g.audit("")
	counted := map[string]int{}
	for _, e := range events {
		counted[e.Code] += e.Requests
	}
	if counted["AUTH_REQUIRED"]+counted["RATE_LIMITED"] != sent || counted["RATE_LIMITED"] < sent/2 {
		t.Errorf("%d requests are counted as %v", sent, counted)
	}
	if len(events) > sent/4 {
		t.Errorf("%d requests of one address are %d events", sent, len(events))
	}
}

func TestAuditNamesTheClientBehindATrustedProxy(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{http: func(o *httpapi.Options) { o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} }})
	forwarded := header("X-Forwarded-For", "192.0.2.66, 2001:db8::7")
	g.publish(protocoltest.Valid("com.example.a", "1.0.0", "public", "api"), forwarded).wantStatus(201)
	g.send("DELETE", "/v1/skills/com.example.a", forwarded).wantStatus(401)
	events, _ := g.audit("")
	for _, e := range events {
		if e.Address != "2001:db8::7" {
			t.Errorf("%s came from %q, want the client of the proxy", e.tell(), e.Address)
		}
	}
	if len(events) != 2 {
		t.Errorf("got %d events, want two", len(events))
	}
}

func TestAuditIsWalkedByItsCursor(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		var want, got []string
		for i := range 10 {
			g.published([4]string{fmt.Sprintf("%s.a%d", n, i), "1.0.0", "public", "api"})
			want = append(want, fmt.Sprintf("configured publish %s.a%d 1.0.0 done", n, i))
		}
		events, cursor := g.audit("limit=3")
		for len(events) > 0 {
			for _, e := range events {
				got = append(got, e.tell())
			}
			events, cursor = g.audit("limit=3&after=" + cursor)
		}
		if !slices.Equal(got, want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if events, again := g.audit("after=" + cursor); len(events) != 0 || again != cursor {
			t.Errorf("at the end there are %d events and the cursor %s, want none and %s", len(events), again, cursor)
		}
		for _, query := range []string{
			"after=", "after=11", "after=e", "after=e-1", "after=e%2B1", "after=e01", "after=e11", "after=p1", "after=now", "after=e99999999999999999999",
			"after=e1&after=e2", "limit=0", "limit=1001", "limit=x", "key=a&key=b", "skill=a&skill=b", "%zz",
		} {
			if a := g.get("/v1/audit?"+query, asAdmin()); a.status != 400 || a.text("/error/code") != string(httpapi.CodeInvalidQuery) {
				t.Errorf("%s: %v; want 400", query, a)
			}
		}
	})
}

func TestAuditIsAnAdministrators(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		writer, _ := g.key([]string{"read", "publish"}, "*")
		for _, method := range []string{"GET", "HEAD"} {
			g.send(method, "/v1/audit").wantStatus(401)
			g.send(method, "/v1/audit", as("wrong")).wantStatus(401)
			g.send(method, "/v1/audit", as(writer)).wantStatus(403)
			g.send(method, "/v1/audit", asAdmin()).wantStatus(200)
		}
		g.get("/v1/audit?after=nonsense").wantError(401, protocol.CodeAuthRequired)
		again := g.get("/v1/audit", asAdmin()).header.Get("ETag")
		g.get("/v1/audit", asAdmin(), header("If-None-Match", again)).wantStatus(304)
	})
}

// TestAuditHoldsNoSecret puts keys wherever people put them.
func TestAuditHoldsNoSecret(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		key, id := g.key([]string{"publish"}, "com.example")
		admin, adminID := g.key([]string{"admin"})
		lost := strings.Repeat("0123456789abcdef", 4) // as other programs make them
		secrets := []string{key, key[len("skr_")+len(id):], admin, admin[len("skr_")+len(adminID):], adminKey, adminKeyQuery(), url.PathEscape(adminKey), lost, "the reason why"}
		for _, secret := range []string{key, admin, url.PathEscape(adminKey), lost} {
			for _, path := range []string{"/v1/skills/" + secret, "/v1/skills/com.example.a/versions/" + secret, "/v1/skills/com.example.a/versions/1.0.0-" + secret, "/v1/skills/" + secret + "/versions/1.0.0", "/v1/keys/" + secret, "/v1/skills?key=" + secret} {
				for _, method := range []string{"POST", "PATCH", "DELETE"} {
					everyone := []change{as(key), as(admin), asAdmin(), as(secret + "x"), header("Authorization", "Basic "+secret)}
					if secret != lost { // which nobody can tell from the id of a request, such as a trace's
						everyone = append(everyone, header("X-Request-Id", secret))
					}
					for _, who := range everyone {
						g.send(method, path, who, jsonBody([]byte(`{"status":"yanked","reason":"the reason why","`+secret+`":1}`)))
					}
				}
			}
		}
		g.publish(protocoltest.Valid("com.example.a", "1.0.0", "private", "api"), as(key)).wantStatus(201)
		g.send("PATCH", "/v1/skills/com.example.a/versions/1.0.0", as(key), jsonBody([]byte(`{"status":"yanked","reason":"the reason why"}`))).wantStatus(200)
		g.send("DELETE", "/v1/keys/"+id, as(admin)).wantStatus(204)
		text := string(g.get("/v1/audit", asAdmin()).wantStatus(200).body)
		for _, secret := range secrets {
			if i := strings.Index(text, secret); i >= 0 {
				t.Errorf("the audit log has %s: …%s", secret, text[max(0, i-200):min(len(text), i+200)])
			}
		}
		for _, want := range []string{id, adminID, `"refused"`} {
			if !strings.Contains(text, want) {
				t.Errorf("the audit log lacks %s", want)
			}
		}
	})
}

// An admin key that somebody made up may look like the id of a skill, or of a request.
func TestAuditDoesNotTakeTheAdminKeyForAnID(t *testing.T) {
	t.Parallel()
	const secret = "correct.horse.battery.staple.again"
	admin, err := access.NewConfiguredAdmin(secret)
	if err != nil {
		t.Fatal(err)
	}
	g := onSQLite(t, options{catalog: func(o *catalog.Options) { o.Admin = admin }})
	g.send("DELETE", "/v1/skills/"+secret, as(secret)).wantStatus(404)
	g.send("DELETE", "/v1/skills/correct.horse.battery.staple.none", as(secret), header("X-Request-Id", secret)).wantStatus(404)
	text := string(g.get("/v1/audit", as(secret)).wantStatus(200).body)
	if strings.Contains(text, secret) || !strings.Contains(text, "correct.horse.battery.staple.none") {
		t.Errorf("the audit log is %s", text)
	}
}

// TestRefusalsLeaveNoTrace compares what callers are told before and after refusals of all
// kinds, on every route.
func TestRefusalsLeaveNoTrace(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		g.published([4]string{n + ".a", "1.0.0", "public", "api"}, [4]string{n + ".a.hidden", "1.0.0", "private", "api"})
		key, id := g.key([]string{"publish"}, n+".b")
		known := inPlay{ids: []string{n + ".a", n + ".a.hidden", n + ".none"}, versions: []string{"1.0.0", "9.0.0"}, keys: []string{id, "none"}}
		surfaces := known.surfaces(routesOf(t, g.handler))
		told := func() (all []string) {
			for _, observer := range []*caller{anyone(), {name: "a key", who: []change{as(key)}}} {
				p := &pair{observer: observer}
				for _, a := range surfaces {
					if a.method == "GET" || a.method == "HEAD" {
						_, text := p.told(historian{registry: g}, a)
						all = append(all, text)
					}
				}
			}
			return all
		}
		revision, err := g.store.Revision(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		before := told()
		for _, who := range []change{header("X-None", ""), as("wrong"), as(key), asAdmin()} {
			for _, skill := range known.ids {
				g.send("POST", "/v1/skills", who, jsonBody([]byte(`{}`)))
				g.send("PATCH", "/v1/skills/"+skill+"/versions/1.0.0", who, jsonBody([]byte(`{}`)))
				g.send("DELETE", "/v1/skills/"+skill+"/versions/9.0.0", who)
				g.send("DELETE", "/v1/keys/nobodys", who)
			}
			if events, _ := g.audit(""); events[len(events)-1].Outcome != "refused" {
				t.Errorf("the last event is %s, want a refusal", events[len(events)-1].tell())
			}
		}
		for i, after := range told() {
			if after != before[i] {
				t.Errorf("before refusals:\n%s\nafter them:\n%s", before[i], after)
			}
		}
		if now, err := g.store.Revision(t.Context()); err != nil || now != revision {
			t.Errorf("the revision went from %d to %d, %v", revision, now, err)
		}
	})
}

func TestAuditWithoutTheStore(t *testing.T) {
	t.Parallel()
	g, l, _ := onLeavingStore(t, time.Minute)
	l.leave()
	g.send("DELETE", "/v1/skills/com.example.a").wantStatus(401)
	g.send("DELETE", "/v1/skills/com.example.a", asAdmin()).wantStatus(503)
	g.get("/v1/audit", asAdmin()).wantError(503, protocol.CodeEndpointUnreachable).wantHeader("Age", "")
	l.comeBack()
	g.wantAudit("", "delete com.example.a refused AUTH_REQUIRED")
}
