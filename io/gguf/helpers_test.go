package gguf

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

// memory is the source of a file that is not mapped.
type memory []byte

func (m memory) view(off, n int64, f func(b []byte) error) error { return f(m[off : off+n : off+n]) }

func (m memory) path() string { return "" }

func parseBytes(b []byte) error {
	_, err := parse(b, int64(len(b)), memory(b), new(errs.Faults))
	return err
}

// write makes a file from pairs and items, and returns its path.
func write(t *testing.T, pairs []Pair, items []Item, o Options) string {
	t.Helper()
	paths, err := Write(filepath.Join(t.TempDir(), "m.gguf"), pairs, items, o)
	require.NoError(t, err)
	return paths[0]
}

func openFile(t *testing.T, path string) *File {
	t.Helper()
	f, err := Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	return f
}

// edit changes bytes of a file from offset on.
func edit(t *testing.T, path string, offset int64, b ...byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.WriteAt(b, offset)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

// anyValue returns a value as goldenPairs has it.
func anyValue(t *testing.T, v Value) any {
	t.Helper()
	must := func(got any, err error) any {
		require.NoError(t, err, v.Key())
		return got
	}
	switch v.Type() {
	case String:
		return must(v.Text())
	case F32:
		return float32(must(v.Float()).(float64))
	case F64:
		return must(v.Float())
	case Bool:
		return must(v.Bool())
	case ArrayType:
		a, err := v.Array()
		require.NoError(t, err)
		return anyArray(t, a)
	case U64:
		return v.bits // may be above the range of Int
	}
	return anyInt(must(v.Int()).(int64), v.Type())
}

func anyInt(n int64, t Type) any {
	switch t {
	case U8:
		return uint8(n)
	case I8:
		return int8(n)
	case U16:
		return uint16(n)
	case I16:
		return int16(n)
	case U32:
		return uint32(n)
	case I32:
		return int32(n)
	}
	return n
}

func ints[T any](t *testing.T, a Array) []T {
	all, err := Collect(a.Ints())
	require.NoError(t, err)
	out := make([]T, len(all))
	for i, n := range all {
		out[i] = anyInt(n, a.Type()).(T)
	}
	return out
}

func anyArray(t *testing.T, a Array) (got any) {
	var err error
	switch a.Type() {
	case U8:
		return ints[uint8](t, a)
	case I8:
		return ints[int8](t, a)
	case U16:
		return ints[uint16](t, a)
	case I16:
		return ints[int16](t, a)
	case U32:
		return ints[uint32](t, a)
	case I32:
		return ints[int32](t, a)
	case I64:
		return ints[int64](t, a)
	case U64:
		got, err = Collect(a.Uints())
	case F32:
		got, err = Collect(a.Float32s())
	case F64:
		got, err = Collect(a.Floats())
	case Bool:
		got, err = Collect(a.Bools())
	case String:
		got, err = Collect(a.Strings())
	case ArrayType:
		var n Nested
		for in, err := range a.Arrays() {
			require.NoError(t, err)
			n = append(n, anyArray(t, in))
		}
		return n
	}
	require.NoError(t, err)
	return got
}

func readAll(t *testing.T, b tensor.Buffer) string {
	t.Helper()
	r, err := b.Reader()
	require.NoError(t, err)
	data, err := io.ReadAll(r)
	require.NoError(t, err)
	whole, err := b.Bytes()
	require.NoError(t, err)
	require.Equal(t, string(data), string(whole))
	require.NoError(t, b.View(func(b []byte) error {
		require.Equal(t, string(data), string(b))
		return nil
	}))
	require.EqualValues(t, len(data), b.Len())
	return string(data)
}

// hasItems checks that a file has these tensors, among others.
func hasItems(t *testing.T, f *File, items []Item) {
	t.Helper()
	for _, item := range items {
		info, err := f.Info(item.Name)
		require.NoError(t, err)
		require.Equal(t, item.Spec, info.Spec)
		r, err := item.Open()
		require.NoError(t, err)
		want, err := io.ReadAll(r)
		require.NoError(t, err)
		b, err := f.Tensor(item.Name)
		require.NoError(t, err)
		require.Equal(t, string(want), readAll(t, b), item.Name)
		require.NoError(t, b.Close())
	}
}

// copies are the tensors of an open file as items.
func copies(t *testing.T, f *File) []Item {
	var items []Item
	for _, info := range f.Tensors() {
		b, err := f.Tensor(info.Name)
		require.NoError(t, err)
		items = append(items, Item{Spec: info.Spec, Open: b.Reader})
	}
	return items
}
