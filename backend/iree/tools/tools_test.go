package tools

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/iree/wheel"
	"github.com/skainet-dev/skainet-go/compile/iree/compiler"
	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// nothing makes a machine that has none of the tools, and no place that they come from. It
// returns a folder that is the path.
func nothing(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	for _, v := range []string{iree.LibraryVariable, compiler.Variable, "SKAINET_MIRRORS", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL"} {
		t.Setenv(v, "")
	}
	t.Setenv("PIP_CONFIG_FILE", os.DevNull)
	return dir
}

func program(t *testing.T, path string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"), 0o700))
	return path
}

// kept returns where a tool lies that was fetched before: the place is asked of the fetch itself.
func kept(t *testing.T, folder string, fetch func(f *wheel.Fetcher) error) string {
	t.Helper()
	var at string
	f := &wheel.Fetcher{Folder: folder, Began: func(_ wheel.Artifact, folder string) { at = folder }}
	require.Error(t, fetch(f), "no place has it")
	require.NotEmpty(t, at)
	return at
}

// Each place that is looked at comes before the later ones.
func TestRuntime(t *testing.T) {
	path, folder := nothing(t), t.TempDir()
	s := Search{Folder: folder}
	_, _, err := s.Runtime(t.Context(), "", "")
	require.Equal(t, iree.CodeLoad, errs.CodeOf(err))
	for _, way := range []string{"--tool", "--library", iree.LibraryVariable, "--backend=cpu"} {
		require.ErrorContains(t, err, way)
	}
	s.Fetch = true
	_, _, err = s.Runtime(t.Context(), "", "")
	require.Equal(t, wheel.CodeFetch, errs.CodeOf(err))
	s.Fetch = false

	// What was fetched before needs no network, and no leave to fetch.
	old := program(t, filepath.Join(kept(t, folder, func(f *wheel.Fetcher) error { _, err := f.RunModule(t.Context()); return err }), wheel.RunModuleName))
	want := func(library, tool string) {
		t.Helper()
		gotLibrary, gotTool, err := s.Runtime(t.Context(), "", "")
		require.NoError(t, err)
		require.Equal(t, library, gotLibrary)
		require.Equal(t, tool, gotTool)
	}
	want("", old)
	installed := program(t, filepath.Join(path, wheel.RunModuleName))
	want("", installed)
	own := filepath.Join(t.TempDir(), "own")
	executable = func() (string, error) { return own, nil }
	t.Cleanup(func() { executable = os.Executable })
	beside := program(t, filepath.Join(filepath.Dir(own), wheel.RunModuleName))
	want("", beside)
	library := program(t, filepath.Join(path, "libireert.so"))
	t.Setenv(iree.LibraryVariable, library)
	want(library, "")
	_, tool, err := s.Runtime(t.Context(), "", "named") // what is named is taken
	require.NoError(t, err)
	require.Equal(t, "named", tool)
}

func TestCompiler(t *testing.T) {
	path, folder := nothing(t), t.TempDir()
	s := Search{Folder: folder}
	_, _, err := s.Compiler(t.Context(), "", "")
	require.Equal(t, compiler.CodeNone, errs.CodeOf(err))
	var said []string
	loud := Search{Folder: folder, Fetch: true, Fetching: func(file string) func() { return func() { said = append(said, file) } }}
	_, _, err = loud.Compiler(t.Context(), "", "")
	require.Equal(t, wheel.CodeFetch, errs.CodeOf(err))
	require.Len(t, said, 1)

	at := kept(t, folder, func(f *wheel.Fetcher) error { _, _, err := f.Compiler(t.Context()); return err })
	old := program(t, filepath.Join(at, "iree-compile"))
	want := func(linker, wantCompile, wantLinker string) {
		t.Helper()
		compile, link, err := s.Compiler(t.Context(), "", linker)
		require.NoError(t, err)
		require.Equal(t, []string{wantCompile, wantLinker}, []string{compile, link})
	}
	want("", old, filepath.Join(at, "iree-lld"))
	want("mine", old, "mine")
	installed := program(t, filepath.Join(path, "iree-compile"))
	want("", installed, "")
	compile, _, err := s.Compiler(t.Context(), "named", "")
	require.NoError(t, err)
	require.Equal(t, "named", compile)
}
