package telemetry

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/httpapi"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
)

// Sources are asked whenever somebody asks for the metrics.
type Sources struct {
	Build   httpapi.BuildInfo
	Catalog func(context.Context) catalog.Stats
	Store   func() store.Stats
	// AgeLimit is how old, in seconds, the snapshot may become before reads end.
	AgeLimit float64
}

// Metrics are what Prometheus reads. They are for operators: private skills count in them.
type Metrics struct {
	registry *prometheus.Registry

	inFlight     prometheus.Gauge
	requests     *prometheus.CounterVec
	durations    *prometheus.HistogramVec
	bytes        *prometheus.CounterVec
	errors       *prometheus.CounterVec
	publications *prometheus.CounterVec
	breaking     *prometheus.CounterVec
}

// NewMetrics returns the metrics of one registry.
func NewMetrics(s Sources) *Metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: "skillregistry_" + name, Help: help}, labels)
	}
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "skillregistry_http_requests_in_flight", Help: "Requests that are being answered, those included that are held for news.",
		}),
		requests: counter("http_requests_total", "Requests that were answered; status none is to a client that went away.", "method", "route", "status"),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "skillregistry_http_request_duration_seconds", Help: "How long answers took, without the time that they were held for news.",
			Buckets: []float64{.001, .005, .025, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"method", "route"}),
		bytes:        counter("http_response_bytes_total", "Bytes of the bodies of answers.", "route"),
		errors:       counter("http_errors_total", "Answers that were errors, by their code.", "code"),
		publications: counter("publications_total", "Documents that were to be published, without dry runs.", "outcome"),
		breaking:     counter("breaking_publications_total", "Publications that break callers that their number promises not to break.", "outcome"),
	}
	// What is counted for the first time has to be seen to grow.
	for _, code := range []protocol.Code{protocol.CodeAuthRequired, httpapi.CodeRateLimited, httpapi.CodeInternal} {
		m.errors.WithLabelValues(string(code))
	}
	for _, outcome := range []httpapi.Publication{
		httpapi.PublicationCreated, httpapi.PublicationUnchanged, httpapi.PublicationRefused, httpapi.PublicationFailed,
	} {
		m.publications.WithLabelValues(string(outcome))
	}
	for _, outcome := range []string{breakingStored, breakingRefused} {
		m.breaking.WithLabelValues(outcome)
	}
	m.registry.MustRegister(
		m.inFlight, m.requests, m.durations, m.bytes, m.errors, m.publications, m.breaking,
		newFacts(s), collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

// The outcomes of publications that break callers.
const (
	breakingStored  = "stored"
	breakingRefused = "refused"
)

// Handler answers with the metrics in the form that is asked for. What goes wrong is told to
// the log.
func (m *Metrics) Handler(log *slog.Logger) http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorLog:            slog.NewLogLogger(log.Handler(), slog.LevelError),
		MaxRequestsInFlight: 4,
	})
}

// answered counts a request, whose method and route are among those that are known.
func (m *Metrics) answered(a httpapi.Answered) {
	m.inFlight.Dec()
	m.requests.WithLabelValues(a.Method, a.Route, status(a.Status)).Inc()
	m.durations.WithLabelValues(a.Method, a.Route).Observe((a.Took - a.Held).Seconds())
	m.bytes.WithLabelValues(a.Route).Add(float64(a.Bytes))
	if a.Code != "" {
		m.errors.WithLabelValues(string(a.Code)).Inc()
	}
	if a.Publication != "" {
		m.publications.WithLabelValues(string(a.Publication)).Inc()
	}
	switch {
	case a.Code == httpapi.CodeBreakingChange:
		m.breaking.WithLabelValues(breakingRefused).Inc()
	case a.Breaking && a.Publication == httpapi.PublicationCreated:
		m.breaking.WithLabelValues(breakingStored).Inc()
	}
}

// status returns a status as a label. Those of nearly all answers cost no memory.
func status(code int) string {
	switch code {
	case 0:
		return "none"
	case http.StatusOK:
		return "200"
	case http.StatusNotModified:
		return "304"
	case http.StatusNotFound:
		return "404"
	default:
		return strconv.Itoa(code)
	}
}
