package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// table is one of the tables that the bench prints.
type table struct {
	title   string
	columns []string
	rows    [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// print writes the table as Markdown: the first column to the left, numbers to the right.
func (t *table) print(w io.Writer) {
	if len(t.rows) == 0 {
		return
	}
	lines := []string{"### " + t.title, "", "| " + strings.Join(t.columns, " | ") + " |", "|---" + strings.Repeat("|---:", len(t.columns)-1) + "|"}
	for _, row := range t.rows {
		lines = append(lines, "| "+strings.Join(row, " | ")+" |")
	}
	fmt.Fprintln(w, strings.Join(lines, "\n")+"\n")
}

func median(all []float64) float64 { return quantile(all, 0.5) }

// quantile returns the smallest of all that is not below a share of them; 0 of none.
func quantile(all []float64, share float64) float64 {
	if len(all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(all))
	return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]
}

// number shows a figure with no more digits than it has to say.
func number(n float64) string {
	if n < 10 {
		return strconv.FormatFloat(n, 'f', 1, 64)
	}
	digits := strconv.FormatFloat(n, 'f', 0, 64)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// milliseconds and microseconds show nanoseconds.
func milliseconds(ns float64) string { return strconv.FormatFloat(ns/1e6, 'f', 2, 64) }
func microseconds(ns float64) string { return strconv.FormatFloat(ns/1e3, 'f', 0, 64) }

func share(of float64) string { return strconv.FormatFloat(of, 'f', 2, 64) }
