package main

import (
	"encoding/json"
	"io"
	"strings"
	"text/tabwriter"
)

// table writes columns for people.
type table struct{ w *tabwriter.Writer }

func newTable(w io.Writer, columns ...string) table {
	t := table{tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)}
	t.row(columns...)
	return t
}

func (t table) row(cells ...string) {
	for i, cell := range cells {
		cells[i] = printable(cell)
	}
	// An error stays in the writer and comes back from flush.
	_, _ = io.WriteString(t.w, strings.Join(cells, "\t")+"\n")
}

func (t table) flush() error { return t.w.Flush() }

// writeLines writes one JSON object a line.
func writeLines[T any](w io.Writer, values []T) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for _, v := range values {
		if err := encoder.Encode(v); err != nil {
			return err
		}
	}
	return nil
}
