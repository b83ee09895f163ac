package lang

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

var index = &tensor.Index{Format: "test", Tensors: []tensor.Spec{{Name: "w", DType: dtype.F16, Shape: shape.Of(3, 2), Bytes: 12}}}

func capture(build func(f *Func)) (*dag.Graph, error) {
	return Capture("m", index, func(m *Module) { m.Entry("main", build) })
}

// typeOf returns the type of what build makes.
func typeOf(t *testing.T, build func(f *Func) Tensor) tensor.Type {
	t.Helper()
	var got tensor.Type
	_, err := capture(func(f *Func) {
		y := build(f)
		got = y.Type()
		f.Output("y", y)
	})
	require.NoError(t, err)
	return got
}

func TestMistakes(t *testing.T) {
	x := func(f *Func, sizes ...int64) Tensor { return f.Input("x", dtype.F32, sizes...) }
	for name, tt := range map[string]struct {
		build func(f *Func)
		code  errs.Code
		where string
	}{
		"shapes that do not broadcast": {func(f *Func) { x(f, 2).Add(x(f, 3)) }, CodeMisuse, "main"},
		"element types":                {func(f *Func) { x(f, 2).Add(f.Splat(dtype.F16, 1, 2)) }, op.CodeShape, "main/add"},
		"dimension":                    {func(f *Func) { x(f, 2).Softmax(1) }, CodeMisuse, "main"},
		"negative dimension":           {func(f *Func) { x(f, 2).Dim(-2) }, CodeMisuse, "main"},
		"class":                        {func(f *Func) { x(f, 2).Not() }, op.CodeDType, "main/not"},
		"direction":                    {func(f *Func) { x(f, 2).Compare("<", x(f, 2)) }, op.CodeAttribute, "main/compare"},
		"reshape":                      {func(f *Func) { x(f, 2, 3).Reshape(4) }, op.CodeShape, "main/reshape"},
		"reshape by -1":                {func(f *Func) { x(f, 2, 3).Reshape(4, -1) }, CodeMisuse, "main"},
		"reshape by -1 twice":          {func(f *Func) { x(f, 2, 3).Reshape(-1, -1) }, CodeMisuse, "main"},
		"reshape by 0 and -1":          {func(f *Func) { x(f, 2, 3).Reshape(0, -1) }, CodeMisuse, "main"},
		"slice":                        {func(f *Func) { x(f, 2).Slice(0, 1, 3) }, op.CodeShape, "main/slice"},
		"spread over fewer dimensions": {func(f *Func) { x(f, 2, 3).BroadcastTo(3) }, CodeMisuse, "main"},
		"spread over other sizes":      {func(f *Func) { x(f, 2).BroadcastTo(3) }, op.CodeShape, "main/broadcast_in_dim"},
		"matrix product by a scalar":   {func(f *Func) { x(f, 2, 3).MatMul(x(f)) }, CodeMisuse, "main"},
		"matrix product of batches":    {func(f *Func) { x(f, 2, 2, 3).MatMul(x(f, 4, 3, 2)) }, CodeMisuse, "main"},
		"matrix product of sizes":      {func(f *Func) { x(f, 2, 3).MatMul(x(f, 2, 3)) }, op.CodeShape, "main/dot_general"},
		"nothing to join":              {func(f *Func) { f.Concat(0) }, CodeMisuse, "main"},
		"weight without key":           {func(f *Func) { Weight(f, "", []float32{1}, 1) }, CodeMisuse, "main"},
		"elements of a constant":       {func(f *Func) { Const(f, []float32{1, 2}, 3) }, CodeMisuse, "main"},
		"missing weight":               {func(f *Func) { f.Param("v") }, tensor.CodeIndexMissing, "v"},
		"scope":                        {func(f *Func) { f.Scope("layer_0", func() { x(f, 2).Add(x(f, 3)) }) }, CodeMisuse, "main/layer_0"},
		"input in a loop": {func(f *Func) {
			f.While([]Tensor{f.Splat(dtype.I32, 0)}, func(c []Tensor) Tensor { return f.Input("b", dtype.Bool) }, func(c []Tensor) []Tensor { return c })
		}, CodeMisuse, "main/while/cond"},
		"output in a loop": {func(f *Func) {
			f.While([]Tensor{f.Splat(dtype.I32, 0)}, func(c []Tensor) Tensor { return c[0].Less(f.Splat(dtype.I32, 3)) },
				func(c []Tensor) []Tensor { f.Output("y", c[0]); return c })
		}, CodeMisuse, "main/while/body"},
		"loop that changes a type": {func(f *Func) {
			f.While([]Tensor{f.Splat(dtype.I32, 0)}, func(c []Tensor) Tensor { return c[0].Less(f.Splat(dtype.I32, 3)) },
				func(c []Tensor) []Tensor { return []Tensor{c[0].Convert(dtype.F32)} })
		}, "DAG_WHILE", "main/while"},
		"fault of the constructor": {func(f *Func) { list := make([]int, 1); _ = list[len(t.Name())] }, "LANG_PANIC", ""},
		"error of another package": {func(f *Func) { panic(errors.New("boom")) }, "LANG_PANIC", ""},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := capture(tt.build)
			require.Nil(t, g)
			require.Equal(t, tt.code, errs.CodeOf(err), "%v", err)
			if tt.where != "" {
				var coded *errs.Error
				require.ErrorAs(t, err, &coded)
				require.Equal(t, tt.where, coded.Node)
			}
		})
	}
}

// The path says where the constructor was; the text says which call it was.
func TestMistakesNameTheCall(t *testing.T) {
	x := func(f *Func, sizes ...int64) Tensor { return f.Input("x", dtype.F32, sizes...) }
	for name, tt := range map[string]struct {
		build func(f *Func)
		want  string
	}{
		"sum":    {func(f *Func) { x(f, 2).Add(x(f, 3)) }, "main: add of f32[2] and f32[3]: the shapes do not broadcast; sizes must be equal or one of them 1"},
		"pow":    {func(f *Func) { x(f, 2).Pow(x(f, 3)) }, "power of f32[2] and f32[3]: "},
		"select": {func(f *Func) { x(f, 2).Less(x(f, 2)).Select(x(f, 3), x(f, 3)) }, "select of bool[2] and f32[3]: "},
		"matmul": {func(f *Func) { x(f, 2, 3).MatMul(x(f)) }, "matmul of f32[2x3] and f32[scalar]; matmul takes tensors of rank 1 or more; use Mul for a scalar"},
		"weight": {func(f *Func) { Weight(f, "bias", []float32{1, 2}, 3) }, `main: weight "bias": `},
		"const":  {func(f *Func) { Const(f, []float32{1, 2}, 3) }, "main: constant: "},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := capture(tt.build)
			require.ErrorContains(t, err, tt.want)
		})
	}
}

func TestMistakesAcrossFunctions(t *testing.T) {
	_, err := Capture("m", nil, func(m *Module) {
		var other Tensor
		m.Entry("one", func(f *Func) { other = f.Input("x", dtype.F32, 2); f.Output("y", other) })
		m.Entry("two", func(f *Func) { f.Output("y", f.Input("x", dtype.F32, 2).Add(other)) })
	})
	require.Equal(t, CodeMisuse, errs.CodeOf(err), "%v", err)
	_, err = Capture("m", nil, func(m *Module) { m.Func("half", func(*Func) {}) })
	require.EqualError(t, err, "LANG_MISUSE: m: the model has no entry point; call m.Entry(name, build)")
	_, err = Capture("m", nil, func(m *Module) { m.Entry("main", func(f *Func) { f.Param("w") }) })
	require.Equal(t, errs.Code("LANG_NO_WEIGHTS"), errs.CodeOf(err), "%v", err)
	_, err = Capture("m", nil, func(m *Module) {
		c := m.Func("half", func(f *Func) { f.Output("y", f.Input("x", dtype.F32, 2).MulScalar(0.5)) })
		m.Entry("main", func(f *Func) { f.Output("y", f.Call(c, f.Input("x", dtype.F32, 3))[0]) })
	})
	require.Error(t, err)
	require.ErrorContains(t, err, "main/half")
}

func TestBroadcasting(t *testing.T) {
	for _, tt := range []struct{ a, b, want []int64 }{
		{nil, nil, nil},
		{[]int64{2, 3}, nil, []int64{2, 3}},
		{[]int64{2, 3}, []int64{3}, []int64{2, 3}},
		{[]int64{2, 1}, []int64{1, 3}, []int64{2, 3}},
		{[]int64{3}, []int64{4, 2, 1}, []int64{4, 2, 3}},
		{[]int64{0, 3}, []int64{1}, []int64{0, 3}},
	} {
		want := tensor.TypeOf(dtype.F32, tt.want...)
		sum := func(a, b []int64) tensor.Type {
			return typeOf(t, func(f *Func) Tensor { return f.Input("a", dtype.F32, a...).Add(f.Input("b", dtype.F32, b...)) })
		}
		require.True(t, want.Equal(sum(tt.a, tt.b)), "%v + %v", tt.a, tt.b)
		require.True(t, want.Equal(sum(tt.b, tt.a)), "%v + %v", tt.b, tt.a)
		selected := typeOf(t, func(f *Func) Tensor {
			return f.Input("c", dtype.Bool, tt.a...).Select(f.Input("a", dtype.F32, tt.b...), f.Input("b", dtype.F32))
		})
		if len(tt.a) > 0 {
			require.True(t, want.Equal(selected), "select by %v of %v", tt.a, tt.b)
		}
	}
}

func TestTypes(t *testing.T) {
	f32 := func(sizes ...int64) tensor.Type { return tensor.TypeOf(dtype.F32, sizes...) }
	x := func(f *Func) Tensor { return f.Input("x", dtype.F32, 2, 3, 4) }
	for name, tt := range map[string]struct {
		build func(f *Func) Tensor
		want  tensor.Type
	}{
		"reshape":       {func(f *Func) Tensor { return x(f).Reshape(-1, 6) }, f32(4, 6)},
		"flat":          {func(f *Func) Tensor { return x(f).Reshape(-1) }, f32(24)},
		"empty":         {func(f *Func) Tensor { return f.Input("e", dtype.F32, 0, 3).Reshape(-1, 3) }, f32(0, 3)},
		"slice":         {func(f *Func) Tensor { return x(f).Slice(-1, 1, 3) }, f32(2, 3, 2)},
		"steps":         {func(f *Func) Tensor { return x(f).SliceBy(2, 0, 4, 3) }, f32(2, 3, 2)},
		"pad":           {func(f *Func) Tensor { return x(f).Pad(-2, 1, 2, 0) }, f32(2, 6, 4)},
		"transpose":     {func(f *Func) Tensor { return x(f).Transpose(-1, 0, 1) }, f32(4, 2, 3)},
		"sum":           {func(f *Func) Tensor { return x(f).Sum(false, 0, -1) }, f32(3)},
		"least":         {func(f *Func) Tensor { return x(f).ReduceMin(true, 1) }, f32(2, 1, 4)},
		"argmax":        {func(f *Func) Tensor { return x(f).ArgMax(-1) }, tensor.TypeOf(dtype.I32, 2, 3)},
		"parameter":     {func(f *Func) Tensor { return f.Param("w") }, tensor.TypeOf(dtype.F16, 3, 2)},
		"batched":       {func(f *Func) Tensor { return x(f).MatMul(f.Input("y", dtype.F32, 2, 4, 5)) }, f32(2, 3, 5)},
		"joined":        {func(f *Func) Tensor { a := x(f); return f.Concat(-1, a, a) }, f32(2, 3, 8)},
		"scalar splat":  {func(f *Func) Tensor { return f.Splat(dtype.Bool, 1) }, tensor.TypeOf(dtype.Bool)},
		"same convert":  {func(f *Func) Tensor { return x(f).Convert(dtype.F32) }, f32(2, 3, 4)},
		"other convert": {func(f *Func) Tensor { return x(f).Convert(dtype.U8) }, tensor.TypeOf(dtype.U8, 2, 3, 4)},
	} {
		require.True(t, tt.want.Equal(typeOf(t, tt.build)), name)
	}
}

// paths lists "path: operation" of a function's nodes, with nested blocks.
func paths(g *dag.Graph, name string) []string {
	list := []string{}
	for _, f := range g.Funcs {
		if f.Name == name {
			f.Body.Walk(func(n *dag.Node) { list = append(list, n.Path+": "+n.Op.Name) })
		}
	}
	return list
}

func TestLoopAndCall(t *testing.T) {
	g, err := Capture("m", nil, func(m *Module) {
		double := m.Func("double", func(f *Func) {
			x := f.Input("x", dtype.F32)
			f.Output("y", x.Add(x))
		})
		m.Entry("main", func(f *Func) {
			x := f.Input("x", dtype.F32)
			f.Scope("grow", func() {
				out := f.While([]Tensor{x},
					func(c []Tensor) Tensor { return c[0].Less(f.Splat(dtype.F32, 100)) },
					func(c []Tensor) []Tensor { return f.Call(double, c[0]) })
				f.Output("y", out[0])
			})
		})
	})
	require.NoError(t, err)
	require.Empty(t, cmp.Diff([]string{"double/add: add"}, paths(g, "double")))
	require.Empty(t, cmp.Diff([]string{
		"main/grow/while: while",
		"main/grow/while/cond/splat: splat",
		"main/grow/while/cond/compare: compare",
		"main/grow/while/body/double: call",
	}, paths(g, "main")))
	f, err := g.Func("main")
	require.NoError(t, err)
	require.Equal(t, []string{"x"}, f.Args)
	require.Equal(t, []string{"y"}, f.Results)
	require.True(t, f.Entry)
	callee, err := g.Func("double")
	require.NoError(t, err)
	require.False(t, callee.Entry)
}

// A splat's value is what the element type holds.
func TestSplatIsRounded(t *testing.T) {
	for d, want := range map[dtype.DType]float64{dtype.F64: 0.1, dtype.F32: float64(float32(0.1)), dtype.F16: 0.0999755859375, dtype.BF16: 0.10009765625} {
		g, err := capture(func(f *Func) { f.Output("y", f.Splat(d, 0.1, 2)) })
		require.NoError(t, err)
		require.Equal(t, want, g.Funcs[0].Body.Nodes[0].Attrs.Float("value"), d)
	}
}

func TestState(t *testing.T) {
	g, err := Capture("m", nil, func(m *Module) {
		s := m.State("total", dtype.F32, 3, 2)
		m.Entry("main", func(f *Func) {
			sum := f.Read(s).Add(f.Input("x", dtype.F32, 2))
			f.Write(s, sum)
			f.Output("y", sum)
		})
	})
	require.NoError(t, err)
	require.Equal(t, []*dag.State{{Name: "total", Type: tensor.TypeOf(dtype.F32, 2), Init: 3}}, g.States)
	require.Len(t, g.Funcs[0].Writes, 1)
	require.Equal(t, []string{"total"}, g.ReadsState(g.Funcs[0]))
}

// A tensor that nothing made is an error.
func TestZeroTensor(t *testing.T) {
	_, err := capture(func(f *Func) { f.Output("y", Tensor{}.Add(f.Input("x", dtype.F32))) })
	require.Equal(t, CodePanic, errs.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "a Tensor that nothing made")
}

// A result's name that is taken, or that is none, is an error of the line that gives it.
func TestNames(t *testing.T) {
	for want, build := range map[string]func(f *Func, x Tensor){
		`output name "y" is given twice`:            func(f *Func, x Tensor) { f.Output("y", x); f.Output("y", x) },
		`output name "my-out" is not an identifier`: func(f *Func, x Tensor) { f.Output("my-out", x) },
	} {
		_, err := Capture("m", nil, func(m *Module) {
			m.Entry("main", func(f *Func) { build(f, f.Input("x", dtype.F32, 2)) })
		})
		require.Equal(t, dag.CodeName, errs.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, want)
		require.Regexp(t, `capture_test.go:\d+: Func\.Output`, err.Error())
	}
	_, err := capture(func(f *Func) { f.Output("y", f.Input("x", dtype.F32).Add(f.Input("x", dtype.F32))) })
	require.Equal(t, dag.CodeName, errs.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, `name "x" is given twice`)
}
