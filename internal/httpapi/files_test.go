package httpapi_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/agentskills"
	"github.com/skillregistry/skillregistry/internal/httpapi"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// ownSkill is a SKILL.md with a name and some text.
func ownSkill(name, text string) string {
	return "---\nname: " + name + "\ndescription: Does what it does.\n---\n" + text
}

// folder packs files, given as name and content by turns, as tar does: not as the registry
// packs them.
func folder(files ...string) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	w := tar.NewWriter(z)
	for i := 0; i < len(files); i += 2 {
		// A tar in memory takes everything that a header can hold.
		_ = w.WriteHeader(&tar.Header{Name: "./" + files[i], Size: int64(len(files[i+1])), Mode: 0o755, ModTime: time.Unix(1e9, 0)})
		_, _ = w.Write([]byte(files[i+1]))
	}
	_, _ = w.Close(), z.Close()
	return out.Bytes()
}

// gzipBody sends an archive.
func gzipBody(archive []byte) change {
	return func(r *http.Request) {
		jsonBody(archive)(r)
		r.Header.Set("Content-Type", "application/gzip")
	}
}

func filesOf(id, version string) string {
	return "/v1/skills/" + id + "/versions/" + version + "/files"
}

// attach attaches files as the administrator.
func (g *registry) attach(id, version string, archive []byte) *answer {
	g.t.Helper()
	return g.send("POST", filesOf(id, version), gzipBody(archive), asAdmin())
}

func TestFilesAreAttachedAndServed(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		id := g.namespace() + ".skill"
		g.published([4]string{id, "1.0.0", "public", "knowledge"})
		g.get(filesOf(id, "1.0.0")).wantError(404, protocol.CodeSkillNotFound)
		before := g.get("/v1/changes?after=now").text("/cursor")

		files := []string{"scripts/run.sh", "#!/bin/sh\n", "SKILL.md", ownSkill(agentskills.Name(id), "# A\n")}
		a := g.attach(id, "1.0.0", folder(files...)).wantStatus(201).wantHeader("Location", g.base+filesOf(id, "1.0.0"))
		digest := a.text("/digest")
		a.wantHeader("ETag", `"`+digest+`"`)
		if a.text("/id") != id || a.text("/version") != "1.0.0" || fmt.Sprint(a.at("/files")) != "[SKILL.md scripts/run.sh]" || fmt.Sprint(a.at("/warnings")) != "[]" {
			t.Errorf("got %v", a)
		}
		packed, err := agentskills.Pack([]agentskills.File{{Name: files[0], Content: []byte(files[1])}, {Name: files[2], Content: []byte(files[3])}})
		if err != nil {
			t.Fatal(err)
		}
		got := g.get(filesOf(id, "1.0.0"), header("Accept-Encoding", "gzip")).wantStatus(200).wantHeader("ETag", `"`+digest+`"`).
			wantHeader("Content-Type", "application/gzip").wantHeader("Content-Encoding", "")
		if !bytes.Equal(got.body, packed) || protocol.Digest(got.body) != digest {
			t.Errorf("got %d bytes, want the %d of Pack", len(got.body), len(packed))
		}
		g.get(filesOf(id, "1.0.0"), header("If-None-Match", `"`+digest+`"`)).wantStatus(304)
		if head := g.send("HEAD", filesOf(id, "1.0.0")).wantStatus(200); head.header.Get("Content-Length") != fmt.Sprint(len(packed)) {
			t.Errorf("HEAD says that there are %s bytes, want %d", head.header.Get("Content-Length"), len(packed))
		}
		list := g.get("/v1/skills/" + id + "/versions")
		if list.text("/versions/0/files/digest") != digest || list.text("/versions/0/files/url") != g.base+filesOf(id, "1.0.0") {
			t.Errorf("the list of versions says %v", list)
		}
		// Who follows the public feed learns that there is something new.
		if got := g.get("/v1/changes?after=" + before); got.text("/changes/0/id") != id {
			t.Errorf("the feed says %v", got)
		}
		// The same files, in another order and packed by another program.
		slices.Reverse(files)
		g.attach(id, "1.0.0", folder(files[1], files[0], files[3], files[2])).wantStatus(200).wantHeader("ETag", `"`+digest+`"`)
		g.send("POST", filesOf(id, "1.0.0"), gzipBody(packed), header("Content-Type", "application/x-gzip"), asAdmin()).wantStatus(200)
		g.attach(id, "1.0.0", folder("SKILL.md", ownSkill("a", "other"))).wantError(409, httpapi.CodeFilesExist)
	})
}

func TestFilesThatCanNotBeAttached(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{http: func(o *httpapi.Options) { o.MaxBody = 8 << 10 }})
	g.published([4]string{"com.example.a", "1.0.0", "public", "knowledge"}, [4]string{"com.example.gone", "1.0.0", "public", "api"})
	g.send("DELETE", "/v1/skills/com.example.gone", asAdmin()).wantStatus(204)
	right := folder("SKILL.md", ownSkill("a", ""))

	a := g.attach("com.example.a", "1.0.0", folder("../x", "x", "SKILL.md", ownSkill("a", ""), "b\\c", "x")).wantError(422, protocol.CodeValidation)
	if got := a.violations(); !slices.Equal(got, []string{"/.~1..~1x", `/.~1b\c`}) {
		t.Errorf("got the violations %q", got)
	}
	a = g.attach("com.example.a", "1.0.0", folder("SKILL.md", "---\nname: A\n---\n")).wantError(422, protocol.CodeValidation)
	if got := a.violations(); !slices.Equal(got, []string{"/SKILL.md/name", "/SKILL.md/description"}) {
		t.Errorf("got the violations %q", got)
	}
	g.attach("com.example.a", "1.0.0", folder("README.md", "x")).wantError(422, protocol.CodeValidation)
	g.attach("com.example.a", "1.0.0", right[:len(right)-3]).wantError(400, httpapi.CodeInvalidArchive)
	g.attach("com.example.a", "1.0.0", []byte("{}")).wantError(400, httpapi.CodeInvalidArchive)
	g.attach("com.example.a", "1.0.0", bytes.Repeat([]byte("x"), 9<<10)).wantError(413, httpapi.CodeBodyTooLarge)
	// A bomb: small, and more than sixteen times the largest body.
	if a := g.attach("com.example.a", "1.0.0", folder("SKILL.md", ownSkill("a", ""), "zeros", strings.Repeat("\x00", 140<<10))).wantError(422, protocol.CodeValidation); !slices.Equal(a.violations(), []string{""}) {
		t.Errorf("got %v", a)
	}
	for _, mediaType := range []string{"application/json", "application/zip", "application/octet-stream", ""} {
		g.send("POST", filesOf("com.example.a", "1.0.0"), gzipBody(right), header("Content-Type", mediaType), asAdmin()).
			wantError(415, httpapi.CodeUnsupportedMediaType).wantHeader("Accept-Post", "application/gzip")
	}
	g.send("POST", filesOf("com.example.a", "1.0.0"), gzipBody(right), header("Content-Encoding", "gzip"), asAdmin()).wantError(415, httpapi.CodeUnsupportedMediaType)
	for _, at := range [][2]string{{"com.example.a", "2.0.0"}, {"com.example.never", "1.0.0"}, {"com.example.gone", "1.0.0"}, {"com.example.A", "1.0.0"}, {"com.example.a", "1"}} {
		g.attach(at[0], at[1], right).wantError(404, protocol.CodeSkillNotFound)
	}
	g.get(filesOf("com.example.a", "1.0.0")).wantStatus(404) // nothing was left of all that
	if a := g.attach("com.example.a", "1.0.0", folder("SKILL.md", ownSkill("other", "x"))).wantStatus(201); a.text("/warnings/0/field") != "/SKILL.md/name" ||
		!strings.Contains(a.text("/warnings/0/message"), "listed as com-example-a") {
		t.Errorf("of another name it says %v", a)
	}
}

func TestWhoMayAttachFiles(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, g *registry) {
		mine, other := g.namespace(), g.namespace()
		g.published([4]string{mine + ".a", "1.0.0", "private", "api"}, [4]string{other + ".a", "1.0.0", "private", "api"})
		archive := gzipBody(folder("SKILL.md", ownSkill("a", "")))
		reader, _ := g.key([]string{"read"}, mine)
		publisher, _ := g.key([]string{"publish"}, mine)
		g.send("POST", filesOf(mine+".a", "1.0.0"), archive).wantError(401, protocol.CodeAuthRequired)
		g.send("POST", filesOf(mine+".a", "1.0.0"), archive, as(reader)).wantError(403, protocol.CodePermissionDenied)
		there := g.send("POST", filesOf(other+".a", "1.0.0"), archive, as(publisher)).wantError(403, protocol.CodePermissionDenied)
		never := g.send("POST", filesOf(other+".b", "1.0.0"), archive, as(publisher)).wantError(403, protocol.CodePermissionDenied)
		if !bytes.Equal(there.body, never.body) {
			t.Errorf("a skill of others is told by %s, and one that never was by %s", there.body, never.body)
		}
		g.send("POST", filesOf(mine+".a", "1.0.0"), archive, as(publisher)).wantStatus(201)
		// A private version's files are as hidden as itself.
		g.get(filesOf(mine+".a", "1.0.0")).wantError(404, protocol.CodeSkillNotFound)
		g.get(filesOf(mine+".a", "1.0.0"), as(reader)).wantStatus(200).wantHeader("Cache-Control", "private, no-store")
		audit := g.get("/v1/audit?skill_id="+mine+".a", asAdmin()).wantStatus(200)
		if !strings.Contains(string(audit.body), `"action":"attach_files"`) || !strings.Contains(string(audit.body), `"code":"PERMISSION_DENIED"`) {
			t.Errorf("the audit log says %s", audit.body)
		}
	})
}

func TestFilesStayForAsLongAsTheirVersion(t *testing.T) {
	t.Parallel()
	g := onSQLite(t, options{})
	g.published([4]string{"com.example.a", "1.0.0", "public", "api"}, [4]string{"com.example.a", "2.0.0", "public", "api"})
	g.attach("com.example.a", "1.0.0", folder("SKILL.md", ownSkill("a", ""))).wantStatus(201)
	at := "/v1/skills/com.example.a/versions/1.0.0"
	g.send("PATCH", at, jsonBody([]byte(`{"status":"deprecated"}`)), asAdmin()).wantStatus(200)
	if a := g.get(filesOf("com.example.a", "1.0.0")).wantStatus(200); a.header.Get("Deprecation") == "" || a.header.Get("Deprecation") != g.get(at).header.Get("Deprecation") {
		t.Errorf("of a deprecated version there is %q", a.header.Get("Deprecation"))
	}
	g.send("PATCH", at, jsonBody([]byte(`{"status":"yanked"}`)), asAdmin()).wantStatus(200)
	g.get(filesOf("com.example.a", "1.0.0")).wantStatus(200).wantHeader("Deprecation", "")
	g.get(filesOf("com.example.a", "2.0.0")).wantStatus(404)
	g.published([4]string{"com.example.a", "3.0.0", "private", "api"})
	g.get(filesOf("com.example.a", "1.0.0")).wantStatus(404)
	g.get(filesOf("com.example.a", "1.0.0"), asAdmin()).wantStatus(200)
	g.send("DELETE", at, asAdmin()).wantStatus(204)
	g.get(filesOf("com.example.a", "1.0.0"), asAdmin()).wantStatus(404)
}

// Replicas share a database; each sees the files with the answer to their attachment.
func TestEveryReplicaHasTheFiles(t *testing.T) {
	t.Parallel()
	url := storetest.PostgreSQL(t)
	a, b := newRegistry(t, url, options{}), newRegistry(t, url, options{})
	a.published([4]string{"com.example.a", "1.0.0", "public", "api"})
	b.get(filesOf("com.example.a", "1.0.0")).wantStatus(404)
	digest := a.attach("com.example.a", "1.0.0", folder("SKILL.md", ownSkill("a", ""))).wantStatus(201).text("/digest")
	if got := b.get(filesOf("com.example.a", "1.0.0")).wantStatus(200); protocol.Digest(got.body) != digest {
		t.Errorf("the other replica has %d bytes, want those of %s", len(got.body), digest)
	}
	a.send("DELETE", "/v1/skills/com.example.a", asAdmin()).wantStatus(204)
	b.get(filesOf("com.example.a", "1.0.0")).wantStatus(404)
}

func TestFilesWithoutTheStore(t *testing.T) {
	t.Parallel()
	g, l, _ := onLeavingStore(t, time.Minute)
	for _, id := range []string{"com.example.a", "com.example.b"} {
		g.published([4]string{id, "1.0.0", "public", "api"})
		g.attach(id, "1.0.0", folder("SKILL.md", ownSkill("a", id))).wantStatus(201)
	}
	g.get(filesOf("com.example.a", "1.0.0")).wantStatus(200)
	l.leave()
	if a := g.get(filesOf("com.example.a", "1.0.0")).wantStatus(200); a.header.Get("Age") == "" {
		t.Error("what is in memory is served without Age")
	}
	g.get(filesOf("com.example.b", "1.0.0")).wantError(503, protocol.CodeEndpointUnreachable)
	g.attach("com.example.b", "1.0.0", folder("SKILL.md", ownSkill("a", "x"))).wantError(503, protocol.CodeEndpointUnreachable)
	l.comeBack()
	g.get(filesOf("com.example.b", "1.0.0")).wantStatus(200).wantHeader("Age", "")
}

// A store that goes between the look and the reading.
func TestFilesOfAVersionThatIsDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	g, l, _ := onLeavingStore(t, time.Minute)
	g.published([4]string{"com.example.a", "1.0.0", "public", "api"})
	g.attach("com.example.a", "1.0.0", folder("SKILL.md", ownSkill("a", ""))).wantStatus(201)
	l.beforeArchive = func(ctx context.Context) {
		if err := l.Store.Delete(ctx, store.Deletion{SkillID: "com.example.a", At: time.Now()}); err != nil {
			t.Error(err)
		}
	}
	g.get(filesOf("com.example.a", "1.0.0")).wantError(404, protocol.CodeSkillNotFound)
}
