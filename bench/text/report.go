package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/bench/harness/figures"
	"github.com/skainet-dev/skainet-go/bench/text/contestant"
)

// row holds the figures of a contestant on a number of threads.
type row struct {
	contestant spec
	threads    int
	child      *harness.Child
	ready      contestant.Ready
	seconds    [][]float64 // of each measure, in each round
	peakMiB    float64
}

// figures returns the row as data, one of each measure: seconds of a prompt, and of all steps.
func (r *row) figures(measures []measure) []figures.Row {
	var list []figures.Row
	for i, m := range measures {
		list = append(list, figures.Row{
			Benchmark: "text", Case: strings.TrimSpace(modelName + " " + m.name), Engine: r.contestant.name, Version: r.ready.Version,
			Peer: r.contestant.peer, Target: harness.Target(r.contestant.name), Threads: r.threads, Unit: figures.Wall,
			Rounds: figures.Once(r.seconds[i]), Peak: r.peakMiB,
		})
	}
	return list
}

type report struct {
	rounds   int // measured
	warmUp   int // before them
	measures []measure
	rows     []row
	notes    []string
	before   string // load averages
}

// print writes the tables.
func (r *report) print(out io.Writer) error {
	fmt.Fprintf(out, "Tokens per second; %d rounds after %d to warm up, contestants take turns\n", r.rounds, r.warmUp)
	fmt.Fprintln(out, harness.Machine(r.before))
	told := map[string]bool{}
	for _, row := range r.rows {
		if !told[row.contestant.name] {
			fmt.Fprintf(out, "%s: %s, %s\n", row.contestant.name, row.ready.Version, row.contestant.about)
		}
		told[row.contestant.name] = true
	}
	for _, note := range r.notes {
		fmt.Fprintln(out, note)
	}
	if err := r.speeds(out); err != nil {
		return err
	}
	return r.ratios(out)
}

// speeds are those of the fastest, the median and the slowest round.
func (r *report) speeds(out io.Writer) error {
	fmt.Fprintln(out, "\nBest, median and worst round")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "contestant\tthreads\t")
	for _, m := range r.measures {
		fmt.Fprintf(w, "%s\t\t\t", m.name)
	}
	fmt.Fprintln(w, "MiB peak\t")
	for _, row := range r.rows {
		fmt.Fprintf(w, "%s\t%d\t", row.contestant.name, row.threads)
		for i, m := range r.measures {
			s, n := harness.Summarize(row.seconds[i]), float64(m.tokens)
			fmt.Fprintf(w, "%.1f\t%.1f\t%.1f\t", n/s.Min, n/s.Median, n/(s.Min+s.Spread))
		}
		fmt.Fprintf(w, "%.0f\t\n", row.peakMiB)
	}
	return w.Flush()
}

// ratios are of speeds on as many threads, ours to the peer's.
func (r *report) ratios(out io.Writer) error {
	var lines []string
	for _, peer := range r.rows {
		for _, ours := range r.rows {
			if !peer.contestant.peer || ours.contestant.peer || ours.threads != peer.threads {
				continue
			}
			line := fmt.Sprintf("%s to %s\t%d\t", ours.contestant.name, peer.contestant.name, ours.threads)
			for i := range r.measures {
				a, b := harness.Summarize(ours.seconds[i]), harness.Summarize(peer.seconds[i])
				line += fmt.Sprintf("%.2f\t%.2f\t", b.Min/a.Min, b.Median/a.Median)
			}
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	fmt.Fprintln(out, "\nRatio of speeds, of the best rounds and of the medians (above 1: ours is faster)")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "\tthreads\t")
	for _, m := range r.measures {
		fmt.Fprintf(w, "%s\t\t", m.name)
	}
	fmt.Fprintln(w)
	for _, line := range lines {
		fmt.Fprintln(w, line)
	}
	return w.Flush()
}
