package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/skainet-dev/skainet-go/bench/figures"
)

// report collects figures and prints them.
type report struct {
	before   string // load average
	rounds   int
	names    []string
	versions []string
	rows     []*row
}

// row is an operation on a number of threads.
type row struct {
	do      string
	threads int
	seconds map[string][]float64 // of a subject, one a round
}

func (r *report) name(name, version string) {
	if !slices.Contains(r.names, name) {
		r.names, r.versions = append(r.names, name), append(r.versions, version)
	}
}

func (r *report) add(do string, threads int, name string, seconds float64) {
	i := slices.IndexFunc(r.rows, func(w *row) bool { return w.do == do && w.threads == threads })
	if i < 0 {
		i = len(r.rows)
		r.rows = append(r.rows, &row{do, threads, map[string][]float64{}})
	}
	r.rows[i].seconds[name] = append(r.rows[i].seconds[name], seconds)
}

// print writes a line for each operation, number of threads and subject. A ratio
// is how many times the first subject is as fast, by the least figures.
func (r *report) print(w io.Writer) error {
	fmt.Fprintf(w, "%s\n%d rounds\n", figures.Machine(r.before), r.rounds)
	for i, name := range r.names {
		fmt.Fprintf(w, "%s: %s\n", name, r.versions[i])
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "operation\tthreads\tsubject\tleast ms\tmedian ms\tspread ms\t%s is faster by\t\n", r.names[0])
	for _, row := range r.rows {
		for _, name := range r.names {
			times := row.seconds[name]
			if len(times) == 0 {
				continue
			}
			s, ratio := figures.Summarize(times), ""
			if first := row.seconds[r.names[0]]; name != r.names[0] && len(first) > 0 {
				ratio = fmt.Sprintf("%.2f", s.Min/figures.Summarize(first).Min)
			}
			fmt.Fprintf(t, "%s\t%d\t%s\t%.3f\t%.3f\t%.3f\t%s\t\n", row.do, row.threads, name, 1e3*s.Min, 1e3*s.Median, 1e3*s.Spread, ratio)
		}
	}
	return t.Flush()
}
