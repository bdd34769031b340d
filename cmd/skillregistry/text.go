package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// printable makes text from elsewhere safe to print on a line: what would move the
// cursor, break the line or turn the direction of writing is shown as U+FFFD.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// oneLine joins the lines of a text with spaces.
func oneLine(s string) string {
	var lines []string
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, " ")
}

// tooLargeError says that something is larger than it may be.
type tooLargeError struct{ max int64 }

func (e *tooLargeError) Error() string { return fmt.Sprintf("larger than %s", showSize(e.max)) }

// readAtMost reads everything from r, or returns a *tooLargeError.
func readAtMost(r io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, &tooLargeError{max: limit}
	}
	return data, nil
}

// counted writes "1 file" and "2 files".
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
