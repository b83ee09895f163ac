package check

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/iree/compiler"
	"github.com/skainet-dev/skainet-go/errs"
)

// fake writes a script that replaces iree-compile: it writes a program,
// and runs body with the values of the requested flags.
func fake(t *testing.T, body string) compiler.Options {
	t.Helper()
	path := file(t, "iree-compile", []byte(`#!/bin/sh
out=$3
for a in "$@"; do case "$a" in
--iree-hal-dump-executable-intermediates-to=*) dir=${a#*=}; mkdir -p "$dir";;
--iree-flow-dump-dispatch-graph-output-file=*) dot=${a#*=};;
esac; done
cat > "$out"
`+body+"\n"))
	require.NoError(t, os.Chmod(path, 0o755))
	return compiler.Options{Compiler: path, Flags: []string{"--a=1"}, Text: []byte("text"), TextName: "m.mlir"}
}

func TestDispatches(t *testing.T) {
	dir := t.TempDir()
	flow, graph := filepath.Join(dir, "m.mlir"), filepath.Join(dir, "m.dot")
	require.NoError(t, Dispatches(context.Background(), fake(t, `echo "$*" >> "$out"; echo "digraph G {}" > "$dot"`), flow, graph))
	b, err := os.ReadFile(flow)
	require.NoError(t, err)
	require.Contains(t, string(b), "text")
	require.Contains(t, string(b), "--a=1 --compile-to=flow")
	b, err = os.ReadFile(graph)
	require.NoError(t, err)
	require.Equal(t, "digraph G {}\n", string(b))

	err = Dispatches(context.Background(), fake(t, ""), flow+".none", graph+".none")
	require.Equal(t, CodeRead, errs.CodeOf(err))
	require.NoFileExists(t, flow+".none")
	err = Dispatches(context.Background(), fake(t, "exit 1"), flow+".none", graph+".none")
	require.Equal(t, compiler.CodeFailed, errs.CodeOf(err))
}

func TestAsm(t *testing.T) {
	out := filepath.Join(t.TempDir(), "m.tar")
	require.NoError(t, Asm(context.Background(), fake(t, `cd "$dir"; echo b > b.s; echo a > a.s; echo x > a.o; echo m > a.mlir`), out))
	names, content := members(t, out)
	require.Equal(t, []string{"a.s", "b.s"}, names)
	require.Equal(t, "b\n", content["b.s"])
	static := fake(t, `cd "$dir"; for a in "$@"; do case "$a" in --iree-llvmcpu-static-library-output-path=/*) echo s > a.s;; esac; done`)
	static.Flags = []string{linkStatic}
	require.NoError(t, Asm(context.Background(), static, out))
	require.NoError(t, Asm(context.Background(), fake(t, `cd "$dir"; echo m > a.mlir; echo n > a.spv`), out))
	names, _ = members(t, out)
	require.Equal(t, []string{"a.mlir"}, names)

	none := filepath.Join(t.TempDir(), "none.tar")
	require.Equal(t, CodeAsm, errs.CodeOf(Asm(context.Background(), fake(t, ""), none)))
	require.Equal(t, compiler.CodeFailed, errs.CodeOf(Asm(context.Background(), fake(t, "exit 1"), none)))
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	require.Equal(t, CodeRead, errs.CodeOf(Asm(context.Background(), fake(t, ""), none)))
	require.Equal(t, CodeRead, errs.CodeOf(Dispatches(context.Background(), fake(t, ""), none, none)))
	require.NoFileExists(t, none)
}
