package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// event is one line of go test -json; see go doc test2json.
type event struct {
	Action      string
	Package     string
	ImportPath  string
	Test        string
	Elapsed     float64
	Output      string
	FailedBuild string
}

// result is one package's, as far as its events have come.
type result struct {
	counts
	// output is what each test printed, and under "" what no test did. It is dropped
	// when the test passes.
	output map[string][]string
	// open are the tests that began and did not end, in the order of their beginning.
	open []string
}

// report reads the events of a run and prints what a person wants of them.
func report(events io.Reader, w io.Writer) (counts, error) {
	var total counts
	packages := map[string]*result{}
	builds := map[string][]string{}
	lines := bufio.NewReader(events)
	for {
		line, err := lines.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			var e event
			switch json.Unmarshal(line, &e) {
			case nil:
				if e.Action == "build-output" {
					builds[e.ImportPath] = append(builds[e.ImportPath], e.Output)
					break
				}
				if e.Package == "" {
					break
				}
				p := packages[e.Package]
				if p == nil {
					p = &result{output: map[string][]string{}}
					packages[e.Package] = p
				}
				if p.take(e, builds, w) {
					total.add(p.counts)
					delete(packages, e.Package)
				}
			default: // what a test's own child process printed
				fmt.Fprintf(w, "%s\n", line)
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return total, err
		}
	}
	for name := range packages {
		total.failed++
		fmt.Fprintf(w, "FAIL\t%s\tdid not end\n", name)
	}
	return total, nil
}

// take adds an event to the package's result, and reports whether it was the last one.
func (p *result) take(e event, builds map[string][]string, w io.Writer) (last bool) {
	switch e.Action {
	case "run":
		p.open = append(p.open, e.Test)
	case "output":
		p.output[e.Test] = append(p.output[e.Test], e.Output)
	case "pass", "fail", "skip":
		if e.Test != "" {
			p.end(e, w)
			return false
		}
		p.endPackage(e, builds, w)
		return true
	}
	return false
}

func (p *result) end(e event, w io.Writer) {
	p.open = slices.DeleteFunc(p.open, func(name string) bool { return name == e.Test })
	switch e.Action {
	case "pass":
		p.passed++
	case "skip":
		p.skipped++
		if strings.HasPrefix(e.Test, "Fuzz") && strings.Contains(e.Test, "/") {
			p.excused++
			break
		}
		p.print(w, "SKIP", e)
	case "fail":
		p.failed++
		p.print(w, "FAIL", e)
	}
	delete(p.output, e.Test)
}

func (p *result) endPackage(e event, builds map[string][]string, w io.Writer) {
	if e.Action == "fail" {
		for _, name := range p.open { // the process died under them
			p.failed++
			p.print(w, "FAIL", event{Package: e.Package, Test: name})
		}
		if p.failed == 0 {
			p.failed++
			for _, line := range builds[e.FailedBuild] {
				fmt.Fprint(w, line)
			}
		}
		for _, line := range p.output[""] {
			if line != "FAIL\n" && !strings.HasPrefix(line, "FAIL\t") {
				fmt.Fprint(w, line)
			}
		}
		fmt.Fprintf(w, "FAIL\t%s\t%.1fs\t%s\n", e.Package, e.Elapsed, p.counts)
		return
	}
	if p.passed+p.skipped > 0 {
		fmt.Fprintf(w, "ok\t%s\t%.1fs\t%d tests\n", e.Package, e.Elapsed, p.passed+p.skipped)
	}
}

// print shows a test by name with what it printed, without the lines by which the
// testing package frames it.
func (p *result) print(w io.Writer, verdict string, e event) {
	fmt.Fprintf(w, "--- %s: %s in %s (%.2fs)\n", verdict, e.Test, e.Package, e.Elapsed)
	for _, line := range p.output[e.Test] {
		text := strings.TrimSpace(line)
		if strings.HasPrefix(text, "=== ") || strings.HasPrefix(text, "--- ") {
			continue
		}
		fmt.Fprint(w, line)
	}
}
