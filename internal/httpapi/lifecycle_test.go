package httpapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/httpapi"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// latest returns the version of a skill's descriptor, or the status of the refusal.
func (g *registry) latest(id string, who ...change) string {
	g.t.Helper()
	a := g.get("/v1/skills/"+id, who...)
	if a.status != http.StatusOK {
		return strconv.Itoa(a.status)
	}
	return a.text("/version")
}

// listed returns the versions of a skill with their statuses and reasons, or the status
// of the refusal.
func (g *registry) listed(id string, who ...change) string {
	g.t.Helper()
	a := g.get("/v1/skills/"+id+"/versions", who...)
	if a.status != http.StatusOK {
		return strconv.Itoa(a.status)
	}
	var words []string
	for i := 0; a.at(fmt.Sprintf("/versions/%d", i)) != nil; i++ {
		word := a.text(fmt.Sprintf("/versions/%d/version", i)) + " " + a.text(fmt.Sprintf("/versions/%d/status", i))
		if reason := a.at(fmt.Sprintf("/versions/%d/reason", i)); reason != nil {
			word += fmt.Sprintf(" %q", reason)
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

func TestYankedVersionIsNeverLatestAndStaysAtItsAddress(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		id := n + ".skill"
		for _, version := range []string{"1.0.0", "1.1.0-0", "1.1.0"} {
			g.published([4]string{id, version, "public", "api"})
		}
		yanked := []string{}
		for _, step := range []struct{ yank, latest string }{{"1.1.0", "1.0.0"}, {"1.0.0", "1.1.0-0"}, {"1.1.0-0", "404"}} {
			g.status(id, step.yank, access.Yanked, "because")
			yanked = append(yanked, step.yank)
			if got := g.latest(id); got != step.latest {
				t.Errorf("with %v yanked, the latest is %s, want %s", yanked, got, step.latest)
			}
			for _, version := range yanked {
				a := g.get("/v1/skills/"+id+"/versions/"+version).wantStatus(200).wantHeader("Deprecation", "")
				if a.text("/version") != version {
					t.Errorf("%v; want version %s", a, version)
				}
			}
			want := []string{id}
			if step.latest == "404" {
				want = []string{}
			}
			for _, path := range []string{"/.well-known/skills", "/.well-known/skills?capability_type=api", "/.well-known/skills?limit=10"} {
				if got := g.get(path).entries(n); !slices.Equal(got, want) {
					t.Errorf("with %v yanked, %s has %v, want %v", yanked, path, got, want)
				}
			}
		}
		if got, want := g.listed(id), `1.1.0 yanked "because", 1.1.0-0 yanked "because", 1.0.0 yanked "because"`; got != want {
			t.Errorf("the versions are %s, want %s", got, want)
		}
		g.status(id, "1.1.0", access.Active, "")
		if got := g.latest(id); got != "1.1.0" {
			t.Errorf("the yank of 1.1.0 taken back, the latest is %s", got)
		}
		if got, want := g.listed(id), `1.1.0 active, 1.1.0-0 yanked "because", 1.0.0 yanked "because"`; got != want {
			t.Errorf("the versions are %s, want %s", got, want)
		}
	})
}

func TestDeprecatedVersionIsServedAndSaysSo(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		id := n + ".skill"
		g.published([4]string{id, "1.0.0", "public", "api"})
		latest, version := "/v1/skills/"+id, "/v1/skills/"+id+"/versions/1.0.0"
		before := g.get(version).wantStatus(200).wantHeader("Deprecation", "")
		from := time.Now().Unix()
		g.status(id, "1.0.0", access.Deprecated, "There is a better one.")
		to := time.Now().Unix()
		tag := before.header.Get("ETag")
		since := ""
		for _, path := range []string{latest, version} {
			for _, a := range []*answer{
				g.get(path).wantStatus(200), g.send("HEAD", path).wantStatus(200), g.get(path, asAdmin()).wantStatus(200),
				g.get(path, header("If-None-Match", tag)).wantStatus(304), g.get(path, header("Accept-Encoding", "gzip")).wantStatus(200),
			} {
				got := a.header.Get("Deprecation")
				at, err := strconv.ParseInt(strings.TrimPrefix(got, "@"), 10, 64)
				if err != nil || !strings.HasPrefix(got, "@") || at < from || at > to {
					t.Errorf("%s: Deprecation is %q (error %v), want @ and a time from %d to %d", a.request, got, err, from, to)
				}
				since = got
			}
		}
		a := g.get(version, header("Origin", "https://app.example")).wantHeader("ETag", tag)
		if string(a.body) != string(before.body) {
			t.Errorf("the descriptor was %s, and is %s", before.body, a.body)
		}
		if exposed := a.header.Get("Access-Control-Expose-Headers"); !strings.Contains(exposed, "Deprecation") {
			t.Errorf("pages may read %q, want Deprecation among them", exposed)
		}
		if got, want := g.listed(id), `1.0.0 deprecated "There is a better one."`; got != want {
			t.Errorf("the versions are %s, want %s", got, want)
		}
		if got := g.get("/.well-known/skills").entries(n); !slices.Equal(got, []string{id}) {
			t.Errorf("the index has %v, want %s", got, id)
		}
		for _, path := range []string{"/v1/skills/" + id + "/versions", "/.well-known/skills", "/v1/changes"} {
			g.get(path).wantHeader("Deprecation", "")
		}
		time.Sleep(time.Until(time.Unix(to+1, 0)))
		g.status(id, "1.0.0", access.Deprecated, "There is a better one.")
		g.get(version).wantHeader("Deprecation", since)
		g.status(id, "1.0.0", access.Deprecated, "There is a better one: 2.0.0.")
		g.get(version).wantHeader("Deprecation", since)
		g.status(id, "1.0.0", access.Active, "")
		g.get(version).wantStatus(200).wantHeader("Deprecation", "")
		g.get(latest, header("If-None-Match", tag)).wantStatus(304).wantHeader("Deprecation", "")
	})
}

func TestAccessFollowsTheLatestVersion(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		for _, c := range []struct {
			name          string
			first, second string // the access of 1.0.0 and 1.1.0
			change        func(id string)
			latest        string
			versions      string
			addresses     [2]int
		}{
			{
				name: "the public version above a private one is yanked", first: "private", second: "public",
				change: func(id string) { g.status(id, "1.1.0", access.Yanked, "") },
				latest: "404", versions: "404", addresses: [2]int{404, 404},
			},
			{
				name: "the private version above a public one is yanked", first: "public", second: "private",
				change: func(id string) { g.status(id, "1.1.0", access.Yanked, "") },
				latest: "1.0.0", versions: "1.0.0 active", addresses: [2]int{200, 404},
			},
			{
				name: "both are yanked, and the higher one is private", first: "public", second: "private",
				change: func(id string) { g.status(id, "1.0.0", access.Yanked, ""); g.status(id, "1.1.0", access.Yanked, "") },
				latest: "404", versions: "404", addresses: [2]int{404, 404},
			},
			{
				name: "both are yanked, and the higher one is public", first: "private", second: "restricted",
				change: func(id string) { g.status(id, "1.0.0", access.Yanked, ""); g.status(id, "1.1.0", access.Yanked, "") },
				latest: "404", versions: "1.1.0 yanked", addresses: [2]int{404, 200},
			},
			{
				name: "the private version above a public one is deleted", first: "public", second: "private",
				change: func(id string) { g.delete(id + "/versions/1.1.0") },
				latest: "1.0.0", versions: "1.0.0 active", addresses: [2]int{200, 404},
			},
			{
				name: "the public version above a private one is deleted", first: "private", second: "public",
				change: func(id string) { g.delete(id + "/versions/1.1.0") },
				latest: "404", versions: "404", addresses: [2]int{404, 404},
			},
			{
				name: "the public version above a private one is deprecated", first: "private", second: "public",
				change: func(id string) { g.status(id, "1.1.0", access.Deprecated, "") },
				latest: "1.1.0", versions: "1.1.0 deprecated", addresses: [2]int{404, 200},
			},
		} {
			id := g.namespace() + ".skill"
			g.published([4]string{id, "1.0.0", c.first, "api"}, [4]string{id, "1.1.0", c.second, "api"})
			c.change(id)
			if got := g.latest(id); got != c.latest {
				t.Errorf("%s: the latest is %s, want %s", c.name, got, c.latest)
			}
			if got := g.listed(id); got != c.versions {
				t.Errorf("%s: the versions are %s, want %s", c.name, got, c.versions)
			}
			for i, version := range []string{"1.0.0", "1.1.0"} {
				if a := g.get("/v1/skills/" + id + "/versions/" + version); a.status != c.addresses[i] {
					t.Errorf("%s: %v; want status %d", c.name, a, c.addresses[i])
				}
			}
			if got, want := len(g.get("/.well-known/skills").entries(id)) == 1, c.latest != "404"; got != want {
				t.Errorf("%s: in the index: %t, want %t", c.name, got, want)
			}
		}
	})
}

func TestDeletedIsGoneForGood(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		id := n + ".skill"
		other := func(version string) []byte {
			tree := protocoltest.Tree(id, version, "public", "api")
			tree["name"] = "Other"
			return marshal(t, tree)
		}
		refused := func(doc []byte) {
			t.Helper()
			for _, path := range []string{"/v1/skills", "/v1/skills?dry_run=true"} {
				a := g.send("POST", path, jsonBody(doc), asAdmin()).wantError(409, httpapi.CodeVersionExists)
				if !strings.Contains(a.text("/error/message"), "deleted") {
					t.Errorf("%v; want a message that says that it was deleted", a)
				}
			}
		}
		g.published([4]string{id, "1.0.0", "public", "api"}, [4]string{id, "1.0.1+one", "public", "api"})
		g.send("DELETE", "/v1/skills/"+id+"/versions/1.0.1", asAdmin()).wantError(404, protocol.CodeSkillNotFound)
		g.delete(id + "/versions/1.0.1%2Bone")
		g.get("/v1/skills/"+id+"/versions/1.0.1+one", asAdmin()).wantError(404, protocol.CodeSkillNotFound)
		if got := g.latest(id); got != "1.0.0" {
			t.Errorf("the latest is %s, want 1.0.0", got)
		}
		if got := g.listed(id, asAdmin()); got != "1.0.0 active" {
			t.Errorf("the versions are %s, want 1.0.0 alone", got)
		}
		refused(other("1.0.1"))
		refused(protocoltest.Valid(id, "1.0.1+one", "public", "api"))
		g.send("PATCH", "/v1/skills/"+id+"/versions/1.0.1+one", asAdmin(), jsonBody([]byte(`{"status":"active"}`))).wantError(404, protocol.CodeSkillNotFound)
		g.send("DELETE", "/v1/skills/"+id+"/versions/1.0.1+one", asAdmin()).wantError(404, protocol.CodeSkillNotFound)

		g.delete(id)
		for _, who := range []change{header("X-None", ""), asAdmin()} {
			for _, path := range []string{"", "/versions", "/versions/1.0.0"} {
				g.get("/v1/skills/"+id+path, who).wantError(404, protocol.CodeSkillNotFound)
			}
			if got := g.get("/.well-known/skills", who).entries(n); len(got) > 0 {
				t.Errorf("the index has %v, want nothing", got)
			}
		}
		refused(other("1.0.0"))
		g.send("DELETE", "/v1/skills/"+id, asAdmin()).wantError(404, protocol.CodeSkillNotFound)
		g.send("DELETE", "/v1/skills/"+n+".none", asAdmin()).wantError(404, protocol.CodeSkillNotFound)
		g.published([4]string{id, "2.0.0", "public", "api"})
		if got := g.latest(id); got != "2.0.0" {
			t.Errorf("the latest is %s, want 2.0.0", got)
		}
	})
}

func TestWhoMayLeadAVersionThroughItsLife(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		id := n + ".in.skill"
		g.published([4]string{id, "1.0.0", "public", "api"}, [4]string{n + ".out", "1.0.0", "private", "api"})
		writer, _ := g.key([]string{"publish"}, n+".in")
		reader, _ := g.key([]string{"read"}, n)
		admin, _ := g.key([]string{"admin"})
		status := jsonBody([]byte(`{"status":"yanked"}`))
		version := "/v1/skills/" + id + "/versions/1.0.0"

		g.send("PATCH", version, status).wantError(401, protocol.CodeAuthRequired)
		g.send("PATCH", version, status, as("x")).wantError(401, protocol.CodeAuthRequired)
		g.send("PATCH", version, status, as(reader)).wantError(403, protocol.CodePermissionDenied)
		for _, path := range []string{version, "/v1/skills/" + id, "/v1/skills/" + n + ".none"} {
			g.send("DELETE", path).wantError(401, protocol.CodeAuthRequired)
			g.send("DELETE", path, as("x")).wantError(401, protocol.CodeAuthRequired)
			for _, key := range []string{reader, writer} {
				g.send("DELETE", path, as(key)).wantError(403, protocol.CodePermissionDenied)
			}
		}
		if got := g.listed(id); got != "1.0.0 active" {
			t.Errorf("after all refusals, the versions are %s", got)
		}

		// Outside its namespaces a publisher can't tell what is there.
		there := g.send("PATCH", "/v1/skills/"+n+".out/versions/1.0.0", status, as(writer)).wantError(403, protocol.CodePermissionDenied)
		for _, path := range []string{n + ".none/versions/1.0.0", n + ".out/versions/2.0.0", n + ".out/versions/x", "NONSENSE/versions/1.0.0"} {
			for _, body := range []string{`{"status":"yanked"}`, `{"status":"nonsense"}`, `no JSON`} {
				not := g.send("PATCH", "/v1/skills/"+path, jsonBody([]byte(body)), as(writer))
				if not.status != there.status || string(not.body) != string(there.body) {
					t.Errorf("%v\n%v\ntell a version that is there from one that is not", there, not)
				}
			}
		}

		a := g.send("PATCH", version, jsonBody([]byte(`{"status":"deprecated","reason":"because"}`)), as(writer)).wantStatus(200)
		for pointer, want := range map[string]string{
			"/id": id, "/version": "1.0.0", "/status": "deprecated", "/reason": "because",
			"/descriptor_url": g.base + version,
		} {
			if got := a.text(pointer); got != want {
				t.Errorf("%v; want %s %q", a, pointer, want)
			}
		}
		if a := g.send("PATCH", version, status, as(admin)).wantStatus(200); a.at("/reason") != nil {
			t.Errorf("%v; want no reason where none was given", a)
		}
		g.send("PATCH", "/v1/skills/"+id+"/versions/2.0.0", status, as(writer)).wantError(404, protocol.CodeSkillNotFound)
		g.send("PATCH", "/v1/skills/"+n+".in.none/versions/1.0.0", status, as(writer)).wantError(404, protocol.CodeSkillNotFound)
		g.send("DELETE", version, as(admin)).wantStatus(204)
	})
}

func TestStatusRequestsAreChecked(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	g.published([4]string{"com.example.a", "1.0.0", "public", "api"})
	version := "/v1/skills/com.example.a/versions/1.0.0"
	for name, c := range map[string]struct {
		body       string
		status     int
		violations []string
	}{
		"nothing":                            {`{}`, 422, []string{"/status"}},
		"an unknown status":                  {`{"status":"nonsense"}`, 422, []string{"/status"}},
		"deleted, which DELETE does":         {`{"status":"deleted"}`, 422, []string{"/status"}},
		"another case":                       {`{"status":"Yanked"}`, 422, []string{"/status"}},
		"an empty status":                    {`{"status":""}`, 422, []string{"/status"}},
		"no status":                          {`{"status":null,"reason":"x"}`, 422, []string{"/status"}},
		"a status that is no text":           {`{"status":1}`, 422, []string{"/status"}},
		"a reason that is no text":           {`{"status":"yanked","reason":["x"]}`, 422, []string{"/reason"}},
		"a long reason":                      {`{"status":"yanked","reason":"` + strings.Repeat("é", 1001) + `"}`, 422, []string{"/reason"}},
		"a reason with a line break":         {`{"status":"yanked","reason":"a\nb"}`, 422, []string{"/reason"}},
		"a reason with a NUL":                {`{"status":"yanked","reason":"\u0000"}`, 422, []string{"/reason"}},
		"a reason with a C1 control":         {`{"status":"yanked","reason":"\u0085"}`, 422, []string{"/reason"}},
		"a member too many":                  {`{"status":"yanked","raeson":"x"}`, 422, []string{"/raeson"}},
		"a member in another case":           {`{"Status":"yanked"}`, 422, []string{"/Status", "/status"}},
		"all at once":                        {`{"status":"x","reason":"\t","a/b~":1}`, 422, []string{"/a~1b~0", "/status", "/reason"}},
		"a wrong type and a member too many": {`{"status":[],"a":1}`, 422, []string{"/status", "/a"}},
		"no object":                          {`[]`, 422, []string{""}},
		"no JSON":                            {`{`, 400, nil},
		"a member twice":                     {`{"status":"yanked","status":"active"}`, 400, nil},
		"half a character":                   {`{"status":"yanked","reason":"\ud800"}`, 400, nil},
		"an empty body":                      {``, 400, nil},
	} {
		a := g.send("PATCH", version, jsonBody([]byte(c.body)), asAdmin())
		if a.status != c.status || !slices.Equal(a.violations(), c.violations) {
			t.Errorf("%s: %v; want status %d and violations at %q", name, a, c.status, c.violations)
		}
	}
	if got := g.listed("com.example.a"); got != "1.0.0 active" {
		t.Errorf("after all refusals, the versions are %s", got)
	}
	for name, reason := range map[string]string{
		"none": "", "a thousand characters": strings.Repeat("é", 1000), "markup": `<b>"&'</b>`, "another script": "非推奨 🙂", "space": " ",
	} {
		g.status("com.example.a", "1.0.0", access.Deprecated, reason)
		got, _ := g.get("/v1/skills/com.example.a/versions").at("/versions/0/reason").(string)
		if got != reason {
			t.Errorf("%s: the reason %.50q comes back as %.50q", name, reason, got)
		}
	}
	g.send("PATCH", version, asAdmin(), jsonBody([]byte(`{"status":"active","reason":null}`))).wantStatus(200)

	for name, c := range map[string]change{
		"no media type": header("Content-Type", ""), "another": header("Content-Type", "text/plain"),
		"compressed": header("Content-Encoding", "gzip"), "another charset": header("Content-Type", "application/json; charset=latin1"),
	} {
		a := g.send("PATCH", version, asAdmin(), jsonBody([]byte(`{"status":"yanked"}`)), c)
		if a.status != http.StatusUnsupportedMediaType || a.header.Get("Accept-Patch") != "application/json" || a.header.Get("Accept-Post") != "" {
			t.Errorf("%s: %v, Accept-Patch %q; want 415 and application/json", name, a, a.header.Get("Accept-Patch"))
		}
	}
	g.send("PATCH", version, asAdmin(), jsonBody([]byte(`{"reason":"`+strings.Repeat("x", 1<<20)+`"}`))).wantError(413, httpapi.CodeBodyTooLarge)
}

// An address that is nearly one must not delete more than was meant.
func TestOddPathsDeleteNothing(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	g.published([4]string{"com.example.a", "1.0.0", "public", "api"})
	for path, status := range map[string]int{
		"/v1/skills": 405, "/v1/skills/": 404, "/v1/skills/com.example.a/": 404, "/v1/skills/com.example.a/versions": 405,
		"/v1/skills/com.example.a/versions/": 404, "/v1/skills/com.example.a/versions/%20": 404, "/v1/skills/com.example.a/versions/1.0": 404,
		"/v1/skills/com.example.a/versions/1.0.0%2B": 404, "/v1/skills/com.example.a/versions/1.0.0%2Fx": 404, "/v1/skills/com.example.a/versions/v1.0.0": 404,
		"/v1/skills/com.example.a/versions/%2e%2e": 404, "/v1/skills/com.example.a%2Fversions%2F2.0.0": 404, "/v1/skills/COM.EXAMPLE.A": 404,
		"/v1/skills/com.example.a%00": 404, "/v1/skills/%ff": 404, "/v1/skills/com.example": 404, "/v1/skills/*": 404,
		"/v1/skills//versions/1.0.0": 404, "/v1/skills/com.example.a/versions/1.0.0/": 404,
	} {
		if a := g.send("DELETE", path, asAdmin()); a.status != status {
			t.Errorf("%v; want status %d", a, status)
		}
		if a := g.send("PATCH", path, asAdmin(), jsonBody([]byte(`{"status":"yanked"}`))); a.status != 404 && a.status != 405 {
			t.Errorf("%v; want status 404 or 405", a)
		}
	}
	if got := g.listed("com.example.a"); got != "1.0.0 active" {
		t.Errorf("after all that, the versions are %s", got)
	}
}

func TestLifecycleIsLimitedAsOtherWritesAre(t *testing.T) {
	t.Parallel()
	g, _ := limited(t)
	g.published([4]string{"com.example.a", "1.0.0", "public", "api"})
	status := jsonBody([]byte(`{"status":"yanked"}`))
	refused := 0
	for i := range 12 {
		method, path := "PATCH", "/v1/skills/com.example.a/versions/1.0.0"
		if i%2 == 0 {
			method, path = "DELETE", "/v1/skills/com.example.none"
		}
		if g.send(method, path, asAdmin(), status).status == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused != 3 {
		t.Errorf("of 12 writes after one, %d were too many, want 3", refused)
	}
}

func TestLifecycleWithoutTheStore(t *testing.T) {
	t.Parallel()
	g, l, _ := onLeavingStore(t, time.Minute)
	g.published([4]string{"com.example.a", "1.0.0", "public", "api"})
	status := jsonBody([]byte(`{"status":"yanked"}`))
	for name, fail := range map[string]func(){
		"no reads": func() { l.readsFail.Store(true) }, "no writes": func() { l.writesFail.Store(true) }, "neither": l.leave,
	} {
		fail()
		for _, a := range []*answer{
			g.send("PATCH", "/v1/skills/com.example.a/versions/1.0.0", asAdmin(), status), g.send("DELETE", "/v1/skills/com.example.a", asAdmin()),
		} {
			if a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") != "1" {
				t.Errorf("%s: %v; want 503", name, a)
			}
		}
		l.comeBack()
	}
	if got := g.listed("com.example.a"); got != "1.0.0 active" {
		t.Errorf("after all refusals, the versions are %s", got)
	}
}
