package main

import (
	"testing"
)

// measureParse reads, validates and canonicalises a descriptor of 1 KB.
func (b *bench) measureParse() error {
	b.say("parsing")
	text := descriptor(skillID(0), "1.0.0", 0)
	var failed error
	r := testing.Benchmark(func(t *testing.B) {
		t.ReportAllocs()
		for t.Loop() {
			if _, err := b.validator.Parse(text); err != nil {
				failed = err
			}
		}
	})
	parsed := table{title: "Reading, validating and canonicalising a descriptor of 1,024 bytes", columns: []string{"", "µs", "allocations"}}
	parsed.add("protocol.Parse", number(float64(r.NsPerOp())/1e3), number(float64(r.AllocsPerOp())))
	parsed.print(b.out)
	return failed
}
