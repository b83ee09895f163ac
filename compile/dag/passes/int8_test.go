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

// Products of two dimensions multiply integers, with operands that are quantised once; what
// else reads the weight does what Int8 does.
func TestInt8Dynamic(t *testing.T) {
	weight := func(b *dag.Block, sizes ...int64) *dag.Value {
		return add(t, b, "parameter", op.Attrs{"type": tensor.TypeOf(dtype.F32, sizes...), "key": "w"})
	}
	dot := func(b *dag.Block, x, y *dag.Value, l, r []int64) *dag.Value {
		return add(t, b, "dot_general", op.Attrs{"lhs_contracting": l, "rhs_contracting": r}, x, y)
	}
	last := []int64{1}
	tests := []struct {
		name                        string
		make                        func(b *dag.Block, x *dag.Value) *dag.Value // of x [5, 6]
		whole, floats, quantisation int                                         // products, and quantised operands
	}{
		{"right", func(b *dag.Block, x *dag.Value) *dag.Value { return dot(b, x, weight(b, 4, 6), last, last) }, 1, 0, 1},
		{"left", func(b *dag.Block, x *dag.Value) *dag.Value { return dot(b, weight(b, 4, 6), x, last, last) }, 1, 0, 1},
		{"one channel", func(b *dag.Block, x *dag.Value) *dag.Value { return dot(b, x, weight(b, 1, 6), last, last) }, 1, 0, 1},
		{"twice the same operand", func(b *dag.Block, x *dag.Value) *dag.Value {
			v := add(t, b, "parameter", op.Attrs{"type": tensor.TypeOf(dtype.F32, 4, 6), "key": "v"})
			return add(t, b, "add", nil, dot(b, x, weight(b, 4, 6), last, last), dot(b, x, v, last, last))
		}, 2, 0, 1},
		{"halves", func(b *dag.Block, x *dag.Value) *dag.Value {
			w := add(t, b, "parameter", op.Attrs{"type": tensor.TypeOf(dtype.BF16, 4, 6), "key": "w"})
			return dot(b, x, add(t, b, "convert", op.Attrs{"dtype": dtype.F32}, w), last, last)
		}, 1, 0, 1},
		{"rows by index", func(b *dag.Block, x *dag.Value) *dag.Value {
			at := add(t, b, "splat", op.Attrs{"type": tensor.TypeOf(dtype.I32, 3), "value": 2.0})
			return add(t, b, "take", nil, weight(b, 4, 6), at)
		}, 0, 0, 0},
		{"three dimensions", func(b *dag.Block, x *dag.Value) *dag.Value {
			return dot(b, x, weight(b, 4, 5, 6), []int64{0, 1}, []int64{1, 2})
		}, 0, 1, 0},
		{"sums that do not fit", func(b *dag.Block, x *dag.Value) *dag.Value {
			long := add(t, b, "splat", op.Attrs{"type": tensor.TypeOf(dtype.F32, 2, 66312), "value": 1.0})
			return dot(b, long, weight(b, 4, 66312), last, last)
		}, 0, 1, 0},
		{"the longest sums", func(b *dag.Block, x *dag.Value) *dag.Value {
			long := add(t, b, "splat", op.Attrs{"type": tensor.TypeOf(dtype.F32, 2, 66311), "value": 1.0})
			return dot(b, long, weight(b, 4, 66311), last, last)
		}, 1, 0, 1},
		{"columns", func(b *dag.Block, x *dag.Value) *dag.Value {
			return dot(b, x, weight(b, 6, 4), last, []int64{0})
		}, 0, 1, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := &dag.Block{}
			b.Results = []*dag.Value{tt.make(b, b.AddArg(tensor.TypeOf(dtype.F32, 5, 6)))}
			g := &dag.Graph{Name: "weights", Funcs: []*dag.Func{entry("main", b)}}
			want := b.Results[0].Type
			for range 2 { // again, it finds nothing
				require.NoError(t, passes.Run(g, passes.Int8Dynamic(1)))
				count := map[string]int{}
				b.Walk(func(n *dag.Node) {
					if n.Op.Name == "dot_general" {
						count[n.Outputs[0].Type.DType.String()]++
					}
					count[n.Op.Name]++
				})
				require.Equal(t, []int{tt.whole, tt.floats, tt.quantisation}, []int{count["i32"], count["f32"], count["reduce_min"]})
				require.Equal(t, want, b.Results[0].Type)
			}
		})
	}
}
