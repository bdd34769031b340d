package describe

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// Whatever the bytes are, there is an error or a result, and what was made passes the door.
func FuzzDescribe(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*.[jy]*")
	if err != nil || len(files) < 10 {
		f.Fatalf("got %d documents and the error %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if len(data) < 10_000 { // larger ones make the fuzzer slow
			f.Add(data)
		}
	}
	f.Add([]byte("openapi: 3.1.0\npaths: {/a: &a {get: {parameters: [&p {name: a, in: query, schema: {$ref: '#/x'}}, *p]}}, /b: {<<: *a}}\nx: {oneOf: [{$ref: '#/x'}]}"))
	validator, err := protocol.NewValidator(protocol.Limits{})
	if err != nil {
		f.Fatal(err)
	}
	describer := New(validator)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, make := range []maker{(*Describer).OpenAPI, (*Describer).MCP, (*Describer).A2A} {
			if result, err := make(describer, data, enough()); err == nil {
				holds(t, validator, data, result)
			}
		}
	})
}
