package passes_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

func TestCommon(t *testing.T) {
	private := &dag.Block{}
	private.Results = []*dag.Value{add(t, private, "exp", nil, private.AddArg(pair))}
	f := entry("f", private)
	f.Entry = false

	b := &dag.Block{}
	x := b.AddArg(pair)
	sum := func(b *dag.Block, x *dag.Value) *dag.Value {
		return add(t, b, "add", nil, x, add(t, b, "tanh", nil, x))
	}
	first, second := sum(b, x), sum(b, x) // two nodes each
	call := func() *dag.Value {
		n, err := b.AddCall("test/call", f, x)
		require.NoError(t, err)
		return n.Outputs[0]
	}
	state := func() *dag.Value { return add(t, b, "state", op.Attrs{"type": pair, "name": "s"}) }
	barrier := func() *dag.Value { return add(t, b, "barrier", nil, x) }
	splat := func(v float64) *dag.Value { return add(t, b, "splat", op.Attrs{"type": pair, "value": v}) }
	less := func(direction string) *dag.Value {
		return add(t, b, "compare", op.Attrs{"direction": direction}, x, splat(0))
	}
	reduced := add(t, b, "reduce_max", op.Attrs{"dims": []int64{0}}, x)
	yes := add(t, b, "compare", op.Attrs{"direction": op.GE}, reduced, reduced)
	branch := func() *dag.Block {
		inner := &dag.Block{}
		inner.Results = []*dag.Value{add(t, inner, "negate", nil, add(t, inner, "add", nil, x, sum(inner, x))), add(t, inner, "negate", nil, first)}
		return inner
	}
	choice, err := b.AddCond("test/cond", branch(), branch(), yes)
	require.NoError(t, err)
	b.Results = []*dag.Value{
		first, second, call(), call(), state(), state(), barrier(), barrier(),
		splat(0), splat(math.Copysign(0, -1)), splat(0),
		less(op.LT), less(op.LT), less(op.GT),
		constant[float32](t, b, "", 1, 2), constant[float32](t, b, "", 1, 2), constant[float32](t, b, "", 1, 3),
		constant[float32](t, b, "a", 1, 2), constant[float32](t, b, "b", 1, 2), constant[int32](t, b, "", 1, 2),
		choice.Outputs[0], choice.Outputs[1],
	}
	g := &dag.Graph{Name: "common", Funcs: []*dag.Func{f, entry("main", b)}, States: []*dag.State{{Name: "s", Type: pair}}}
	want := results(t, g)
	pass := passes.Pass{Name: "common", Run: passes.Common}
	require.NoError(t, passes.Run(g, pass))
	lines := describe(g)
	if diff := cmp.Diff([]string{
		"f", "exp", "main", "tanh", "add", "reduce_max", "compare",
		"cond", "add", "negate", "negate", "add", "negate", "negate", // the results of tanh and add are reused; those of a branch are not
		"call", "state", "state", "barrier", "barrier", "splat f32[2] 0", "splat f32[2] -0", "compare", "compare",
		"constant", "constant", "constant", "constant", "constant",
	}, lines); diff != "" {
		t.Error(diff)
	}
	require.Equal(t, want, results(t, g))
	require.NoError(t, passes.Run(g, pass))
	require.Equal(t, lines, describe(g), "a second visit finds something")
}

func fold(limit int64) passes.Pass { return passes.Fold(cpu.Evaluate, limit) }

// numbers returns an operand made of constants.
func numbers(v ...float32) func(t *testing.T, b *dag.Block) *dag.Value {
	return func(t *testing.T, b *dag.Block) *dag.Value { return constant(t, b, "", v...) }
}

func TestFold(t *testing.T) {
	c := numbers(1, -2.5)
	big := func(t *testing.T, b *dag.Block, v float64) *dag.Value {
		return add(t, b, "splat", op.Attrs{"type": tensor.TypeOf(dtype.F32, 1000, 1000), "value": v})
	}
	param := func(t *testing.T, b *dag.Block) *dag.Value {
		return add(t, b, "parameter", op.Attrs{"type": pair, "key": "w"})
	}
	checkRules(t, fold(64), []ruleCase{
		{"exact", pair, func(t *testing.T, b *dag.Block, _, _ *dag.Value) *dag.Value {
			return add(t, b, "multiply", nil, c(t, b), add(t, b, "add", nil, c(t, b), c(t, b)))
		}, []string{"constant"}},
		{"one value", pair, func(t *testing.T, b *dag.Block, _, _ *dag.Value) *dag.Value {
			return add(t, b, "subtract", nil, c(t, b), c(t, b))
		}, []string{"splat f32[2] 0"}},
		{"not on every machine", pair, func(t *testing.T, b *dag.Block, _, _ *dag.Value) *dag.Value {
			return add(t, b, "exp", nil, c(t, b))
		}, []string{"constant", "exp"}},
		{"sums of floats", pair, func(t *testing.T, b *dag.Block, _, _ *dag.Value) *dag.Value {
			return add(t, b, "reduce_sum", op.Attrs{"dims": []int64{0}}, c(t, b))
		}, []string{"constant", "reduce_sum"}},
		{"sums of integers", pair, func(t *testing.T, b *dag.Block, _, _ *dag.Value) *dag.Value {
			return add(t, b, "reduce_sum", op.Attrs{"dims": []int64{0}}, constant[int32](t, b, "", 3, 4))
		}, []string{"splat i32[scalar] 7"}},
		{"counting", pair, func(t *testing.T, b *dag.Block, _, _ *dag.Value) *dag.Value {
			return add(t, b, "reverse", op.Attrs{"dims": []int64{0}}, add(t, b, "iota", op.Attrs{"type": tensor.TypeOf(dtype.I32, 5), "dim": int64(0)}))
		}, []string{"constant"}},
		{"an argument", pair, func(t *testing.T, b *dag.Block, x, _ *dag.Value) *dag.Value {
			return add(t, b, "add", nil, x, c(t, b))
		}, []string{"constant", "add"}},
		{"a weight of the code", pair, func(t *testing.T, b *dag.Block, _, _ *dag.Value) *dag.Value {
			return add(t, b, "negate", nil, constant[float32](t, b, "w", 1, 2))
		}, []string{"constant", "negate"}},
		{"of a large shape", pair, func(t *testing.T, b *dag.Block, _, _ *dag.Value) *dag.Value {
			x := add(t, b, "compare", op.Attrs{"direction": op.LT}, add(t, b, "add", nil, big(t, b, 1), big(t, b, 2)), big(t, b, 4))
			return add(t, b, "slice", op.Attrs{"start": []int64{0, 0}, "limit": []int64{1, 2}, "strides": []int64{1, 1}}, x)
		}, []string{"splat bool[1000x1000] 1", "slice"}},
		{"too large", pair, func(t *testing.T, b *dag.Block, _, _ *dag.Value) *dag.Value {
			return add(t, b, "reverse", op.Attrs{"dims": []int64{0}}, add(t, b, "iota", op.Attrs{"type": tensor.TypeOf(dtype.I32, 17), "dim": int64(0)}))
		}, []string{"iota", "reverse"}},
		{"NaN keeps its bits", pair, func(t *testing.T, b *dag.Block, _, _ *dag.Value) *dag.Value {
			zero := numbers(0, 0)
			return add(t, b, "divide", nil, zero(t, b), zero(t, b))
		}, []string{"constant"}},
	})

	// Parameters stay, and an evaluator that returns an error changes nothing.
	b := &dag.Block{}
	b.Results = []*dag.Value{add(t, b, "negate", nil, param(t, b)), add(t, b, "negate", nil, c(t, b))}
	g := &dag.Graph{Name: "refused", Funcs: []*dag.Func{entry("main", b)}}
	refuse := func(*dag.Node, []tensor.Value) ([]tensor.Value, error) { return nil, errors.New("no") }
	require.NoError(t, passes.Run(g, passes.Fold(refuse, 64)))
	require.Equal(t, []string{"main", "parameter", "negate", "constant", "negate"}, describe(g))
	require.NoError(t, passes.Run(g, fold(64)))
	require.Equal(t, []string{"main", "parameter", "negate", "constant"}, describe(g))
}

func TestExact(t *testing.T) {
	g := busy(t)
	want := results(t, g)
	exact := passes.Exact(cpu.Evaluate)
	require.NoError(t, passes.Run(g, exact))
	lines := describe(g)
	require.Equal(t, want, results(t, g))
	require.NoError(t, passes.Run(g, exact))
	require.Equal(t, lines, describe(g))
}
