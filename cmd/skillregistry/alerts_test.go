package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

const monitoring = "../../deploy/monitoring/"

// fires says which alerts fire when what they watch is broken in one of some ways.
func fires() map[string]struct {
	alerts []string
	breaks func(*testing.T, *monitor)
} {
	return map[string]struct {
		alerts []string
		breaks func(*testing.T, *monitor)
	}{
		"the database stops": {[]string{
			"SkillRegistryStoreUnreachable", "SkillRegistrySnapshotStale", "SkillRegistryRevisionChecksFail",
			"SkillRegistryErrors", "SkillRegistryPublicationsFail", "SkillRegistryAuditEventsLost",
		}, stopDatabase},
		"the database stands still": {[]string{"SkillRegistrySlow", "SkillRegistryPoolExhausted"}, lockDatabase},
		"somebody tries keys":       {[]string{"SkillRegistryRefusalsSurge"}, tryKeys},
		"it is killed":              {[]string{"SkillRegistryDown"}, killIt},
		"it starts again and again": {[]string{"SkillRegistryRestarts"}, restartIt},
	}
}

func TestEachAlertFiresWhenWhatItWatchesBreaks(t *testing.T) {
	t.Parallel()
	prometheus := startPrometheus(t)
	for name, c := range fires() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := &monitor{prometheus: prometheus}
			c.breaks(t, m)
			m.wantFiring(t, c.alerts)
		})
	}
	t.Run("nothing is broken", func(t *testing.T) {
		t.Parallel()
		m := &monitor{prometheus: prometheus}
		_, r := m.serve(t, storetest.PostgreSQL(t))
		for range 70 {
			send(t, "GET", r+"/v1/skills", "")
			send(t, "GET", r+"/v1/skills/com.example.none", "")
			send(t, "POST", r+"/v1/skills", valid("com.example.quiet", "1.0.0"), asAdministrator()...)
			time.Sleep(200 * time.Millisecond)
		}
		if firing := m.fired(t); len(firing) > 0 {
			t.Errorf("got %v firing at some time, want none", firing)
		}
		if up := prometheus.query(t, fmt.Sprintf(`min_over_time(skillregistry_store_up{instance=%q}[10s])`, m.instance)); len(up) != 1 {
			t.Errorf("got %d series of the registry that was watched, want 1", len(up))
		}
	})
}

func TestEachAlertIsBrokenInATestAndExplained(t *testing.T) {
	t.Parallel()
	var tested []string
	for _, c := range fires() {
		tested = append(tested, c.alerts...)
	}
	slices.Sort(tested)
	var written []string
	for _, match := range regexp.MustCompile(`(?m)^ *- alert: (\S+)$`).FindAllStringSubmatch(readFile(t, monitoring+"alerts.yaml"), -1) {
		written = append(written, match[1])
	}
	slices.Sort(written)
	if !slices.Equal(tested, written) {
		t.Errorf("got tests for the alerts\n%v, want\n%v", tested, written)
	}
	timed, explained := readFile(t, monitoring+"alerts_test.yaml"), readFile(t, "../../docs/operations.md")
	for _, alert := range written {
		wantText(t, "alerts_test.yaml", timed, "- name: "+alert+"\n")
		wantText(t, "operations.md", explained, "\n### "+alert+"\n")
		wantText(t, "alerts.yaml", readFile(t, monitoring+"alerts.yaml"), "runbook: docs/operations.md#"+strings.ToLower(alert)+"\n")
	}
}

func TestPrometheusTakesTheRulesAndTheirTimes(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"check", "config", "prometheus.yaml"}, {"check", "rules", "alerts.yaml"}, {"test", "rules", "alerts_test.yaml"},
	} {
		cmd := exec.Command(ofPrometheus(t, "promtool"), args...)
		cmd.Dir = monitoring
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("promtool %v: %v\n%s", args, err, out)
		}
	}
}

func TestAlertsAndDashboardAskForMetricsThatExist(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t), "--metrics-addr", "127.0.0.1:0")
	send(t, "GET", r.url+"/v1/skills/com.example.none", "")
	_, metrics := fetch(t, metricsURL(t, r.stderr)+"/metrics")
	var dashboard any
	if err := json.Unmarshal([]byte(readFile(t, monitoring+"dashboard.json")), &dashboard); err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	for _, file := range []string{"dashboard.json", "alerts.yaml"} {
		for _, name := range regexp.MustCompile(`\b(skillregistry|go|process)_[a-z_]+\b`).FindAllString(readFile(t, monitoring+file), -1) {
			asked[name] = true
		}
	}
	for name := range asked {
		if !regexp.MustCompile(`(?m)^` + name + `[ {]`).MatchString(metrics) {
			t.Errorf("the dashboard or an alert asks for %s, which a registry does not have", name)
		}
	}
	if len(asked) < 25 {
		t.Errorf("got %d metrics that are asked for, want more: %v", len(asked), slices.Sorted(maps.Keys(asked)))
	}
}

// prometheus is a Prometheus with the committed alerts, whose minutes are seconds.
type prometheus struct{ url, targets string }

func startPrometheus(t *testing.T) *prometheus {
	t.Helper()
	dir := t.TempDir()
	minutes := regexp.MustCompile(`(for: |\[)([0-9]+)m\b`)
	write(t, dir, "alerts.yaml", minutes.ReplaceAllString(readFile(t, monitoring+"alerts.yaml"), "${1}${2}s"))
	write(t, dir, "prometheus.yaml", `
global: {scrape_interval: 1500ms, scrape_timeout: 1500ms, evaluation_interval: 500ms}
rule_files: [alerts.yaml]
scrape_configs: [{job_name: skillregistry, file_sd_configs: [{files: ["targets/*.json"], refresh_interval: 1s}]}]
`)
	p := &prometheus{targets: filepath.Join(dir, "targets")}
	if err := os.Mkdir(p.targets, 0o700); err != nil {
		t.Fatal(err)
	}
	server := startBinary(t, ofPrometheus(t, "prometheus"), nil,
		"--config.file", filepath.Join(dir, "prometheus.yaml"), "--storage.tsdb.path", filepath.Join(dir, "data"),
		"--web.listen-address", "127.0.0.1:0", "--log.format", "logfmt")
	address := server.stderr.waitFor(t, regexp.MustCompile(`msg="Listening on" address=(\S+)`))[1]
	p.url = "http://" + address
	server.stderr.waitFor(t, regexp.MustCompile(`Server is ready`))
	return p
}

func ofPrometheus(t *testing.T, name string) string {
	t.Helper()
	found, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("%v: run the test by .ci/with-prometheus", err)
	}
	return found
}

// sample is a series at one moment.
type sample struct{ Metric map[string]string }

func (p *prometheus) query(t *testing.T, query string) []sample {
	t.Helper()
	status, body := fetch(t, p.url+"/api/v1/query?query="+url.QueryEscape(query))
	var answer struct{ Data struct{ Result []sample } }
	if err := json.Unmarshal([]byte(body), &answer); err != nil || status != 200 {
		t.Fatalf("%s: status %d, %v, %s", query, status, err, body)
	}
	return answer.Data.Result
}

// monitor is one registry that Prometheus watches.
type monitor struct {
	prometheus *prometheus
	instance   string
}

// serve starts a registry that is watched from now on.
func (m *monitor) serve(t *testing.T, databaseURL string, args ...string) (p *process, address string) {
	t.Helper()
	metrics := m.instance
	if metrics == "" {
		metrics = "127.0.0.1:0"
	}
	p, addr := serving(t, append([]string{
		"--database-url", databaseURL, "--metrics-addr", metrics, "--stale-if-error", "3s", "--rate-limit", "0",
	}, args...)...)
	if m.instance == "" {
		m.instance = strings.TrimPrefix(metricsURL(t, p.stderr), "http://")
		write(t, m.prometheus.targets, strings.ReplaceAll(m.instance, ":", "-")+".json", fmt.Sprintf(`[{"targets":[%q]}]`, m.instance))
		m.wait(t, "the registry is seen", func() bool {
			return len(m.prometheus.query(t, fmt.Sprintf(`skillregistry_store_up{instance=%q} == 1`, m.instance))) == 1
		})
	}
	return p, "http://" + addr
}

func (m *monitor) wait(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(90 * time.Second); !holds(); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s did not come true", what)
		}
	}
}

// fired returns the alerts about the registry that fired at some time.
func (m *monitor) fired(t *testing.T) (alerts []string) {
	t.Helper()
	for _, s := range m.prometheus.query(t, fmt.Sprintf(`count by (alertname) (count_over_time(ALERTS{alertstate="firing",instance=%q}[10m]))`, m.instance)) {
		alerts = append(alerts, s.Metric["alertname"])
	}
	return alerts
}

// wantFiring fails the test unless each of the alerts fires.
func (m *monitor) wantFiring(t *testing.T, alerts []string) {
	t.Helper()
	for _, alert := range alerts {
		m.wait(t, alert, func() bool { return slices.Contains(m.fired(t), alert) })
	}
}

func asAdministrator() []string {
	return []string{"Authorization", "Bearer " + adminKey, "Content-Type", "application/json"}
}

// keepAsking has a number of clients do something again and again until the test is over.
func keepAsking(t *testing.T, clients int, pause time.Duration, ask func(client, time int)) {
	t.Helper()
	over := make(chan struct{})
	var asking sync.WaitGroup
	t.Cleanup(func() { close(over); asking.Wait() })
	for client := range clients {
		asking.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-over:
					return
				case <-time.After(pause):
					ask(client, i)
				}
			}
		})
	}
}

func stopDatabase(t *testing.T, m *monitor) {
	database := storetest.NewCluster(t)
	_, address := m.serve(t, database.URL())
	keepAsking(t, 1, 50*time.Millisecond, func(_, i int) {
		trySend("POST", address+"/v1/skills", "", "Authorization", "Bearer none", "X-Forwarded-For", fmt.Sprint(i))
		trySend("GET", address+"/v1/skills", "")
		trySend("POST", address+"/v1/skills", valid("com.example.late", "1.0.0"), asAdministrator()...)
	})
	m.wait(t, "refusals are under way", func() bool {
		return len(m.prometheus.query(t, fmt.Sprintf(`skillregistry_audit_refusals_pending{instance=%q} > 0`, m.instance))) == 1
	})
	database.Stop(t)
}

func lockDatabase(t *testing.T, m *monitor) {
	database := storetest.NewCluster(t)
	_, address := m.serve(t, database.URL())
	keepAsking(t, 40, 50*time.Millisecond, func(client, i int) {
		trySend("POST", address+"/v1/skills", valid(fmt.Sprintf("com.example.c%d", client), fmt.Sprintf("1.%d.0", i)), asAdministrator()...)
	})
	keepAsking(t, 1, 0, func(int, int) { trySend("GET", address+"/v1/skills", "") })
	keepAsking(t, 1, 0, func(int, int) {
		database.Execute(t, `do $$ begin lock table registry in access exclusive mode; perform pg_sleep(2); end $$`)
	})
}

func tryKeys(t *testing.T, m *monitor) {
	_, address := m.serve(t, storetest.SQLite(t))
	keepAsking(t, 2, 20*time.Millisecond, func(client, i int) {
		trySend("GET", address+"/v1/skills", "", "Authorization", fmt.Sprintf("Bearer key-%d-%d", client, i))
	})
}

func killIt(t *testing.T, m *monitor) {
	p, _ := m.serve(t, storetest.SQLite(t))
	p.signal(t, syscall.SIGKILL)
}

func restartIt(t *testing.T, m *monitor) {
	database := storetest.SQLite(t)
	for i := range 4 {
		p, _ := m.serve(t, database)
		m.wait(t, "the start is seen", func() bool {
			return len(m.prometheus.query(t, fmt.Sprintf(`changes(process_start_time_seconds{instance=%q}[5m]) >= %d`, m.instance, i))) == 1
		})
		p.signal(t, syscall.SIGKILL)
		p.wait(t)
	}
}

// trySend sends a request to a registry that may be gone.
func trySend(method, url, body string, header ...string) {
	request, err := newRequest(context.Background(), method, url, body, header...)
	if err != nil {
		return
	}
	client := http.Client{Timeout: 15 * time.Second}
	if answer, err := client.Do(request); err == nil {
		answer.Body.Close()
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
