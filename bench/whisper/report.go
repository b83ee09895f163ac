package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/skainet-dev/skainet-go/bench/whisper/subject"
)

// row is what is known of a subject.
type row struct {
	subject   spec
	ready     subject.Ready
	loadedMiB float64
	peakMiB   float64
	runs      []subject.Run
}

// cpu gives the CPU seconds of all runs.
func (r row) cpu() []float64 {
	return column(r.runs, func(x subject.Run) float64 { return x.CPU })
}

func column(runs []subject.Run, get func(subject.Run) float64) []float64 {
	var out []float64
	for _, r := range runs {
		out = append(out, get(r))
	}
	return out
}

// summary of some figures.
type summary struct{ min, median, spread float64 }

func summarize(figures []float64) summary {
	s := slices.Clone(figures)
	slices.Sort(s)
	n := len(s)
	return summary{min: s[0], median: (s[(n-1)/2] + s[n/2]) / 2, spread: s[n-1] - s[0]}
}

type report struct {
	options       options
	clip          string
	rows          []row
	notes         []string
	before, after string // load averages
}

// print writes the tables. Parts are minima, each over the rounds, of work that
// is run once more by itself; the rest is the whole's minimum less those.
func (r *report) print(out io.Writer) error {
	fmt.Fprintf(out, "Whisper tiny.en, %s, one thread, greedy, no timestamps; %d rounds after %d to warm up\n",
		r.clip, r.options.rounds, r.options.warmUp)
	fmt.Fprintf(out, "%s, %d cores; load average %s before, %s after\n", processor(), runtime.NumCPU(), r.before, r.after)
	for _, row := range r.rows {
		fmt.Fprintf(out, "%s: %s, %s\n", row.subject.name, row.ready.Version, row.subject.about)
	}
	for _, note := range r.notes {
		fmt.Fprintln(out, note)
	}
	for _, name := range unset {
		if v, ok := os.LookupEnv(name); ok {
			fmt.Fprintf(out, "%s=%s is set here and was unset for all subjects\n", name, v)
		}
	}
	if err := r.figures(out); err != nil {
		return err
	}
	return r.ratios(out)
}

func (r *report) figures(out io.Writer) error {
	fmt.Fprintln(out, "\nCPU seconds of one transcription (user and system), and of its parts")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "subject\tmin\tmedian\tspread\tmel\tencode\trest\twall min\tload CPU s\tMiB loaded\tMiB peak\t")
	for _, row := range r.rows {
		all := summarize(row.cpu())
		mel := summarize(column(row.runs, func(x subject.Run) float64 { return x.Parts.Mel })).min
		encode := summarize(column(row.runs, func(x subject.Run) float64 { return x.Parts.Encode })).min
		wall := summarize(column(row.runs, func(x subject.Run) float64 { return x.Wall })).min
		fmt.Fprintf(w, "%s\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.2f\t%.0f\t%.0f\t\n", row.subject.name,
			all.min, all.median, all.spread, mel, encode, all.min-mel-encode, wall, row.ready.Load, row.loadedMiB, row.peakMiB)
	}
	return w.Flush()
}

func (r *report) ratios(out io.Writer) error {
	var ours, peers []row
	for _, row := range r.rows {
		if row.subject.peer {
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
		fmt.Fprintf(w, "%s\t", p.subject.name)
	}
	fmt.Fprintln(w)
	for _, o := range ours {
		fmt.Fprintf(w, "%s\t", o.subject.name)
		for _, p := range peers {
			a, b := summarize(o.cpu()), summarize(p.cpu())
			fmt.Fprintf(w, "%.2f  %.2f\t", a.min/b.min, a.median/b.median)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// processor gives the model of the processor, from Linux's /proc.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOOS + " " + runtime.GOARCH
	}
	return modelName(string(text))
}

func modelName(cpuinfo string) string {
	for line := range strings.Lines(cpuinfo) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOOS + " " + runtime.GOARCH
}

// loadAverage gives the three load averages, or "unknown".
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	fields := strings.Fields(string(text))
	return strings.Join(fields[:min(3, len(fields))], " ")
}
