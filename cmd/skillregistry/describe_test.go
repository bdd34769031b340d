package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// foreign is the folder with documents of others.
const foreign = "../../internal/describe/testdata/"

func TestWhatIsImportedIsPublishedAndReadBack(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		r := bootOn(t, url)
		dir := filepath.Join(t.TempDir(), "new", "skills")
		for _, c := range []struct {
			form, file, want string
			args             []string
		}{
			{"openapi", "openapi/petstore.json", "25 descriptors of 25 operations, 57 losses\n", []string{"--namespace", "io.swagger.petstore", "--provider-name", "Swagger"}},
			{"openapi", "openapi/lxkns.yaml", "3 descriptors of 3 operations, ", []string{"--namespace", "org.example.lxkns", "--provider-name", "lxkns", "--base-url", "https://lxkns.example.com", "--access", "private"}},
			{"mcp", "mcp/neon.json", "1 descriptor of 1 server, 4 losses\n", nil},
			{"a2a", "a2a/weather.json", "2 descriptors of 2 skills, ", nil},
		} {
			got := call(t, nil, "", append([]string{"import", c.form, foreign + c.file, "--out", dir}, c.args...)...)
			wantStatus(t, got, statusOK)
			wantText(t, "stderr", got.stderr, foreign+c.file+": "+c.want)
			if got.stdout != "" {
				t.Errorf("%s: got %q on stdout, want nothing beside the files", c.file, got.stdout)
			}
		}
		got := call(t, r.as(adminKey), "", "publish", dir)
		wantStatus(t, got, statusOK)
		wantText(t, "stderr", got.stderr, "31 files: 31 published\n")
		if strings.Contains(got.stderr, "has no member") {
			t.Errorf("stderr: got a warning about a member that is added, want none:\n%s", got.stderr)
		}

		// As stored, it is what the file says, and only what is public is there for all.
		file, err := os.ReadFile(filepath.Join(dir, "io.swagger.petstore.get-pet-by-id.json"))
		if err != nil {
			t.Fatal(err)
		}
		canonical, err := protocol.Canonicalize(file, protocol.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		raw := call(t, r.as(""), "", "get", "io.swagger.petstore.get-pet-by-id", "--raw")
		if raw.stdout != string(canonical) {
			t.Errorf("got %s, want %s", raw.stdout, canonical)
		}
		wantText(t, "list", call(t, r.as(""), "", "list").stdout, "com.neon.mcp", "io.weathernow.api.current-weather")
		if all := call(t, r.as(""), "", "list").stdout; strings.Contains(all, "org.example.lxkns") {
			t.Errorf("list: got\n%s, want nothing that is private", all)
		}
	})
}

func TestOneDescriptorGoesThroughAPipe(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t))
	document, err := os.ReadFile(foreign + "mcp/apify.json")
	if err != nil {
		t.Fatal(err)
	}
	made := call(t, nil, string(document), "import", "mcp", "-", "--skill-version", "2.0.0", "--namespace", "com.example")
	wantStatus(t, made, statusOK)
	wantText(t, "stderr", made.stderr, "-: its tools are not in server.json", "-: 1 descriptor of 1 server, 1 loss\n")
	published := call(t, r.as(adminKey), made.stdout, "publish", "-")
	wantStatus(t, published, statusOK)
	wantText(t, "stdout", published.stdout, "-: published com.example.apify-mcp-server 2.0.0\n")

	several := call(t, nil, "", "import", "a2a", foreign+"a2a/weather.json")
	if got := lines[map[string]any](t, several.stdout); len(got) != 2 || got[1]["id"] != "io.weathernow.api.weather-forecast" {
		t.Errorf("got\n%s, want two descriptors, each a line", several.stdout)
	}
}

func TestImportReplacesNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	args := []string{"import", "a2a", foreign + "a2a/weather.json", "--out", dir}
	wantStatus(t, call(t, nil, "", args...), statusOK)
	name := filepath.Join(dir, "io.weathernow.api.current-weather.json")
	first, err := os.ReadFile(name)
	if err != nil || !json.Valid(first) || !strings.HasPrefix(string(first), "{\n  \"access\"") {
		t.Fatalf("got %s and the error %v, want an indented descriptor", first, err)
	}
	wantStatus(t, call(t, nil, "", args...), statusOK) // the same once more is no harm

	write(t, dir, filepath.Base(name), "mine")
	got := call(t, nil, "", args...)
	wantStatus(t, got, statusFailed)
	wantText(t, "stderr", got.stderr, name+": there is such a file already; --force replaces it\n")
	if kept, _ := os.ReadFile(name); string(kept) != "mine" {
		t.Errorf("got %s, want the file as it was", kept)
	}
	wantStatus(t, call(t, nil, "", append(args, "--force")...), statusOK)
	if replaced, _ := os.ReadFile(name); string(replaced) != string(first) {
		t.Errorf("got %s, want the descriptor", replaced)
	}
}

func TestTheExitStatusOfImportTellsWhatHappened(t *testing.T) {
	t.Parallel()
	const petstore, packaged = foreign + "openapi/petstore.json", foreign + "mcp/github.json"
	dir := t.TempDir()
	bad := write(t, dir, "bad.yaml", "openapi: 3.1.0\ninfo: {version: v1}")
	for _, c := range []struct {
		name   string
		args   []string
		status int
		want   string
	}{
		{"no namespace", []string{"openapi", petstore}, statusFailed, petstore + ": it needs a namespace: an OpenAPI document does not say whose ids its operations have; give it with --namespace\n"},
		{"no provider", []string{"openapi", petstore, "--namespace", "com.example"}, statusFailed, "; give it with --provider-name\n"},
		{"a version that is none", []string{"openapi", bad, "--namespace", "com.example"}, statusFailed, `/info/version is "v1", which is none by SemVer 2.0.0, such as 1.2.3; give it with --skill-version`},
		{"a document of another kind", []string{"mcp", petstore}, statusFailed, "this is no server.json"},
		{"nothing that can be described", []string{"mcp", packaged}, statusFailed, packaged + ": nothing in it could be described\n"},
		{"one of two that can't", []string{"mcp", packaged, foreign + "mcp/neon.json"}, statusFailed, "1 descriptor of 1 server"},
		{"no base URL", []string{"openapi", foreign + "openapi/lxkns.yaml", "--namespace", "com.example", "--provider-name", "x"}, statusFailed,
			"lxkns.yaml:/paths/~1namespaces/get: left out: the address of its server is /api, and no base URL is given\n"},
		{"no file", []string{"openapi"}, statusUsage, "needs a FILE"},
		{"a file that is not there", []string{"openapi", dir + "/none.yaml", "--namespace", "com.example"}, statusUsage, "none.yaml: no such file"},
		{"a namespace that can't begin an id", []string{"openapi", petstore, "--namespace", "Com.Example."}, statusUsage, `--namespace "Com.Example."`},
		{"a version by flag that is none", []string{"mcp", packaged, "--skill-version", "1.0"}, statusUsage, `--skill-version "1.0"`},
		{"an access that is none", []string{"a2a", packaged, "--access", "secret"}, statusUsage, "one of: public, restricted, private"},
		{"a base URL that is none", []string{"openapi", petstore, "--base-url", "/v1"}, statusUsage, `--base-url "/v1"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := call(t, nil, "", append([]string{"import"}, c.args...)...)
			wantStatus(t, got, c.status)
			wantText(t, "stderr", got.stderr, c.want)
		})
	}
}
