package cache

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/iree/compiler"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/regular"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func in(t *testing.T, dir string) *Cache {
	t.Helper()
	c, err := Open(dir)
	require.NoError(t, err)
	return c
}

// whole is an entry that holds a word, made by counting.
func whole(key string, made *atomic.Int32) Entry {
	return Entry{
		Key: key, Kind: "text",
		Check: func(path string) error {
			if b, err := os.ReadFile(path); err != nil || string(b) != "whole" {
				return fmt.Errorf("%q: %w", b, err)
			}
			return nil
		},
		Make: func(path string) error { made.Add(1); return atomicfile.WriteFile(path, []byte("whole")) },
	}
}

func TestAnEntryIsMadeOnce(t *testing.T) {
	c := in(t, filepath.Join(t.TempDir(), "new", "folder"))
	var made atomic.Int32
	e := whole(Key([]byte("a")), &made)
	path, err := c.Get(t.Context(), e)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(c.Folder(), e.Key+".text"), path)
	again, err := c.Get(t.Context(), e)
	require.NoError(t, err)
	require.Equal(t, path, again)
	require.EqualValues(t, 1, made.Load())
	_, err = c.Get(t.Context(), whole(Key([]byte("b")), &made))
	require.NoError(t, err)
	require.EqualValues(t, 2, made.Load())

	// A file that is not whole, such as one on a disk that lost a part of it.
	for _, bad := range []string{"", "who"} {
		require.NoError(t, os.WriteFile(path, []byte(bad), 0o644))
		_, err = c.Get(t.Context(), e)
		require.NoError(t, err)
		require.NoError(t, e.Check(path))
	}
	require.EqualValues(t, 4, made.Load())
}

// What a killed process leaves is no entry, and is removed when the next one is made.
func TestAKilledProcessLeavesNoEntry(t *testing.T) {
	c := in(t, t.TempDir())
	left := filepath.Join(c.Folder(), ".partial-skainet-123")
	require.NoError(t, os.WriteFile(left, []byte("who"), 0o644))
	var made atomic.Int32
	_, err := c.Get(t.Context(), whole(Key(), &made))
	require.NoError(t, err)
	require.NoFileExists(t, left)
}

func TestManyNeedOneEntry(t *testing.T) {
	c := in(t, t.TempDir())
	var made atomic.Int32
	e := whole(Key([]byte("a")), &made)
	write := e.Make
	e.Make = func(path string) error { time.Sleep(20 * time.Millisecond); return write(path) }
	var wait sync.WaitGroup
	failed := make([]error, 8)
	for i := range failed {
		wait.Go(func() { _, failed[i] = c.Get(context.Background(), e) })
	}
	wait.Wait()
	for _, err := range failed {
		require.NoError(t, err)
	}
	require.EqualValues(t, 1, made.Load())

	// One that waits can be stopped, and a failure is for the one whose it is.
	begun, stop := make(chan struct{}), make(chan struct{})
	slow := whole(Key([]byte("slow")), &made)
	slow.Make = func(string) error { close(begun); <-stop; return errs.New(CodeFolder, "not made") }
	wait.Go(func() { _, failed[0] = c.Get(context.Background(), slow) })
	<-begun
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	_, err := c.Get(ctx, slow)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	close(stop)
	wait.Wait()
	require.ErrorContains(t, failed[0], "not made")
	_, err = c.Get(t.Context(), whole(slow.Key, &made))
	require.NoError(t, err)
}

func TestAFolderThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	for _, dir := range []string{file, filepath.Join(file, "x"), "/dev/null/x"} {
		var made atomic.Int32
		_, err := in(t, dir).Get(t.Context(), whole(Key(), &made))
		require.Equal(t, CodeFolder, errs.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, "--cache")
		require.Zero(t, made.Load(), "nothing was compiled for nothing")
	}
	t.Setenv(Variable, "")
	t.Setenv("HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	_, err := Open("")
	require.Equal(t, CodeFolder, errs.CodeOf(err))
	t.Setenv("XDG_CACHE_HOME", "/the/caches")
	require.Equal(t, "/the/caches/skainet", in(t, "").Folder())
	t.Setenv(Variable, "/another")
	require.Equal(t, "/another", in(t, "").Folder())
	require.Equal(t, "/third", in(t, "/third").Folder())
}

// Entries that nobody uses go, those of others stay.
func TestTrim(t *testing.T) {
	c := in(t, t.TempDir())
	var made atomic.Int32
	get := func(word string) string {
		path, err := c.Get(t.Context(), whole(Key([]byte(word)), &made))
		require.NoError(t, err)
		return path
	}
	old, used, foreign := get("old"), get("used"), filepath.Join(c.Folder(), "notes.text")
	require.NoError(t, os.WriteFile(foreign, nil, 0o644))
	long := time.Now().Add(-2 * Unused)
	for _, path := range []string{old, used, foreign} {
		require.NoError(t, os.Chtimes(path, long, long))
	}
	get("used")
	get("new")
	require.NoFileExists(t, old)
	require.FileExists(t, used)
	require.FileExists(t, foreign)
}

func TestKeys(t *testing.T) {
	seen := map[string]bool{}
	for _, parts := range [][]string{nil, {""}, {"ab"}, {"a", "b"}, {"", "ab"}, {"ab", ""}} {
		var list [][]byte
		for _, p := range parts {
			list = append(list, []byte(p))
		}
		k := Key(list...)
		require.Len(t, k, 64)
		require.False(t, seen[k], parts)
		seen[k] = true
	}
}

func TestIdentity(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	require.NoError(t, os.WriteFile(a, []byte("one"), 0o644))
	require.NoError(t, os.WriteFile(b, []byte("one"), 0o644))
	of := func(files ...string) string {
		id, err := Identity(files...)
		require.NoError(t, err)
		return string(id)
	}
	first := of(a)
	require.Equal(t, first, of(a))
	require.NotEqual(t, first, of(b))
	require.NotEqual(t, first, of(a, b))
	require.NoError(t, os.Symlink(a, filepath.Join(dir, "link")))
	require.Equal(t, first, of(filepath.Join(dir, "link")))
	// Another file of the same size and time in its place.
	st, err := os.Stat(a)
	require.NoError(t, err)
	require.NoError(t, os.Chtimes(b, st.ModTime(), st.ModTime()))
	require.NoError(t, os.Rename(b, a))
	require.NotEqual(t, first, of(a))
	_, err = Identity(b)
	require.Equal(t, regular.CodeOpen, errs.CodeOf(err))
}

// A compiler is asked once for its version, until another is in its place.
func TestVersion(t *testing.T) {
	dir := t.TempDir()
	c, tool, asked := in(t, filepath.Join(dir, "cache")), filepath.Join(dir, "iree-compile"), filepath.Join(dir, "asked")
	install := func(says string) {
		t.Helper()
		require.NoError(t, os.RemoveAll(tool))
		require.NoError(t, os.WriteFile(tool, []byte("#!/bin/sh\necho x >> "+asked+"\n"+says+"\n"), 0o755))
	}
	install("printf 'IREE (https://iree.dev):\\n  IREE compiler version 3.13.0 @ abc\\n  LLVM version 24\\n'")
	for range 3 {
		v, err := c.Version(t.Context(), tool)
		require.NoError(t, err)
		require.Equal(t, "3.13.0 @ abc", v)
	}
	b, err := os.ReadFile(asked)
	require.NoError(t, err)
	require.Equal(t, "x\n", string(b))
	install("echo '  IREE compiler version 3.14.0'")
	v, err := c.Version(t.Context(), tool)
	require.NoError(t, err)
	require.Equal(t, "3.14.0", v)
	for _, says := range []string{"exit 3", "echo 'gcc 12'", "echo IREE compiler version " + strings.Repeat(" ", 9)} {
		install(says)
		_, err = c.Version(t.Context(), tool)
		require.Equal(t, compiler.CodeFailed, errs.CodeOf(err), "%v", err)
	}
	_, err = c.Version(t.Context(), filepath.Join(dir, "none"))
	require.Equal(t, compiler.CodeFailed, errs.CodeOf(err), "%v", err)
}
