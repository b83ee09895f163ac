package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/bench/harness/figures"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func row(name, engine string, peer bool, times ...float64) figures.Row {
	return figures.Row{Benchmark: "zoo", Case: name, Engine: engine, Version: engine + " 1", Peer: peer, Threads: 1, Unit: figures.Wall, Rounds: figures.Once(times)}
}

func file(t *testing.T, change func(*figures.Machine), rows ...figures.Row) string {
	t.Helper()
	f := figures.Figures{Schema: figures.Schema, Machine: figures.Machine{
		Processor: "Some CPU", OS: "linux", Arch: "x86_64", Cores: 2, Instructions: []string{"avx2", "fma"},
		Targets: []string{"cpu_x86_64_v3"}, Before: "0 0 0", After: "1 1 1",
	}, Rows: rows}
	if change != nil {
		change(&f.Machine)
	}
	path := filepath.Join(t.TempDir(), "figures.json")
	require.NoError(t, f.Write(path))
	return path
}

func compare(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, bad bytes.Buffer
	status = run(context.Background(), args, &out, &bad)
	return status, out.String(), bad.String()
}

// line returns the words of the line that is about a case, from the unit on.
func line(t *testing.T, out, name string) string {
	t.Helper()
	for l := range strings.Lines(out) {
		if words := strings.Fields(l); len(words) > 4 && words[1] == name {
			_, rest, ok := strings.Cut(strings.Join(words, " "), " 1 s ")
			require.True(t, ok, l)
			return rest
		}
	}
	require.Fail(t, "no line", "%s in\n%s", name, out)
	return ""
}

// Made-up rounds: the same spread around the same middle, a shift beyond the spread, and a small
// shift that is sure.
func TestNoiseAndChange(t *testing.T) {
	spread := []float64{1.00, 1.02, 0.99, 1.01, 1.03, 0.98}
	old := file(t, nil,
		row("same", "ours", false, spread...),
		row("quicker", "ours", false, 2.00, 2.02, 1.99, 2.01, 2.03, 1.98),
		row("little", "ours", false, spread...),
		row("peers", "ort", true, spread...),
		row("once", "ours", false, 1),
		row("removed", "ours", false, 1))
	now := file(t, nil,
		row("same", "ours", false, 1.035, 0.985, 1.005, 1.015, 1.025, 0.975),
		row("quicker", "ours", false, spread...),
		row("little", "ours", false, 1.04, 1.06, 1.045, 1.055, 1.05, 1.065),
		row("peers", "ort", true, 3, 3.1, 3.2, 3.3, 3.4, 3.5),
		row("once", "ours", false, 9),
		row("added", "ours", false, 1))
	status, out, bad := compare(t, old, now)
	require.Zero(t, status, "%s%s", out, bad)
	require.Regexp(t, `^1\.005 1\.01 \+0\.5 % 0\.[5-9]\d\d noise$`, line(t, out, "same"))
	require.Equal(t, "2.005 1.005 -49.9 % 0.002 faster", line(t, out, "quicker"))
	require.Equal(t, "1.005 1.0525 +4.7 % 0.002 below the threshold", line(t, out, "little"))
	require.Equal(t, "1.005 3.25 +223.4 % 0.002 slower", line(t, out, "peers"), "a peer that got slower is said, and is no fault")
	require.Equal(t, "1 9 +800.0 % 1.000 too few rounds", line(t, out, "once"))
	require.Equal(t, "1 - - - gone", line(t, out, "removed"))
	require.Equal(t, "- 1 - - new", line(t, out, "added"))
	require.Contains(t, out, "\n1 slower, 1 faster, 1 below the threshold, 1 noise, 1 too few rounds, 1 gone, 1 new\n")
	require.NotContains(t, out, "machines differ")

	status, out, bad = compare(t, old, now, "--threshold=4")
	require.Equal(t, 1, status)
	require.Equal(t, "1.005 1.0525 +4.7 % 0.002 slower", line(t, out, "little"), "the table is printed nevertheless")
	require.Equal(t, "compare: BENCH_SLOWER: slower by more than 4 %: zoo: little: ours on 1 thread; "+
		"measure both again on a quiet machine, or find the change that did it\n", bad)

	// At a stricter level it is noise.
	status, out, _ = compare(t, old, now, "--threshold=4", "--alpha=0.001")
	require.Zero(t, status)
	require.NotContains(t, out, "slower")

	// A file beside itself is all noise.
	status, out, _ = compare(t, old, old, "--threshold=0")
	require.Zero(t, status)
	require.Contains(t, out, "\n6 noise\n")
}

func TestMachines(t *testing.T) {
	a, b := row("x", "ours", false, 1), row("x", "ours", false, 1)
	b.Version = "ours 2"
	other := row("y", "ours", false, 1)
	changed := other
	changed.Unit = figures.CPU
	_, out, _ := compare(t, file(t, nil, a, other), file(t, func(m *figures.Machine) {
		m.Processor, m.Cores, m.Instructions, m.Targets = "Other CPU", 8, []string{"avx2", "avx512f"}, []string{"cpu_x86_64_v4", "cpu_x86_64_v3"}
	}, b, changed))
	for _, want := range []string{
		"processor: Some CPU before, Other CPU now\n", "cores: 2 before, 8 now\n", "instructions that only the old file's machine has: fma\n",
		"instructions that only the new file's machine has: avx512f\n", "targets that only the new file's machine has: cpu_x86_64_v4\n",
		"The machines differ: so may any figure.\n", "ours: ours 1 before, ours 2 now\n", "load average 0 0 0, then 1 1 1 in the old file;",
	} {
		require.Contains(t, out, want)
	}
	require.Equal(t, "1 1 - - other unit", line(t, out, "y"))
}

func TestFaults(t *testing.T) {
	good := file(t, nil, row("x", "ours", false, 1))
	whole, err := os.ReadFile(good)
	require.NoError(t, err)
	cut := filepath.Join(t.TempDir(), "cut.json")
	require.NoError(t, os.WriteFile(cut, whole[:len(whole)/2], 0o600))
	for name, tt := range map[string]struct {
		args   []string
		status int
		says   string
	}{
		"cut short":        {[]string{good, cut}, 1, "FIGURES_JSON: " + cut},
		"no such file":     {[]string{filepath.Join(t.TempDir(), "none"), good}, 1, "FILE_OPEN"},
		"one file":         {[]string{good}, 2, "USAGE"},
		"a threshold":      {[]string{good, good, "--threshold=-1"}, 1, "BENCH_FLAGS"},
		"none":             {[]string{good, good, "--threshold=NaN"}, 1, "BENCH_FLAGS"},
		"a certain change": {[]string{good, good, "--alpha=0"}, 1, "BENCH_FLAGS"},
	} {
		t.Run(name, func(t *testing.T) {
			status, out, bad := compare(t, tt.args...)
			require.Equal(t, tt.status, status)
			require.Contains(t, bad, tt.says)
			require.Empty(t, out)
		})
	}
}
