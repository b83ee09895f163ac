// Package harness is what the benchmarks share: measured processes that take turns, the
// CPU time of a process, a summary of figures, and a description of the machine.
//
// # Errors
//
// BENCH_SUBJECT where a contestant cannot be started, ends early or answers
// something else; BENCH_RUNFILES where a part of a benchmark is not beside it; BENCH_FLAGS
// where what was asked for is not a contestant, or nothing is left.
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

// Summary of some figures: the least, the one in the middle (of an even number,
// the mean of two), and the distance from the least to the greatest.
type Summary struct{ Min, Median, Spread float64 }

// Summarize takes one figure at least and keeps their order.
func Summarize(figures []float64) Summary {
	s := slices.Clone(figures)
	slices.Sort(s)
	n := len(s)
	return Summary{Min: s[0], Median: (s[(n-1)/2] + s[n/2]) / 2, Spread: s[n-1] - s[0]}
}

// Machine describes the host in a line: its processor and its load averages
// before the benchmark and now.
func Machine(before string) string {
	return fmt.Sprintf("%s, %d cores; load average %s before, %s after", processor(), runtime.NumCPU(), before, LoadAverage())
}

// processor returns the model of the processor, from Linux's /proc.
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

// LoadAverage returns the three load averages, or "unknown".
func LoadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	fields := strings.Fields(string(text))
	return strings.Join(fields[:min(3, len(fields))], " ")
}
