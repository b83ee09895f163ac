package passes_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

func narrow(t *testing.T, o passes.Narrowing) passes.Pass {
	t.Helper()
	p, err := passes.Narrow(o)
	require.NoError(t, err)
	return p
}

// typed lists the operations of a function with the types of their results.
func typed(f *dag.Func) []string {
	var lines []string
	f.Body.Walk(func(n *dag.Node) {
		line := n.Op.Name
		for _, v := range n.Outputs {
			line += " " + v.Type.String()
		}
		lines = append(lines, line)
	})
	return lines
}

func TestNarrowTakesNarrowFloats(t *testing.T) {
	for _, d := range []dtype.DType{dtype.F32, dtype.F64, dtype.I8, dtype.Invalid} {
		_, err := passes.Narrow(passes.Narrowing{To: d})
		require.Equal(t, passes.CodeDType, errs.CodeOf(err))
	}
}

// x is [2, 3], w a parameter, and positions are computed from integers.
func mixed(t *testing.T) *dag.Graph {
	b := &dag.Block{}
	x := b.AddArg(tensor.TypeOf(dtype.F32, 2, 3))
	at := b.AddArg(tensor.TypeOf(dtype.I32, 2, 3))
	w := add(t, b, "parameter", op.Attrs{"type": tensor.TypeOf(dtype.F32, 4, 3), "key": "w"})
	dot := add(t, b, "dot_general", op.Attrs{"lhs_contracting": []int64{1}, "rhs_contracting": []int64{1}}, x, w)
	soft := add(t, b, "softmax", op.Attrs{"dim": int64(1)}, dot)
	angle := add(t, b, "multiply", nil, add(t, b, "convert", op.Attrs{"dtype": dtype.F32}, at),
		add(t, b, "splat", op.Attrs{"type": x.Type, "value": float64(float32(0.1))}))
	turned := add(t, b, "multiply", nil, x, add(t, b, "cosine", nil, angle))
	masked := add(t, b, "add", nil, turned, add(t, b, "splat", op.Attrs{"type": x.Type, "value": -1e9}))
	b.Results = []*dag.Value{soft, masked}
	return &dag.Graph{Name: "mixed", Funcs: []*dag.Func{entry("main", b)}}
}

func TestNarrowPolicy(t *testing.T) {
	tests := []struct {
		name string
		o    passes.Narrowing
		want []string
	}{
		{"whole", passes.Narrowing{To: dtype.F16}, []string{
			"parameter f16[4x3]", "dot_general f16[2x4]", "convert f32[2x4]", "softmax f32[2x4]",
			"convert f32[2x3]", "splat f32[2x3]", "multiply f32[2x3]", "cosine f32[2x3]", // of positions
			"convert f16[2x3]", "multiply f16[2x3]", "splat f16[2x3]", "add f16[2x3]", "convert f16[2x4]",
		}},
		{"signature", passes.Narrowing{To: dtype.BF16, KeepSignature: true}, []string{
			"convert bf16[2x3]", "parameter bf16[4x3]", "dot_general bf16[2x4]", "convert f32[2x4]", "softmax f32[2x4]",
			"convert f32[2x3]", "splat f32[2x3]", "multiply f32[2x3]", "cosine f32[2x3]",
			"convert bf16[2x3]", "multiply bf16[2x3]", "splat bf16[2x3]", "add bf16[2x3]", "convert f32[2x3]",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := mixed(t)
			pass := narrow(t, tt.o)
			require.NoError(t, passes.Run(g, pass))
			if diff := cmp.Diff(tt.want, typed(g.Funcs[0])); diff != "" {
				t.Error(diff)
			}
			g.Funcs[0].Body.Walk(func(n *dag.Node) {
				if v := n.Attrs.Float("value"); n.Op.Name == "splat" && n.Outputs[0].Type.DType == dtype.F16 {
					require.Equal(t, -65504.0, v, "a finite mask stays finite")
				}
			})
			lines := typed(g.Funcs[0])
			require.NoError(t, passes.Run(g, pass))
			require.Equal(t, lines, typed(g.Funcs[0]), "a second run finds something")
		})
	}
}

// A sum that a loop or a state carries stays f32: in bf16 this loop would never
// end, since 256 + 1 is 256 in bf16. Caches become narrow, through calls too.
func TestNarrowKeepsWhatAccumulates(t *testing.T) {
	scalar := tensor.TypeOf(dtype.F32)
	rows := tensor.TypeOf(dtype.F32, 5, 2)
	row := tensor.TypeOf(dtype.F32, 1, 2)

	fill := &dag.Block{}
	fillRow, fillRows, fillAt := fill.AddArg(row), fill.AddArg(rows), fill.AddArg(i32)
	fill.Results = []*dag.Value{add(t, fill, "dynamic_update_slice", nil, fillRows, fillRow, fillAt, fillAt)}
	put := entry("put", fill)
	put.Entry = false

	b := &dag.Block{}
	x := b.AddArg(row)
	cond, body := &dag.Block{}, &dag.Block{}
	for _, c := range []*dag.Block{cond, body} {
		c.AddArg(scalar)
		c.AddArg(rows)
	}
	cond.Results = []*dag.Value{add(t, cond, "compare", op.Attrs{"direction": op.LT}, cond.Args[0], add(t, cond, "splat", op.Attrs{"type": scalar, "value": 300.0}))}
	call, err := body.AddCall("test/put", put, x, body.Args[1], add(t, body, "splat", op.Attrs{"type": i32, "value": 0.0}))
	require.NoError(t, err)
	body.Results = []*dag.Value{
		add(t, body, "add", nil, body.Args[0], add(t, body, "splat", op.Attrs{"type": scalar, "value": 1.0})), call.Outputs[0],
	}
	old := add(t, b, "state", op.Attrs{"type": rows, "name": "cache"})
	count := add(t, b, "state", op.Attrs{"type": scalar, "name": "count"})
	loop, err := b.AddWhile("test/loop", cond, body, add(t, b, "splat", op.Attrs{"type": scalar, "value": 0.0}), old)
	require.NoError(t, err)
	b.Results = []*dag.Value{loop.Outputs[0], loop.Outputs[1]}
	more := add(t, b, "add", nil, count, loop.Outputs[0])
	fresh := add(t, b, "dot_general", op.Attrs{"lhs_contracting": []int64{1}, "rhs_contracting": []int64{1}}, x, x)

	g := &dag.Graph{
		Name: "accumulates",
		States: []*dag.State{
			{Name: "cache", Type: rows, Init: 1. / 3}, {Name: "count", Type: scalar}, {Name: "fresh", Type: tensor.TypeOf(dtype.F32, 1, 1)},
		},
		Funcs: []*dag.Func{put, entry("main", b, dag.Write{State: "cache", Value: loop.Outputs[1]}, dag.Write{State: "count", Value: more}, dag.Write{State: "fresh", Value: fresh})},
	}
	require.NoError(t, dag.Verify(g))
	require.NoError(t, passes.Run(g, narrow(t, passes.Narrowing{To: dtype.BF16, KeepSignature: true})))
	var states []string
	for _, s := range g.States {
		states = append(states, s.Type.String())
	}
	require.Equal(t, []string{"bf16[5x2]", "f32[scalar]", "bf16[1x1]"}, states)
	require.Equal(t, 0.333984375, g.States[0].Init)
	require.Contains(t, typed(g.Funcs[1]), "while f32[scalar] bf16[5x2]")
	require.Equal(t, []string{"dynamic_update_slice bf16[5x2]"}, typed(g.Funcs[0]))
	require.Equal(t, "f32[scalar]", g.Funcs[1].Body.Results[0].Type.String())
	out := results(t, g)
	require.Equal(t, []byte{0, 0, 150, 67}, out[0].Bytes, "300 rounds") // 300 as f32
}

func TestRunCatchesPanics(t *testing.T) {
	err := passes.Run(mixed(t), passes.Pass{Name: "faulty", Run: func(*dag.Graph) { panic("ouch") }})
	require.Equal(t, passes.CodePanic, errs.CodeOf(err))
	require.ErrorContains(t, err, "in pass faulty")
	err = passes.Run(mixed(t), passes.Pass{Name: "wrong", Run: func(*dag.Graph) { panic(errs.New(op.CodeShape, "no")) }})
	require.Equal(t, op.CodeShape, errs.CodeOf(err))
	err = passes.Run(mixed(t), passes.Pass{Name: "plain", Run: func(*dag.Graph) { panic(errors.New("no code")) }})
	require.Equal(t, passes.CodePanic, errs.CodeOf(err))
}

// The names of a model's scopes do not affect precision; the composite operation that a
// node belongs to does.
func TestNarrowReadsNoPaths(t *testing.T) {
	b := &dag.Block{}
	x := b.AddArg(tensor.TypeOf(dtype.F32, 2, 3))
	sum, err := b.Add("add", "main/log_softmax/rotary/add", nil, x, x)
	require.NoError(t, err)
	soft, err := b.Add("log_softmax", "main/layer/log_softmax", op.Attrs{"dim": int64(1)}, sum.Outputs[0])
	require.NoError(t, err)
	b.Results = []*dag.Value{soft.Outputs[0]}
	g := &dag.Graph{Name: "scopes", Funcs: []*dag.Func{entry("main", b)}}
	require.NoError(t, passes.Run(g, narrow(t, passes.Narrowing{To: dtype.BF16})))
	lines := typed(g.Funcs[0])
	require.Contains(t, lines, "add bf16[2x3]")
	require.NotContains(t, lines, "add f32[2x3]")
	require.Contains(t, lines, "subtract f32[2x3]")
	require.NotContains(t, lines, "subtract bf16[2x3]")
}
