package main

import (
	"errors"
	"fmt"
)

// counts are those of tests and their subtests. A package that failed without a
// failing test (it did not build, say) is one that failed.
type counts struct {
	passed, failed, skipped int
	// excused are those of the skipped that may skip.
	excused int
}

func (c *counts) add(d counts) {
	c.passed += d.passed
	c.failed += d.failed
	c.skipped += d.skipped
	c.excused += d.excused
}

// verdict returns an error that says why the run is not a good one, if it is not.
func (c counts) verdict() error {
	switch {
	case c.failed > 0:
		return errors.New("there are failures")
	case c.skipped > c.excused:
		return errors.New("there are tests that skip: a test that can't run fails and says what it lacks")
	case c.passed == 0:
		return errors.New("no test ran")
	}
	return nil
}

func (c counts) String() string {
	return fmt.Sprintf("%d passed, %d failed, %d skipped", c.passed, c.failed, c.skipped)
}
