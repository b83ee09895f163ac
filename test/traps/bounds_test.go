//go:build integration

package traps

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// A float out of an integer's range becomes the nearest integer on both backends, whether
// computed or folded by the compiler.
func TestFloatsBeyondIntegers(t *testing.T) {
	x := []float32{3e9, -1}
	g, err := lang.Capture("bounds", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			computed, folded := f.Input("x", dtype.F32, 2), lang.Const(f, x, 2)
			f.Output("i32", computed.Convert(dtype.I32))
			f.Output("u8", computed.Convert(dtype.U8))
			f.Output("folded_i32", folded.Convert(dtype.I32))
			f.Output("folded_u8", folded.Convert(dtype.U8))
		})
	})
	require.NoError(t, err)
	want := []tensor.Value{value(t, []int32{2147483647, -1}, 2), value(t, []uint8{255, 0}, 2)}
	want = append(want, want...)
	for _, o := range []open.Options{{Backend: open.CPU}, compiled()} {
		e, err := open.Graph(context.Background(), g, o)
		require.NoError(t, err)
		got, err := e.Call(context.Background(), "main", value(t, x, 2))
		require.NoError(t, err)
		require.Equal(t, want, got, o.Backend)
		require.NoError(t, e.Close())
	}
}
