//go:build integration

package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// folder gives what is in a folder, by name: a file's bytes, or what it is.
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

// What is read, and what is no file, is not replaced: nothing in the folder changes.
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

// A link stays and its file is replaced; a result may go where its argument came
// from; files that happen to have a temporary name are left alone.
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
