package main

import (
	"bufio"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/pprof"
	"runtime/metrics"
	"strconv"
)

// metricsServer is the HTTP server of the second listener: what the Go runtime says of
// itself, and profiles. It is for operators: nothing on it asks for a key.
func metricsServer(b build, log *slog.Logger) *http.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		out := bufio.NewWriter(w)
		writeMetrics(out, b)
		_ = out.Flush() // a scraper that went away
	})
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return &http.Server{
		Handler:           mux,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

// runtimeMetric is a metric of package runtime/metrics under its Prometheus name.
type runtimeMetric struct{ source, name, kind, help string }

func runtimeMetrics() []runtimeMetric {
	return []runtimeMetric{
		{"/sched/goroutines:goroutines", "go_goroutines", "gauge", "Goroutines that exist."},
		{"/sched/gomaxprocs:threads", "go_sched_gomaxprocs_threads", "gauge", "Processors that Go uses."},
		{"/memory/classes/total:bytes", "go_memory_total_bytes", "gauge", "Memory that Go has from the system."},
		{"/memory/classes/heap/objects:bytes", "go_memory_heap_objects_bytes", "gauge", "Memory of objects on the heap."},
		{"/gc/cycles/total:gc-cycles", "go_gc_cycles_total", "counter", "Garbage collections that ended."},
		{"/gc/heap/allocs:bytes", "go_gc_heap_allocs_bytes_total", "counter", "Bytes that were allocated on the heap."},
	}
}

// writeMetrics writes the metrics in the Prometheus text format.
func writeMetrics(w *bufio.Writer, b build) {
	fmt.Fprintf(w, "# HELP skillregistry_build_info Which build is running.\n# TYPE skillregistry_build_info gauge\n")
	fmt.Fprintf(w, "skillregistry_build_info{version=%s,commit=%s,go_version=%s} 1\n",
		strconv.Quote(b.Version), strconv.Quote(b.Commit), strconv.Quote(b.GoVersion))
	described := runtimeMetrics()
	samples := make([]metrics.Sample, len(described))
	for i, m := range described {
		samples[i].Name = m.source
	}
	metrics.Read(samples)
	for i, m := range described {
		if samples[i].Value.Kind() == metrics.KindUint64 {
			fmt.Fprintf(w, "# HELP %[1]s %[2]s\n# TYPE %[1]s %[3]s\n%[1]s %[4]d\n", m.name, m.help, m.kind, samples[i].Value.Uint64())
		}
	}
}
