package httpapi_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// contract is openapi.json, as the answers of every test are held to it.
type contract struct{ doc *openapi3.T }

func loadContract(t testing.TB) *contract {
	t.Helper()
	data, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(data)
	if err != nil {
		t.Fatalf("openapi.json does not load: %v", err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatalf("openapi.json is not an OpenAPI document: %v", err)
	}
	return &contract{doc}
}

func TestOpenAPIDocumentIsOne(t *testing.T) {
	t.Parallel()
	c := loadContract(t)
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

// find returns the path of the document that a request's path is of.
func (c *contract) find(path string) (string, *openapi3.PathItem) {
	parts := strings.Split(path, "/")
	for _, template := range c.doc.Paths.InMatchingOrder() {
		names := strings.Split(template, "/")
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
	for name := range answer.Header {
		_, documented := response.Headers[name]
		if !documented && name == "Www-Authenticate" {
			_, documented = response.Headers["WWW-Authenticate"]
		}
		if !documented && name == "Etag" {
			_, documented = response.Headers["ETag"]
		}
		if !documented && !slices.Contains(transportHeaders(), name) {
			return fmt.Errorf("%s %s: %d has the header %s, which is not in the document", r.Method, r.URL, answer.StatusCode, name)
		}
	}
	if len(response.Content) == 0 && len(body) > 0 {
		return fmt.Errorf("%s %s: %d has a body, and none in the document", r.Method, r.URL, answer.StatusCode)
	}
	if r.Method == http.MethodHead {
		if len(body) > 0 {
			return fmt.Errorf("HEAD %s: has a body", r.URL)
		}
		bare := *response
		bare.Content = nil
		response = &bare
	}
	// The validator looks at neither HEAD nor 304: it is shown each answer as one to a GET.
	get := r.Clone(r.Context())
	get.Method = http.MethodGet
	operation := &openapi3.Operation{Responses: openapi3.NewResponses(openapi3.WithStatus(http.StatusOK, &openapi3.ResponseRef{Value: response}))}
	return openapi3filter.ValidateResponse(r.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{
			Request: get,
			Route:   &routers.Route{Spec: c.doc, Operation: operation, Method: http.MethodGet},
		},
		Status: http.StatusOK, Header: answer.Header, Body: io.NopCloser(bytes.NewReader(body)),
		Options: &openapi3filter.Options{IncludeResponseStatus: true, SchemaValidationOptions: []openapi3.SchemaValidationOption{
			openapi3.WithStringFormatValidator("date-time", openapi3.NewCallbackValidator(checkTime)),
		}},
	})
}

// checkTime checks a time by RFC 3339, which allows small letters and leap seconds: the
// validator's own check does not.
func checkTime(text string) error {
	text = strings.Replace(strings.ToUpper(text), ":60", ":59", 1) // a leap second
	_, err := time.Parse(time.RFC3339Nano, text)
	return err
}
