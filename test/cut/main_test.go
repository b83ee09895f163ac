package main

import (
	"bytes"
	"io"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func stored(t *testing.T, f *gguf.File, name string) []byte {
	t.Helper()
	b, err := f.Tensor(name)
	require.NoError(t, err)
	data, err := b.Bytes()
	require.NoError(t, err)
	return bytes.Clone(data)
}

// The first rows of the token matrices, in blocks too, and everything else untouched.
func TestCut(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "a.gguf"), filepath.Join(dir, "b.gguf")
	var items []gguf.Item
	add := func(spec tensor.Spec) {
		data := make([]byte, spec.Bytes)
		for i := range data {
			data[i] = byte(i * 7)
		}
		items = append(items, gguf.Item{Spec: spec, Open: func() (io.Reader, error) { return bytes.NewReader(data), nil }})
	}
	add(tensor.Spec{Name: "token_embd.weight", DType: dtype.F32, Shape: tensor.TypeOf(dtype.F32, 5, 64).Shape, Encoding: "Q8_0", Bytes: 5 * 2 * 34})
	add(tensor.Spec{Name: "output.weight", DType: dtype.F32, Shape: tensor.TypeOf(dtype.F32, 5, 2).Shape, Bytes: 40})
	add(tensor.Spec{Name: "blk.0.norm", DType: dtype.F32, Shape: tensor.TypeOf(dtype.F32, 5).Shape, Bytes: 20})
	pairs := []gguf.Pair{{Key: "general.architecture", Value: "gemma3"}, {Key: "gemma3.block_count", Value: uint32(1)}}
	_, err := gguf.Write(from, pairs, items, gguf.Options{})
	require.NoError(t, err)
	require.NoError(t, write(from, 3, to))
	a, err := gguf.Open(from)
	require.NoError(t, err)
	defer a.Close()
	b, err := gguf.Open(to)
	require.NoError(t, err)
	defer b.Close()
	require.Equal(t, a.Index().Metadata, b.Index().Metadata)
	require.Equal(t, a.Index().Scalars, b.Index().Scalars)
	require.Equal(t, stored(t, a, "token_embd.weight")[:3*2*34], stored(t, b, "token_embd.weight"))
	require.Equal(t, stored(t, a, "output.weight")[:24], stored(t, b, "output.weight"))
	require.Equal(t, stored(t, a, "blk.0.norm"), stored(t, b, "blk.0.norm"))
	spec, err := b.Index().Lookup("token_embd.weight")
	require.NoError(t, err)
	require.Equal(t, "3x64", spec.Shape.String())
	for _, rows := range []int64{0, -1, 6} {
		require.Error(t, write(from, rows, filepath.Join(dir, "c.gguf")))
		require.NoFileExists(t, filepath.Join(dir, "c.gguf"))
	}
}
