package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/skainet-dev/skainet-go/bench/backends/task"
	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/bench/harness/figures"
)

// row holds the figures of a contestant.
type row struct {
	contestant spec
	child      *harness.Child
	ready      task.Ready
	seconds    [][]float64 // of each measure, in each round
	compile    float64     // of all measures, or of the program
	program    int64       // bytes
	peakMiB    float64
}

// turn makes a contestant do each call once.
func (r *row) turn(keep bool) error {
	for i := range r.seconds {
		var a task.Answer
		if err := r.child.Ask(task.Question{Measure: i}, &a); err != nil {
			return err
		}
		if a.Seconds <= 0 {
			return r.child.Broken(fmt.Errorf("a call in %v seconds", a.Seconds))
		}
		r.compile += a.Compile
		r.program = max(r.program, a.Program)
		if keep {
			r.seconds[i] = append(r.seconds[i], a.Seconds)
		}
	}
	return nil
}

// figures returns the row as data, one of each measure.
func (r *row) figures(measures []string, threads int) []figures.Row {
	var list []figures.Row
	for i, name := range measures {
		row, _ := compiled()
		target := map[string]string{"iree": row, "xla": "xla_cpu"}[r.contestant.name]
		list = append(list, figures.Row{
			Benchmark: "backends", Case: strings.TrimSpace(modelName + " " + name), Engine: r.contestant.name, Version: r.ready.Version,
			Peer: r.contestant.peer, Target: target, Threads: threads, Unit: figures.Wall, Rounds: figures.Once(r.seconds[i]), Peak: r.peakMiB,
		})
	}
	return list
}

type report struct {
	rounds, threads int
	measures        []string
	rows            []row
	before          string // load averages
}

// print writes the table.
func (r *report) print(out io.Writer) error {
	fmt.Fprintf(out, "Milliseconds of a call, least and median of %d rounds, on %d threads; contestants take turns\n", r.rounds, r.threads)
	fmt.Fprintln(out, harness.Machine(r.before))
	for _, row := range r.rows {
		fmt.Fprintf(out, "%s: %s\n", row.contestant.name, row.ready.Version)
	}
	fmt.Fprintln(out)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "\t")
	for _, name := range r.measures {
		fmt.Fprintf(w, "%s\t\t", name)
	}
	fmt.Fprintln(w, "compile s\tprogram kB\tMiB peak\t")
	for _, row := range r.rows {
		fmt.Fprintf(w, "%s\t", row.contestant.name)
		for i := range r.measures {
			s := harness.Summarize(row.seconds[i])
			fmt.Fprintf(w, "%.2f\t%.2f\t", s.Min*1e3, s.Median*1e3)
		}
		fmt.Fprintf(w, "%s\t%s\t%.0f\t\n", number(row.compile, "%.1f"), number(float64(row.program)/1e3, "%.0f"), row.peakMiB)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return r.ratios(out)
}

// number writes a figure, or that there is none.
func number(v float64, form string) string {
	if v == 0 {
		return "-"
	}
	return fmt.Sprintf(form, v)
}

// ratios are of XLA's times to those of its peer.
func (r *report) ratios(out io.Writer) error {
	at := map[string]int{}
	for i, row := range r.rows {
		at[row.contestant.name] = i + 1
	}
	if at["xla"] == 0 || at["jax"] == 0 {
		return nil
	}
	ours, peer := r.rows[at["xla"]-1], r.rows[at["jax"]-1]
	fmt.Fprintln(out, "\nRatio of times of xla to jax, of the least and of the medians (below 1: ours is faster)")
	for i, name := range r.measures {
		a, b := harness.Summarize(ours.seconds[i]), harness.Summarize(peer.seconds[i])
		if _, err := fmt.Fprintf(out, "%s: %.2f %.2f\n", name, a.Min/b.Min, a.Median/b.Median); err != nil {
			return err
		}
	}
	return nil
}
