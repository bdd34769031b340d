package main

import "github.com/spf13/cobra"

// reporting is how a verb tells what becomes of documents.
type reporting struct {
	asJSON   bool
	annotate string
}

func (r *reporting) define(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&r.asJSON, "json", false, "print one JSON object a file")
	cmd.Flags().Var(choiceValue(&r.annotate, "service", annotateGitHub, annotateGitLab), "annotate", "say what is wrong as the pipelines of github or gitlab show it")
	completeWith(cmd, "annotate", []string{annotateGitHub, annotateGitLab})
}

// check refuses what is right by itself and wrong together.
func (r *reporting) check() error {
	if r.asJSON && r.annotate != "" {
		return usageError("--json and --annotate both say what standard output is: expected one of them")
	}
	return nil
}
