package telemetry

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/skillregistry/skillregistry/internal/httpapi"
)

// Traces are sent to a collector, by OTLP over HTTP. Requests never wait for it: what it
// does not take is dropped.
type Traces struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
}

// lastPatience bounds how long Close waits for the collector.
const lastPatience = 2 * time.Second

// NewTraces returns what sends traces as the OTEL_ variables of the process say: where to,
// which ones, and under what service name. Trouble with the collector is told to the log.
func NewTraces(ctx context.Context, version string, log *slog.Logger) (*Traces, error) {
	// The library has one place for the errors of its background work.
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("traces", "error", err) }))
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, err
	}
	// The variables come last, so that they win.
	about, err := resource.New(ctx, resource.WithTelemetrySDK(), resource.WithAttributes(
		attribute.String("service.name", "skillregistry"), attribute.String("service.version", version),
	), resource.WithFromEnv())
	if err != nil && !errors.Is(err, resource.ErrPartialResource) {
		return nil, err
	}
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(about))
	return &Traces{provider: provider, tracer: provider.Tracer("skillregistry")}, nil
}

// Close sends what was not sent yet, and waits for that for two seconds at most.
func (t *Traces) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), lastPatience)
	defer cancel()
	return t.provider.Shutdown(ctx)
}

// Span begins a span, which ends when the function that it returns is called.
func (t *Traces) Span(ctx context.Context, name string) (context.Context, func(error)) {
	ctx, span := t.tracer.Start(ctx, name)
	return ctx, func(err error) {
		if err != nil {
			// What an error says is for the log.
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

// begin begins the span of a request: in the trace that the header names, if there is one,
// or in a new one.
func (t *Traces) begin(ctx context.Context, header http.Header) (context.Context, string) {
	if header != nil {
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.HeaderCarrier(header))
	}
	ctx, span := t.tracer.Start(ctx, "request", trace.WithSpanKind(trace.SpanKindServer))
	return ctx, span.SpanContext().TraceID().String()
}

// answered ends the span of a request.
func (t *Traces) answered(ctx context.Context, a httpapi.Answered) {
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		span.End()
		return
	}
	span.SetName(a.Method + " " + a.Route)
	span.SetAttributes(
		attribute.String("http.request.method", a.Method),
		attribute.String("http.route", a.Route),
		attribute.Int("http.response.status_code", a.Status),
		attribute.Int64("http.response.body.size", a.Bytes),
		attribute.String("request_id", a.RequestID),
	)
	if a.Code != "" {
		span.SetAttributes(attribute.String("error.type", string(a.Code)))
	}
	if a.Status >= http.StatusInternalServerError {
		span.SetStatus(codes.Error, "")
	}
	span.End()
}
