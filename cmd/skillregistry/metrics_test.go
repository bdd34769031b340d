package main

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// metricsURL is where a registry that was started with --metrics-addr shows its metrics.
func metricsURL(t *testing.T, stderr *output) string {
	t.Helper()
	return "http://" + stderr.waitFor(t, regexp.MustCompile(`msg="listening for metrics" addr=(\S+)`))[1]
}

// series are the samples of the registry itself, without their values.
func series(t *testing.T, url string) map[string]string {
	t.Helper()
	_, body := fetch(t, url+"/metrics")
	found := map[string]string{}
	for line := range strings.Lines(body) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "} "); ok && strings.HasPrefix(name, "skillregistry_") {
			found[name+"}"] = value
		} else if name, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok && strings.HasPrefix(name, "skillregistry_") {
			found[name] = value
		}
	}
	return found
}

// send sends a request and returns the status of the answer. Header are names and values in
// turns.
func send(t *testing.T, method, url, body string, header ...string) int {
	t.Helper()
	request, err := newRequest(t.Context(), method, url, body, header...)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return answer.StatusCode
}

func newRequest(ctx context.Context, method, url, body string, header ...string) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	for ; len(header) > 1; header = header[2:] {
		request.Header.Set(header[0], header[1])
	}
	return request, nil
}

func TestStrangersCanNotMakeMetricsGrow(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t), "--metrics-addr", "127.0.0.1:0")
	metrics := metricsURL(t, r.stderr)
	flood := func(from, to int) {
		for i := from; i < to; i++ {
			name := fmt.Sprintf("m%d", i)
			send(t, "GET", r.url+"/"+name, "")
			send(t, "GET", r.url+"/v1/skills/com.example."+name, "")
			send(t, "GET", r.url+"/v1/skills/com.example."+name+"/versions/"+fmt.Sprint(i)+".0.0", "")
			send(t, "GET", r.url+"/v1/skills?q="+name, "")
			send(t, "GET", r.url+"/livez/"+name+"/"+name, "")
			send(t, strings.ToUpper(name), r.url+"/livez", "")
			send(t, strings.ToUpper(name), r.url+"/"+name, "")
			send(t, "POST", r.url+"/v1/skills", valid("com.example."+name, "1.0.0"), "Authorization", "Bearer "+name)
			send(t, "POST", r.url+"/v1/skills", valid("com.example."+name, "1.0.0"), "Authorization", "Bearer "+adminKey, "Content-Type", "application/json")
			send(t, "GET", r.url+"/livez", "", "X-Request-Id", name, "User-Agent", name, "X-Forwarded-For", name, "Traceparent", name)
		}
	}
	flood(0, 3)
	before := series(t, metrics)
	flood(3, 103)
	after := series(t, metrics)
	for name := range after {
		if _, ok := before[name]; !ok {
			t.Errorf("after a flood there is the series %s, which was not there before", name)
		}
	}
	if len(before) < 60 {
		t.Errorf("got %d series, want those of requests among them", len(before))
	}
}

func TestMetricsTellWhatHappened(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t), "--metrics-addr", "127.0.0.1:0", "--breaking-changes", "refuse")
	metrics := metricsURL(t, r.stderr)
	admin := []string{"Authorization", "Bearer " + adminKey, "Content-Type", "application/json"}
	one := valid("com.example.one", "1.0.0")
	for _, document := range []string{one, one, valid("com.example.two", "1.0.0"), `{"id":1}`} {
		send(t, "POST", r.url+"/v1/skills", document, admin...)
	}
	send(t, "POST", r.url+"/v1/skills?dry_run=true", valid("com.example.three", "1.0.0"), admin...)
	send(t, "POST", r.url+"/v1/skills?dry_run=true", `{"id":1}`, admin...)
	narrower := strings.Replace(valid("com.example.one", "1.1.0"), `"public"`, `"private"`, 1)
	send(t, "POST", r.url+"/v1/skills", narrower, admin...)
	send(t, "POST", r.url+"/v1/skills?allow_breaking=true", narrower, admin...)
	send(t, "POST", r.url+"/v1/skills", one, "Authorization", "Bearer not-one")
	send(t, "BREW", r.url+"/livez", "")
	got := series(t, metrics)
	for name, want := range map[string]string{
		`skillregistry_publications_total{outcome="created"}`:                                        "3",
		`skillregistry_publications_total{outcome="unchanged"}`:                                      "1",
		`skillregistry_publications_total{outcome="refused"}`:                                        "3",
		`skillregistry_publications_total{outcome="failed"}`:                                         "0",
		`skillregistry_breaking_publications_total{outcome="refused"}`:                               "1",
		`skillregistry_breaking_publications_total{outcome="stored"}`:                                "1",
		`skillregistry_http_errors_total{code="AUTH_REQUIRED"}`:                                      "1",
		`skillregistry_http_requests_total{method="POST",route="/v1/skills",status="201"}`:           "3",
		`skillregistry_http_requests_total{method="other",route="other",status="405"}`:               "1",
		`skillregistry_http_request_duration_seconds_count{method="POST",route="/v1/skills"}`:        "9",
		`skillregistry_http_request_duration_seconds_bucket{method="other",route="other",le="+Inf"}`: "1",
		`skillregistry_http_requests_in_flight`:                                                      "0",
		`skillregistry_skills{access="public"}`:                                                      "1",
		`skillregistry_skills{access="other"}`:                                                       "1",
		`skillregistry_versions`:                                                                     "3",
		`skillregistry_store_up`:                                                                     "1",
		`skillregistry_snapshot_age_seconds`:                                                         "0",
		`skillregistry_snapshot_age_limit_seconds`:                                                   "60",
		`skillregistry_store_connections_limit{pool="write"}`:                                        "1",
		`skillregistry_audit_refusals_lost_total`:                                                    "0",
	} {
		if got[name] != want {
			t.Errorf("%s: got %q, want %s", name, got[name], want)
		}
	}
}

func TestTheTimeThatAnAnswerIsHeldIsNoneThatItTakes(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t), "--metrics-addr", "127.0.0.1:0")
	if status := send(t, "GET", r.url+"/v1/changes?after=now&wait=3s", ""); status != http.StatusOK {
		t.Fatalf("got status %d, want 200", status)
	}
	const name = `skillregistry_http_request_duration_seconds_sum{method="GET",route="/v1/changes"}`
	if got := series(t, metricsURL(t, r.stderr))[name]; got == "" || got >= "3" || strings.Contains(got, "e+") {
		t.Errorf("%s: got %s s for an answer that was held for 3 s, want less", name, got)
	}
}
