// Package harness is what the benchmarks share: measured processes that take turns, the
// CPU time of a process, how many rounds are measured, a summary of figures, a description of
// the machine, and the figures as data (package figures).
//
// # Errors
//
// BENCH_SUBJECT if a contestant cannot be started, ends early or answers something
// else; BENCH_RUNFILES if a part of a benchmark is missing; BENCH_FLAGS for an unknown
// contestant, or if none is left. FILE_WRITE for a file of figures that cannot be written.
//
// # Determinism
//
// Summarize depends on the figures only; the rest describes the host.
package harness

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
)

// Summary of some figures: the minimum, the median, and the range from the minimum to
// the maximum.
type Summary struct{ Min, Median, Spread float64 }

// Summarize takes at least one figure and does not reorder them.
func Summarize(figures []float64) Summary {
	s := slices.Clone(figures)
	slices.Sort(s)
	n := len(s)
	return Summary{Min: s[0], Median: (s[(n-1)/2] + s[n/2]) / 2, Spread: s[n-1] - s[0]}
}

// Machine describes the host in a line: its processor and its load averages
// before the benchmark and now.
func Machine(before string) string {
	return fmt.Sprintf("%s, %d cores; load average %s before, %s after", processorName(), runtime.NumCPU(), before, LoadAverage())
}

// processorName returns the model of the processor, from Linux's /proc.
func processorName() string {
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

// LoadAverage returns the three load averages, or "unknown".
func LoadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	fields := strings.Fields(string(text))
	return strings.Join(fields[:min(3, len(fields))], " ")
}
