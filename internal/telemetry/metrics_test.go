package telemetry_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/httpapi"
	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/telemetry"
)

func observer() telemetry.Observer {
	return telemetry.Observer{Metrics: telemetry.NewMetrics(telemetry.Sources{
		Catalog: func(context.Context) catalog.Stats { return catalog.Stats{} },
		Store:   func() store.Stats { return store.Stats{} },
	})}
}

func answered(status int) httpapi.Answered {
	return httpapi.Answered{Method: http.MethodGet, Route: "/v1/skills/{id}", Status: status, Took: time.Millisecond, Bytes: 1000}
}

// TestCountingAReadAllocatesNothing holds for what reads are answered with.
func TestCountingAReadAllocatesNothing(t *testing.T) {
	if testing.Short() {
		return // the race detector, with which short tests run, has allocations of its own
	}
	o := observer()
	for _, status := range []int{http.StatusOK, http.StatusNotModified, http.StatusNotFound} {
		got := testing.AllocsPerRun(200, func() {
			ctx, _ := o.Begin(t.Context(), nil)
			o.End(ctx, answered(status))
		})
		if got > 0 {
			t.Errorf("a request that is answered with %d: got %.0f objects allocated, want none", status, got)
		}
	}
}

// Each fact has a number of its own, so that none can stand in the place of another.
func TestEachFactIsToldUnderItsName(t *testing.T) {
	t.Parallel()
	metrics := telemetry.NewMetrics(telemetry.Sources{
		Build: httpapi.BuildInfo{Version: "1.2.3", Commit: "abc", GoVersion: "go1"}, AgeLimit: 60,
		Catalog: func(context.Context) catalog.Stats {
			return catalog.Stats{
				Current: true, Age: 2 * time.Second, Revision: 3, PublicSkills: 4, Skills: 9, Versions: 11, Bytes: 12, Keys: 13,
				Checks: 14, FailedChecks: 15, Checking: 16 * time.Second, Waiting: 17, ArchiveBytes: 18, ArchiveHits: 19, ArchiveMisses: 20,
			}
		},
		Store: func() store.Stats {
			return store.Stats{
				Readers: store.PoolStats{Limit: 21, Open: 22, InUse: 23, Waits: 24, Waited: 25 * time.Second},
				Writers: store.PoolStats{Limit: 31, Open: 32, InUse: 33, Waits: 34, Waited: 35 * time.Second}, PendingRefusals: 36, LostRefusals: 37,
			}
		},
	})
	answer := httptest.NewRecorder()
	metrics.Handler(slog.New(slog.DiscardHandler)).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for _, want := range []string{
		`build_info{commit="abc",go_version="go1",version="1.2.3"} 1`, "store_up 1", "snapshot_age_seconds 2", "snapshot_age_limit_seconds 60",
		"snapshot_revision 3", `skills{access="public"} 4`, `skills{access="other"} 5`, "versions 11", "document_bytes 12", "keys 13",
		"revision_checks_total 14", "revision_check_failures_total 15", "revision_check_seconds_total 16", "changes_waiting 17",
		"files_cache_bytes 18", `files_cache_reads_total{result="hit"} 19`, `files_cache_reads_total{result="miss"} 20`,
		`store_connections_limit{pool="read"} 21`, `store_connections{pool="read"} 22`, `store_connections_in_use{pool="read"} 23`,
		`store_connection_waits_total{pool="read"} 24`, `store_connection_wait_seconds_total{pool="read"} 25`,
		`store_connections_limit{pool="write"} 31`, `store_connections{pool="write"} 32`, `store_connections_in_use{pool="write"} 33`,
		`store_connection_waits_total{pool="write"} 34`, `store_connection_wait_seconds_total{pool="write"} 35`,
		"audit_refusals_pending 36", "audit_refusals_lost_total 37",
	} {
		if !strings.Contains(answer.Body.String(), "\nskillregistry_"+want+"\n") {
			t.Errorf("the metrics lack skillregistry_%s", want)
		}
	}
}

// BenchmarkObserver is what metrics add to a request.
func BenchmarkObserver(b *testing.B) {
	o := observer()
	for b.Loop() {
		ctx, _ := o.Begin(b.Context(), nil)
		o.End(ctx, answered(http.StatusOK))
	}
}
