//go:build integration

// Package replay runs the actions of a model again, from folders and under
// circumstances of its own, and compares every byte with what Bazel built.
package replay

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// action is an action as model_actions writes it. Inputs and Outputs map a path
// in the execution root to the file's place among the runfiles.
type action struct {
	Mnemonic        string
	Argv            []string
	Inputs, Outputs map[string]string
}

// surroundings are what must not show in an output.
type surroundings struct {
	folder string // of the execution root
	tmp    string // TMPDIR
	umask  int
	env    []string
}

var circumstances = []surroundings{
	{
		folder: "a",
		tmp:    "t",
		umask:  0o022,
		env:    []string{"HOME=/", "USER=root", "TZ=UTC", "LC_ALL=C", "GOMAXPROCS=1", "GOGC=20"},
	},
	{
		folder: "another place/with a long name/and a blank",
		tmp:    "temporary files of somebody",
		umask:  0o077,
		env:    []string{"HOME=/nonexistent/home", "USER=somebody", "TZ=Asia/Kathmandu", "LC_ALL=de_DE.UTF-8", "GOMAXPROCS=4", "SOURCE_DATE_EPOCH=1"},
	},
}

func TestActionsGiveTheSameBytes(t *testing.T) {
	actions := load(t)
	seen := map[string]int{}
	for _, a := range actions {
		seen[a.Mnemonic]++
	}
	for _, want := range []string{"StableHloExport", "IrpaPack", "IrpaVerify", "IreeCompile"} {
		require.Positive(t, seen[want], "no %s among the actions: the aspect of actions.bzl does not find them", want)
	}

	built := map[string][]byte{}
	for _, a := range actions {
		for path, short := range a.Outputs {
			built[path] = read(t, runfile(t, short))
		}
	}
	var before map[string][]byte
	for _, s := range circumstances {
		outputs := replay(t, actions, s)
		require.Equal(t, len(built), len(outputs))
		for _, path := range slices.Sorted(maps.Keys(built)) {
			same(t, path+" in "+s.folder+" and as Bazel built it", outputs[path], built[path])
			if before != nil {
				same(t, path+" in two folders", outputs[path], before[path])
			}
		}
		before = outputs
	}
}

// replay runs the actions in an execution root that holds their declared inputs
// only, and gives all outputs by path.
func replay(t *testing.T, actions []action, s surroundings) map[string][]byte {
	t.Helper()
	base := t.TempDir()
	root, tmp := filepath.Join(base, s.folder), filepath.Join(base, s.tmp)
	require.NoError(t, os.MkdirAll(root, 0o755))
	require.NoError(t, os.MkdirAll(tmp, 0o755))
	outputs := map[string][]byte{}
	for _, a := range actions {
		for path, short := range a.Inputs {
			place := filepath.Join(root, path)
			if _, made := outputs[path]; made {
				require.FileExists(t, place)
			} else if _, err := os.Lstat(place); err != nil {
				require.NoError(t, os.MkdirAll(filepath.Dir(place), 0o755))
				require.NoError(t, os.Symlink(runfile(t, short), place))
			}
		}
		for path := range a.Outputs {
			require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, path)), 0o755))
		}
		run(t, a, root, tmp, s)
		for path := range a.Outputs {
			outputs[path] = read(t, filepath.Join(root, path))
		}
	}
	left, err := os.ReadDir(tmp)
	require.NoError(t, err)
	require.Empty(t, left, "an action left files in TMPDIR")
	return outputs
}

func run(t *testing.T, a action, root, tmp string, s surroundings) {
	t.Helper()
	cmd := exec.Command(filepath.Join(root, a.Argv[0]), a.Argv[1:]...)
	cmd.Dir = root
	cmd.Env = append([]string{"PATH=/usr/bin:/bin", "PWD=" + root, "TMPDIR=" + tmp}, s.env...)
	old := syscall.Umask(s.umask)
	defer syscall.Umask(old)
	messages, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s: %s\n%s", a.Mnemonic, strings.Join(a.Argv, " "), messages)
}

// same compares without printing the content of large files.
func same(t *testing.T, what string, got, want []byte) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	t.Errorf("%s: %d and %d bytes, different from byte %d", what, len(got), len(want), i)
}

func load(t *testing.T) []action {
	t.Helper()
	name := os.Getenv("ACTIONS")
	require.NotEmpty(t, name, "ACTIONS must name a file of model_actions; run this test through Bazel")
	var actions []action
	require.NoError(t, json.Unmarshal(read(t, filepath.Join(os.Getenv("TEST_SRCDIR"), name)), &actions))
	return actions
}

// runfile gives the file itself behind a path among the runfiles, so that no
// chain of links leads out of the execution root to a place that may differ.
func runfile(t *testing.T, short string) string {
	t.Helper()
	path, err := filepath.EvalSymlinks(filepath.Join(os.Getenv("TEST_SRCDIR"), os.Getenv("TEST_WORKSPACE"), short))
	require.NoError(t, err)
	return path
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return b
}
