//go:build integration

package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// folder returns a folder's entries by name: a file's bytes, or the kind of entry.
func folder(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	content := map[string]string{}
	for _, e := range entries {
		if content[e.Name()] = e.Type().String(); e.Type().IsRegular() {
			content[e.Name()] = string(read(t, dir, e.Name()))
		}
	}
	return content
}

// An input, or an entry that is not a file, is not replaced: nothing in the folder changes.
func TestOutputsThatAreRefused(t *testing.T) {
	dir := board(t)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o777))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o666))
	for name, to := range map[string]string{
		"link.vmfb": "demo.vmfb", "nothing": "not there", "circle": "circle", "null": "/dev/null",
	} {
		require.NoError(t, os.Symlink(to, filepath.Join(dir, name)))
	}
	require.NoError(t, os.Link(filepath.Join(dir, "demo.irpa"), filepath.Join(dir, "hard.irpa")))
	put(t, dir, "old.npy", []byte("old"))
	before := folder(t, dir)
	const taken = "this file is read or written too, and would be replaced"
	for _, c := range []struct {
		outputs []string
		status  int
		want    string
	}{
		{[]string{"y=demo.vmfb"}, 2, taken},
		{[]string{"y=./sub/../demo.vmfb"}, 2, taken},
		{[]string{"y=link.vmfb"}, 2, taken},
		{[]string{"y=demo.irpa"}, 2, taken},
		{[]string{"y=hard.irpa"}, 2, taken},
		{[]string{"y=demo.contract.json"}, 2, taken},
		{[]string{"y=new.npy", "last=new.npy"}, 2, taken},
		{[]string{"y=new.npy", "last=sub/../new.npy"}, 2, taken},
		{[]string{"y=old.npy", "last=./old.npy"}, 2, taken},
		{[]string{"y=a.npy", "y=b.npy"}, 2, "--output y=b.npy is a second file for this result"},
		{[]string{"y=a.npy", "=b.npy"}, 2, "--output =b.npy is not of the form"},
		{[]string{"y=a.npy", "z=b.npy"}, 2, "--output z=b.npy names no result"},
		{[]string{"y=/dev/null"}, 1, "/dev/null: this is a device and no file"},
		{[]string{"y=null"}, 1, "null: this is a device and no file"},
		{[]string{"y=sub"}, 1, "sub: this is a folder and no file"},
		{[]string{"y=pipe"}, 1, "pipe: this is a pipe and no file"},
		{[]string{"y=nothing"}, 1, "nothing: a link to nothing"},
		{[]string{"y=circle"}, 1, "circle: a link to nothing"},
		// The first file is not written when the second cannot be.
		{[]string{"y=old.npy", "last=none/y.npy"}, 1, "none/y.npy: cannot be made"},
	} {
		args := call("weighted", "x=1,2,3,4,5,6")
		for _, o := range c.outputs {
			args = append(args, "--output", o)
		}
		got := run(t, dir, args...)
		require.Equal(t, c.status, got.status, "%q: %s", c.outputs, got.stderr)
		require.Contains(t, got.stderr, c.want, "%q", c.outputs)
		require.Equal(t, before, folder(t, dir), "%q", c.outputs)
	}
}

// A link stays and its target is replaced; a result may overwrite its
// argument; files that happen to have a temporary name are left alone.
func TestOutputsThatReplace(t *testing.T) {
	dir := board(t)
	x := array(t, []float32{1, 2, 3, 4, 5, 6}, 3, 2)
	put(t, dir, "x.npy", x)
	put(t, dir, "victim", []byte("somebody's"))
	require.NoError(t, os.Symlink("victim", filepath.Join(dir, "x.npy.partial")))
	require.NoError(t, os.Symlink("x.npy", filepath.Join(dir, "link.npy")))
	for range 2 {
		require.Equal(t, outcome{}, run(t, dir, call("rows", "x=x.npy", "--output", "twice=link.npy")...))
	}
	want := array(t, []float32{4, 8, 12, 16, 20, 24}, 3, 2)
	require.True(t, bytes.Equal(want, read(t, dir, "x.npy")))
	require.Equal(t, "somebody's", string(read(t, dir, "victim")))
	to, err := os.Readlink(filepath.Join(dir, "link.npy"))
	require.NoError(t, err)
	require.Equal(t, "x.npy", to)
	st, err := os.Stat(filepath.Join(dir, "x.npy"))
	require.NoError(t, err)
	require.Zero(t, st.Mode().Perm()&0o111)
	require.NotZero(t, st.Mode().Perm()&0o400)
	for name := range folder(t, dir) {
		require.False(t, strings.Contains(name, ".partial-"), name)
	}
}

// A replaced file keeps its permissions, and a name may have the maximum length.
func TestOutputsKeepRights(t *testing.T) {
	dir := board(t)
	for name, mode := range map[string]os.FileMode{
		"a": 0o600, "b": 0o444, "c": 0o750, strings.Repeat("n", 255): 0o640,
	} {
		put(t, dir, name, []byte("old"))
		require.NoError(t, os.Chmod(filepath.Join(dir, name), mode))
		got := run(t, dir, call("weighted", "1,2,3,4,5,6", "--output", "last="+name)...)
		require.Equal(t, 0, got.status, got.stderr)
		require.Equal(t, array(t, []float32{6}), read(t, dir, name))
		st, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Equal(t, mode, st.Mode(), name)
	}
}

// A result does not replace the file that output is redirected to.
func TestOutputsBesidePrinted(t *testing.T) {
	dir := board(t)
	for _, redirect := range []string{"> printed", "2> printed"} {
		for _, name := range []string{"printed", "/dev/stdout", "/dev/stderr"} {
			words := []string{"/bin/sh", "-c", `exec "$@" ` + redirect, "sh", path(t, "RUNNER")}
			got := start(t, dir, append(words, call("weighted", "1,2,3,4,5,6", "--output", "y="+name)...)...)
			require.Equal(t, 1, got.status, "%s %s", redirect, name)
			text := string(read(t, dir, "printed")) + got.stderr
			require.Regexp(t, `^iree_runner: FILE_WRITE: \S+: .*\n$`, text)
			require.Contains(t, text, name)
		}
	}
}

// A partial file is removed when a signal ends the runner or the file size limit is reached.
func TestOutputsThatAreCutOff(t *testing.T) {
	dir := board(t)
	const rows = 8 << 20
	head := bytes.Replace(array(t, []float32{}, 0, 2), []byte("(0, 2), }      "), []byte("(8388608, 2), }"), 1)
	put(t, dir, "x.npy", head)
	require.NoError(t, os.Truncate(filepath.Join(dir, "x.npy"), int64(len(head))+rows*8))
	put(t, dir, "y.npy", []byte("old"))
	args := call("rows", "x.npy", "--output", "twice=y.npy")
	partials := func() []string {
		all, err := filepath.Glob(filepath.Join(dir, ".partial-*"))
		require.NoError(t, err)
		return all
	}
	got := start(t, dir, append([]string{"/bin/sh", "-c", `ulimit -f 1000; exec "$@"`, "sh", path(t, "RUNNER")}, args...)...)
	require.Equal(t, outcome{1, "", "iree_runner: FILE_WRITE: y.npy: cannot be written; is the disk full?\n"}, got)
	require.Empty(t, partials())
	require.Equal(t, "old", string(read(t, dir, "y.npy")))

	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		ended := false
		for range 50 { // until the signal arrives between the first byte and the last
			cmd := exec.Command(path(t, "RUNNER"), args...)
			cmd.Dir = dir
			require.NoError(t, cmd.Start())
			done := make(chan error, 1)
			go func() { done <- cmd.Wait() }()
			for running := true; running; {
				select {
				case <-done:
					running = false
				case <-time.After(100 * time.Microsecond):
					if len(partials()) > 0 {
						_ = cmd.Process.Signal(signal) // it may have ended by now
						<-done
						running = false
					}
				}
			}
			require.Empty(t, partials())
			status := cmd.ProcessState.Sys().(syscall.WaitStatus)
			if ended = status.Signaled() && status.Signal() == signal; ended {
				require.Equal(t, "old", string(read(t, dir, "y.npy")))
				break
			}
			require.Equal(t, 0, status.ExitStatus())
			put(t, dir, "y.npy", []byte("old"))
		}
		require.True(t, ended, signal)
	}
}
