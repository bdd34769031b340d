package client_test

import (
	"testing"

	"github.com/skillregistry/skillregistry/client"
)

func TestAnErrorSaysWhatIsWrongInSentences(t *testing.T) {
	t.Parallel()
	four := []client.Violation{
		{Field: "/name", Expected: "a name", Actual: "nothing"}, {Field: "", Expected: "an object", Actual: "null"},
		{Field: "/a", Expected: "b", Actual: "c"}, {Field: "/d", Expected: "e", Actual: "f"},
	}
	for want, e := range map[string]*client.Error{
		"Not found (status 404)":         {StatusCode: 404, Message: "Not found"},
		"No such skill. (A, status 404)": {StatusCode: 404, Code: "A", Message: "No such skill."},
		"The document breaks 1 rule: see details. /name: expected a name, got nothing (B, status 422)": {
			StatusCode: 422, Code: "B", Message: "The document breaks 1 rule: see details.", Violations: four[:1],
		},
		"See details. /name: expected a name, got nothing; the document: expected an object, got null; /a: expected b, got c; … (B, status 422)": {
			StatusCode: 422, Code: "B", Message: "See details.", Violations: four,
		},
	} {
		if got := e.Error(); got != want {
			t.Errorf("%+v: got %q, want %q", *e, got, want)
		}
	}
}
