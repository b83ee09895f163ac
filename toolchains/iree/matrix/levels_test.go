//go:build integration

// Package matrix compares the bytes of programs at all optimisation levels.
package matrix

import (
	"os"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/stretchr/testify/require"
)

// Each level's purpose shows in the program: `size` is the smallest, `debug` also has names
// and lines, and `aggressive` is a different program. Times are not tested:
// tools/repro/levels.py measures them.
func TestLevels(t *testing.T) {
	for _, model := range []string{"GRAY", "PRODUCT"} {
		programs := map[string]string{}
		for _, level := range []string{"latency", "size", "debug", "aggressive"} {
			path, err := runfiles.Rlocation(os.Getenv(model + "_" + level))
			require.NoError(t, err)
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			programs[level] = string(data)
		}
		require.Less(t, len(programs["size"]), len(programs["latency"]), model)
		require.Greater(t, len(programs["debug"]), len(programs["latency"]), model)
		require.Contains(t, programs["debug"], ".debug_line", model)
		require.NotContains(t, programs["latency"], ".debug_line", model)
		require.NotEqual(t, programs["latency"], programs["aggressive"], model)
	}
}
