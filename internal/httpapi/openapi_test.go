package httpapi_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// contract is openapi.json, as the answers of every test are held to it. It remembers
// what it has checked, because the validator compiles its schemas anew each time. Safe
// for concurrent use.
type contract struct {
	doc     *openapi3.T
	mu      sync.Mutex
	checked map[[sha256.Size]byte]bool
}

// readContract is called once for all tests.
var readContract = sync.OnceValues(func() (*contract, error) {
	for _, mediaType := range []string{"text/markdown", "text/html", "text/css", "text/javascript", "image/svg+xml", "application/gzip"} {
		openapi3filter.RegisterBodyDecoder(mediaType, openapi3filter.PlainBodyDecoder)
	}
	openapi3filter.RegisterBodyDecoder("application/linkset+json", openapi3filter.JSONBodyDecoder)
	doc, err := openapi3.NewLoader().LoadFromFile("openapi.json")
	return &contract{doc: doc, checked: map[[sha256.Size]byte]bool{}}, err
})

func loadContract(t testing.TB) *contract {
	t.Helper()
	c, err := readContract()
	if err != nil {
		t.Fatalf("openapi.json does not load: %v", err)
	}
	return c
}

func TestOpenAPIDocumentIsOne(t *testing.T) {
	t.Parallel()
	c := loadContract(t)
	if err := c.doc.Validate(t.Context()); err != nil {
		t.Fatalf("openapi.json is not an OpenAPI document: %v", err)
	}
	if !strings.HasPrefix(c.doc.OpenAPI, "3.1.") {
		t.Errorf("it is of version %s, want 3.1", c.doc.OpenAPI)
	}
	ids := map[string]bool{}
	for path, item := range c.doc.Paths.Map() {
		for method, operation := range item.Operations() {
			if operation.OperationID == "" || ids[operation.OperationID] {
				t.Errorf("%s %s: its operationId %q is missing or stands elsewhere, too", method, path, operation.OperationID)
			}
			ids[operation.OperationID] = true
			if operation.Responses.Default() != nil {
				t.Errorf("%s %s: has a default answer, which would allow everything", method, path)
			}
		}
	}
}

// response returns what the document says of an answer to a request.
func (c *contract) response(r *http.Request, status int) (*openapi3.Response, error) {
	path, item := c.find(r.URL.EscapedPath())
	if item == nil {
		return c.component("NotFound"), nil
	}
	operation := item.GetOperation(r.Method)
	if operation == nil {
		return c.component("MethodNotAllowed"), nil
	}
	response := operation.Responses.Status(status)
	if response == nil {
		return nil, fmt.Errorf("%s %s: status %d is not in the document", r.Method, path, status)
	}
	return response.Value, nil
}

func (c *contract) component(name string) *openapi3.Response {
	return c.doc.Components.Responses[name].Value
}

// documentedPath returns a route's pattern as it stands in the document, which has no word
// for the rest of a path.
func documentedPath(pattern string) string { return strings.Replace(pattern, "/*", restOfPath, 1) }

const restOfPath = "/{file}"

// find returns the path of the document that a request's path is of.
func (c *contract) find(path string) (string, *openapi3.PathItem) {
	parts := strings.Split(path, "/")
	for _, template := range c.doc.Paths.InMatchingOrder() {
		names := strings.Split(template, "/")
		parts, path := parts, path
		if strings.HasSuffix(template, restOfPath) && len(parts) >= len(names) {
			parts, path = parts[:len(names)], template
		}
		matches := func(name, part string) bool { return name == part || strings.HasPrefix(name, "{") }
		// The router takes an empty part for a parameter, but not at the end of a path.
		if slices.EqualFunc(names, parts, matches) && strings.HasSuffix(template, "/") == strings.HasSuffix(path, "/") {
			return template, c.doc.Paths.Value(template)
		}
	}
	return "", nil
}

// transportHeaders are those that HTTP itself adds to any answer.
func transportHeaders() []string { return []string{"Content-Length", "Content-Type", "Date"} }

// check returns what the document does not allow of an answer.
func (c *contract) check(r *http.Request, answer *http.Response, body []byte) error {
	response, err := c.response(r, answer.StatusCode)
	if err != nil {
		return err
	}
	documented := transportHeaders()
	for name := range response.Headers {
		documented = append(documented, http.CanonicalHeaderKey(name))
	}
	for name := range answer.Header {
		if !slices.Contains(documented, name) {
			return fmt.Errorf("%s %s: %d has the header %s, which is not in the document", r.Method, r.URL, answer.StatusCode, name)
		}
	}
	if len(body) > 0 && (len(response.Content) == 0 || r.Method == http.MethodHead) {
		return fmt.Errorf("%s %s: %d has a body, and none in the document", r.Method, r.URL, answer.StatusCode)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	headers, content := *response, *response
	headers.Content, content.Headers = nil, nil
	if err := c.validate(&headers, response, answer.Header, nil); err != nil {
		return err
	}
	if r.Method == http.MethodHead || len(response.Content) == 0 {
		return nil
	}
	return c.validate(&content, response, http.Header{"Content-Type": answer.Header["Content-Type"]}, body)
}

// validate shows a part of an answer to the validator, unless it has seen another of the
// same shape. The validator looks at neither HEAD nor 304, so that each answer is shown
// as one to a GET.
func (c *contract) validate(part, response *openapi3.Response, header http.Header, body []byte) error {
	h := sha256.New()
	fmt.Fprintf(h, "%p\n", response)
	for _, name := range slices.Sorted(maps.Keys(header)) {
		fmt.Fprintln(h, name, shape(strings.Join(header[name], "\n")))
	}
	h.Write(body)
	sum := [sha256.Size]byte(h.Sum(nil))
	if c.checked[sum] {
		return nil
	}
	operation := &openapi3.Operation{Responses: openapi3.NewResponses(openapi3.WithStatus(http.StatusOK, &openapi3.ResponseRef{Value: part}))}
	err := openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{
			Request: &http.Request{Method: http.MethodGet},
			Route:   &routers.Route{Spec: c.doc, Operation: operation, Method: http.MethodGet},
		},
		Status: http.StatusOK, Header: header, Body: io.NopCloser(bytes.NewReader(body)),
		Options: &openapi3filter.Options{IncludeResponseStatus: true, SchemaValidationOptions: []openapi3.SchemaValidationOption{
			openapi3.WithStringFormatValidator("date-time", openapi3.NewCallbackValidator(checkTime)),
		}},
	})
	c.checked[sum] = err == nil
	return err
}

// shape returns a header's value with one digit for each run of characters that vary
// from one answer to the next.
func shape(value string) string {
	return regexp.MustCompile(`[0-9]+|[0-9a-f]{32,}|^[0-9A-V]{24}$`).ReplaceAllString(value, "1")
}

// checkTime checks a time by RFC 3339, which allows small letters and leap seconds: the
// validator's own check does not.
func checkTime(text string) error {
	text = strings.Replace(strings.ToUpper(text), ":60", ":59", 1) // a leap second
	_, err := time.Parse(time.RFC3339Nano, text)
	return err
}
