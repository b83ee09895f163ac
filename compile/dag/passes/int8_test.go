package passes_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Which weights become int8, and what replaces them.
func TestInt8(t *testing.T) {
	weight := func(b *dag.Block, d dtype.DType, sizes ...int64) *dag.Value {
		return add(t, b, "parameter", op.Attrs{"type": tensor.TypeOf(d, sizes...), "key": "w"})
	}
	dot := func(b *dag.Block, x, y *dag.Value, l, r []int64) *dag.Value {
		return add(t, b, "dot_general", op.Attrs{"lhs_contracting": l, "rhs_contracting": r}, x, y)
	}
	wide := func(b *dag.Block, x *dag.Value) *dag.Value {
		return add(t, b, "convert", op.Attrs{"dtype": dtype.F32}, x)
	}
	first, last := []int64{0}, []int64{1}
	scaled := []string{"parameter i8[4x6]", "parameter f32[4]", "convert f32[4x6]"}
	tests := []struct {
		name string
		make func(b *dag.Block, x *dag.Value) *dag.Value // from x [5, 6]
		want []string
	}{
		{"right", func(b *dag.Block, x *dag.Value) *dag.Value { return dot(b, x, weight(b, dtype.F32, 4, 6), last, last) },
			append(scaled[:3:3], "dot_general f32[5x4]", "broadcast_in_dim f32[5x4]", "multiply f32[5x4]")},
		{"left", func(b *dag.Block, x *dag.Value) *dag.Value { return dot(b, weight(b, dtype.F32, 4, 6), x, last, last) },
			append(scaled[:3:3], "dot_general f32[4x5]", "broadcast_in_dim f32[4x5]", "multiply f32[4x5]")},
		{"stored as halves", func(b *dag.Block, x *dag.Value) *dag.Value {
			return dot(b, x, wide(b, weight(b, dtype.F16, 4, 6)), last, last)
		}, append(scaled[:3:3], "dot_general f32[5x4]", "broadcast_in_dim f32[5x4]", "multiply f32[5x4]")},
		{"rows by index", func(b *dag.Block, x *dag.Value) *dag.Value {
			at := add(t, b, "splat", op.Attrs{"type": tensor.TypeOf(dtype.I32, 3), "value": 2.0})
			return add(t, b, "take", nil, weight(b, dtype.F32, 4, 6), at)
		}, []string{"splat i32[3]", "parameter i8[4x6]", "parameter f32[4]", "take i8[3x6]", "convert f32[3x6]", "take f32[3]", "broadcast_in_dim f32[3x6]", "multiply f32[3x6]"}},
		{"one row of halves", func(b *dag.Block, x *dag.Value) *dag.Value {
			at := add(t, b, "splat", op.Attrs{"type": i32, "value": 2.0})
			return add(t, b, "take", nil, weight(b, dtype.F16, 4, 6), at)
		}, []string{"splat i32[scalar]", "parameter i8[4x6]", "parameter f32[4]", "take i8[6]", "convert f32[6]", "take f32[scalar]", "broadcast_in_dim f32[6]", "multiply f32[6]", "convert f16[6]"}},
		{"columns", func(b *dag.Block, x *dag.Value) *dag.Value { return dot(b, x, weight(b, dtype.F32, 6, 4), last, first) },
			[]string{"parameter f32[6x4]", "dot_general f32[5x4]"}},
		{"another use", func(b *dag.Block, x *dag.Value) *dag.Value {
			w := weight(b, dtype.F32, 4, 6)
			return add(t, b, "add", nil, dot(b, x, w, last, last), dot(b, x, add(t, b, "negate", nil, w), last, last))
		}, []string{"parameter f32[4x6]", "dot_general f32[5x4]", "negate f32[4x6]", "dot_general f32[5x4]", "add f32[5x4]"}},
		{"two weights", func(b *dag.Block, x *dag.Value) *dag.Value {
			w := weight(b, dtype.F32, 4, 6)
			return dot(b, w, w, last, last)
		}, []string{"parameter f32[4x6]", "dot_general f32[4x4]"}},
		{"a result", func(b *dag.Block, x *dag.Value) *dag.Value { return weight(b, dtype.F32, 4, 6) }, []string{"parameter f32[4x6]"}},
		{"small", func(b *dag.Block, x *dag.Value) *dag.Value { return dot(b, x, weight(b, dtype.F32, 3, 6), last, last) },
			[]string{"parameter f32[3x6]", "dot_general f32[5x3]"}},
		{"integers", func(b *dag.Block, x *dag.Value) *dag.Value { return weight(b, dtype.I32, 4, 6) }, []string{"parameter i32[4x6]"}},
		{"in halves", func(b *dag.Block, x *dag.Value) *dag.Value {
			half := add(t, b, "convert", op.Attrs{"dtype": dtype.F16}, x)
			return dot(b, half, weight(b, dtype.F16, 4, 6), last, last)
		}, []string{"convert f16[5x6]", "parameter f16[4x6]", "dot_general f16[5x4]"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := &dag.Block{}
			b.Results = []*dag.Value{tt.make(b, b.AddArg(tensor.TypeOf(dtype.F32, 5, 6)))}
			g := &dag.Graph{Name: "weights", Funcs: []*dag.Func{entry("main", b)}}
			require.NoError(t, dag.Verify(g))
			require.NoError(t, passes.Run(g, passes.Int8(24)))
			if diff := cmp.Diff(tt.want, typed(g.Funcs[0])); diff != "" {
				t.Error(diff)
			}
			require.NoError(t, passes.Run(g, passes.Int8(24)))
			if diff := cmp.Diff(tt.want, typed(g.Funcs[0])); diff != "" {
				t.Error(diff)
			}
		})
	}
}
