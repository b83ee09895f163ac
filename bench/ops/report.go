package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/bench/harness/figures"
	"github.com/skainet-dev/skainet-go/bench/ops/contestant"
)

// report collects figures and prints them.
type report struct {
	before   string // load average
	rounds   int    // of the operation with the fewest
	names    []string
	versions []string
	rows     []*row
}

// row is an operation on a number of threads.
type row struct {
	do      string
	threads int
	seconds map[string][]float64 // of a contestant, one a round
	cpu     map[string][]float64
}

// measured keeps the number of rounds of an operation.
func (r *report) measured(rounds int) {
	if r.rounds == 0 || rounds < r.rounds {
		r.rounds = rounds
	}
}

// figures returns the rows as data. The first contestant is ours.
func (r *report) figures() []figures.Row {
	var list []figures.Row
	for _, row := range r.rows {
		for i, name := range r.names {
			if times := row.seconds[name]; len(times) > 0 {
				list = append(list, figures.Row{
					Benchmark: "ops", Case: row.do, Engine: name, Version: r.versions[i], Peer: i > 0, Threads: row.threads,
					Unit: figures.Wall, Rounds: figures.Once(times),
				})
			}
		}
	}
	return list
}

func (r *report) name(name, version string) {
	if !slices.Contains(r.names, name) {
		r.names, r.versions = append(r.names, name), append(r.versions, version)
	}
}

func (r *report) add(do string, threads int, name string, a contestant.Answer) {
	i := slices.IndexFunc(r.rows, func(w *row) bool { return w.do == do && w.threads == threads })
	if i < 0 {
		i = len(r.rows)
		r.rows = append(r.rows, &row{do, threads, map[string][]float64{}, map[string][]float64{}})
	}
	r.rows[i].seconds[name] = append(r.rows[i].seconds[name], a.Seconds)
	r.rows[i].cpu[name] = append(r.rows[i].cpu[name], a.CPU)
}

// print writes a line for each operation, number of threads and contestant. A ratio
// is how many times faster the first contestant is, by the minimum figures: of elapsed time,
// and of CPU time, which other load on a busy machine affects less.
func (r *report) print(w io.Writer) error {
	fmt.Fprintf(w, "%s\n%d rounds\n", harness.Machine(r.before), r.rounds)
	for i, name := range r.names {
		fmt.Fprintf(w, "%s: %s\n", name, r.versions[i])
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "operation\tthreads\tcontestant\tleast ms\tmedian ms\tspread ms\t%s is faster by\tleast CPU ms\tby CPU\t\n", r.names[0])
	for _, row := range r.rows {
		for _, name := range r.names {
			times := row.seconds[name]
			if len(times) == 0 {
				continue
			}
			s, cpu := harness.Summarize(times), slices.Min(row.cpu[name])
			ratio, byCPU := "", ""
			if first := r.names[0]; name != first && len(row.seconds[first]) > 0 {
				ratio = fmt.Sprintf("%.2f", s.Min/slices.Min(row.seconds[first]))
				byCPU = fmt.Sprintf("%.2f", cpu/slices.Min(row.cpu[first]))
			}
			fmt.Fprintf(t, "%s\t%d\t%s\t%.3f\t%.3f\t%.3f\t%s\t%.3f\t%s\t\n", row.do, row.threads, name,
				1e3*s.Min, 1e3*s.Median, 1e3*s.Spread, ratio, 1e3*cpu, byCPU)
		}
	}
	return t.Flush()
}
