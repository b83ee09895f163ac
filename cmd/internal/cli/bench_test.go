package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

func TestBenchCommand(t *testing.T) {
	tool, program, c := fakeRunner(t)
	base := []string{"bench", program, "--contract", c, "--tool", tool}
	with := func(more ...string) []string { return append(append([]string{}, base...), more...) }

	status, stdout, stderr := run(with("--rounds=3")...) // made-up arguments
	require.Zero(t, status, stderr)
	require.Regexp(t, `(?m)^ENTRY +CALLS +MIN +MEDIAN +MAX +SPREAD\nencode +3 +[0-9.]+ ms +[0-9.]+ ms +[0-9.]+ ms +[0-9]+%$`, stdout)

	out := filepath.Join(t.TempDir(), "times.json")
	status, stdout, stderr = run(with("--rounds=2", "--function=encode", "--json", "--text", out, "x=1,2")...)
	require.Zero(t, status, stderr)
	require.Empty(t, stdout)
	data, err := os.ReadFile(out)
	require.NoError(t, err)
	var times []struct {
		Entry       string
		Nanoseconds []int64
	}
	require.NoError(t, json.Unmarshal(data, &times))
	require.Len(t, times, 1)
	require.Equal(t, "encode", times[0].Entry)
	require.Len(t, times[0].Nanoseconds, 2)
	require.Positive(t, times[0].Nanoseconds[0])
	require.LessOrEqual(t, times[0].Nanoseconds[0], times[0].Nanoseconds[1], "the shortest is first")

	// One of two arguments is given, and the other is made up.
	two, err := contract.ReadFile(c)
	require.NoError(t, err)
	two.Entries[0].Args = append(two.Entries[0].Args, contract.Named{Name: "z", DType: dtype.F32, Shape: shape.Of(3)})
	doc, err := two.Marshal()
	require.NoError(t, err)
	some := []string{"bench", program, "--contract", write(t, "two.json", doc), "--tool", tool, "--rounds=2"}
	status, stdout, stderr = run(append(some, "z=1,2,3")...)
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, "encode")
	fails(t, 1, "BACKEND_BAD_ARGUMENT", append(some, "z=1,2")...)

	fails(t, 2, "USAGE", with("--rounds=0")...)
	fails(t, 1, "IREE_PARAMETERS", with("--archive", "OUT/model")...)
	fails(t, 1, "CONTRACT_NO_ENTRY", with("--function=decode")...)
	fails(t, 1, "BACKEND_BAD_ARGUMENT", with("y=1")...)
	fails(t, 1, "IREE_NO_DEVICE", with("--device=gpu")...)
	require.Contains(t, fails(t, 2, "USAGE", "bench", program), "--contract")
}

// The table says the sizes of a call, and --sizes chooses those of arguments that are made up.
func TestBenchSizes(t *testing.T) {
	graph := write(t, "rows.json", []byte(strings.ReplaceAll(doublingGraph, `"shape": [2]`, `"shape": ["n?", "m?"]`)))
	status, stdout, stderr := run("bench", graph, "--rounds=2")
	require.Zero(t, status, stderr)
	require.Regexp(t, `^backend: cpu\nENTRY +SIZES +CALLS +MIN +MEDIAN +MAX +SPREAD\nmain +m=13,n=1 +2 `, stdout)
	require.Equal(t, "skainet: made-up arguments of main have the sizes m=13,n=1; --sizes m=13,n=1 and the like gives others\n", stderr)
	status, stdout, stderr = run("bench", graph, "--rounds=2", "--sizes=n=2,m=3", "--sizes=m=40,n=1")
	require.Zero(t, status, stderr)
	require.Empty(t, stderr)
	require.Regexp(t, `(?m)^main +m=3,n=2 +2 .*\nmain +m=40,n=1 +2 `, stdout)
	status, stdout, stderr = run("bench", graph, "--rounds=2", "--sizes=n=2,m=3", "--json")
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, `"sizes": {`)
	fails(t, 1, "PARITY_BAD_INPUT", "bench", graph, "--sizes=n=2")
	fails(t, 1, "PARITY_BAD_INPUT", "bench", graph, "--sizes=k=2")
	fails(t, 2, "USAGE", "bench", graph, "--sizes=n")
	require.Contains(t, fails(t, 2, "USAGE", "bench", graph, "--sizes=n=0,m=2"), "n is 0")
	require.Contains(t, fails(t, 2, "USAGE", "run", write(t, "fixed.json", []byte(doublingGraph)), "--sizes=n=2,m=1", "x=1,2"), "--sizes is for XLA")

	// A compiled program takes them too, and one of known sizes has none.
	tool, program, c := fakeRunner(t)
	require.Contains(t, fails(t, 1, "PARITY_BAD_INPUT", "bench", program, "--contract", c, "--tool", tool, "--sizes=n=2"), `no dimension is named "n"`)
	require.Contains(t, fails(t, 2, "USAGE", "bench", program, "--contract", c, "--tool", tool, "--sizes=n=2", "x=1,2"), "--sizes is for a file of XLA's programs")
}
