// Package actions runs the actions of a model's targets by hand,
// with Bazel's arguments for them, in the test's own folders.
//
// # Errors
//
// This package reports through testing only.
//
// # Determinism
//
// Actions are in dependency order.
package actions

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Action is an action as model_actions writes it. Inputs and Outputs map a path
// in the execution root to the file's place among the runfiles.
type Action struct {
	Mnemonic        string
	Argv            []string
	Inputs, Outputs map[string]string
}

// Load reads the file of a model_actions target, whose place among the runfiles
// the environment variable names.
func Load(t *testing.T, variable string) []Action {
	t.Helper()
	name := os.Getenv(variable)
	require.NotEmpty(t, name, "%s must name a file of model_actions; run this test through Bazel", variable)
	data, err := os.ReadFile(filepath.Join(os.Getenv("TEST_SRCDIR"), name))
	require.NoError(t, err)
	var list []Action
	require.NoError(t, json.Unmarshal(data, &list))
	return list
}

// Runfile returns the resolved file of a path in the runfiles, so that no
// chain of links leads out of the execution root to a place that may differ.
func Runfile(t *testing.T, short string) string {
	t.Helper()
	path, err := filepath.EvalSymlinks(filepath.Join(os.Getenv("TEST_SRCDIR"), os.Getenv("TEST_WORKSPACE"), short))
	require.NoError(t, err)
	return path
}

// Prepare links the action's inputs into an execution root, except those already
// there, and creates the folders of its outputs.
func (a Action) Prepare(t *testing.T, root string) {
	t.Helper()
	for path, short := range a.Inputs {
		place := filepath.Join(root, path)
		if _, err := os.Lstat(place); err != nil {
			require.NoError(t, os.MkdirAll(filepath.Dir(place), 0o755))
			require.NoError(t, os.Symlink(Runfile(t, short), place))
		}
	}
	for path := range a.Outputs {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, path)), 0o755))
	}
}

// Command returns the action's command, run in an execution root, with the folder tmp for
// temporary files. A program with an absolute path is used as is.
func (a Action) Command(root, tmp string, env ...string) *exec.Cmd {
	program := a.Argv[0]
	if !filepath.IsAbs(program) {
		program = filepath.Join(root, program)
	}
	cmd := exec.Command(program, a.Argv[1:]...)
	cmd.Dir = root
	cmd.Env = append([]string{"PATH=/usr/bin:/bin", "PWD=" + root, "TMPDIR=" + tmp}, env...)
	return cmd
}
