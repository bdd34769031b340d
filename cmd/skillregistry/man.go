package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manCommand is for those who make packages: it is in no list of verbs.
func (p *program) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "man",
		Short:   "Print the manual page",
		Long:    "man prints the manual page of this program with all its verbs, in roff.",
		Example: "  skillregistry man | man -l -",
		Hidden:  true,
		Args:    between(0, 0, "no arguments"),
		RunE: p.plain(func(context.Context, []string) error {
			var b strings.Builder
			writeManual(&b, p.root())
			_, err := io.WriteString(p.stdout, b.String())
			return err
		}),
	}
}

// writeManual writes one page about a command and all below it. It has no date, so that the
// same build has the same page.
func writeManual(b *strings.Builder, root *cobra.Command) {
	fmt.Fprintf(b, ".TH %s 1 \"\" %s \"User Commands\"\n", strings.ToUpper(root.Name()), quoted(root.Name()+" "+root.Version))
	fmt.Fprintf(b, ".SH NAME\n%s \\- %s\n", root.Name(), roff(root.Short))
	fmt.Fprintf(b, ".SH SYNOPSIS\n.B %s\n.I VERB\n[\\fIARGUMENT\\fR ...] [\\fIFLAG\\fR ...]\n", root.Name())
	b.WriteString(".SH DESCRIPTION\n")
	paragraphs(b, root.Long)
	b.WriteString(".SH VERBS\n")
	for _, cmd := range root.Commands() {
		writeVerb(b, cmd)
	}
}

func writeVerb(b *strings.Builder, cmd *cobra.Command) {
	if cmd.Hidden || cmd.Name() == "help" {
		return
	}
	if cmd.Runnable() || cmd.Name() == "completion" {
		fmt.Fprintf(b, ".SS %s\n", quoted(strings.TrimSuffix(cmd.UseLine(), " [flags]")))
		paragraphs(b, cmd.Long)
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.Name == "help" {
				return
			}
			kind, usage := pflag.UnquoteUsage(f)
			fmt.Fprintf(b, ".TP\n.B \\-\\-%s", strings.ReplaceAll(f.Name, "-", "\\-"))
			if kind != "" {
				fmt.Fprintf(b, "\\fR \\fI%s\\fR", roff(kind))
			}
			fmt.Fprintf(b, "\n%s\n", roff(usage))
		})
		if cmd.Example != "" {
			fmt.Fprintf(b, ".PP\n.nf\n%s\n.fi\n", roff(cmd.Example))
		}
	}
	for _, below := range cmd.Commands() {
		writeVerb(b, below)
	}
}

// paragraphs writes text with an empty line between its paragraphs. What is indented stays as
// it is.
func paragraphs(b *strings.Builder, text string) {
	for paragraph := range strings.SplitSeq(strings.Trim(text, "\n"), "\n\n") {
		paragraph = strings.Trim(paragraph, "\n")
		if strings.HasPrefix(paragraph, " ") {
			fmt.Fprintf(b, ".PP\n.nf\n%s\n.fi\n", roff(paragraph))
		} else {
			fmt.Fprintf(b, ".PP\n%s\n", roff(paragraph))
		}
	}
}

// roff writes text so that it stands for itself.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "...", "\t", "    ").Replace(s)
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

// quoted writes text as one argument of a request.
func quoted(s string) string { return `"` + strings.ReplaceAll(roff(s), `"`, `\(dq`) + `"` }
