package main

import (
	"github.com/spf13/cobra"
)

// completeWith has the shell complete a flag's value from a list.
func completeWith(cmd *cobra.Command, flag string, values []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic("a flag that is not there: " + flag)
	}
}
