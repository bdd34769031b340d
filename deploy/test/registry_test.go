package deploy_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// publisherKey is the key of the registries of these tests.
const publisherKey = "a-key-of-the-tests-0123456789abcdef"

var listening = regexp.MustCompile(`msg=listening addr=(\S+) `)

// registry starts a registry, which ends with the test, and returns its address.
func registry(t *testing.T) string {
	t.Helper()
	cmd := exec.Command(binary, "serve", "--addr", "127.0.0.1:0", "--admin-key", publisherKey, "--rate-limit", "0",
		"--database-url", "sqlite:"+filepath.Join(t.TempDir(), "registry.db"))
	cmd.Env = []string{}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	address := make(chan string, 1)
	go func() {
		defer close(address)
		for lines := bufio.NewScanner(stderr); lines.Scan(); { // to its end, so that it never waits for us
			if m := listening.FindStringSubmatch(lines.Text()); m != nil {
				address <- "http://" + m[1]
			}
		}
	}()
	url, ok := <-address
	if !ok {
		t.Fatal("the registry ended before it listened")
	}
	return url
}

// wantSkills fails the test unless the index of a registry has these ids.
func wantSkills(t *testing.T, url string, want ...string) {
	t.Helper()
	answer, err := http.Get(url + "/.well-known/skills")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var index struct {
		Skills []struct {
			ID string `json:"id"`
		} `json:"skills"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&index); err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for _, skill := range index.Skills {
		got = append(got, skill.ID)
	}
	if len(got) != len(want) {
		t.Fatalf("the registry has %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("the registry has %q, want %q", got, want)
		}
	}
}
