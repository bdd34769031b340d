package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

func TestAWrongSettingIsRefusedInOneLine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty")
	short := filepath.Join(dir, "short")
	for file, content := range map[string]string{empty: "\n", short: "too-short"} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name    string
		environ []string
		args    []string
		want    []string
		not     string
	}{
		{"an address without a port", []string{"SKILLREGISTRY_ADDR=localhost"}, nil, []string{`SKILLREGISTRY_ADDR "localhost"`, "HOST:PORT"}, ""},
		{"an address with a port that is too high", nil, []string{"--addr", "127.0.0.1:70000"}, []string{`--addr "127.0.0.1:70000"`, "0 to 65535"}, ""},
		{"an empty address by flag", nil, []string{"--addr", ""}, []string{`--addr ""`, "HOST:PORT"}, ""},
		{"a metrics address without a port", []string{"SKILLREGISTRY_METRICS_ADDR=9090"}, nil, []string{`SKILLREGISTRY_METRICS_ADDR "9090"`, "HOST:PORT"}, ""},
		{"one address for both listeners", []string{"SKILLREGISTRY_METRICS_ADDR=127.0.0.1:8080"}, nil, []string{"SKILLREGISTRY_METRICS_ADDR", "another address"}, ""},
		{"a database that is none of ours", []string{"SKILLREGISTRY_DATABASE_URL=mysql://u:hunter2@h/d"}, nil, []string{"SKILLREGISTRY_DATABASE_URL", "sqlite:PATH or postgres://"}, "hunter2"},
		{"a database URL that can't be parsed", []string{"SKILLREGISTRY_DATABASE_URL=postgres://u:hunter2%@h/d"}, nil, []string{"SKILLREGISTRY_DATABASE_URL", "expected"}, "hunter2"},
		{"a database URL by flag that can't be parsed", nil, []string{"--database-url", "postgres://u:hunter2%@h/d"}, []string{"--database-url", "expected"}, "hunter2"},
		{"a database URL whose password has a slash", []string{"SKILLREGISTRY_DATABASE_URL=postgres://u:1/hunter2@h/d"}, nil, []string{"SKILLREGISTRY_DATABASE_URL", "special characters escaped"}, "hunter2"},
		{"a database URL whose password has a sharp", []string{"SKILLREGISTRY_DATABASE_URL=postgres://u:1#hunter2@h/d"}, nil, []string{"SKILLREGISTRY_DATABASE_URL", "special characters escaped"}, "hunter2"},
		{"a database URL whose password has a question mark", []string{"SKILLREGISTRY_DATABASE_URL=postgres://u:1?hunter2@h/d"}, nil, []string{"SKILLREGISTRY_DATABASE_URL", "special characters escaped"}, "hunter2"},
		{"a database URL without slashes", []string{"SKILLREGISTRY_DATABASE_URL=postgres:u:hunter2@h/d"}, nil, []string{"SKILLREGISTRY_DATABASE_URL", "expected"}, "hunter2"},
		{"SQLite without a file", []string{"SKILLREGISTRY_DATABASE_URL=sqlite:"}, nil, []string{"SKILLREGISTRY_DATABASE_URL", "sqlite:skillregistry.db"}, ""},
		{"SQLite with slashes", []string{"SKILLREGISTRY_DATABASE_URL=sqlite:///tmp/x.db"}, nil, []string{"SKILLREGISTRY_DATABASE_URL", "without //"}, ""},
		{"a relative base URL", []string{"SKILLREGISTRY_BASE_URL=skills.example.com"}, nil, []string{`SKILLREGISTRY_BASE_URL "skills.example.com"`, "absolute http or https URL"}, ""},
		{"a base URL of another scheme", []string{"SKILLREGISTRY_BASE_URL=ftp://skills.example.com"}, nil, []string{"SKILLREGISTRY_BASE_URL", "absolute http or https URL"}, ""},
		{"a base URL with a query", []string{"SKILLREGISTRY_BASE_URL=https://skills.example.com/?a=b"}, nil, []string{"SKILLREGISTRY_BASE_URL", "without query"}, ""},
		{"a base URL with an empty fragment", []string{"SKILLREGISTRY_BASE_URL=https://skills.example.com/#"}, nil, []string{"SKILLREGISTRY_BASE_URL", "without query"}, ""},
		{"a base URL with a password", []string{"SKILLREGISTRY_BASE_URL=http://u:hunter2@skills.example.com"}, nil, []string{`SKILLREGISTRY_BASE_URL "http://…@skills.example.com"`, "and user"}, "hunter2"},
		{"a base URL by flag with a password that has signs", nil, []string{"--base-url", "http://u:hunter2/@?#@skills.example.com"}, []string{`--base-url "http://…@skills.example.com"`, "and user"}, "hunter2"},
		{"a provider's address with a password", []string{"SKILLREGISTRY_PROVIDER_URL=https://u:hunter2@example.com"}, nil, []string{"SKILLREGISTRY_PROVIDER_URL", "absolute http or https URL"}, "hunter2"},
		{"an address with a password", nil, []string{"--addr", "u:hunter2@localhost"}, []string{`--addr "…@localhost"`, "expected a port"}, "hunter2"},
		{"one address for both listeners by flag", nil, []string{"--addr", "127.0.0.1:1", "--metrics-addr", "127.0.0.1:1"}, []string{`--metrics-addr "127.0.0.1:1"`, "another address than --addr"}, ""},
		{"a folder to publish by flag that is not there", nil, []string{"--publish-dir", dir + "/none"}, []string{"--publish-dir", "expected a folder"}, ""},
		{"a folder to publish that is not there", []string{"SKILLREGISTRY_PUBLISH_DIR=" + dir + "/none"}, nil, []string{"SKILLREGISTRY_PUBLISH_DIR", "expected a folder", "no such file"}, ""},
		{"a folder to publish that is a file", []string{"SKILLREGISTRY_PUBLISH_DIR=" + short}, nil, []string{"SKILLREGISTRY_PUBLISH_DIR", "expected a folder"}, ""},
		{"a proxy that is no network", []string{"SKILLREGISTRY_TRUSTED_PROXIES=10.0.0.0/8,elsewhere"}, nil, []string{"SKILLREGISTRY_TRUSTED_PROXIES", "CIDR"}, ""},
		{"a network with too many bits", []string{"SKILLREGISTRY_TRUSTED_PROXIES=10.0.0.0/33"}, nil, []string{"SKILLREGISTRY_TRUSTED_PROXIES", "CIDR"}, ""},
		{"a blank provider", []string{"SKILLREGISTRY_PROVIDER_NAME= "}, nil, []string{"SKILLREGISTRY_PROVIDER_NAME", "not empty"}, ""},
		{"a provider's address without a scheme", []string{"SKILLREGISTRY_PROVIDER_URL=example.com"}, nil, []string{"SKILLREGISTRY_PROVIDER_URL", "absolute http or https URL"}, ""},
		{"a short admin key", []string{"SKILLREGISTRY_ADMIN_KEY=hunter2"}, nil, []string{"SKILLREGISTRY_ADMIN_KEY", "32 characters or more, got 7"}, "hunter2"},
		{"a short admin key by flag", nil, []string{"--admin-key", "hunter2"}, []string{"--admin-key", "32 characters or more"}, "hunter2"},
		{"an empty admin key by flag", nil, []string{"--admin-key", ""}, []string{"--admin-key", "32 characters or more"}, ""},
		{"an admin key that no header can hold", []string{"SKILLREGISTRY_ADMIN_KEY=" + strings.Repeat("hunter2 ", 5)}, nil, []string{"SKILLREGISTRY_ADMIN_KEY", "without spaces"}, "hunter2"},
		{"a short admin key in a file", []string{"SKILLREGISTRY_ADMIN_KEY_FILE=" + short}, nil, []string{"SKILLREGISTRY_ADMIN_KEY_FILE", "32 characters or more"}, "too-short"},
		{"an admin key and a file with one", []string{"SKILLREGISTRY_ADMIN_KEY=" + adminKey, "SKILLREGISTRY_ADMIN_KEY_FILE=" + short}, nil, []string{"SKILLREGISTRY_ADMIN_KEY and SKILLREGISTRY_ADMIN_KEY_FILE are both set"}, adminKey},
		{"both flags for the database", nil, []string{"--database-url", "sqlite:x.db", "--database-url-file", short}, []string{"--database-url and --database-url-file are both set"}, ""},
		{"a secret's file that is not there", []string{"SKILLREGISTRY_ADMIN_KEY_FILE=" + dir + "/none"}, nil, []string{"SKILLREGISTRY_ADMIN_KEY_FILE", "/none", "no such file"}, ""},
		{"a secret's file that is empty", []string{"SKILLREGISTRY_DATABASE_URL_FILE=" + empty}, nil, []string{"SKILLREGISTRY_DATABASE_URL_FILE", "not empty"}, ""},
		{"a secret's file that is a folder", []string{"SKILLREGISTRY_DATABASE_URL_FILE=" + dir}, nil, []string{"SKILLREGISTRY_DATABASE_URL_FILE", "directory"}, ""},
		{"a duration without a unit", []string{"SKILLREGISTRY_STALE_IF_ERROR=60"}, nil, []string{`SKILLREGISTRY_STALE_IF_ERROR "60"`, "a duration such as"}, ""},
		{"a duration below zero", []string{"SKILLREGISTRY_SHUTDOWN_TIMEOUT=-1s"}, nil, []string{"SKILLREGISTRY_SHUTDOWN_TIMEOUT", "not below 0"}, ""},
		{"a rate that is no number", []string{"SKILLREGISTRY_RATE_LIMIT=many"}, nil, []string{`SKILLREGISTRY_RATE_LIMIT "many"`, "requests a second"}, ""},
		{"a rate that is not finite", []string{"SKILLREGISTRY_RATE_LIMIT=NaN"}, nil, []string{"SKILLREGISTRY_RATE_LIMIT", "requests a second"}, ""},
		{"a rate below zero", []string{"SKILLREGISTRY_RATE_LIMIT=-1"}, nil, []string{"SKILLREGISTRY_RATE_LIMIT", "requests a second"}, ""},
		{"a size with a strange unit", []string{"SKILLREGISTRY_MAX_BODY=1 potato"}, nil, []string{"SKILLREGISTRY_MAX_BODY", "a size from 1KiB to 64MiB"}, ""},
		{"a size that no number holds", []string{"SKILLREGISTRY_MAX_BODY=99999999999GiB"}, nil, []string{"SKILLREGISTRY_MAX_BODY", "a size from"}, ""},
		{"a size of nothing", []string{"SKILLREGISTRY_MAX_BODY=0"}, nil, []string{"SKILLREGISTRY_MAX_BODY", "a size from"}, ""},
		{"a depth of nothing", []string{"SKILLREGISTRY_MAX_DEPTH=0"}, nil, []string{"SKILLREGISTRY_MAX_DEPTH", "from 8 to 256"}, ""},
		{"a format of the log that is not known", []string{"SKILLREGISTRY_LOG_FORMAT=xml"}, nil, []string{`SKILLREGISTRY_LOG_FORMAT "xml"`, "one of: text, json"}, ""},
		{"a level of the log that is not known", []string{"SKILLREGISTRY_LOG_LEVEL=trace"}, nil, []string{"SKILLREGISTRY_LOG_LEVEL", "debug, info, warn, error"}, ""},
		{"a flag that is not known", nil, []string{"--adress", "x"}, []string{"unknown flag: --adress"}, ""},
		{"an argument", nil, []string{"now"}, []string{`"now" is one too many`}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			// A setting that is taken by mistake must not start a registry for good.
			environ := append([]string{"SKILLREGISTRY_LOG_LEVEL=error"}, c.environ...)
			got := call(t, environ, "", append([]string{"serve"}, c.args...)...)
			wantStatus(t, got, statusUsage)
			wantOneLine(t, "stderr", got.stderr, append(c.want, "skillregistry: ", "--help")...)
			if c.not != "" && strings.Contains(got.stderr, c.not) {
				t.Errorf("stderr: got %q, which gives away %q", got.stderr, c.not)
			}
			if got.stdout != "" {
				t.Errorf("stdout: got %q, want nothing", got.stdout)
			}
		})
	}
}

func TestAFlagWinsOverItsVariableAndThatOverTheDefault(t *testing.T) {
	t.Parallel()
	environ := []string{
		"SKILLREGISTRY_PROVIDER_NAME=by variable",
		"SKILLREGISTRY_PROVIDER_URL=https://variable.example",
		"SKILLREGISTRY_RATE_LIMIT=", // set but empty is not set
		"SKILLREGISTRY_MAX_BODY=512KiB",
		"SKILLREGISTRY_TRUSTED_PROXIES=10.1.2.3/8, ::1",
	}
	r := boot(t, environ, "--database-url", storetest.SQLite(t), "--provider-name", "by flag")
	wantText(t, "log", r.stderr.String(),
		`provider_name="by flag"`, "provider_url=https://variable.example", "rate_limit=20 ", "max_body=512KiB ",
		"max_depth=64 ", "trusted_proxies=10.0.0.0/8,::1/128 ", "stale_if_error=1m ", "shutdown_timeout=10s ")
}

func TestAFlagForASecretWinsOverTheVariableForItsFile(t *testing.T) {
	t.Parallel()
	environ := []string{"SKILLREGISTRY_DATABASE_URL_FILE=/nowhere", "SKILLREGISTRY_ADMIN_KEY_FILE=/nowhere"}
	boot(t, environ, "--database-url", storetest.SQLite(t), "--admin-key", adminKey)
}

func TestSecretsComeFromFilesAndAreNeverPrinted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	keyFile, databaseFile := filepath.Join(dir, "key"), filepath.Join(dir, "database")
	for file, content := range map[string]string{keyFile: adminKey + "\n", databaseFile: storetest.SQLite(t) + "\r\n"} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := boot(t, []string{"SKILLREGISTRY_ADMIN_KEY_FILE=" + keyFile, "SKILLREGISTRY_DATABASE_URL_FILE=" + databaseFile, "SKILLREGISTRY_LOG_LEVEL=debug"})
	wantStatus(t, call(t, []string{"SKILLREGISTRY_URL=" + r.url, "SKILLREGISTRY_KEY_FILE=" + keyFile}, "", "keys", "list"), statusOK)
	if status := r.stop(); status != statusOK {
		t.Errorf("got exit status %d, want 0", status)
	}
	wantText(t, "log", r.stderr.String(), "admin_key=set")
	if all := r.stdout.String() + r.stderr.String(); strings.Contains(all, adminKey) {
		t.Errorf("the output has the admin key in it:\n%s", all)
	}
	if r.stdout.String() != "" {
		t.Errorf("stdout: got %q, want nothing where the admin key is configured", r.stdout)
	}
}

func TestADatabaseURLIsShownWithoutItsPassword(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"sqlite:a.db":                               "sqlite:a.db",
		"postgres://me@db.example/skills":           "postgres://me@db.example/skills",
		"postgres:me:hunter2@db.example/skills":     "postgres://…",
		"postgres://me:1/hunter2@db.example/skills": "postgres://…",
		"postgres://me:1?hunter2@db.example/skills": "postgres://…",
		"postgres://me:1#hunter2@db.example/skills": "postgres://…",
		"postgres://me:hunter2@db.example/skills":   "postgres://me@db.example/skills",
		"postgres://me:hun%2Fter2@db.example:1/s":   "postgres://me@db.example:1/s",
		"postgres:///s?host=/run&password=hunter2":  "postgres:///s?host=%2Frun",
		"postgresql://db/s?sslpassword=x&sslmode=a": "postgresql://db/s?sslmode=a",
		"postgres://me:hunter2%@db.example/skills":  "postgres://…",
	} {
		if got := withoutPassword(given); got != want {
			t.Errorf("withoutPassword(%q): got %q, want %q", given, got, want)
		}
		c := config{databaseURL: given}
		if logged := fmt.Sprint(c.logAttributes()...); strings.Contains(logged, "hunter2") {
			t.Errorf("%q is logged as %s", given, logged)
		}
	}
}

func TestTheBaseURLIsMadeFromWhatIsListenedOn(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]string{
		"127.0.0.1:0": "http://127.0.0.1:",
		"localhost:0": "http://localhost:",
		":0":          "http://localhost:",
		"0.0.0.0:0":   "http://localhost:",
		"[::]:0":      "http://localhost:",
		"[::1]:0":     "http://[::1]:",
	} {
		s := server{config: config{addr: addr}, nameOf: func(flag string) string { return flag }}
		if err := s.listen(); err != nil {
			t.Logf("this machine has no %s: %v", addr, err)
			continue
		}
		if got := defaultBaseURL(addr, s.listener.Addr()); !strings.HasPrefix(got, want) || strings.HasSuffix(got, ":0") {
			t.Errorf("listening on %s: got %s, want %s and the real port", addr, got, want)
		}
		s.Close()
	}
}

func TestAVariableThatNoSettingHasIsWarnedAbout(t *testing.T) {
	t.Parallel()
	environ := []string{
		"SKILLREGISTRY_DATABSE_URL=postgres://elsewhere",
		// What Kubernetes sets beside a Service named skillregistry.
		"SKILLREGISTRY_SERVICE_HOST=10.0.0.1", "SKILLREGISTRY_SERVICE_PORT=80", "SKILLREGISTRY_SERVICE_PORT_HTTP=80",
		"SKILLREGISTRY_PORT=tcp://10.0.0.1:80", "SKILLREGISTRY_PORT_80_TCP=tcp://10.0.0.1:80",
		"SKILLREGISTRY_PORT_80_TCP_PROTO=tcp", "SKILLREGISTRY_METRICS_PORT_90_TCP_ADDR=10.0.0.1",
		"OTHER_THING=1",
	}
	got := call(t, environ, "", "version")
	wantStatus(t, got, statusOK)
	wantOneLine(t, "stderr", got.stderr, "warning: SKILLREGISTRY_DATABSE_URL is set, but there is no such setting")

	r := boot(t, environ, "--database-url", storetest.SQLite(t))
	wantText(t, "log", r.stderr.String(), "level=WARN", "SKILLREGISTRY_DATABSE_URL is set, but there is no such setting")
	if strings.Contains(r.stderr.String(), "SERVICE") {
		t.Errorf("log: got a warning about a variable of Kubernetes:\n%s", r.stderr)
	}
}

func TestSizesAreReadAndShown(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"1MiB": "1MiB", "1048576": "1MiB", "2 KiB": "2KiB", "2MB": "2000000B", "3000B": "3000B", "64MiB": "64MiB",
	} {
		var n int64
		v := sizeValue(&n, 1<<10, maxDocument)
		if err := v.Set(given); err != nil || v.String() != want {
			t.Errorf("%q: got %s and error %v, want %s", given, v, err, want)
		}
	}
}
