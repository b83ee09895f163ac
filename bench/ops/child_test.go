package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/bench/harness/figures"
	"github.com/skainet-dev/skainet-go/bench/ops/contestant"
	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// TestMain lets this program be the contestant that its first argument describes.
func TestMain(m *testing.M) {
	if len(os.Args) != 2 || os.Args[1][0] == '-' {
		os.Exit(m.Run())
	}
	behaviour := os.Args[1]
	ready := contestant.Ready{Version: behaviour + " on " + os.Getenv("GOMAXPROCS"), Do: []string{contestant.MatMul, contestant.GEMV}}
	if behaviour == "dies" {
		os.Exit(1)
	}
	err := contestant.Serve(os.Stdin, os.Stdout, ready, func(do string) (contestant.Run, error) {
		switch behaviour {
		case "refuses":
			return nil, errors.New("cannot")
		case "babbles":
			fmt.Println("not JSON")
		case "errs":
			return func() (contestant.Result, error) { return contestant.InMemory([]float32{4}), nil }, nil
		}
		return func() (contestant.Result, error) { return contestant.InMemory([]float32{1, -2}), nil }, nil
	})
	if err != nil {
		os.Exit(1)
	}
}

func runWith(args ...string) error {
	cmd := newCommand(io.Discard, io.Discard)
	cmd.SetArgs(append([]string{"--rounds=2", "--least=0.001"}, args...))
	return cmd.ExecuteContext(context.Background())
}

func fake(t *testing.T, behaviour string) string {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	return "--contestant=" + behaviour + "=" + self + " " + behaviour
}

func TestContestantsTakeTurns(t *testing.T) {
	var out bytes.Buffer
	cmd := newCommand(&out, io.Discard)
	path := filepath.Join(t.TempDir(), "figures.json")
	cmd.SetArgs([]string{"--rounds=2", "--least=0.001", "--threads=1,3", "--json=" + path, fake(t, "works"), fake(t, "too")})
	require.NoError(t, cmd.ExecuteContext(context.Background()))
	f, err := figures.Read(path)
	require.NoError(t, err)
	require.Len(t, f.Rows, 8, "two operations, two numbers of threads, two contestants")
	last := f.Rows[7]
	require.Equal(t, figures.Key{Benchmark: "ops", Case: "gemv", Engine: "too", Threads: 3}, last.Key())
	require.True(t, last.Peer)
	require.False(t, f.Rows[6].Peer)
	require.Equal(t, "too on 1", last.Version, "what it said first")
	require.Len(t, last.Rounds, 2)
	require.Regexp(t, `(?s)2 rounds\nworks: works on 1\ntoo: too on 1\n.*`+
		`works is faster by +least CPU ms +by CPU\s*\n\s*matmul +1 +works.*matmul +1 +too +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.NaIf+]+ *\n.*gemv +1 .*matmul +3 +works.*gemv +3 `, out.String())
	require.NotContains(t, out.String(), "softmax", "no contestant has it")
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		code errs.Code
	}{
		"a folder that is not":     {[]string{fake(t, "works"), "--json=/nowhere/at/all.json"}, "FILE_WRITE"},
		"no rounds":                {[]string{"--rounds=0"}, "BENCH_FLAGS"},
		"no threads":               {[]string{"--threads=0"}, "BENCH_FLAGS"},
		"an unknown operation":     {[]string{"--only=sort"}, "BENCH_FLAGS"},
		"no contestant":            {nil, "BENCH_FLAGS"},
		"a contestant of no name":  {[]string{"--contestant=a"}, "BENCH_FLAGS"},
		"a contestant that is not": {[]string{"--contestant=a=/nowhere/at/all"}, "BENCH_SUBJECT"},
		"a contestant that dies":   {[]string{fake(t, "dies")}, "BENCH_SUBJECT"},
		"one that cannot":          {[]string{fake(t, "refuses")}, "BENCH_SUBJECT"},
		"one that babbles":         {[]string{fake(t, "babbles")}, "BENCH_SUBJECT"},
		"another result":           {[]string{fake(t, "works"), fake(t, "errs")}, "BENCH_RESULT"},
	} {
		t.Run(name, func(t *testing.T) {
			err := runWith(c.args...)
			require.Equal(t, c.code, errs.CodeOf(err), "%v", err)
		})
	}
}

// A runfile that is not there is said to be.
func TestMissingRunfile(t *testing.T) {
	defer func() { oursFile = "" }()
	oursFile = "nowhere/at/all"
	err := runWith()
	require.Equal(t, errs.Code("BENCH_RUNFILES"), errs.CodeOf(err), "%v", err)
}

func TestReport(t *testing.T) {
	r := &report{before: "0 0 0", rounds: 2}
	r.name("a", "first")
	r.name("b", "second")
	r.name("a", "first")
	for _, x := range []struct {
		name    string
		seconds float64
	}{{"a", 0.003}, {"b", 0.009}, {"a", 0.002}, {"b", 0.005}} {
		r.add("matmul", 2, x.name, contestant.Answer{Seconds: x.seconds, CPU: 2 * x.seconds})
	}
	var out bytes.Buffer
	require.NoError(t, r.print(&out))
	require.Contains(t, out.String(), "a: first\nb: second\n\n")
	require.Regexp(t, `matmul +2 +a +2\.000 +2\.500 +1\.000 +4\.000 *\n +matmul +2 +b +5\.000 +7\.000 +4\.000 +2\.50 +10\.000 +2\.50 *\n`, out.String())
}
