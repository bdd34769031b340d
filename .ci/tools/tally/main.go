// Command tally runs the Go tests of one or more modules, says of each package how
// it went, shows what failing tests printed, and closes with one plain line:
//
//	1234 passed, 0 failed, 0 skipped
//
// Usage: tally [go test flags and packages] -- MODULE_FOLDER...
//
// A test that skips looks like one that passed, so a skip counts as a failure here;
// only the inputs of a fuzz target may skip. So does a run without any test.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "tally:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	i := slices.Index(args, "--")
	if i < 0 || i == len(args)-1 {
		return errors.New("usage: tally [go test flags and packages] -- MODULE_FOLDER")
	}
	var counts counts
	for _, folder := range args[i+1:] {
		c, err := test(folder, args[:i], stdout, stderr)
		counts.add(c)
		if err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
	}
	fmt.Fprintln(stdout, counts)
	return counts.verdict()
}

// test runs the tests of one module. A test that fails is in the counts, not in the
// error, which says that the tests could not be run at all.
func test(folder string, args []string, stdout, stderr io.Writer) (counts, error) {
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Dir = folder
	cmd.Stderr = stderr
	events, err := cmd.StdoutPipe()
	if err != nil {
		return counts{}, err
	}
	if err := cmd.Start(); err != nil {
		return counts{}, err
	}
	c, readErr := report(events, stdout)
	waitErr := cmd.Wait()
	if readErr != nil {
		return c, readErr
	}
	if waitErr != nil && c.failed == 0 {
		return c, fmt.Errorf("go test: %w", waitErr)
	}
	return c, nil
}
