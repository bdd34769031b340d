package main

import (
	"compress/gzip"
	"encoding/hex"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	traces "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// receiver is a collector that keeps the spans that it is sent.
type receiver struct {
	*httptest.Server
	mu    sync.Mutex
	spans []*traces.Span
	text  string
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	c := &receiver{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body io.Reader = r.Body
		if r.Header.Get("Content-Encoding") == "gzip" {
			unpacked, err := gzip.NewReader(r.Body)
			if err != nil {
				t.Error(err)
				return
			}
			body = unpacked
		}
		text, err := io.ReadAll(body)
		var request collector.ExportTraceServiceRequest
		if err == nil {
			err = proto.Unmarshal(text, &request)
		}
		if err != nil || r.URL.Path != "/v1/traces" {
			t.Errorf("got a request for %s that can't be read: %v", r.URL.Path, err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.text += string(text)
		for _, of := range request.GetResourceSpans() {
			for _, scope := range of.GetScopeSpans() {
				c.spans = append(c.spans, scope.GetSpans()...)
			}
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// traced starts a registry that sends its traces to a collector.
func traced(t *testing.T, endpoint string, args ...string) (p *process, address string) {
	t.Helper()
	p = start(t, []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + endpoint, "OTEL_BSP_SCHEDULE_DELAY=100"}, append([]string{
		"serve", "--addr", "127.0.0.1:0", "--admin-key", adminKey, "--database-url", storetest.PostgreSQL(t),
	}, args...)...)
	return p, listeningURL(t, p.stderr)
}

// end stops the registry, so that all that it has is sent.
func (p *process) end(t *testing.T) {
	t.Helper()
	p.signal(t, syscall.SIGTERM)
	p.wantEnd(t, statusOK)
}

func TestTracesShowRequestsAndWhatTheyWaitFor(t *testing.T) {
	t.Parallel()
	c := newReceiver(t)
	p, address := traced(t, c.URL)
	send(t, "GET", address+"/v1/skills/com.example.secretive", "", "X-Request-Id", "the-request")
	send(t, "POST", address+"/v1/skills", valid("com.example.secretive", "1.0.0"), asAdministrator()...)
	send(t, "BREW", address+"/com.example.secretive", "")
	p.end(t)

	spans := map[string]*traces.Span{}
	for _, s := range c.spans {
		spans[s.GetName()] = s
	}
	for _, name := range []string{"GET /v1/skills/{id}", "POST /v1/skills", "other other", "check the revision", "store: revision", "store: publish"} {
		if spans[name] == nil {
			t.Errorf("got no span %q", name)
		}
	}
	if stored, request := spans["store: publish"], spans["POST /v1/skills"]; string(stored.GetParentSpanId()) != string(request.GetSpanId()) {
		t.Errorf("the span of the transaction is below %x, want that of the request, %x", stored.GetParentSpanId(), request.GetSpanId())
	}
	read := spans["GET /v1/skills/{id}"]
	attributes := map[string]string{}
	for _, a := range read.GetAttributes() {
		attributes[a.GetKey()] = a.GetValue().String()
	}
	for key, want := range map[string]string{
		"request_id": "the-request", "http.route": "/v1/skills/{id}", "http.response.status_code": "404", "error.type": "NOT_FOUND",
	} {
		if !strings.Contains(attributes[key], want) {
			t.Errorf("attribute %s: got %q, want %s", key, attributes[key], want)
		}
	}
	for _, secret := range []string{adminKey, "secretive", "BREW"} {
		if strings.Contains(c.text, secret) {
			t.Errorf("%q is in the traces", secret)
		}
	}
	wantText(t, "log", p.stderr.String(), "request_id=the-request trace_id="+hex.EncodeToString(read.GetTraceId()))
}

func TestOnlyTrustedProxiesSayWhichTraceARequestIsIn(t *testing.T) {
	t.Parallel()
	const theirs = "0af7651916cd43dd8448eb211c80319c"
	for name, c := range map[string]struct {
		args      []string
		flags     string
		in, there bool
	}{
		"a stranger who wants to be traced":       {nil, "01", false, true},
		"a stranger who wants not to be traced":   {nil, "00", false, true},
		"a proxy that has the request traced":     {[]string{"--trusted-proxies", "127.0.0.0/8"}, "01", true, true},
		"a proxy that has the request not traced": {[]string{"--trusted-proxies", "127.0.0.0/8"}, "00", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			collector := newReceiver(t)
			p, address := traced(t, collector.URL, c.args...)
			send(t, "GET", address+"/livez", "", "Traceparent", "00-"+theirs+"-b7ad6b7169203331-"+c.flags)
			p.end(t)
			i := slices.IndexFunc(collector.spans, func(s *traces.Span) bool { return s.GetName() == "GET /livez" })
			if there := i >= 0; there != c.there {
				t.Fatalf("got a span: %v, want %v", there, c.there)
			}
			if in := strings.Contains(p.stderr.String(), "trace_id="+theirs); in != c.in {
				t.Errorf("got the request in the caller's trace: %v, want %v", in, c.in)
			}
		})
	}
}

func TestACollectorThatIsGoneOrSilentDelaysNothing(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { silent.Close() })
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone.Close()
	for name, collector := range map[string]net.Listener{"silent": silent, "gone": gone} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, address := traced(t, "http://"+collector.Addr().String())
			// More spans than are kept for the collector.
			for range 3000 {
				if status := send(t, "GET", address+"/livez", ""); status != http.StatusOK {
					t.Fatalf("got status %d, want 200", status)
				}
			}
			p.signal(t, syscall.SIGTERM)
			p.stderr.waitFor(t, regexp.MustCompile("msg=stopped"))
			began := time.Now()
			p.wantEnd(t, statusOK)
			// The collector is given 10 s for each attempt, and attempts go on for a minute.
			if took := time.Since(began); took > 8*time.Second {
				t.Errorf("the end took %s, want the two seconds that the last traces are given", took)
			}
		})
	}
}

func TestWithoutACollectorNothingIsTraced(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		environ []string
		want    bool
	}{
		"nothing is set":               {nil, false},
		"an endpoint":                  {[]string{"OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318"}, true},
		"an endpoint for traces":       {[]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://127.0.0.1:4318/v1/traces"}, true},
		"an endpoint that is empty":    {[]string{"OTEL_EXPORTER_OTLP_ENDPOINT="}, false},
		"an endpoint for metrics only": {[]string{"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=http://127.0.0.1:4318"}, false},
		"it is turned off":             {[]string{"OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318", "OTEL_SDK_DISABLED=true"}, false},
		"traces are not exported":      {[]string{"OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318", "OTEL_TRACES_EXPORTER=none"}, false},
	} {
		if got := wantsTraces(c.environ); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}
