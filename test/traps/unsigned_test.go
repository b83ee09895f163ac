//go:build integration

package traps

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// widenings is products of widened bools and unsigned numbers.
func widenings(m *lang.Module) {
	m.Entry("main", func(f *lang.Func) {
		row := lang.Dims{RHS: []int{0}, LHS: []int{1}}
		f.Output("one_hot", f.Input("i", dtype.I32, 2).OneHot(3, dtype.F32).Dot(f.Input("w", dtype.F32, 3, 2), lang.Dims{}, row))
		f.Output("u8", f.Input("b", dtype.U8, 2, 2).Convert(dtype.F32).Dot(f.Input("v", dtype.F32, 2, 2), lang.Dims{}, row))
		f.Output("u16", f.Input("h", dtype.U16, 2, 2).Convert(dtype.I32).Dot(f.Input("n", dtype.I32, 2, 2), lang.Dims{}, row))
	})
}

// counts is a state variable of an unsigned type.
func counts(m *lang.Module) {
	s := m.State("count", dtype.U8, 200, 2)
	m.Entry("main", func(f *lang.Func) {
		now := f.Read(s)
		f.Output("y", now.Convert(dtype.F32))
		f.Write(s, now.Add(f.Input("x", dtype.U8, 2)))
	})
}

func compiled() open.Options {
	return open.Options{Backend: open.IREE, Compiler: os.Getenv("COMPILER"), Linker: os.Getenv("LINKER"), Library: os.Getenv("LIBRARY"), Tool: os.Getenv("TOOL")}
}

func TestUnsignedStates(t *testing.T) {
	g, err := lang.Capture("counts", nil, counts)
	require.NoError(t, err)
	x, err := open.Graph(context.Background(), g, compiled())
	require.NoError(t, err)
	for _, want := range [][]float32{{200, 200}, {240, 255}, {24, 54}} {
		got, err := x.Call(context.Background(), "main", value(t, []uint8{40, 55}, 2))
		require.NoError(t, err)
		require.Equal(t, []tensor.Value{value(t, want, 2)}, got)
	}
	require.NoError(t, x.Close())
}

// The compiler reads the operands of products as signed, unless the text prevents it.
func TestUnsignedProducts(t *testing.T) {
	g, err := lang.Capture("widenings", nil, widenings)
	require.NoError(t, err)
	args := []tensor.Value{
		value(t, []int32{1, 2}, 2), value(t, []float32{1, 2, 3, 4, 5, 6}, 3, 2),
		value(t, []uint8{200, 0, 0, 255}, 2, 2), value(t, []float32{1, 2, 1, 0}, 2, 2),
		value(t, []uint16{40000, 0, 0, 65535}, 2, 2), value(t, []int32{1, 2, 1, 0}, 2, 2),
	}
	call := func(o open.Options) []tensor.Value {
		x, err := open.Graph(context.Background(), g, o)
		require.NoError(t, err)
		got, err := x.Call(context.Background(), "main", args...)
		require.NoError(t, err)
		require.NoError(t, x.Close())
		return got
	}
	right := []tensor.Value{value(t, []float32{3, 4, 5, 6}, 2, 2), value(t, []float32{200, 400, 255, 0}, 2, 2), value(t, []int32{40000, 80000, 65535, 0}, 2, 2)}
	signed := []tensor.Value{value(t, []float32{-3, -4, -5, -6}, 2, 2), value(t, []float32{-56, -112, -1, 0}, 2, 2), value(t, []int32{-25536, -51072, -1, 0}, 2, 2)}
	require.Equal(t, right, call(open.Options{Backend: open.CPU}))
	o := compiled()
	require.Equal(t, right, call(o))
	o.Without = []string{iree.UnsignedProduct}
	require.Equal(t, signed, call(o), "the compiler no longer has the fault: remove the form from compile/iree")
}

func value[T tensor.Element](t *testing.T, data []T, sizes ...int64) tensor.Value {
	t.Helper()
	v, err := tensor.Of(data, sizes...)
	require.NoError(t, err)
	return v
}
