package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/bench/harness/figures"
	"github.com/skainet-dev/skainet-go/bench/operators/contestant"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// TestMain lets this program be any contestant, whose error and whose time are in the environment.
func TestMain(m *testing.M) {
	answers, ok := os.LookupEnv("BENCH_TEST_ANSWERS")
	if !ok {
		os.Exit(m.Run())
	}
	ready, answer, _ := strings.Cut(answers, "|")
	os.Stdout.WriteString(ready + "\n")
	buf := make([]byte, 1<<10)
	for {
		if _, err := os.Stdin.Read(buf); err != nil {
			os.Exit(0)
		}
		os.Stdout.WriteString(answer + "\n")
	}
}

func measured(t *testing.T, answers string) ([]*row, error) {
	t.Setenv("BENCH_TEST_ANSWERS", answers)
	self, err := os.Executable()
	require.NoError(t, err)
	o := &options{rounds: harness.Rounds{Number: 2, WarmUp: 1}, seconds: 0.1, targets: []string{"cpu_x86_64_v3"}}
	p := parts{ours: self, python: self, xlaPython: self}
	return p.measure(context.Background(), o, file{Name: "softmax 2x2", Function: "softmax"}, 1, o.rounds.Begin(1).Next(), t.TempDir(), io.Discard)
}

// Each engine takes its turns; those to warm up do not count.
func TestMeasure(t *testing.T) {
	rows, err := measured(t, `{"version":"v","load":0.5,"error":2e-7}|{"least":0.25,"median":0.5,"cpu":0.125}`)
	require.NoError(t, err)
	require.Len(t, rows, 4)
	for i, name := range []string{"cpu_x86_64_v3", cpuName, xlaName, peerName} {
		got := rows[i].figures("softmax 2x2", 1)
		require.Equal(t, figures.Row{
			Benchmark: "operators", Case: "softmax 2x2", Engine: name, Version: "v", Peer: name == "ort" || name == "xla", Target: harness.Target(name), Threads: 1,
			Unit: figures.Wall, Rounds: []figures.Round{{Least: 0.25, Median: 0.5}, {Least: 0.25, Median: 0.5}}, Load: 0.5, Peak: got.Peak, Error: 2e-7,
		}, got)
	}
	var out bytes.Buffer
	print(&out, "softmax 2x2", 1, rows)
	lines := strings.Split(out.String(), "\n")
	require.Equal(t, "softmax 2x2 ours-go 1 250.000 500.000 125.000 2.0e-07 500.0 1.00 1.00", strings.Join(strings.Fields(lines[1]), " "))
	require.Equal(t, "softmax 2x2 ort 1 250.000 500.000 125.000 2.0e-07 500.0", strings.Join(strings.Fields(lines[3]), " "))
}

// A peer in int8 may be far from what it quantized; no other engine may.
func TestInt8(t *testing.T) {
	require.True(t, isPeer(int8Name) && isPeer(openvinoName) && inInt8(int8Name) && inInt8(openvinoName))
	require.False(t, inInt8(peerName) || inInt8(cpuName) || isPeer(cpuName) || isPeer("cpu_x86_64_v3"))
	var names []string
	for _, c := range (parts{}).commands(file{Int8: "m.int8.onnx"}, []string{"cpu_x86_64_v3"}, 1, "") {
		names = append(names, c.Name)
		require.Equal(t, inInt8(c.Name), slices.Contains(c.Args, "m.int8.onnx"), c.Name)
	}
	require.Equal(t, []string{"cpu_x86_64_v3", cpuName, int8Name, openvinoName, peerName}, names)
}

func TestMeasureFaults(t *testing.T) {
	for answers, code := range map[string]errs.Code{
		`{"error":0.01}|`: harness.CodeResult,
		`nothing|`:        harness.CodeContestant,
		`{"error":0}|{"least":0,"median":1,"cpu":1}`: harness.CodeContestant,
		`{"error":0}|{"least":2,"median":1,"cpu":1}`: harness.CodeContestant,
	} {
		_, err := measured(t, answers)
		require.Equal(t, code, errs.CodeOf(err), answers)
	}
}

func TestChoice(t *testing.T) {
	list := []file{{Name: "a"}, {Name: "b"}}
	names, err := choose(list, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b"}, names)
	names, err = choose(list, []string{"b"})
	require.NoError(t, err)
	require.Equal(t, []string{"b"}, names)
	_, err = choose(list, []string{"c"})
	require.Equal(t, harness.CodeFlags, errs.CodeOf(err))

	rows := []target.Row{{Name: "cpu_x86_64_v4_vnni"}, {Name: "cpu_x86_64_v4"}, {Name: "cpu_x86_64_v3"}, {Name: "cpu_x86_64_v1"}}
	require.Equal(t, []string{"cpu_x86_64_v4_vnni", "cpu_x86_64_v3"}, targets(rows))
	require.Equal(t, []string{"cpu_x86_64_v3"}, targets(rows[2:]))
	require.Equal(t, []string{"cpu_aarch64"}, targets([]target.Row{{Name: "cpu_aarch64"}}))
}

func TestFlags(t *testing.T) {
	for _, o := range []options{
		{}, {rounds: harness.Rounds{Number: 1}, seconds: 1}, {rounds: harness.Rounds{Number: 1}, threads: []int{0}, seconds: 1}, {rounds: harness.Rounds{Number: 1}, threads: []int{1}},
	} {
		require.Equal(t, harness.CodeFlags, errs.CodeOf(run(context.Background(), &o, io.Discard, io.Discard)), "%+v", o)
	}
	o := options{rounds: harness.Rounds{Number: 1}, threads: []int{1}, seconds: 1}
	require.Equal(t, harness.CodeRunfiles, errs.CodeOf(run(context.Background(), &o, io.Discard, io.Discard)))
}

// A contestant in Go calls at least once, and as long as it is told to.
func TestServe(t *testing.T) {
	calls := 0
	var out bytes.Buffer
	require.NoError(t, contestant.Serve(strings.NewReader(`{"seconds":0}`+"\n"), &out, contestant.Ready{Version: "v"}, func() error { calls++; return nil }))
	require.Equal(t, 1, calls)
	require.True(t, slices.Equal(strings.Fields(out.String())[:1], []string{`{"version":"v","load":0,"error":0}`}), out.String())
}
