package protocol_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// Documents of a megabyte, as large as they are let in by default, that are made to cost
// much. It runs alone, because it measures what is allocated.
func TestHostileDocumentsCostLittle(t *testing.T) {
	const (
		most       = 1 << 20
		mostReport = 2 << 20
		mostTime   = 10 * time.Second // the slowest takes half a second on a slow machine
	)
	digits := strings.Repeat("9", 390)
	inSchema := func(schema string) string {
		return string(descriptorWith(t, "output", `{"type":"object","schema":`+schema+`}`))
	}
	below := func(name, member string) string {
		return inSchema(`{"properties":{"` + name + `":{"properties":{` + listOf(1900, `"%d":`+member) + `}}}}`)
	}
	inputs := func(members string) string {
		return string(descriptorWith(t, "inputs", `[{"name":"a",`+members+`}]`))
	}
	v := newValidator(t)
	for name, c := range map[string]struct {
		document string
		mostMiB  uint64
	}{
		"more values than are looked at":      {`{"tags":[` + strings.Repeat(`1,`, most/2-10) + `1]}`, 8},
		"more objects than are looked at":     {`{"inputs":[` + strings.Repeat(`{},`, most/3-10) + `{}]}`, 8},
		"more members than are looked at":     {`{` + listOf(most/13, `"%08d":1`) + `}`, 32},
		"faults below a long name":            {below(strings.Repeat("x", 900_000), `{"type":5}`), 128},
		"faults below a name of tildes":       {below(strings.Repeat("~", 900_000), `{"type":5}`), 128},
		"faults below a name of controls":     {below(strings.Repeat(`\u0001`, 1000), `{"type":5}`), 128},
		"faults below a name of quotes":       {below(strings.Repeat(`\"`, 2000), `{"type":5}`), 128},
		"a long name and nothing wrong":       {below(strings.Repeat("x", 900_000), `{}`), 128},
		"one fault beside a long name":        {inSchema(`{"type":5,"properties":{"` + strings.Repeat("x", 900_000) + `":{"properties":{` + listOf(1900, `"%d":{}`) + `}}}}`), 128},
		"numbers next to nothing":             {inSchema(`{"enum":[` + listOf(2000, `%d.`+digits+`e-400`) + `]}`), 128},
		"divisors next to nothing":            {inSchema(`{"allOf":[` + strings.Repeat(`{"multipleOf":1e-400},`, 1900) + `{}]}`), 128},
		"divisors below nothing":              {inSchema(`{"allOf":[` + strings.Repeat(`{"multipleOf":-`+digits+`e-400},`, 1900) + `{}]}`), 160},
		"counts beyond counting":              {inSchema(`{"allOf":[` + strings.Repeat(`{"minLength":1e400,"maxItems":1e-400},`, 1900) + `{}]}`), 128},
		"choices beyond counting":             {inputs(`"type":"integer","enum":[` + listOf(2000, digits+`%de400`) + `],"default":1e400`), 128},
		"an exponent beyond counting":         {inputs(`"type":"number","default":1e999999999`), 8},
		"references in a ring":                {inSchema(`{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`), 8},
		"references to all that is around":    {inSchema(`{"allOf":[` + strings.Repeat(`{"$ref":"#"},`, 1900) + `{}]}`), 128},
		"patterns that explode":               {inSchema(`{"allOf":[` + strings.Repeat(`{"pattern":"^(((a+)+)+)+$(x{1000}){1000}"},`, 1900) + `{}]}`), 128},
		"a long name that stands there twice": {`{"` + strings.Repeat("~", 500_000) + `":1,"` + strings.Repeat("~", 500_000) + `":2}`, 32},
	} {
		if len(c.document) > most {
			t.Fatalf("%s: a document of %d bytes, want one that is let in", name, len(c.document))
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		begun := time.Now()
		report, _ := v.Check(protocol.KindDescriptor, []byte(c.document))
		took := time.Since(begun)
		runtime.ReadMemStats(&after)
		if got := (after.TotalAlloc - before.TotalAlloc) >> 20; got > c.mostMiB {
			t.Errorf("%s: Check(%.60s…) allocates %d MiB, want %d at most", name, c.document, got, c.mostMiB)
		}
		if took > mostTime {
			t.Errorf("%s: Check(%.60s…) takes %v, want %v at most", name, c.document, took, mostTime)
		}
		answer, writing := protocol.AppendJSON(nil, report)
		if writing != nil || len(answer) > mostReport {
			t.Errorf("%s: the report of %.60s… has %d bytes (error %v), want %d at most", name, c.document, len(answer), writing, mostReport)
		}
	}
}

// listOf is a JSON list's inside: n texts, each with its number.
func listOf(n int, format string) string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(texts, ",")
}
