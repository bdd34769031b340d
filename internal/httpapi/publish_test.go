package httpapi_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/skillregistry/skillregistry/internal/httpapi"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

func TestPublishAnswersWithWhatIsThere(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		id := g.namespace() + ".skill"
		address := g.base + "/v1/skills/" + id + "/versions/1.0.0"
		doc := protocoltest.Valid(id, "1.0.0", "public", "api")
		first := g.publish(doc).wantStatus(201)
		canonical, err := protocol.Canonicalize(doc, protocol.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		digest := protocol.Digest(canonical)
		for pointer, want := range map[string]string{"/id": id, "/version": "1.0.0", "/digest": digest, "/descriptor_url": address} {
			if got := first.text(pointer); got != want {
				t.Errorf("%s is %q, want %q", pointer, got, want)
			}
		}
		if first.at("/dry_run") != nil || first.at("/warnings") == nil {
			t.Errorf("%v; want warnings, if none, and no dry_run", first)
		}
		first.wantHeader("Location", address).wantHeader("ETag", `"`+digest+`"`)
		served := g.get(first.header.Get("Location")).wantStatus(200).wantHeader("ETag", first.header.Get("ETag"))
		if !bytes.Equal(served.body, canonical) {
			t.Errorf("served %s, want the canonical form %s", served.body, canonical)
		}
		if latest := g.get("/v1/skills/" + id); !bytes.Equal(latest.body, canonical) {
			t.Errorf("latest is %s, want %s", latest.body, canonical)
		}
		again := g.publish(doc).wantStatus(200).wantHeader("Location", address).wantHeader("ETag", `"`+digest+`"`)
		if !bytes.Equal(again.body, first.body) {
			t.Errorf("the same content again is answered with %s, want %s", again.body, first.body)
		}
		conflict := g.publish(protocoltest.Valid(id, "1.0.0", "private", "api")).wantError(409, httpapi.CodeVersionExists)
		if m := conflict.text("/error/message"); !strings.Contains(m, id) || !strings.Contains(m, "1.0.0") {
			t.Errorf("%v; want a message that names the skill and the version", conflict)
		}
		if got := g.get(address).text("/access"); got != "public" {
			t.Errorf("after a refused publication the access is %q, want public", got)
		}
	})
}

func TestOrderSpaceAndEscapesMakeNoOtherContent(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		id := g.namespace() + ".skill"
		first := g.publish([]byte(`{"id":"` + id + `","protocol":{"version":"1.0.0"},"name":"N","version":"1.0.0","capability_type":"api","description":"D","provider":{"name":"P"},"endpoint":{"url":"https://example.com/i"},"inputs":[],"output":{"type":"object"},"auth":{"type":"none"},"access":"public"}`)).wantStatus(201)
		again := g.publish([]byte(" {\n \"access\" : \"public\",\"id\":\"" + id + `","auth":{"type":"none"},"output":{"type":"object"},"inputs":[ ],"endpoint":{"url":"https:\/\/example.com\/i"},"provider":{"name":"P"},"description":"\u0044","capability_type":"api","version":"1.0.0","name":"N","protocol":{"version":"1.0.0"}}` + "\r\n")).wantStatus(200)
		if first.text("/digest") != again.text("/digest") {
			t.Errorf("digests %s and %s of the same content", first.text("/digest"), again.text("/digest"))
		}
	})
}

func TestDigitsUnknownMembersAndTextComeBack(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		id := g.namespace() + ".skill"
		g.publish([]byte(`{"protocol":{"version":"1.7.0","x":1},"id":"` + id + `","name":"é \u2028 \ud83d\ude00","version":"1.0.0","capability_type":"api","description":"a\tb","provider":{"name":"P"},"endpoint":{"url":"https://example.com/i"},"inputs":[],"output":{"type":"object"},"auth":{"type":"none"},"access":"public","x_vendor":{"big":12345678901234567890,"exact":3.14159265358979323846264338327950288,"e":1E400,"null":null}}`)).wantStatus(201)
		for _, path := range []string{"/v1/skills/" + id, "/v1/skills/" + id + "/versions/1.0.0"} {
			a := g.get(path).wantStatus(200)
			for _, text := range []string{"12345678901234567890", "3.14159265358979323846264338327950288", `"null":null`, `"x":1`, "1E400", "\u2028", "😀"} {
				if !strings.Contains(string(a.body), text) {
					t.Errorf("%v; want %q in it as it was published", a, text)
				}
			}
		}
	})
}

func TestLowerVersionThanLatestIsWarnedOf(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		id := n + ".skill"
		writer, _ := g.key([]string{"publish"}, n)
		warned := func(version, access string) bool {
			a := g.publish(protocoltest.Valid(id, version, access, "api"), as(writer)).wantStatus(201)
			for i := range a.at("/warnings").([]any) {
				if a.text(fmt.Sprintf("/warnings/%d/field", i)) == "/version" {
					return strings.Contains(a.text(fmt.Sprintf("/warnings/%d/message", i)), version)
				}
			}
			return false
		}
		for _, step := range []struct {
			version, access string
			want            bool
		}{
			{"2.0.0-rc.1", "public", false}, // the first
			{"2.0.0", "private", false},     // higher
			{"3.0.0-alpha", "public", false},
			{"1.10.0", "public", true},
			{"2.0.0-rc.2", "public", true},
			{"10.0.0", "public", false},
			{"9.0.0", "private", true},
		} {
			if got := warned(step.version, step.access); got != step.want {
				t.Errorf("%s after the others is warned of: %v, want %v", step.version, got, step.want)
			}
		}
	})
}

func TestDryRunChecksAllAndStoresNothing(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		id := g.namespace() + ".skill"
		doc := protocoltest.Valid(id, "1.0.0", "public", "api")
		dry := func(doc []byte) *answer {
			return g.send("POST", "/v1/skills?dry_run=true", asAdmin(), jsonBody(doc))
		}
		a := dry(doc).wantStatus(200).wantHeader("Location", "").wantHeader("ETag", "")
		if a.at("/dry_run") != true || !strings.HasPrefix(a.text("/digest"), "sha256:") || a.at("/published_at") != nil {
			t.Errorf("%v; want dry_run, a digest, and no time of publication", a)
		}
		g.get("/v1/skills/"+id, asAdmin()).wantError(404, protocol.CodeSkillNotFound)
		dry(protocoltest.Valid(id, "1.0.0", "open", "api")).wantError(422, protocol.CodeValidation)
		dry([]byte("nope")).wantError(400, httpapi.CodeInvalidJSON)
		published := g.send("POST", "/v1/skills?dry_run=false", asAdmin(), jsonBody(doc)).wantStatus(201)
		if a := dry(doc).wantStatus(200); a.at("/dry_run") != true || a.text("/published_at") != published.text("/published_at") {
			t.Errorf("%v; want dry_run, and when it was published", a)
		}
		dry(protocoltest.Valid(id, "1.0.0", "private", "api")).wantError(409, httpapi.CodeVersionExists)
		dry(protocoltest.Valid(id, "1.0.0+b", "public", "api")).wantError(409, httpapi.CodeVersionExists)
		if a := dry(protocoltest.Valid(id, "0.9.0", "public", "api")).wantStatus(200); a.text("/warnings/0/field") != "/version" {
			t.Errorf("%v; want the warning of a lower version", a)
		}
		for _, value := range []string{"maybe", "", "1", "TRUE", "true&dry_run=true"} {
			g.send("POST", "/v1/skills?dry_run="+value, asAdmin(), jsonBody(doc)).wantError(400, httpapi.CodeInvalidQuery)
		}
		other := protocoltest.Valid(id, "3.0.0", "public", "api")
		for _, slip := range []string{"dry-run=true", "dryrun=true", "dry_run=true&x=1"} {
			g.send("POST", "/v1/skills?"+slip, asAdmin(), jsonBody(other)).wantError(400, httpapi.CodeInvalidQuery)
		}
		if got := g.versions(id); !slices.Equal(got, []string{"1.0.0"}) {
			t.Errorf("after the dry runs there are the versions %v, want 1.0.0", got)
		}
	})
}

func TestTenPublishersAtOnce(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		n := g.namespace()
		race := func(doc func(i int) []byte) (statuses []int) {
			answers := make([]*answer, 10)
			errs := make([]error, 10)
			var wg sync.WaitGroup
			for i := range answers {
				wg.Go(func() { answers[i], errs[i] = g.try("POST", "/v1/skills", asAdmin(), jsonBody(doc(i))) })
			}
			wg.Wait()
			for i, a := range answers {
				if errs[i] != nil {
					t.Fatal(errs[i])
				}
				statuses = append(statuses, a.status)
			}
			slices.Sort(statuses)
			return statuses
		}
		same := race(func(int) []byte { return protocoltest.Valid(n+".same", "1.0.0", "public", "api") })
		if want := []int{200, 200, 200, 200, 200, 200, 200, 200, 200, 201}; !slices.Equal(same, want) {
			t.Errorf("the same content ten times at once: %v, want %v", same, want)
		}
		other := race(func(i int) []byte { return protocoltest.Valid(n+".other", fmt.Sprintf("1.0.0+%d", i), "public", "api") })
		if want := []int{201, 409, 409, 409, 409, 409, 409, 409, 409, 409}; !slices.Equal(other, want) {
			t.Errorf("other content ten times at once: %v, want %v", other, want)
		}
		many := race(func(i int) []byte { return protocoltest.Valid(n+".many", fmt.Sprintf("1.%d.0", i), "public", "api") })
		if want := slices.Repeat([]int{201}, 10); !slices.Equal(many, want) {
			t.Errorf("ten versions at once: %v, want %v", many, want)
		}
		if got := g.versions(n + ".many"); len(got) != 10 || got[0] != "1.9.0" {
			t.Errorf("after ten versions at once there are %v", got)
		}
	})
}

func TestMediaTypes(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	tests := map[string]struct {
		contentType []string
		encoding    string
		taken       bool
	}{
		"JSON":                    {[]string{"application/json"}, "", true},
		"JSON in capitals":        {[]string{"APPLICATION/JSON"}, "", true},
		"JSON in UTF-8":           {[]string{"application/json; charset=utf-8"}, "", true},
		"JSON in UTF-8, quoted":   {[]string{`application/json;charset="UTF-8"`}, "", true},
		"JSON not compressed":     {[]string{"application/json"}, "identity", true},
		"JSON in another charset": {[]string{"application/json;charset=iso-8859-1"}, "", false},
		"text":                    {[]string{"text/plain"}, "", false},
		"a form":                  {[]string{"application/x-www-form-urlencoded"}, "", false},
		"something like JSON":     {[]string{"application/ld+json"}, "", false},
		"nothing":                 {nil, "", false},
		"an empty header":         {[]string{""}, "", false},
		"no media type":           {[]string{";;;"}, "", false},
		"two of them":             {[]string{"application/json", "text/plain"}, "", false},
		"JSON, compressed":        {[]string{"application/json"}, "gzip", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := g.in(t)
			for _, path := range []string{"/v1/skills?dry_run=true", "/v1/validate?kind=descriptor"} {
				a := g.send("POST", path, asAdmin(), jsonBody(protocoltest.Valid("com.example.a", "1.0.0", "public", "api")), func(r *http.Request) {
					r.Header["Content-Type"] = test.contentType
					if test.encoding != "" {
						r.Header.Set("Content-Encoding", test.encoding)
					}
				})
				if test.taken {
					a.wantStatus(200)
				} else {
					a.wantError(415, httpapi.CodeUnsupportedMediaType)
				}
			}
		})
	}
}
