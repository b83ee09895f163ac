package iree

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

func TestParts(t *testing.T) {
	for _, tt := range []struct{ terms, count, length int64 }{
		{257, 9, 32},                // a prime: 31 more
		{1000, 40, 25},              //
		{4096, 64, 64},              //
		{4099, 33, 128},             // a prime
		{6625, 125, 53},             //
		{65536, 256, 256},           //
		{65537, 129, 512},           // a prime
		{1 << 31, 1 << 15, 1 << 16}, //
	} {
		count, length := parts(tt.terms)
		require.Equal(t, []int64{tt.count, tt.length}, []int64{count, length}, "%d", tt.terms)
		require.GreaterOrEqual(t, count*length, tt.terms)
		require.Less(t, count*length-tt.terms, length)
	}
}

// Rows that fill vectors are short at 16 times the length, and sizes that are not known stay.
func TestLongSum(t *testing.T) {
	for _, tt := range []struct {
		sizes shape.Shape
		dims  []int
		sums  int // in the text
	}{
		{shape.Of(4, 256), []int{1}, 1}, {shape.Of(4, 257), []int{1}, 2}, {shape.Of(4, 4096), []int{1}, 1}, {shape.Of(4, 4112), []int{1}, 2},
		{shape.Of(4, 17, 16), []int{1, 2}, 1}, {shape.Of(4, 16, 17), []int{1, 2}, 2}, {shape.Of(300, 4), []int{0}, 1}, {shape.Of(300, 7), []int{0, 1}, 2},
		{shape.Shape{shape.Named("rows"), shape.N(300)}, []int{1}, 2}, {shape.Shape{shape.N(4), shape.Named("columns")}, []int{1}, 1},
	} {
		build := func(m *lang.Module) {
			m.Entry("f", func(f *lang.Func) { f.Output("y", f.InputOf("x", dtype.F32, tt.sizes...).Sum(false, tt.dims...)) })
		}
		for _, o := range []Options{{Kernels: true}, {Kernels: true, Without: []string{longSumRow.ID}}, {}} {
			want := tt.sums
			if len(o.Without) > 0 || !o.Kernels {
				want = 1
			}
			require.Equal(t, want, bytes.Count(mustEmit(t, build, o).Text, []byte("applies stablehlo.add")), "%v of %v, %+v", tt.dims, tt.sizes, o)
		}
	}
}
