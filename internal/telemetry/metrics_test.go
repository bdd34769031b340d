package telemetry_test

import (
	"context"
	"net/http"
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

// BenchmarkObserver is what metrics add to a request.
func BenchmarkObserver(b *testing.B) {
	o := observer()
	for b.Loop() {
		ctx, _ := o.Begin(b.Context(), nil)
		o.End(ctx, answered(http.StatusOK))
	}
}
