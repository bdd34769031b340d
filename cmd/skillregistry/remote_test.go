package main

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/client"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

func TestGetPrintsADescriptorAsItIs(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		r := bootOn(t, url)
		precise := strings.Replace(valid("com.example.a", "1.0.0"), `"inputs":[]`,
			`"inputs":[{"name":"n","type":"number","default":12345678901234567890.10}],"extra":[1E3]`, 1)
		newer := strings.Replace(precise, `"version":"1.0.0"`, `"version":"1.1.0"`, 2)
		newer = strings.Replace(newer, `{"version":"1.1.0"}`, `{"version":"1.0.0"}`, 1)
		for _, d := range []string{precise, newer} {
			wantStatus(t, call(t, r.as(adminKey), d, "publish", "-"), statusOK)
		}
		latest := call(t, r.as(""), "", "get", "com.example.a")
		wantStatus(t, latest, statusOK)
		wantText(t, "get", latest.stdout, "\n  \"access\": ", "12345678901234567890.10", "1E3", `"version": "1.1.0"`)
		wantText(t, "get of a version", call(t, r.as(""), "", "get", "com.example.a", "1.0.0").stdout, `"version": "1.0.0"`)

		raw := call(t, r.as(""), "", "get", "com.example.a", "--raw")
		versions := lines[client.Version](t, call(t, r.as(""), "", "get", "com.example.a", "--versions", "--json").stdout)
		if len(versions) != 2 || versions[0].Version != "1.1.0" || versions[1].Version != "1.0.0" {
			t.Fatalf("versions: got %+v, want 1.1.0 and 1.0.0", versions)
		}
		if got, want := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(raw.stdout))), versions[0].Digest; got != want {
			t.Errorf("digest of the raw bytes: got %s, want %s", got, want)
		}
		table := call(t, r.as(""), "", "get", "com.example.a", "--versions").stdout
		if !regexp.MustCompile(`^VERSION +STATUS +ACCESS +PUBLISHED +DIGEST\n1\.1\.0 +active +public +\S+Z +sha256:`).MatchString(table) {
			t.Errorf("versions: got the table\n%s", table)
		}
	})
}

func TestGetRefusesWhatDoesNotExist(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t), "--publish-dir", "../../examples")
	for _, args := range [][]string{{"com.example.none"}, {"org.arxiv.query", "9.9.9"}, {"com.github.skillregistry.review"}, {"../keys"}, {"none", "--versions"}} {
		got := call(t, r.as(""), "", append([]string{"get"}, args...)...)
		wantStatus(t, got, statusFailed)
		wantOneLine(t, "stderr", got.stderr, "skillregistry: ", "NOT_FOUND")
	}
	wantStatus(t, call(t, r.as(adminKey), "", "get", "com.github.skillregistry.review"), statusOK)
	for _, args := range [][]string{{}, {"a", "b", "c"}, {"a", ""}, {"a", "1.0.0", "--versions"}, {"a", "--json"}} {
		wantStatus(t, call(t, r.as(""), "", append([]string{"get"}, args...)...), statusUsage)
	}
}

func TestListPagesThroughTheIndex(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		r := bootOn(t, url)
		const skills = 230 // three pages
		dir := t.TempDir()
		var want []string
		for i := range skills {
			id := fmt.Sprintf("com.example.skill-%03d", i)
			want = append(want, id)
			write(t, dir, id+".json", valid(id, "1.0.0"))
		}
		wantStatus(t, call(t, r.as(adminKey), "", "publish", dir), statusOK)
		var got []string
		for _, e := range lines[client.Entry](t, call(t, r.as(""), "", "list", "--json").stdout) {
			got = append(got, e.ID)
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("got %d skills: %v, want %d", len(got), got, len(want))
		}
	})
}

func TestSearchPrintsWhatItFindsBestFirst(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t), "--publish-dir", "../../examples")
	got := call(t, r.as(""), "", "search", "wayback", "mahcine", "--type", "task", "--provider", "internet archive")
	wantStatus(t, got, statusOK)
	if want := "" +
		"ID                    VERSION  TYPE  ACCESS      NAME\n" +
		"org.archive.web.save  2.0.0    task  restricted  Save a page in the Wayback Machine\n"; got.stdout != want {
		t.Errorf("got\n%s\nwant\n%s", got.stdout, want)
	}
	if all := lines[client.Entry](t, call(t, r.as(""), "", "search", "--json").stdout); len(all) < 10 {
		t.Errorf("without words: got %d skills, want all", len(all))
	}
	if some := lines[client.Entry](t, call(t, r.as(""), "", "search", "--json", "--limit", "3").stdout); len(some) != 3 {
		t.Errorf("with a limit of 3: got %d skills", len(some))
	}
	if none := call(t, r.as(""), "", "search", "wayback", "--tag", "nothing", "--json"); none.stdout != "" {
		t.Errorf("with a tag that nothing has: got %s", none.stdout)
	}
	wantStatus(t, call(t, r.as(""), "", "search", strings.Repeat("x", 501)), statusFailed)
	wantStatus(t, call(t, r.as(""), "", "search", "--limit", "0"), statusUsage)
}

func TestListIsATableOfTheTypesThatAreAskedFor(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t), "--publish-dir", "../../examples")
	got := call(t, r.as(""), "", "list", "--type", "task,plugin")
	wantStatus(t, got, statusOK)
	if want := "" +
		"ID                       VERSION  TYPE    ACCESS      NAME\n" +
		"com.microsoft.learn.mcp  1.0.0    plugin  public      Microsoft Learn documentation server\n" +
		"org.archive.web.save     2.0.0    task    restricted  Save a page in the Wayback Machine\n"; got.stdout != want {
		t.Errorf("got\n%s\nwant\n%s", got.stdout, want)
	}
	if n := strings.Count(call(t, r.as(""), "", "list", "--type", "task", "--type", "plugin", "--json").stdout, "\n"); n != 2 {
		t.Errorf("with two flags: got %d skills, want 2", n)
	}
	refused := call(t, r.as(""), "", "list", "--type", "tool")
	wantStatus(t, refused, statusUsage)
	wantOneLine(t, "stderr", refused.stderr, `--type "tool"`, "plugin, api, knowledge, task")
	wantStatus(t, call(t, r.as("skr_wrong"), "", "list"), statusFailed)
}

func TestAKeyIsMadeUsedAndRevoked(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		r := bootOn(t, url)
		made := call(t, r.as(adminKey), "", "keys", "create", "--name", "ci", "--scope", "publish", "--namespace", "com.example,io", "--expires", "90d")
		wantStatus(t, made, statusOK)
		key := strings.TrimSuffix(made.stdout, "\n")
		if !regexp.MustCompile(`^skr_[a-z2-7]{64}$`).MatchString(key) {
			t.Fatalf("stdout: got %q, want the key alone", made.stdout)
		}
		wantText(t, "stderr", made.stderr, "(publish) in com.example, io, until "+time.Now().UTC().AddDate(0, 0, 90).Format("2006-01"), "shown this once")

		wantStatus(t, call(t, r.as(key), valid("com.example.a", "1.0.0"), "publish", "-"), statusOK)
		outside := call(t, r.as(key), valid("org.example.a", "1.0.0"), "publish", "-")
		wantStatus(t, outside, statusFailed)
		wantText(t, "stderr", outside.stderr, "-: ", "does not allow")
		for _, wrong := range []string{"", "skr_wrong"} {
			args := []string{"--server", r.url}
			if wrong != "" {
				args = append(args, "--key", wrong)
			}
			got := call(t, nil, "", append([]string{"keys", "list"}, args...)...)
			wantStatus(t, got, statusFailed)
			wantOneLine(t, "stderr", got.stderr, "--key or SKILLREGISTRY_KEY", "(AUTH_REQUIRED)")
			published := call(t, nil, valid("com.example.b", "1.0.0"), append([]string{"publish", "-"}, args...)...)
			wantText(t, "stderr", published.stderr, "-: ", "--key or SKILLREGISTRY_KEY")
			if all := got.stderr + published.stderr; strings.Contains(all, "Authorization") {
				t.Errorf("stderr: got %q, want nothing about headers, which this program sends itself", all)
			}
		}
		refused := call(t, r.as(key), "", "keys", "list")
		wantStatus(t, refused, statusFailed)
		wantOneLine(t, "stderr", refused.stderr, "PERMISSION_DENIED")

		keys := lines[client.Key](t, call(t, r.as(adminKey), "", "keys", "list", "--json").stdout)
		if len(keys) != 1 || keys[0].Name != "ci" || strings.Join(keys[0].Namespaces, " ") != "com.example io" {
			t.Fatalf("keys list: got %+v, want the one that was made", keys)
		}
		wantText(t, "keys list", call(t, r.as(adminKey), "", "keys", "list").stdout, "ID ", "SCOPES", "LAST USED", keys[0].ID, "valid until ")
		if keys[0].LastUsedAt.IsZero() {
			t.Errorf("keys list: got %+v, want when the key was last used", keys[0])
		}
		gone := call(t, r.as(adminKey), "", "keys", "revoke", keys[0].ID)
		wantStatus(t, gone, statusOK)
		wantText(t, "stdout", gone.stdout, keys[0].ID+": revoked\n")
		wantStatus(t, call(t, r.as(key), "", "list"), statusFailed)
		wantText(t, "keys list", call(t, r.as(adminKey), "", "keys", "list").stdout, "revoked ")
		if all := r.stdout.String() + r.stderr.String(); strings.Contains(all, key) {
			t.Errorf("the registry's output has the key in it:\n%s", all)
		}
	})
}

func TestAuditTellsWhatHappened(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		dir := t.TempDir()
		write(t, dir, "a.json", valid("com.example.a", "1.0.0"))
		r := bootOn(t, url, "--publish-dir", dir)
		wantStatus(t, call(t, r.as(adminKey), valid("com.example.a", "2.0.0"), "publish", "-"), statusOK)
		wantStatus(t, call(t, r.as(""), valid("com.example.b", "1.0.0"), "publish", "-"), statusFailed)
		wantStatus(t, call(t, r.as(adminKey), "", "yank", "com.example.a", "2.0.0", "--reason", "wrong"), statusOK)
		printed := call(t, r.as(adminKey), "", "audit")
		wantStatus(t, printed, statusOK)
		for _, line := range []string{
			`TIME +ACTOR +ADDRESS +ACTION +OF +OUTCOME +REQUEST`,
			`\S+Z +server +- +publish +com\.example\.a 1\.0\.0 +done +-`,
			`\S+Z +configured +127\.0\.0\.1 +publish +com\.example\.a 2\.0\.0 +done +[0-9A-V]{24}`,
			`\S+Z +- +127\.0\.0\.1 +publish +- +AUTH_REQUIRED +[0-9A-V]{24}`,
			`\S+Z +configured +127\.0\.0\.1 +set_status +com\.example\.a 2\.0\.0 yanked +done +[0-9A-V]{24}`,
		} {
			if !regexp.MustCompile(`(?m)^` + line + `$`).MatchString(printed.stdout) {
				t.Errorf("audit: want a line %s in\n%s", line, printed.stdout)
			}
		}
		if got := strings.Count(printed.stdout, "\n"); got != 5 {
			t.Errorf("audit: got %d lines, want 5:\n%s", got, printed.stdout)
		}
		ofSkill := strings.Split(strings.TrimSpace(call(t, r.as(adminKey), "", "audit", "--of-skill", "com.example.a", "--json").stdout), "\n")
		if len(ofSkill) != 4 || !strings.HasPrefix(ofSkill[3], `{"cursor":"e`) {
			t.Fatalf("audit --of-skill: got %q, want three events and a cursor", ofSkill)
		}
		cursor := strings.Split(ofSkill[3], `"`)[3]
		wantText(t, "audit --after", call(t, r.as(adminKey), "", "audit", "--of-key", "none", "--after", cursor, "--json").stdout, ofSkill[3])
		refused := call(t, r.as(adminKey), "", "audit", "--after", "nonsense")
		wantStatus(t, refused, statusFailed)
		wantOneLine(t, "stderr", refused.stderr, "INVALID_QUERY")
		wantStatus(t, call(t, r.as(""), "", "audit"), statusFailed)
	})
}

func TestAKeyThatCanNotBeMadeIsRefused(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t))
	for _, c := range []struct {
		name   string
		args   []string
		status int
		want   string
	}{
		{"no name", []string{"create", "--scope", "read"}, statusUsage, "needs --name and --scope"},
		{"no scope", []string{"create", "--name", "a"}, statusUsage, "needs --name and --scope"},
		{"a scope that is not known", []string{"create", "--name", "a", "--scope", "root"}, statusUsage, `--scope "root"`},
		{"an end that can't be read", []string{"create", "--name", "a", "--scope", "read", "--expires", "soon"}, statusUsage, `--expires "soon"`},
		{"an end in the past", []string{"create", "--name", "a", "--scope", "admin", "--expires", "2020-01-01T00:00:00Z"}, statusFailed, "see details. /expires_at: expected a time in the future"},
		{"no namespace", []string{"create", "--name", "a", "--scope", "read"}, statusFailed, "/namespaces: expected"},
		{"a namespace with a star", []string{"create", "--name", "a", "--scope", "read", "--namespace", "com.*"}, statusFailed, "/namespaces/0: expected"},
		{"revoking what is no key", []string{"revoke", "nonsense"}, statusFailed, "KEY_NOT_FOUND"},
		{"revoking by the key itself", []string{"revoke", "skr_" + strings.Repeat("a", 64)}, statusUsage, "not the key itself"},
		{"revoking nothing", []string{"revoke"}, statusUsage, "needs the ID"},
		{"no verb", nil, statusUsage, "create, list or revoke"},
		{"a verb that is not there", []string{"rotate"}, statusUsage, `no verb "rotate"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := call(t, r.as(adminKey), "", append([]string{"keys"}, c.args...)...)
			wantStatus(t, got, c.status)
			wantOneLine(t, "stderr", got.stderr, "skillregistry: ", c.want)
			if got.stdout != "" {
				t.Errorf("stdout: got %q, want nothing", got.stdout)
			}
		})
	}
}

func TestMigrateBringsAStoreUpToDate(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		for range 2 {
			got := call(t, []string{"SKILLREGISTRY_DATABASE_URL=" + url}, "", "migrate")
			wantStatus(t, got, statusOK)
			wantOneLine(t, "stdout", got.stdout, withoutPassword(url)+" is up to date")
		}
		// It makes no key: the first start still does.
		wantText(t, "stdout of the first start", boot(t, nil, "--database-url", url).stdout.String(), "shown this once")
	})
}

func TestHealthcheckAsksTheListenerOfThisMachine(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t))
	addr := strings.TrimPrefix(r.url, "http://")
	_, port, _ := strings.Cut(addr, ":")
	for _, given := range []string{addr, ":" + port, "0.0.0.0:" + port} {
		got := call(t, []string{"SKILLREGISTRY_ADDR=" + given}, "", "healthcheck")
		wantStatus(t, got, statusOK)
		wantOneLine(t, "stdout", got.stdout, r.url+" is ready")
	}
	r.stop()
	got := call(t, []string{"SKILLREGISTRY_ADDR=" + addr}, "", "healthcheck", "--timeout", "1s")
	wantStatus(t, got, statusFailed)
	wantOneLine(t, "stderr", got.stderr, "is not ready")
	wantStatus(t, call(t, []string{"SKILLREGISTRY_ADDR=:0"}, "", "healthcheck"), statusUsage)
}
