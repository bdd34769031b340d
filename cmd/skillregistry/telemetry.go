package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/skillregistry/skillregistry/internal/httpapi"
	"github.com/skillregistry/skillregistry/internal/telemetry"
)

// wantsTraces reports whether the environment names a collector. The variables are those of
// OpenTelemetry, so that a registry is set up as everything around it is.
func wantsTraces(environ []string) bool {
	return slices.ContainsFunc(environ, func(pair string) bool {
		name, value, _ := strings.Cut(pair, "=")
		return value != "" && (name == "OTEL_EXPORTER_OTLP_ENDPOINT" || name == "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
	}) && !slices.Contains(environ, "OTEL_SDK_DISABLED=true") && !slices.Contains(environ, "OTEL_TRACES_EXPORTER=none")
}

// trace begins to send traces, if there is a collector to send them to.
func (s *server) trace(ctx context.Context, version string) (err error) {
	if !wantsTraces(s.program.environ) {
		return nil
	}
	if s.traces, err = telemetry.NewTraces(ctx, version, s.log); err != nil {
		return fmt.Errorf("traces: %w", err)
	}
	return nil
}

// span begins a span; it is nil where nobody traces.
func (s *server) span() func(context.Context, string) (context.Context, func(error)) {
	if s.traces == nil {
		return nil
	}
	return s.traces.Span
}

// observer is told of requests; it is nil where nobody wants to know.
func (s *server) observer(metrics *telemetry.Metrics) httpapi.Observer {
	if metrics == nil && s.traces == nil {
		return nil
	}
	return telemetry.Observer{Metrics: metrics, Traces: s.traces}
}
