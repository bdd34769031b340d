package deploy_test

import (
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

func TestComposeRunsTwoReplicasOnLoopbackOnly(t *testing.T) {
	t.Parallel()
	registry := service(t, "registry")
	if registry.Deploy == nil || registry.Deploy.Replicas == nil || *registry.Deploy.Replicas != 2 {
		t.Errorf("replicas: got %+v, want 2", registry.Deploy)
	}
	if len(registry.Ports) != 1 || registry.Ports[0].Published != "8080-8081" || registry.Ports[0].Target != 8080 {
		t.Errorf("ports: got %+v, want 8080 of each replica at one of 8080-8081", registry.Ports)
	}
	for _, s := range project(t).Services {
		for _, p := range s.Ports {
			if ip, err := netip.ParseAddr(p.HostIP); err != nil || !ip.IsLoopback() {
				t.Errorf("%s: port %d is published at %q, want a loopback address", s.Name, p.Target, p.HostIP)
			}
		}
	}
}

func TestComposeBuildsTheDockerfile(t *testing.T) {
	t.Parallel()
	registry := service(t, "registry")
	if registry.Build == nil {
		t.Fatal("the registry's image is not built")
	}
	got, err := filepath.Rel(registry.Build.Context, must(filepath.Abs(dockerfile)))
	if err != nil || got != registry.Build.Dockerfile {
		t.Errorf("it builds %q in %q, want %s", registry.Build.Dockerfile, registry.Build.Context, dockerfile)
	}
}

func TestComposeGivesTheRegistryNoMoreThanItNeeds(t *testing.T) {
	t.Parallel()
	registry := service(t, "registry")
	if !registry.ReadOnly {
		t.Error("the root file system can be written to")
	}
	if !slices.Equal(registry.CapDrop, []string{"ALL"}) || len(registry.CapAdd) > 0 || registry.Privileged {
		t.Errorf("capabilities: got drop %v, add %v, privileged %v, want all dropped", registry.CapDrop, registry.CapAdd, registry.Privileged)
	}
	if !slices.Contains(registry.SecurityOpt, "no-new-privileges:true") {
		t.Errorf("security options: got %v, want no-new-privileges:true", registry.SecurityOpt)
	}
	if registry.User != "" {
		t.Errorf("user: got %q, want the image's own", registry.User)
	}
	soft := registry.Environment[memoryLimit]
	if soft == nil {
		t.Fatalf("%s is not set, want less than the limit of memory", memoryLimit)
	}
	checkMemoryLimit(t, *soft, int64(registry.MemLimit))
	const shutdown = 10 * time.Second // SKILLREGISTRY_SHUTDOWN_TIMEOUT
	if registry.StopGracePeriod == nil || time.Duration(*registry.StopGracePeriod) <= shutdown {
		t.Errorf("time to stop: got %v, want more than %v", registry.StopGracePeriod, shutdown)
	}
}

func TestComposeWaitsForADatabaseThatAnswers(t *testing.T) {
	t.Parallel()
	if got := service(t, "registry").DependsOn["postgres"].Condition; got != types.ServiceConditionHealthy {
		t.Errorf("the registry starts when postgres is %q, want %q", got, types.ServiceConditionHealthy)
	}
	if hc := service(t, "postgres").HealthCheck; hc == nil || len(hc.Test) == 0 {
		t.Error("postgres has no health check to wait for")
	}
}

func TestComposeTakesSecretsFromFilesAlone(t *testing.T) {
	t.Parallel()
	p, known := project(t), settings(t)
	for _, s := range p.Services {
		mounted := map[string]bool{}
		for _, secret := range s.Secrets {
			mounted["/run/secrets/"+secret.Source] = true
			if path := filepath.ToSlash(p.Secrets[secret.Source].File); !strings.HasSuffix(path, "/deploy/secrets/"+secret.Source) {
				t.Errorf("secret %s: got file %q, want the one that secrets.sh makes", secret.Source, path)
			}
		}
		for name, value := range s.Environment {
			if strings.HasPrefix(name, "SKILLREGISTRY_") && !known[name] {
				t.Errorf("%s: %s is set, but README.md knows no such setting", s.Name, name)
			}
			secret := slices.Contains(append(secretSettings, "POSTGRES_PASSWORD"), name)
			if secret {
				t.Errorf("%s: %s stands in the file itself", s.Name, name)
			}
			if strings.HasSuffix(name, "_FILE") && (value == nil || !mounted[*value]) {
				t.Errorf("%s: %s names a file that is not mounted", s.Name, name)
			}
		}
	}
}

func TestSecretsScriptMakesWhatComposeMounts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script, err := os.ReadFile("../secrets.sh")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "secrets.sh"), script, 0o755); err != nil {
		t.Fatal(err)
	}
	run := func() map[string]string {
		if out, err := exec.Command("sh", filepath.Join(dir, "secrets.sh")).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		content := map[string]string{}
		for name := range project(t).Secrets {
			data, err := os.ReadFile(filepath.Join(dir, "secrets", name))
			if err != nil {
				t.Fatal(err)
			}
			content[name] = string(data)
		}
		return content
	}

	first := run()
	if n := len(first["admin_key"]); n < 32 {
		t.Errorf("admin key: got %d characters, want 32 or more", n)
	}
	u, err := url.Parse(first["database_url"])
	if err != nil {
		t.Fatal(err)
	}
	if password, _ := u.User.Password(); password != first["postgres_password"] || password == "" {
		t.Error("the database's URL has another password than the database")
	}
	postgres := service(t, "postgres").Environment
	if got, want := u.User.Username()+u.Path, *postgres["POSTGRES_USER"]+"/"+*postgres["POSTGRES_DB"]; got != want {
		t.Errorf("user and database: got %q, want %q", got, want)
	}
	if got, want := u.Host, "postgres:5432"; got != want {
		t.Errorf("host: got %q, want %q", got, want)
	}
	if info, err := os.Stat(filepath.Join(dir, "secrets")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("folder: got %v, %v, want mode 0700", info.Mode(), err)
	}
	for name, content := range run() {
		if content != first[name] {
			t.Errorf("%s: a second run replaced it", name)
		}
	}
}

func project(t *testing.T) *types.Project {
	t.Helper()
	options, err := cli.NewProjectOptions([]string{"../compose.yaml"}, cli.WithWorkingDirectory(".."), cli.WithResolvedPaths(true))
	if err != nil {
		t.Fatal(err)
	}
	p, err := options.LoadProject(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func service(t *testing.T, name string) types.ServiceConfig {
	t.Helper()
	s, err := project(t).GetService(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func must(s string, err error) string {
	if err != nil {
		panic(err)
	}
	return s
}
