package passes_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// blocksIndex has weights [4, 64] in blocks of 32 and others.
func blocksIndex() *tensor.Index {
	spec := func(name string, e quant.Encoding, sizes ...int64) tensor.Spec {
		return tensor.Spec{Name: name, DType: dtype.F32, Shape: tensor.TypeOf(dtype.F32, sizes...).Shape, Encoding: e}
	}
	return &tensor.Index{Tensors: []tensor.Spec{
		spec("w", "Q8_0", 4, 64), spec("blk.0.k", "Q5_0", 4, 64), spec("rare", "IQ1_S", 4, 256), spec("dense", "", 4, 64),
		spec("stack", "Q4_0", 2, 4, 64), spec("norm", "Q8_0", 64), spec("tail", "Q8_0", 4, 40),
	}, Aliases: map[string]string{"other": "w"}}
}

func TestPacked(t *testing.T) {
	weight := func(b *dag.Block, key string, sizes ...int64) *dag.Value {
		return add(t, b, "parameter", op.Attrs{"type": tensor.TypeOf(dtype.F32, sizes...), "key": key})
	}
	to := func(b *dag.Block, x *dag.Value, d dtype.DType) *dag.Value {
		return add(t, b, "convert", op.Attrs{"dtype": d}, x)
	}
	dot := func(b *dag.Block, x, y *dag.Value, l, r []int64) *dag.Value {
		return add(t, b, "dot_general", op.Attrs{"lhs_contracting": l, "rhs_contracting": r}, x, y)
	}
	first, last := []int64{0}, []int64{1}
	raw := "parameter i8[4x2x34]"
	tests := []struct {
		name, policy string
		make         func(b *dag.Block, x *dag.Value) *dag.Value // of x [5, 64]
		want         []string
	}{
		{"right", "", func(b *dag.Block, x *dag.Value) *dag.Value { return dot(b, x, weight(b, "w", 4, 64), last, last) },
			[]string{raw, "dequant_matmul f32[5x4]"}},
		{"an alias", "packed", func(b *dag.Block, x *dag.Value) *dag.Value {
			return dot(b, x, weight(b, "other", 4, 64), last, last)
		}, []string{raw, "dequant_matmul f32[5x4]"}},
		{"left", "", func(b *dag.Block, x *dag.Value) *dag.Value { return dot(b, weight(b, "w", 4, 64), x, last, last) },
			[]string{raw, "dequant_matmul f32[5x4]", "transpose f32[4x5]"}},
		{"columns of x", "", func(b *dag.Block, x *dag.Value) *dag.Value {
			return dot(b, add(t, b, "transpose", op.Attrs{"permutation": []int64{1, 0}}, add(t, b, "exp", nil, x)), weight(b, "w", 4, 64), first, last)
		}, []string{"exp f32[5x64]", raw, "dequant_matmul f32[5x4]"}},
		{"x in the wrong order", "", func(b *dag.Block, x *dag.Value) *dag.Value {
			return dot(b, add(t, b, "reshape", op.Attrs{"sizes": []int64{64, 5}}, x), weight(b, "w", 4, 64), first, last)
		}, []string{"reshape f32[64x5]", raw, "transpose f32[5x64]", "dequant_matmul f32[5x4]"}},
		{"in halves", "", func(b *dag.Block, x *dag.Value) *dag.Value {
			return dot(b, to(b, x, dtype.F16), to(b, weight(b, "w", 4, 64), dtype.F16), last, last)
		}, []string{"convert f16[5x64]", raw, "convert f32[5x64]", "dequant_matmul f32[5x4]", "convert f16[5x4]"}},
		{"rows by index", "", func(b *dag.Block, x *dag.Value) *dag.Value {
			at := add(t, b, "splat", op.Attrs{"type": tensor.TypeOf(dtype.I32, 3), "value": 2.0})
			return to(b, add(t, b, "take", nil, weight(b, "w", 4, 64), at), dtype.BF16)
		}, []string{"splat i32[3]", raw, "dequant_take f32[3x64]", "convert bf16[3x64]"}},
		{"matrices by index", "", func(b *dag.Block, x *dag.Value) *dag.Value {
			at := add(t, b, "splat", op.Attrs{"type": tensor.TypeOf(dtype.I32, 3), "value": 1.0})
			return add(t, b, "take", nil, weight(b, "stack", 2, 4, 64), at)
		}, []string{"splat i32[3]", "parameter i8[2x4x2x18]", "take i8[3x4x2x18]", "dequantize_blocks f32[3x4x64]"}},
		{"two uses", "", func(b *dag.Block, x *dag.Value) *dag.Value {
			w := weight(b, "w", 4, 64)
			return dot(b, dot(b, x, w, last, last), add(t, b, "negate", nil, w), last, first)
		}, []string{raw, "dequantize_blocks f32[4x64]", "dequant_matmul f32[5x4]", "negate f32[4x64]", "dot_general f32[5x64]"}},
		{"a batch", "", func(b *dag.Block, x *dag.Value) *dag.Value {
			return add(t, b, "exp", nil, weight(b, "stack", 2, 4, 64))
		}, []string{"parameter i8[2x4x2x18]", "dequantize_blocks f32[2x4x64]", "exp f32[2x4x64]"}},
		{"no operation reads these blocks", "", func(b *dag.Block, x *dag.Value) *dag.Value { return weight(b, "rare", 4, 256) }, []string{"parameter f32[4x256]"}},
		{"a vector", "", func(b *dag.Block, x *dag.Value) *dag.Value { return weight(b, "norm", 64) }, []string{"parameter f32[64]"}},
		{"rows that are not whole blocks", "", func(b *dag.Block, x *dag.Value) *dag.Value { return weight(b, "tail", 4, 40) }, []string{"parameter f32[4x40]"}},
		{"of no weight file", "bf16", func(b *dag.Block, x *dag.Value) *dag.Value { return weight(b, "made", 4, 64) }, []string{"parameter f32[4x64]"}},
		{"another shape than in the file", "", func(b *dag.Block, x *dag.Value) *dag.Value { return weight(b, "w", 64, 4) }, []string{"parameter f32[64x4]"}},
		{"f32", "f32", func(b *dag.Block, x *dag.Value) *dag.Value { return dot(b, x, weight(b, "w", 4, 64), last, last) },
			[]string{"parameter f32[4x64]", "dot_general f32[5x4]"}},
		{"dense in bf16", "packed,d*=bf16", func(b *dag.Block, x *dag.Value) *dag.Value {
			return dot(b, x, weight(b, "dense", 4, 64), last, last)
		}, []string{"parameter bf16[4x64]", "convert f32[4x64]", "dot_general f32[5x4]"}},
		{"f16 but this one", "f16,w=packed", func(b *dag.Block, x *dag.Value) *dag.Value {
			return add(t, b, "add", nil, dot(b, x, weight(b, "w", 4, 64), last, last), dot(b, x, weight(b, "blk.0.k", 4, 64), last, last))
		}, []string{raw, "dequant_matmul f32[5x4]", "parameter f16[4x64]", "convert f32[4x64]", "dot_general f32[5x4]", "add f32[5x4]"}},
		{"the last pattern counts", "*=f16,blk.?.k=int8", func(b *dag.Block, x *dag.Value) *dag.Value {
			return dot(b, x, weight(b, "blk.0.k", 4, 64), last, last)
		}, []string{"parameter i8[4x64]", "parameter f32[4]", "convert f32[4x64]", "dot_general f32[5x4]", "broadcast_in_dim f32[5x4]", "multiply f32[5x4]"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := &dag.Block{}
			b.Results = []*dag.Value{tt.make(b, b.AddArg(tensor.TypeOf(dtype.F32, 5, 64)))}
			g := &dag.Graph{Name: "weights", Funcs: []*dag.Func{entry("main", b)}}
			require.NoError(t, dag.Verify(g))
			policy, err := passes.ParseWeightPolicy(tt.policy)
			require.NoError(t, err)
			for range 2 { // the pass is idempotent
				require.NoError(t, passes.Run(g, passes.Packed(blocksIndex(), policy)))
				if diff := cmp.Diff(tt.want, typed(g.Funcs[0])); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

// The weight used in a loop's body may be outside the loop.
func TestPackedInLoops(t *testing.T) {
	b := &dag.Block{}
	x := b.AddArg(tensor.TypeOf(dtype.F32, 1, 64))
	w := add(t, b, "parameter", op.Attrs{"type": tensor.TypeOf(dtype.F32, 64, 64), "key": "square"})
	yes := add(t, b, "splat", op.Attrs{"type": tensor.TypeOf(dtype.Bool), "value": 1.0})
	then, otherwise := &dag.Block{}, &dag.Block{Results: []*dag.Value{x}}
	y := add(t, then, "dot_general", op.Attrs{"lhs_contracting": []int64{1}, "rhs_contracting": []int64{1}}, x, w)
	then.Results = []*dag.Value{y}
	n, err := b.AddCond("cond", then, otherwise, add(t, b, "compare", op.Attrs{"direction": op.EQ}, yes, add(t, b, "is_nan", nil, add(t, b, "reshape", op.Attrs{"sizes": []int64{}}, add(t, b, "slice", op.Attrs{"start": []int64{0, 0}, "limit": []int64{1, 1}, "strides": []int64{1, 1}}, x)))))
	require.NoError(t, err)
	b.Results = n.Outputs
	g := &dag.Graph{Name: "weights", Funcs: []*dag.Func{entry("main", b)}}
	index := &tensor.Index{Tensors: []tensor.Spec{{Name: "square", DType: dtype.F32, Shape: w.Type.Shape, Encoding: "Q4_0"}}}
	require.NoError(t, passes.Run(g, passes.Packed(index, passes.WeightPolicy{})))
	names := map[string]int{}
	g.Funcs[0].Body.Walk(func(n *dag.Node) { names[n.Op.Name]++ })
	require.Equal(t, 1, names["dequant_matmul"])
	require.Zero(t, names["dequantize_blocks"])
}

func TestWeightPolicies(t *testing.T) {
	for _, text := range []string{"packt", "packed,int8", "packed,", "=int8", "a[=int8", "w=", "w=int8=", ","} {
		_, err := passes.ParseWeightPolicy(text)
		require.Equal(t, passes.CodeWeights, errs.CodeOf(err), text)
	}
	p, err := passes.ParseWeightPolicy(" int8 , output.weight=packed,x=y=f32")
	require.NoError(t, err)
	require.Equal(t, passes.StoreAsIs, p.Of("output.weight"))
	require.Equal(t, passes.StoreInt8, p.Of("output.weight2"))
	require.Equal(t, passes.StoreF32, p.Of("x=y"))

	g := &dag.Graph{Name: "weights", Funcs: []*dag.Func{entry("main", &dag.Block{})}}
	p, err = passes.ParseWeightPolicy("packed,blk.1.k=f32")
	require.NoError(t, err)
	err = passes.Run(g, passes.Packed(blocksIndex(), p))
	require.Equal(t, passes.CodeWeights, errs.CodeOf(err))
	require.ErrorContains(t, err, `"blk.1.k"`)
	require.NoError(t, passes.Run(g, passes.Packed(nil, p)), "without a weight file there is nothing to store")
}
