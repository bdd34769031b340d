package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

const (
	// manyFiles is from how many files on progress is shown.
	manyFiles = 20
	// progressPause is how long a line of progress stands at least.
	progressPause = 100 * time.Millisecond
)

// reporter tells what becomes of a number of documents.
type reporter struct {
	reporting
	p     *program
	total int
	// issues are those of a report that is written at the end.
	issues []issue

	done     map[string]int // outcomes by result
	seen     int
	progress bool // whether a line of progress is on the terminal
	shown    time.Time
}

func (p *program) reporter(total int, by reporting) *reporter {
	return &reporter{p: p, reporting: by, total: total, done: map[string]int{}}
}

// starting shows which of many files is next, on a terminal only.
func (r *reporter) starting(file string) {
	now := r.p.now()
	if !r.p.terminal || r.total < manyFiles || now.Sub(r.shown) < progressPause {
		return
	}
	fmt.Fprintf(r.p.stderr, "\r\x1b[K[%d/%d] %.60s", r.seen+1, r.total, printable(file))
	r.progress, r.shown = true, now
}

// clear takes the line of progress away.
func (r *reporter) clear() {
	if r.progress {
		fmt.Fprint(r.p.stderr, "\r\x1b[K")
		r.progress = false
	}
}

// report tells one outcome.
func (r *reporter) report(o outcome) error {
	r.seen++
	r.done[o.Result]++
	r.clear()
	if r.asJSON {
		return json.NewEncoder(r.p.stdout).Encode(o)
	}
	switch r.annotate {
	case annotateGitHub:
		for _, remark := range o.remarks() {
			fmt.Fprintln(r.p.stdout, workflowCommand(remark))
		}
		if line := o.success(); line != "" {
			fmt.Fprintln(r.p.stdout, plainLine(line))
		}
	case annotateGitLab:
		for _, remark := range o.remarks() {
			r.issues = append(r.issues, issueOf(remark))
		}
		o.write(r.p.stderr, r.p.stderr)
	default:
		o.write(r.p.stdout, r.p.stderr)
	}
	return nil
}

// end writes what stands at the end of all outcomes: the report of issues, and on stderr in one
// line how many had which outcome, where there were several.
func (r *reporter) end() error {
	r.summary()
	if r.annotate == annotateGitLab {
		return writeIssues(r.p.stdout, r.issues)
	}
	return nil
}

// summary is the line of end.
func (r *reporter) summary() {
	r.clear()
	if r.total < 2 || r.asJSON {
		return
	}
	var parts []string
	for _, result := range []string{resultPublished, resultUnchanged, resultAccepted, resultValid, resultRefused, resultFailed} {
		if n := r.done[result]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, result))
		}
	}
	if rest := r.total - r.seen; rest > 0 {
		parts = append(parts, fmt.Sprintf("%d not tried", rest))
	}
	fmt.Fprintf(r.p.stderr, "%s: %s\n", counted(r.total, "file"), strings.Join(parts, ", "))
}

// refused reports whether anything was refused or failed.
func (r *reporter) refused() bool { return r.done[resultRefused]+r.done[resultFailed] > 0 }
