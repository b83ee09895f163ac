//go:build integration

// Package replay reruns the actions of targets in other folders
// and environments, and compares every byte with what Bazel built.
package replay

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/rules/tests/actions"
)

// surroundings must not affect an output.
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
	list := actions.Load(t, "ACTIONS")
	seen := map[string]int{}
	for _, a := range list {
		seen[a.Mnemonic]++
	}
	for _, want := range strings.Split(os.Getenv("MNEMONICS"), " ") {
		require.Positive(t, seen[want], "no %s among the actions: the aspect of actions.bzl does not find them", want)
	}

	built := map[string][]byte{}
	for _, a := range list {
		for path, short := range a.Outputs {
			built[path] = read(t, actions.Runfile(t, short))
		}
	}
	places := circumstances
	if os.Getenv("PLACES") == "1" { // for expensive actions: as unlike Bazel's as possible
		places = circumstances[1:]
	}
	var before map[string][]byte
	for _, s := range places {
		outputs := replay(t, list, s)
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

// replay runs the actions in an execution root with only their declared
// inputs, and returns all outputs by path.
func replay(t *testing.T, list []actions.Action, s surroundings) map[string][]byte {
	t.Helper()
	base := t.TempDir()
	root, tmp := filepath.Join(base, s.folder), filepath.Join(base, s.tmp)
	require.NoError(t, os.MkdirAll(root, 0o755))
	require.NoError(t, os.MkdirAll(tmp, 0o755))
	outputs := map[string][]byte{}
	for _, a := range list {
		for path := range a.Inputs {
			if _, made := outputs[path]; made {
				require.FileExists(t, filepath.Join(root, path))
			}
		}
		a.Prepare(t, root)
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

func run(t *testing.T, a actions.Action, root, tmp string, s surroundings) {
	t.Helper()
	cmd := elsewhere(t, a).Command(root, tmp, s.env...)
	old := syscall.Umask(s.umask)
	defer syscall.Umask(old)
	messages, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s: %s\n%s", a.Mnemonic, strings.Join(a.Argv, " "), messages)
}

// same compares without printing the contents of large files.
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

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return b
}
