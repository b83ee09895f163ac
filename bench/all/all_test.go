package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/bench/all/goals"
	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/bench/harness/figures"
	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// TestMain lets this program be the benchmark that a variable describes.
func TestMain(m *testing.M) {
	behaviour, ok := os.LookupEnv("BENCH_TEST_PART")
	if !ok {
		os.Exit(m.Run())
	}
	var file string
	for _, a := range os.Args[1:] {
		if path, ok := strings.CutPrefix(a, "--json="); ok {
			file = path
		}
	}
	f := sample()
	f.Notes = []string{strings.Join(slices.DeleteFunc(os.Args[1:], func(a string) bool { return strings.HasPrefix(a, "--json=") }), " ")}
	switch behaviour {
	case "fails":
		os.Exit(3)
	case "writes nothing":
		os.Exit(0)
	}
	if f.Write(file) != nil {
		os.Exit(1)
	}
}

func row(benchmark, name, engine string, peer bool, threads int, times ...float64) figures.Row {
	return figures.Row{
		Benchmark: benchmark, Case: name, Engine: engine, Version: "1", Peer: peer, Target: harness.Target(engine), Threads: threads,
		Unit: figures.Wall, Rounds: figures.Once(times),
	}
}

// sample is of a processor with AVX2.
func sample() figures.Figures {
	silero, ort := row("zoo", "silero", "cpu_x86_64_v3", false, 1, 1, 2, 4), row("zoo", "silero", "ort", true, 1, 2, 3, 5)
	silero.Load, ort.Load, silero.Peak, ort.Peak, silero.Error, ort.Error = 1, 3, 100, 50, 2.5e-7, 0
	return figures.Figures{
		Schema: figures.Schema,
		Machine: figures.Machine{
			Processor: "Some CPU", OS: "linux", Arch: "x86_64", Cores: 2, Instructions: []string{"avx2", "fma"},
			Targets: []string{"cpu_x86_64_v3", "cpu_x86_64_v1"}, Before: "0 0 0", After: "1 1 1",
		},
		Notes: []string{"a note"},
		Rows: []figures.Row{
			silero, ort,
			row("zoo", "bge-small f32", "cpu_x86_64_v3", false, 1, 1, 1), row("zoo", "bge-small f32", "ort", true, 1, 1.1, 1.3),
			row("text", "gemma3_270m decode 64", "ours-v3", false, 2, 1), row("text", "gemma3_270m decode 64", "ours-go", false, 2, 1),
			row("text", "gemma3_270m decode 64", "llama.cpp", true, 2, 1.35),
			row("ops", "matmul", "ours", false, 1, 1), row("ops", "matmul", "gonum", true, 1, 8), row("ops", "matmul", "openblas", true, 1, 0.9),
		},
	}
}

const header = "work case engine peer threads least x median x load x memory x error its goal met\n"

// table returns the output without the width of columns.
func table(t *testing.T, f figures.Figures) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, print(&out, f))
	var lines []string
	for line := range strings.Lines(out.String()) {
		lines = append(lines, strings.Join(strings.Fields(line), " ")+"\n")
	}
	return strings.Join(lines, "")
}

func TestTable(t *testing.T) {
	want := header + `models of the zoo silero cpu_x86_64_v3 ort 1 2.00 1.50 3.00 0.50 2e-07 - 1.00 missed: memory [why is not measured]
BERT of 6 and 12 x 384, f32 bge-small f32 cpu_x86_64_v3 ort 1 1.10 1.20 - - - - 1.20 missed: least [why is not measured]
language models, decode gemma3_270m decode 64 ours-v3 llama.cpp 2 1.35 1.35 - - - - 1.30 met
the CPU backend, decode gemma3_270m decode 64 ours-go llama.cpp 2 1.35 1.35 - - - - 0.90 met
ops matmul ours gonum 1 8.00 8.00 - - - - - no goal
matrix products matmul ours openblas 1 0.90 0.90 - - - - 0.95 missed: least, median [why is not measured]

2 of 5 goals met, 0 missed by a limit that is told below, 3 by one that is not measured.
Some CPU, 2 cores, x86_64; load average 0 0 0 before, 1 1 1 after; targets cpu_x86_64_v3, cpu_x86_64_v1
instructions: avx2 fma
engines: cpu_x86_64_v3 1; gonum 1; llama.cpp 1; openblas 1; ort 1; ours 1; ours-go 1; ours-v3 1
a note
`
	require.Empty(t, cmp.Diff(want, table(t, sample())))
}

// The table for a page has the same cells; names with a comma are quoted.
func TestSeparated(t *testing.T) {
	folder := t.TempDir()
	from, to := filepath.Join(folder, "figures.json"), filepath.Join(folder, "table.csv")
	require.NoError(t, sample().Write(from))
	var out, bad bytes.Buffer
	require.Zero(t, run(context.Background(), []string{"--from=" + from, "--csv=" + to}, &out, &bad), bad.String())
	data, err := os.ReadFile(to)
	require.NoError(t, err)
	lines := strings.Split(string(data), "\n")
	require.Equal(t, strings.Join(heads, ","), lines[0])
	require.Equal(t, `models of the zoo,silero,cpu_x86_64_v3,ort,1,2.00,1.50,3.00,0.50,2e-07,-,1.00,missed: memory [why is not measured]`, lines[1])
	require.Equal(t, `"BERT of 6 and 12 x 384, f32",bge-small f32,cpu_x86_64_v3,ort,1,1.10,1.20,-,-,-,-,1.20,missed: least [why is not measured]`, lines[2])
}

// On a processor with AVX-512 the goals are others, and the program for fewer instructions is not
// the one that is taken. On one that the goals are not about there are none.
func TestProcessors(t *testing.T) {
	f := sample()
	f.Machine.Instructions = []string{"avx2", "avx512f"}
	f.Machine.Targets = []string{"cpu_x86_64_v4", "cpu_x86_64_v3"}
	f.Rows = append(f.Rows[4:7:7], row("text", "gemma3_270m decode 64", "ours-v4", false, 2, 0.9), row("text", "gemma3_270m decode 64", "ours-v4", false, 1, 1))
	got := table(t, f)
	require.Contains(t, got, "ours-v3 llama.cpp 2 1.35 1.35 - - - - 1.40 not taken here\n")
	require.Contains(t, got, "ours-v4 llama.cpp 2 1.50 1.50 - - - - 1.40 met\n")
	require.Contains(t, got, "ours-go llama.cpp 2 1.35 1.35 - - - - 1.00 met\n", "it has no target")
	require.Contains(t, got, "2 of 2 goals met, ")

	f.Machine.Instructions, f.Machine.Targets = []string{"neon"}, []string{}
	got = table(t, f)
	require.Contains(t, got, "ours-v4 llama.cpp 2 1.50 1.50 - - - - - no goal\n")
	require.Contains(t, got, "0 of 0 goals met, ")
}

// A row that misses its goal names the limits, which are below the table, each once.
func TestLimits(t *testing.T) {
	f := sample()
	f.Machine.Instructions = append(f.Machine.Instructions, "avx512f")
	f.Rows = nil
	for _, threads := range []int{1, 2} {
		ours, ort := row("zoo", "efficientnet-lite0", "cpu_x86_64_v4", false, threads, 4), row("zoo", "efficientnet-lite0", "ort", true, threads, 3)
		ours.Peak, ort.Peak = 2, 1
		f.Rows = append(f.Rows, ours, ort)
	}
	limit, ok := goals.Why("zoo", "efficientnet-lite0", "cpu_x86_64_v4", "ort", goals.Speed, 1, f.Machine.Instructions)
	require.True(t, ok)
	got := table(t, f)
	require.Contains(t, got, "missed: least, median, memory [1, why is not measured]\n")
	require.Equal(t, 1, strings.Count(got, "[1] "+limit.Bound+". Tried: "+strings.Join(limit.Tried, "; ")+".\n"))
	require.Contains(t, got, "0 of 2 goals met, 0 missed by a limit that is told below, 2 by one that is not measured.\n")

	// What was measured on another processor says nothing here.
	f.Machine.Instructions = []string{"avx2"}
	require.NotContains(t, table(t, f), "[1]")
}

func TestChoice(t *testing.T) {
	list := []part{{name: "zoo", binary: "z"}, {name: "text"}, {name: "ops", binary: "o", threads: true}}
	for _, tt := range []struct {
		only []string
		want []part
	}{
		{nil, []part{list[0], list[2]}},
		{[]string{"ops"}, []part{list[2]}},
		{[]string{"ops", "zoo/silero", "zoo/magika"}, []part{{name: "zoo", binary: "z", only: []string{"silero", "magika"}}, list[2]}},
		{[]string{"zoo/silero", "zoo"}, []part{list[0]}},
	} {
		got, err := choose(slices.Clone(list), tt.only)
		require.NoError(t, err)
		require.Equal(t, tt.want, got)
	}
	for _, only := range [][]string{{"text"}, {"zoo", "other"}, {"other/silero"}} {
		_, err := choose(slices.Clone(list), only)
		require.Equal(t, harness.CodeFlags, errs.CodeOf(err))
		require.ErrorContains(t, err, "zoo, ops")
	}
	require.Equal(t, []string{"--time=2m0s", "--json=f", "--threads=1,2", "--only=a,b"}, part{threads: true, only: []string{"a", "b"}}.args(2*time.Minute, []int{1, 2}, "f"))
	require.Equal(t, []string{"--time=2m0s", "--json=f"}, part{}.args(2*time.Minute, []int{1, 2}, "f"))
}

// A benchmark is told its time and writes its figures; one that fails says so.
func TestPart(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	start := func(behaviour string) (figures.Figures, error) {
		p := part{name: "zoo", threads: true}
		return p.start(context.Background(), self, harness.Environment("BENCH_TEST_PART="+behaviour), time.Minute, []int{1}, filepath.Join(t.TempDir(), "f.json"), &bytes.Buffer{})
	}
	f, err := start("works")
	require.NoError(t, err)
	require.Equal(t, []string{"--time=1m0s --threads=1"}, f.Notes)
	_, err = start("fails")
	require.Equal(t, codePart, errs.CodeOf(err))
	_, err = start("writes nothing")
	require.Equal(t, errs.Code("FILE_OPEN"), errs.CodeOf(err))
}

// A benchmark that is not there does not keep the others from being printed, and is told.
func TestMissingPart(t *testing.T) {
	defer func() { zooBinary = "" }()
	zooBinary = "nowhere/at/all"
	path := filepath.Join(t.TempDir(), "figures.json")
	var out, bad bytes.Buffer
	require.Equal(t, 1, run(context.Background(), []string{"--time=1s", "--json=" + path}, &out, &bad))
	require.Contains(t, bad.String(), "BENCH_RUNFILES")
	require.Contains(t, out.String(), "zoo has no figures: BENCH_RUNFILES")
	f, err := figures.Read(path)
	require.NoError(t, err)
	require.Empty(t, f.Rows)
}

func TestFaults(t *testing.T) {
	good, bad := filepath.Join(t.TempDir(), "good.json"), filepath.Join(t.TempDir(), "bad.json")
	require.NoError(t, sample().Write(good))
	require.NoError(t, os.WriteFile(bad, []byte(`{"schema": 1, "rows": [{"threads": NaN}]}`), 0o600))
	for name, tt := range map[string]struct {
		args []string
		code errs.Code
	}{
		"nothing to run":      {nil, harness.CodeFlags},
		"no time":             {[]string{"--time=0s"}, harness.CodeFlags},
		"no thread":           {[]string{"--threads=0"}, harness.CodeFlags},
		"another benchmark":   {[]string{"--only=other"}, harness.CodeFlags},
		"bad figures":         {[]string{"--from=" + bad}, figures.CodeJSON},
		"no figures":          {[]string{"--from=" + bad + ".none"}, "FILE_OPEN"},
		"a file as a folder":  {[]string{"--from=" + good, "--plots=" + good}, codePlot},
		"figures from and to": {[]string{"--from=" + good, "--json=" + good}, "USAGE"},
	} {
		t.Run(name, func(t *testing.T) {
			var out, said bytes.Buffer
			require.NotZero(t, run(context.Background(), tt.args, &out, &said))
			require.Contains(t, said.String(), "all: "+string(tt.code))
		})
	}
}
