package describe

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Documents that are small, or as large as they may be, and ask for much.
func TestHostileForeignDocumentsCostLittle(t *testing.T) {
	const head = `{"openapi":"3.1.0","info":{},"paths":{"/a":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/S0"}}}}}}}},"components":{"schemas":{`
	// Each schema refers to the next one twice: 2^30 ways through.
	var doubling strings.Builder
	for i := range 30 {
		fmt.Fprintf(&doubling, `"S%d":{"allOf":[{"$ref":"#/components/schemas/S%d"},{"$ref":"#/components/schemas/S%d"}]},`, i, i+1, i+1)
	}
	// Each alias stands for ten of the one before: 10^9 values.
	var laughs strings.Builder
	laughs.WriteString("openapi: 3.1.0\nx0: &x0 [a, a, a, a, a, a, a, a, a, a]\n")
	for i := range 9 {
		fmt.Fprintf(&laughs, "x%d: &x%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*x%d, ", i), 10), ", "))
	}
	// Many operations that share one large schema.
	var many strings.Builder
	many.WriteString(`{"openapi":"3.1.0","info":{},"components":{"schemas":{"S":{"enum":[0` + strings.Repeat(",1", 10_000) + `]}}},"paths":{`)
	for i := range 20_000 {
		fmt.Fprintf(&many, `"/%d":{"get":{"parameters":[{"name":"a","in":"query","schema":{"$ref":"#/components/schemas/S"}}]}},`, i)
	}
	many.WriteString(`"x-end":1}}`)
	for _, c := range []struct{ name, document, want string }{
		{"a schema with 2^30 ways through it", head + doubling.String() + `"S30":{}}}}`, "1 of 1"},
		{"a schema that refers to itself", head + `"S0":{"$ref":"#/components/schemas/S0"}}}}`, "1 of 1"},
		{"a schema that nests too deep", head + `"S0":` + strings.Repeat(`{"items":`, 100) + `{}` + strings.Repeat(`}`, 100) + `}}}`, "1 of 1"},
		{"a schema with too many values", head + `"S0":{"enum":[0` + strings.Repeat(",1", 100_000) + `]}}}}`, "1 of 1"},
		{"a schema with too much text", head + `"S0":{"title":"` + strings.Repeat("a", 1<<20) + `"}}}}`, "1 of 1"},
		{"20,000 operations with a large schema", many.String(), "5000 of 20000"},
		{"aliases of aliases", laughs.String(), "more than 1000000 values"},
		{"an alias inside of what it stands for", "openapi: 3.1.0\na: &a [*a]", "nest deeper than 200"},
		{"YAML that nests too deep", "openapi: 3.1.0\na: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "nest deeper than 200"},
		{"JSON that nests too deep", `{"openapi":"3.1.0","a":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`, "deeper than 200"},
		{"ten mebibytes of YAML", "openapi: 3.1.0\nx:\n" + strings.Repeat("- a\n", (10<<20)/4-10), "more than 1000000 values"},
		{"ten mebibytes of JSON", `{"openapi":"3.1.0","x":[0` + strings.Repeat(",0", (10<<20)/2-20) + `]}`, "0 of 0"},
		{"a number that nobody holds", "openapi: 3.1.0\nx: 0." + strings.Repeat("1", 500), "a number is longer than 400 characters"},
		{"more than ten mebibytes", strings.Repeat(" ", MaxDocument+1), "larger than 10 MiB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			start := time.Now()
			result, err := newDescriber(t).OpenAPI([]byte(c.document), enough())
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			got := fmt.Sprint(err)
			if err == nil {
				got = fmt.Sprintf("%d of %d", len(result.Skills), result.Found)
			}
			if !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			const most = 4 << 30
			if allocated := after.TotalAlloc - before.TotalAlloc; allocated > most {
				t.Errorf("%d MiB were allocated, want at most %d MiB", allocated>>20, most>>20)
			}
			t.Logf("%v, %d MiB", took.Round(time.Millisecond), (after.TotalAlloc-before.TotalAlloc)>>20)
		})
	}
}

func TestASchemaThatIsTooLargeLeavesRoomForTheOthers(t *testing.T) {
	t.Parallel()
	got, result := only(t, (*Describer).OpenAPI, operationOf("3.1.0", "/a", "get", `
parameters:
  - {name: small, in: query, schema: {type: integer, maximum: 10}}
  - {name: large, in: query, schema: {type: string, x-much: [`+strings.Repeat("1,", 20_000)+`1]}}
  - {name: last, in: query, schema: {type: integer, minimum: 1}}
`), enough())
	wantJSON(t, "inputs", got["inputs"], `[{"name":"small","in":"query","type":"integer","schema":{"type":"integer","maximum":10}},
		{"name":"large","in":"query","type":"string"},{"name":"last","in":"query","type":"integer","schema":{"type":"integer","minimum":1}}]`)
	wantTold(t, result, "/paths/~1a/get/parameters/1/schema schema left out: with the schemas before it, it is larger")
}
