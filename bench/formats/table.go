package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/skainet-dev/skainet-go/bench/harness"
)

// table of figures: rows by what is done and who does it, in the order in which
// they come.
type table struct {
	title   string
	unit    string
	format  string // of a figure; %.3f by default
	against string // whose figures those of the others are compared with
	ratio   string // heading of that column
	rows    []row
	notes   []string
}

type row struct {
	what, who string
	figures   []float64
}

func (t *table) add(what, who string, figure float64) {
	for i := range t.rows {
		if r := &t.rows[i]; r.what == what && r.who == who {
			r.figures = append(r.figures, figure)
			return
		}
	}
	t.rows = append(t.rows, row{what, who, []float64{figure}})
}

func (t *table) note(text string) { t.notes = append(t.notes, text) }

// print writes the table. A ratio is that of the minima, then of the medians,
// above 1 where the row takes less than what it is compared with.
func (t *table) print(out io.Writer) error {
	format := t.format
	if format == "" {
		format = "%.3f"
	}
	fmt.Fprintf(out, "%s\n", t.title)
	for _, note := range t.notes {
		fmt.Fprintln(out, note)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\t\tmin %s\tmedian\tspread\t%s\t\n", t.unit, t.ratio)
	for _, r := range t.rows {
		s := harness.Summarize(r.figures)
		fmt.Fprintf(w, "%s\t%s\t"+format+"\t"+format+"\t"+format+"\t%s\t\n", r.what, r.who, s.Min, s.Median, s.Spread, t.compared(r, s))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out)
	return err
}

func (t *table) compared(r row, s harness.Summary) string {
	for _, other := range t.rows {
		if other.what == r.what && other.who == t.against && r.who != t.against {
			o := harness.Summarize(other.figures)
			return fmt.Sprintf("%.2f  %.2f", o.Min/s.Min, o.Median/s.Median)
		}
	}
	return ""
}
