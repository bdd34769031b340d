package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// The services whose pipelines show remarks beside the lines that they are about.
const (
	annotateGitHub = "github"
	annotateGitLab = "gitlab"
)

const annotateHelp = `
With --annotate github, what is wrong is printed as workflow commands, which GitHub shows
at the lines of a change. With --annotate gitlab, standard output is a Code Quality
report, and all else goes to standard error. Columns count UTF-16 code units, as editors
do. A file below the working directory is named from there.
`

// workflowCommand writes a remark as a workflow command of GitHub: one line, whatever is in
// it, from which no second command can be read.
func workflowCommand(r remark) string {
	level := "warning"
	if r.fault {
		level = "error"
	}
	var properties []string
	add := func(name, value string) {
		properties = append(properties, name+"="+escapeProperty(value))
	}
	add("file", fromHere(r.file))
	if r.Line > 0 {
		add("line", fmt.Sprint(r.Line))
		add("col", fmt.Sprint(r.Column))
	}
	add("title", r.rule)
	message := r.message
	if r.pointer != "" {
		message += " (" + r.pointer + ")"
	}
	return "::" + level + " " + strings.Join(properties, ",") + "::" + escapeData(message)
}

// escapeData writes text as the data of a workflow command, as GitHub's toolkit does.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(printable(s))
}

// escapeProperty writes text as a property's value.
func escapeProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapeData(s))
}

// plainLine keeps a line that is no command from being read as one: GitHub's runner looks for
// "::" at the start of a line, and for "##[" anywhere in it.
func plainLine(line string) string {
	if strings.HasPrefix(strings.TrimSpace(line), "::") {
		line = "./" + strings.TrimSpace(line)
	}
	return strings.ReplaceAll(line, "##[", "# #[")
}

// issue is a remark as GitLab's Code Quality reports have it.
type issue struct {
	Description string `json:"description"`
	CheckName   string `json:"check_name"`
	// Fingerprint is the same for as long as the same is wrong at the same member.
	Fingerprint string `json:"fingerprint"`
	Severity    string `json:"severity"`
	Location    struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"`
		} `json:"lines"`
	} `json:"location"`
}

// issueOf writes a remark as an issue.
func issueOf(r remark) issue {
	i := issue{Description: printable(r.text()), CheckName: r.rule, Severity: "minor"}
	if r.fault {
		i.Severity = "major"
	}
	i.Location.Path = filepath.ToSlash(fromHere(r.file))
	i.Location.Lines.Begin = max(r.Line, 1)
	sum := sha256.New()
	for _, part := range []string{i.Location.Path, r.rule, r.pointer, r.message} {
		fmt.Fprintf(sum, "%d:%s", len(part), part)
	}
	i.Fingerprint = hex.EncodeToString(sum.Sum(nil))
	return i
}

// writeIssues writes a Code Quality report.
func writeIssues(w io.Writer, issues []issue) error {
	if issues == nil {
		issues = []issue{} // null would be no report
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(issues)
}

// fromHere names a file from the working directory, where pipelines have the repository, if
// it is below that.
func fromHere(file string) string {
	here, err := os.Getwd()
	if err != nil || !filepath.IsAbs(file) {
		return filepath.Clean(file)
	}
	if relative, err := filepath.Rel(here, file); err == nil && filepath.IsLocal(relative) {
		return relative
	}
	return file
}
