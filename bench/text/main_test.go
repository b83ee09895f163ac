package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/bench/harness/figures"
	"github.com/skainet-dev/skainet-go/bench/text/contestant"
	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// TestMain lets this program be the contestant, which answers as it is told to.
func TestMain(m *testing.M) {
	answer, ok := os.LookupEnv("BENCH_TEST_ANSWER")
	if !ok {
		os.Exit(m.Run())
	}
	os.Stdout.WriteString(`{"version":"v"}` + "\n")
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var q contestant.Question
		if json.Unmarshal(lines.Bytes(), &q) != nil || len(q.Prompt) == 0 || q.Tokens < 1 {
			os.Exit(1)
		}
		os.Stdout.WriteString(answer + "\n")
	}
}

func fake(t *testing.T, answer string) row {
	t.Setenv("BENCH_TEST_ANSWER", answer)
	self, err := os.Executable()
	require.NoError(t, err)
	r := row{contestant: spec{name: "fake", command: func(func(string) string, int) []string { return []string{self} }}, threads: 1, seconds: make([][]float64, 3)}
	r.child, err = start(context.Background(), r.contestant, 1, io.Discard, &r.ready)
	require.NoError(t, err)
	t.Cleanup(r.child.Stop)
	require.Equal(t, "v", r.ready.Version)
	return r
}

var usual = options{rounds: harness.Rounds{Number: 2}, threads: []int{1}, prefill: []int{128, 512}, decode: 64}

func TestTurn(t *testing.T) {
	r := fake(t, `{"first_seconds":0.5,"rest_seconds":0.25}`)
	for _, keep := range []bool{false, true, true} {
		require.NoError(t, r.turn(usual.measures(), keep))
	}
	require.Equal(t, [][]float64{{0.5, 0.5}, {0.5, 0.5}, {0.25, 0.25}}, r.seconds)
	for _, answer := range []string{`{}`, `nothing`} {
		r = fake(t, answer)
		require.Equal(t, errs.Code("BENCH_SUBJECT"), errs.CodeOf(r.turn(usual.measures(), true)), answer)
	}
}

func TestMeasures(t *testing.T) {
	m := usual.measures()
	require.Len(t, m, 3)
	require.Len(t, m[1].question.Prompt, 512)
	require.Equal(t, 1, m[1].question.Tokens)
	require.Equal(t, 65, m[2].question.Tokens, "the first token comes with the prompt")
	for _, id := range m[1].question.Prompt {
		require.True(t, id >= 1000 && id < 21000)
	}
}

func TestReport(t *testing.T) {
	machine := func(name string, peer bool, threads int, scale float64) row {
		r := row{contestant: spec{name: name, about: "about " + name, peer: peer}, threads: threads, peakMiB: 300}
		r.ready.Version = name + " 1"
		for _, s := range []float64{0.25, 1, 2} {
			r.seconds = append(r.seconds, []float64{2 * s * scale, s * scale, 4 * s * scale})
		}
		return r
	}
	r := report{rounds: 2, measures: usual.measures(), notes: []string{"a note"}, rows: []row{
		machine("ours", false, 1, 1), machine("peer", true, 1, 2), machine("ours", false, 2, 0.5), machine("peer", true, 2, 0.5),
	}}
	var out bytes.Buffer
	require.NoError(t, r.print(&out))
	require.True(t, strings.HasPrefix(out.String(), "Tokens per second; 2 rounds after 0 to warm up, contestants take turns\n"))
	_, tables, ok := strings.Cut(out.String(), "peer: peer 1, about peer\na note\n")
	require.True(t, ok, out.String())
	want := `
Best, median and worst round
  contestant  threads  prefill 128                 prefill 512                decode 64              MiB peak
        ours        1        512.0   256.0  128.0        512.0  256.0  128.0       32.0  16.0   8.0       300
        peer        1        256.0   128.0   64.0        256.0  128.0   64.0       16.0   8.0   4.0       300
        ours        2       1024.0   512.0  256.0       1024.0  512.0  256.0       64.0  32.0  16.0       300
        peer        2       1024.0   512.0  256.0       1024.0  512.0  256.0       64.0  32.0  16.0       300

Ratio of speeds, of the best rounds and of the medians (above 1: ours is faster)
              threads  prefill 128        prefill 512        decode 64
ours to peer        1         2.00  2.00         2.00  2.00       2.00  2.00
ours to peer        2         1.00  1.00         1.00  1.00       1.00  1.00
`
	require.Empty(t, cmp.Diff(words(want), words(tables)))

	r.rows = r.rows[:1]
	out.Reset()
	require.NoError(t, r.print(&out))
	require.NotContains(t, out.String(), "Ratio")
}

// Each measure is a row, in seconds.
func TestFigures(t *testing.T) {
	defer func() { modelName = "" }()
	modelName = "gemma3_270m"
	r := row{contestant: spec{name: "ours-v3"}, threads: 2, seconds: [][]float64{{1, 3}, {2, 4}, {5, 6}}, peakMiB: 7}
	r.ready.Version = "IREE 1"
	got := r.figures(usual.measures())
	require.Len(t, got, 3)
	require.Equal(t, figures.Row{
		Benchmark: "text", Case: "gemma3_270m prefill 512", Engine: "ours-v3", Version: "IREE 1", Target: "cpu_x86_64_v3", Threads: 2,
		Unit: "s", Rounds: []figures.Round{{Least: 2, Median: 2}, {Least: 4, Median: 4}}, Peak: 7,
	}, got[1])
	require.Equal(t, "gemma3_270m decode 64", got[2].Case)
}

// words leaves the width of columns out.
func words(s string) (lines [][]string) {
	for line := range strings.Lines(s) {
		lines = append(lines, strings.Fields(line))
	}
	return lines
}

func TestFlags(t *testing.T) {
	execute := func(args ...string) error {
		cmd := newCommand(io.Discard, io.Discard)
		cmd.SetArgs(args)
		return cmd.ExecuteContext(context.Background())
	}
	for _, args := range [][]string{
		{"--rounds=0"}, {"--warm-up=-1"}, {"--threads=0"}, {"--prefill=0"}, {"--decode=-1"},
		{"--only=other"}, {}, // nothing is beside a test
	} {
		require.Equal(t, errs.Code("BENCH_FLAGS"), errs.CodeOf(execute(args...)), "%v", args)
	}
	oursBinary, programV3, programV4 = "../ours", "../v3", "../v4"
	defer func() { oursBinary, programV3, programV4 = "", "", "" }()
	require.Equal(t, errs.Code("BENCH_RUNFILES"), errs.CodeOf(execute("--only=ours-v3,ours-v4")))
	require.ErrorContains(t, execute("--only=other"), "ours-v3, ours-v4")
}
