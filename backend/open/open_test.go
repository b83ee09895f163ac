package open

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/opencpu"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/safetensors"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// weighted adds a weight of a file to x.
func weighted(t *testing.T, path string) *dag.Graph {
	t.Helper()
	f, err := safetensors.Open(path)
	require.NoError(t, err)
	defer f.Close()
	g, err := lang.Capture("weighted", f.Index(), func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) { f.Output("y", f.Input("x", dtype.F32, 2).Add(f.Param("w"))) })
	})
	require.NoError(t, err)
	return g
}

// file holds w = [1, 2] as the format's documentation lays it out.
func file(t *testing.T) string {
	t.Helper()
	header := `{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`
	for len(header)%8 != 0 {
		header += " "
	}
	data := append([]byte{byte(len(header)), 0, 0, 0, 0, 0, 0, 0}, header...)
	data = append(data, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40)
	path := filepath.Join(t.TempDir(), "w.safetensors")
	require.NoError(t, os.WriteFile(path, data, 0o644))
	return path
}

func vector(t *testing.T, v ...float32) tensor.Value {
	t.Helper()
	x, err := tensor.Of(v, int64(len(v)))
	require.NoError(t, err)
	return x
}

func TestCPUWithWeights(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	path := file(t)
	x, err := Graph(context.Background(), weighted(t, path), Options{Backend: CPU, Weights: path})
	require.NoError(t, err)
	got, err := x.Call(context.Background(), "main", vector(t, 10, 20))
	require.NoError(t, err)
	if diff := cmp.Diff([]tensor.Value{vector(t, 11, 22)}, got); diff != "" {
		t.Error(diff)
	}
	require.NoError(t, x.Close())
	empty(t, tmp)
}

// The reference accepts a graph that StableHLO cannot express: one symbol names a
// function and a weight.
func TestCPUNeedsNoText(t *testing.T) {
	path := file(t)
	f, err := safetensors.Open(path)
	require.NoError(t, err)
	defer f.Close()
	g, err := lang.Capture("named", f.Index(), func(m *lang.Module) {
		m.Entry("w", func(f *lang.Func) { f.Output("y", f.Input("x", dtype.F32, 2).Add(f.Param("w"))) })
	})
	require.NoError(t, err)
	_, err = iree.Emit(g, iree.Options{})
	require.Equal(t, hlo.CodeSymbol, errs.CodeOf(err))
	x, err := Graph(context.Background(), g, Options{Backend: CPU, Weights: path})
	require.NoError(t, err)
	got, err := x.Call(context.Background(), "w", vector(t, 10, 20))
	require.NoError(t, err)
	require.Equal(t, []tensor.Value{vector(t, 11, 22)}, got)
	require.NoError(t, x.Close())
}

func empty(t *testing.T, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left, "temporary files are left")
}

func TestRefused(t *testing.T) {
	path := file(t)
	g := weighted(t, path)
	compiler := filepath.Join(t.TempDir(), "iree-compile")
	require.NoError(t, os.WriteFile(compiler, []byte("#!/bin/sh\necho '<stdin>:1:1: error: not today' >&2\nexit 1\n"), 0o755))
	invalid := weighted(t, path)
	invalid.Name = "a b"
	for _, c := range []struct {
		name string
		g    *dag.Graph
		o    Options
		code errs.Code
	}{
		{"backend", g, Options{Backend: "tpu"}, CodeBackend},
		{"no compiler", g, Options{Backend: IREE, Weights: path}, CodeBackend},
		{"memory", g, Options{Backend: CPU, Weights: path, MaxMemory: 23}, CodeMemory}, // w, x and y of 8 bytes each
		{"memory that is enough", g, Options{Backend: CPU, MaxMemory: 24}, "PACK_NO_WEIGHTS"},
		{"no weights", g, Options{Backend: CPU}, "PACK_NO_WEIGHTS"},
		{"weights that are not there", g, Options{Backend: CPU, Weights: path + "x"}, "FILE_OPEN"},
		{"graph", invalid, Options{Backend: CPU, Weights: path}, "DAG_NAME"},
		{"compiler fails", g, Options{Backend: IREE, Weights: path, Compiler: compiler}, "IREE_COMPILE_FAILED"},
		{"flags", g, Options{Backend: IREE, Weights: path, Compiler: compiler, Flags: []string{"x"}}, "IREE_FLAGS"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tmp := t.TempDir()
			t.Setenv("TMPDIR", tmp)
			_, err := Graph(context.Background(), c.g, c.o)
			require.Equal(t, c.code, errs.CodeOf(err), "%v", err)
			empty(t, tmp)
		})
	}
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	_, err := Graph(context.Background(), g, Options{Backend: CPU, Weights: path})
	require.Equal(t, opencpu.CodeWork, errs.CodeOf(err))
}
