package main

import (
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/bench/harness/figures"
	"github.com/skainet-dev/skainet-go/bench/whisper/contestant"
)

// row holds the figures of a contestant.
type row struct {
	contestant spec
	ready      contestant.Ready
	loadedMiB  float64
	peakMiB    float64
	runs       []contestant.Run
}

// cpu returns the CPU seconds of all runs.
func (r row) cpu() []float64 {
	return column(r.runs, func(x contestant.Run) float64 { return x.CPU })
}

func column(runs []contestant.Run, get func(contestant.Run) float64) []float64 {
	var out []float64
	for _, r := range runs {
		out = append(out, get(r))
	}
	return out
}

// figures returns the row as data.
func (r row) figures(name string) figures.Row {
	return figures.Row{
		Benchmark: "whisper", Case: name, Engine: r.contestant.name, Version: r.ready.Version, Peer: r.contestant.peer,
		Target: harness.Target(r.contestant.name), Threads: 1, Unit: figures.CPU, Rounds: figures.Once(r.cpu()), Load: r.ready.Load, Peak: r.peakMiB,
	}
}

type report struct {
	rounds int // measured
	warmUp int // before them
	task   task
	rows   []row
	notes  []string
	before string // load averages
}

// print writes the tables. Parts are minima, each over the rounds, of work that
// is run once more by itself; the rest is the whole's minimum less those.
func (r *report) print(out io.Writer) error {
	fmt.Fprintf(out, "Whisper %s, one thread, greedy, no timestamps; %d rounds after %d to warm up\n",
		r.task, r.rounds, r.warmUp)
	fmt.Fprintln(out, harness.Machine(r.before))
	for _, row := range r.rows {
		fmt.Fprintf(out, "%s: %s, %s\n", row.contestant.name, row.ready.Version, row.contestant.about)
	}
	for _, note := range r.notes {
		fmt.Fprintln(out, note)
	}
	for _, name := range harness.Unset {
		if v, ok := os.LookupEnv(name); ok {
			fmt.Fprintf(out, "%s=%s is set here and was unset for all contestants\n", name, v)
		}
	}
	if err := r.figures(out); err != nil {
		return err
	}
	return r.ratios(out)
}

func (r *report) figures(out io.Writer) error {
	fmt.Fprintln(out, "\nCPU seconds of one transcription (user and system), and of its first window's parts")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "contestant\tmin\tmedian\tspread\tmel\tencode\trest\twall min\tload CPU s\tMiB loaded\tMiB peak\t")
	for _, row := range r.rows {
		all := harness.Summarize(row.cpu())
		mel := harness.Summarize(column(row.runs, func(x contestant.Run) float64 { return x.Parts.Mel })).Min
		encode := harness.Summarize(column(row.runs, func(x contestant.Run) float64 { return x.Parts.Encode })).Min
		wall := harness.Summarize(column(row.runs, func(x contestant.Run) float64 { return x.Wall })).Min
		fmt.Fprintf(w, "%s\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.2f\t%.0f\t%.0f\t\n", row.contestant.name,
			all.Min, all.Median, all.Spread, mel, encode, all.Min-mel-encode, wall, row.ready.Load, row.loadedMiB, row.peakMiB)
	}
	return w.Flush()
}

func (r *report) ratios(out io.Writer) error {
	var ours, peers []row
	for _, row := range r.rows {
		if row.contestant.peer {
			peers = append(peers, row)
		} else {
			ours = append(ours, row)
		}
	}
	if len(ours) == 0 || len(peers) == 0 {
		return nil
	}
	fmt.Fprintln(out, "\nRatio of CPU seconds, ours to the peer's: of the minima, of the medians (below 1: ours takes less)")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "\t")
	for _, p := range peers {
		fmt.Fprintf(w, "%s\t", p.contestant.name)
	}
	fmt.Fprintln(w)
	for _, o := range ours {
		fmt.Fprintf(w, "%s\t", o.contestant.name)
		for _, p := range peers {
			a, b := harness.Summarize(o.cpu()), harness.Summarize(p.cpu())
			fmt.Fprintf(w, "%.2f  %.2f\t", a.Min/b.Min, a.Median/b.Median)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}
