package passes_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// step is one operation with one operand.
type step struct {
	op    string
	attrs op.Attrs
}

func transpose(perm ...int64) step { return step{"transpose", op.Attrs{"permutation": perm}} }
func reshape(sizes ...int64) step  { return step{"reshape", op.Attrs{"sizes": sizes}} }
func reverse(dims ...int64) step   { return step{"reverse", op.Attrs{"dims": dims}} }

func broadcast(sizes, dims []int64) step {
	return step{"broadcast_in_dim", op.Attrs{"sizes": sizes, "dims": dims}}
}

func slice(start, limit, strides []int64) step {
	return step{"slice", op.Attrs{"start": start, "limit": limit, "strides": strides}}
}

func steps(list ...step) build {
	return func(t *testing.T, b *dag.Block, x, _ *dag.Value) *dag.Value {
		for _, s := range list {
			x = add(t, b, s.op, s.attrs, x)
		}
		return x
	}
}

func TestLayout(t *testing.T) {
	none := []string{}
	typ := tensor.TypeOf(dtype.F32, 2, 3, 4)
	thin := tensor.TypeOf(dtype.F32, 1, 3, 1, 4)
	flat := tensor.TypeOf(dtype.I8, 12)
	empty := tensor.TypeOf(dtype.F32, 0, 3, 4)
	ints := func(v ...int64) []int64 { return v }
	checkRules(t, passes.Pass{Name: "layout", Run: passes.Layout}, []ruleCase{
		{"cancel", typ, steps(transpose(1, 2, 0), transpose(2, 0, 1)), none},
		{"compose", typ, steps(transpose(1, 2, 0), transpose(1, 2, 0)), []string{"transpose"}},
		{"three cancel", typ, steps(transpose(1, 2, 0), transpose(1, 2, 0), transpose(1, 2, 0)), none},
		{"identity", typ, steps(transpose(0, 1, 2)), none},
		{"a real transpose", typ, steps(transpose(1, 0, 2)), []string{"transpose"}},
		{"sizes of 1 move", thin, steps(transpose(1, 3, 0, 2)), []string{"reshape"}},
		{"others move", thin, steps(transpose(3, 0, 1, 2)), []string{"transpose"}},
		{"reshapes", typ, steps(reshape(24), reshape(4, 6)), []string{"reshape"}},
		{"reshapes that cancel", typ, steps(reshape(24), reshape(6, 4), reshape(2, 3, 4)), none},
		{"the same shape", typ, steps(reshape(2, 3, 4)), none},
		{"between transposes", typ, steps(transpose(1, 0, 2), reshape(3, 8), transpose(1, 0)), []string{"transpose", "reshape", "transpose"}},
		{"nothing is repeated", flat, steps(broadcast(ints(12), ints(0))), none},
		{"twice", flat, steps(broadcast(ints(2, 12), ints(1)), broadcast(ints(2, 5, 12), ints(0, 2))), []string{"broadcast_in_dim"}},
		{"sizes of 1 are put in", flat, steps(broadcast(ints(1, 12), ints(1)), reshape(12)), []string{"broadcast_in_dim", "reshape"}},
		{"all of it", flat, steps(slice(ints(0), ints(12), ints(1))), none},
		{"parts of parts", flat, steps(slice(ints(1), ints(12), ints(2)), slice(ints(1), ints(6), ints(3))), []string{"slice"}},
		{"nothing of a part", flat, steps(slice(ints(1), ints(12), ints(2)), slice(ints(3), ints(3), ints(1))), []string{"splat i8[0] 0"}},
		{"no dimension", flat, steps(reverse()), none},
		{"one element", thin, steps(reverse(0, 2)), none},
		{"twice round", typ, steps(reverse(0, 2), reverse(2, 0)), none},
		{"not the same way round", typ, steps(reverse(0, 2), reverse(2)), []string{"reverse", "reverse"}},
		{"alone", typ, steps(step{"concatenate", op.Attrs{"dim": int64(1)}}), none},
		{"nothing, computed", empty, steps(transpose(2, 0, 1), reverse(2)), []string{"splat f32[4x0x3] 0"}},
		{"a part of no elements", typ, func(t *testing.T, b *dag.Block, x, _ *dag.Value) *dag.Value {
			nothing := add(t, b, "splat", op.Attrs{"type": empty, "value": 1.0})
			return add(t, b, "concatenate", op.Attrs{"dim": int64(0)}, nothing, x, nothing)
		}, none},
		{"an update by no elements", typ, func(t *testing.T, b *dag.Block, x, _ *dag.Value) *dag.Value {
			at := add(t, b, "splat", op.Attrs{"type": tensor.TypeOf(dtype.I32), "value": 1.0})
			return add(t, b, "dynamic_update_slice", nil, x, add(t, b, "splat", op.Attrs{"type": empty, "value": 1.0}), at, at, at)
		}, none},
		{"scattered to no places", typ, func(t *testing.T, b *dag.Block, x, _ *dag.Value) *dag.Value {
			at := add(t, b, "splat", op.Attrs{"type": tensor.TypeOf(dtype.I32, 0), "value": 1.0})
			return add(t, b, "scatter", op.Attrs{"mode": "add"}, x, at, add(t, b, "splat", op.Attrs{"type": empty, "value": 1.0}))
		}, none},
		{"no padding", flat, func(t *testing.T, b *dag.Block, x, _ *dag.Value) *dag.Value {
			zero := add(t, b, "splat", op.Attrs{"type": tensor.TypeOf(dtype.I8), "value": 1.0})
			return add(t, b, "pad", op.Attrs{"low": ints(0), "high": ints(0)}, x, zero)
		}, none},
		{"padding", flat, func(t *testing.T, b *dag.Block, x, _ *dag.Value) *dag.Value {
			zero := add(t, b, "splat", op.Attrs{"type": tensor.TypeOf(dtype.I8), "value": 1.0})
			return add(t, b, "pad", op.Attrs{"low": ints(0), "high": ints(1)}, x, zero)
		}, []string{"splat i8[scalar] 1", "pad"}},
	})
}

// Products absorb a permutation into their dimensions, and sums keep their order: the
// bits of f32 and i8 results are unchanged.
func TestProductsWithoutTransposes(t *testing.T) {
	dot := func(lb, rb, lc, rc []int64) op.Attrs {
		return op.Attrs{"lhs_batching": lb, "rhs_batching": rb, "lhs_contracting": lc, "rhs_contracting": rc}
	}
	both := func(perm []int64, attrs op.Attrs, sides string) build {
		return func(t *testing.T, b *dag.Block, x, y *dag.Value) *dag.Value {
			in := []*dag.Value{x, y}
			for i := range in {
				if sides[i] == 't' {
					in[i] = add(t, b, "transpose", op.Attrs{"permutation": perm}, in[i])
				}
			}
			return add(t, b, "dot_general", attrs, in...)
		}
	}
	none := []int64{}
	one := func(v ...int64) []int64 { return v }
	for _, d := range []dtype.DType{dtype.F32, dtype.I8, dtype.BF16} {
		square, cube := tensor.TypeOf(d, 24, 24), tensor.TypeOf(d, 6, 6, 6)
		checkRules(t, passes.Pass{Name: "layout", Run: passes.Layout}, []ruleCase{
			{fmt.Sprint("both ", d), square, both(one(1, 0), dot(none, none, one(1), one(0)), "tt"), []string{"dot_general"}},
			{fmt.Sprint("left ", d), square, both(one(1, 0), dot(none, none, one(1), one(1)), "t-"), []string{"dot_general"}},
			{fmt.Sprint("right ", d), square, both(one(1, 0), dot(none, none, one(0), one(0)), "-t"), []string{"dot_general"}},
			{fmt.Sprint("batches lead ", d), cube, both(one(0, 2, 1), dot(one(0), one(0), one(2), one(1)), "-t"), []string{"dot_general"}},
			{fmt.Sprint("batches would not lead ", d), cube, both(one(1, 0, 2), dot(one(0), one(0), one(2), one(2)), "t-"), []string{"transpose", "dot_general"}},
			{fmt.Sprint("rest in another order ", d), cube, both(one(1, 0, 2), dot(none, none, one(2), one(2)), "t-"), []string{"transpose", "dot_general"}},
			{fmt.Sprint("two dimensions ", d), cube, both(one(2, 0, 1), dot(none, none, one(0, 2), one(2, 1)), "t-"), []string{"dot_general"}},
		})
	}
}

func TestLayoutKeepsBlocksApart(t *testing.T) {
	g := busy(t)
	want := results(t, g)
	require.NoError(t, passes.Run(g, passes.Pass{Name: "layout", Run: passes.Layout}))
	require.Equal(t, want, results(t, g))
}
