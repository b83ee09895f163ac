//go:build integration

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// fed runs the runner in dir with the lines on its standard input.
func fed(t *testing.T, dir string, lines []string, args ...string) outcome {
	t.Helper()
	put(t, dir, "lines", []byte(strings.Join(lines, "\n")))
	return start(t, dir, append([]string{"/bin/sh", "-c", `exec "$@" < lines`, "sh", path(t, "RUNNER")}, args...)...)
}

var several = []string{"demo.vmfb", "--contract=demo.contract.json", "--archive=model=demo.irpa", "--calls"}

// One process makes all calls, more than a session looks functions up, and each is the
// call that a process of its own makes.
func TestCalls(t *testing.T) {
	dir := board(t)
	put(t, dir, "x.npy", array(t, []float32{1, 2, 3, 4}, 2, 2))
	alone := run(t, dir, call("weighted", "x=1,2,3,4,5,6")...)
	require.Equal(t, 0, alone.status, alone.stderr)
	lines, want := []string{}, ""
	for i := range 300 {
		lines = append(lines, "weighted\tx=1,2,3,4,5,6", fmt.Sprintf("rows\t@x.npy\t--output=twice=y%d.npy", i%2))
		want += alone.stdout + "done\ndone\n"
	}
	require.Equal(t, outcome{0, want, ""}, fed(t, dir, append(lines, ""), several...))
	for _, name := range []string{"y0.npy", "y1.npy"} {
		require.Equal(t, array(t, []float32{2, 4, 6, 8}, 2, 2), read(t, dir, name))
	}
	// A result takes the place of the argument, from call to call.
	again := "rows\t@x.npy\t--output=twice=x.npy"
	require.Equal(t, outcome{0, "done\ndone\ndone\n", ""}, fed(t, dir, []string{again, again, again}, several...))
	require.Equal(t, array(t, []float32{8, 16, 24, 32}, 2, 2), read(t, dir, "x.npy"))
	require.Equal(t, outcome{}, fed(t, dir, nil, several...), "no calls")
}

// The first fault ends the runner; what was done before it stays.
func TestCallsWithMistakes(t *testing.T) {
	dir := board(t)
	good := "weighted\tx=1,2,3,4,5,6\t--output=y=y.npy\t--output=last=last.npy"
	for _, c := range []struct {
		lines  []string
		args   []string
		status int
		done   int
		want   string
	}{
		{[]string{good, "none", good}, several, 1, 1, "CONTRACT_NO_ENTRY: program demo has no entry point none"},
		{[]string{good, good, "weighted\tx=1"}, several, 1, 2, "BACKEND_BAD_ARGUMENT: argument x is f32[2x3]"},
		{[]string{good, ""}, several, 0, 1, ""},
		{[]string{good, "", good}, several, 1, 1, "CONTRACT_NO_ENTRY"},
		{[]string{"weighted\tx=1,2,3,4,5,6\t--output=y=demo.irpa"}, several, 2, 0, "USAGE: --output y=demo.irpa: this file is read or written too"},
		{[]string{good + "\x00"}, several, 2, 0, "USAGE: a line of --calls has a byte 0"},
		{[]string{good + strings.Repeat("\tx=1", 257)}, several, 2, 0, "USAGE: more than 256 arguments"},
		{[]string{good}, several[:3:3], 1, 0, "CONTRACT_NO_ENTRY"},
		{[]string{good}, []string{"demo.vmfb", "--calls"}, 2, 0, "USAGE: --calls needs --contract"},
		{[]string{good}, append([]string{"--entry=weighted"}, several...), 2, 0, "USAGE: --calls reads entry points"},
	} {
		got := fed(t, dir, c.lines, c.args...)
		require.Equal(t, c.status, got.status, "%q: %s", c.lines, got.stderr)
		require.Equal(t, strings.Repeat("done\n", c.done), got.stdout)
		require.Contains(t, got.stderr, c.want)
		if c.want != "" {
			require.True(t, strings.HasPrefix(got.stderr, "iree_runner: "+strings.SplitN(c.want, ":", 2)[0]), got.stderr)
		}
	}
}
