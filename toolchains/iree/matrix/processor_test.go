//go:build integration

package matrix

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/stretchr/testify/require"
)

// place returns the path of the runfile that an environment variable names.
func place(t *testing.T, variable string) string {
	t.Helper()
	path, err := runfiles.Rlocation(os.Getenv(variable))
	require.NoError(t, err)
	path, err = filepath.EvalSymlinks(path)
	require.NoError(t, err)
	return path
}

// emulated runs a command on a processor of QEMU's, and returns its exit status (-1 after a
// signal) and all that it printed.
func emulated(t *testing.T, processor string, words ...string) (int, string) {
	t.Helper()
	var tools struct {
		Available bool
		Prefix    []string
	}
	document, err := os.ReadFile(place(t, "QEMU"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(document, &tools))
	require.True(t, tools.Available)
	qemu, err := runfiles.Rlocation(os.Getenv("QEMU"))
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), strings.ReplaceAll(tools.Prefix[0], "{root}", filepath.Dir(qemu)),
		append([]string{"-cpu", processor}, words...)...)
	out, err := cmd.CombinedOutput()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

const sum = "y: f32[4] = [3 5 7 9]"

// A program with instructions that the processor lacks is refused, with their names, by
// the command line and by the static runner; one that it can run is run.
func TestOlderProcessors(t *testing.T) {
	for _, c := range []struct {
		processor, program string
		lacking            string // "" where it runs
	}{
		{"Haswell", "v4", "avx512bw, avx512cd, avx512dq, avx512f, avx512vl"},
		{"Haswell", "v3", ""},
		{"Nehalem", "v3", "avx, avx2, "},
		{"Nehalem", "v1", ""},
	} {
		arguments := []string{place(t, c.program), "--contract=" + place(t, "CONTRACT"), "x=1,2,3,4"}
		for name, command := range map[string][]string{
			"skainet run": {place(t, "SKAINET"), "run", "--library=" + place(t, "LIBRARY")},
			"runner":      {place(t, "RUNNER")},
		} {
			t.Run(name+" on "+c.processor+" of "+c.program, func(t *testing.T) {
				status, out := emulated(t, c.processor, append(command, arguments...)...)
				if c.lacking == "" {
					require.Contains(t, out, sum)
					require.Equal(t, 0, status, out)
					return
				}
				require.Contains(t, out, ": PROGRAM_CPU: "+place(t, c.program)+": the program needs instructions that this processor lacks: "+c.lacking)
				require.Equal(t, 1, status, out)
			})
		}
	}
}

// Of several programs the best is called that the processor can run.
func TestAlternatives(t *testing.T) {
	words := []string{place(t, "SKAINET"), "run", "--library=" + place(t, "LIBRARY"), "--contract=" + place(t, "CONTRACT"), place(t, "v4"), "x=1,2,3,4"}
	for _, processor := range []string{"Haswell", "Nehalem"} {
		status, out := emulated(t, processor, append(words, "--alternative="+place(t, "v3"), "--alternative="+place(t, "v1"))...)
		require.Contains(t, out, sum)
		require.Equal(t, 0, status, out)
	}
	status, out := emulated(t, "Nehalem", append(words, "--alternative="+place(t, "v3"))...)
	require.Contains(t, out, "PROGRAM_CPU")
	require.Equal(t, 1, status, out)
}
