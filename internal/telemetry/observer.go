package telemetry

import (
	"context"
	"net/http"

	"github.com/skillregistry/skillregistry/internal/httpapi"
)

// Observer tells metrics and traces of requests. Either may be nil.
type Observer struct {
	Metrics *Metrics
	Traces  *Traces
}

// Begin is told of a request; see httpapi.Observer.
func (o Observer) Begin(ctx context.Context, header http.Header) (answerIn context.Context, trace string) {
	if o.Metrics != nil {
		o.Metrics.inFlight.Inc()
	}
	if o.Traces == nil {
		return ctx, ""
	}
	return o.Traces.begin(ctx, header)
}

// End is told what became of a request.
func (o Observer) End(ctx context.Context, a httpapi.Answered) {
	a.Method, a.Route = method(a.Method), route(a.Route)
	if o.Metrics != nil {
		o.Metrics.answered(a)
	}
	if o.Traces != nil {
		o.Traces.answered(ctx, a)
	}
}

// other stands for what strangers made up.
const other = "other"

// method keeps the methods that the registry answers.
func method(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return m
	default:
		return other
	}
}

func route(pattern string) string {
	if pattern == "" {
		return other
	}
	return pattern
}
