package passes_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// hard lists floats that algebraic rules are often wrong for: zeros of both
// signs, infinities, NaN, subnormals, and numbers that f16 rounds.
var hard = []float32{
	0, float32(math.Copysign(0, -1)), float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()),
	math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 1e-38, math.MaxFloat32, -math.MaxFloat32, 1.0 / 3, -2.5,
}

func hardValue(t *testing.T, typ tensor.Type) tensor.Value {
	n, err := typ.Shape.Elements()
	require.NoError(t, err)
	v := tensor.Value{Type: typ, Bytes: make([]byte, typ.DType.Bytes(n))}
	if typ.DType.IsFloat() {
		data := make([]float32, n)
		for i := range data {
			data[i] = hard[i%len(hard)]
		}
		_, err := tensor.PutFloat32s(typ.DType, v.Bytes, data)
		require.NoError(t, err)
		return v
	}
	for i := range v.Bytes {
		v.Bytes[i] = byte(i*37 + 250)
		if typ.DType == dtype.Bool {
			v.Bytes[i] &= 1
		}
	}
	return v
}

// run computes the results of the only function on hard values.
func run(t *testing.T, g *dag.Graph) []tensor.Value {
	t.Helper()
	f := g.Funcs[0]
	e := contract.Entry{Name: f.Name}
	var args []tensor.Value
	for i, v := range f.Body.Args {
		e.Args = append(e.Args, contract.Named{Name: f.Args[i], DType: v.Type.DType, Shape: v.Type.Shape})
		args = append(args, hardValue(t, v.Type))
	}
	for i, v := range f.Body.Results {
		e.Results = append(e.Results, contract.Named{Name: f.Results[i], DType: v.Type.DType, Shape: v.Type.Shape})
	}
	x, err := cpu.Load(g, &contract.Contract{Schema: contract.Schema, Name: g.Name, Entries: []contract.Entry{e}}, nil)
	require.NoError(t, err)
	out, err := x.Call(context.Background(), f.Name, args...)
	require.NoError(t, err)
	for _, v := range out {
		oneNaN(v)
	}
	return out
}

// oneNaN canonicalises NaNs: no operation specifies which one it returns.
func oneNaN(v tensor.Value) {
	exponent := map[dtype.DType]uint64{dtype.F16: 0x7c00, dtype.BF16: 0x7f80, dtype.F32: 0x7f800000, dtype.F64: 0x7ff << 52}[v.Type.DType]
	if exponent == 0 {
		return
	}
	width := v.Type.DType.Bits() / 8
	for i := 0; i < len(v.Bytes); i += width {
		bits := uint64(0)
		for j := range width {
			bits |= uint64(v.Bytes[i+j]) << (8 * j)
		}
		if bits&(1<<(8*width-1)-1) > exponent {
			for j := range width {
				v.Bytes[i+j] = 0xff
			}
		}
	}
}

// build computes a result from x and y, both of a case's type.
type build func(t *testing.T, b *dag.Block, x, y *dag.Value) *dag.Value

// ruleCase has a computation and its simplified form.
type ruleCase struct {
	name string
	typ  tensor.Type
	make build
	want []string
}

func checkRules(t *testing.T, pass passes.Pass, cases []ruleCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := &dag.Block{}
			x, y := b.AddArg(c.typ), b.AddArg(c.typ)
			b.Results = []*dag.Value{c.make(t, b, x, y)}
			g := &dag.Graph{Name: "rules", Funcs: []*dag.Func{entry("main", b)}}
			require.NoError(t, dag.Verify(g))
			want := run(t, g)
			require.NoError(t, passes.Run(g, pass))
			lines := describe(g)[1:]
			if diff := cmp.Diff(c.want, lines); diff != "" {
				t.Error(diff)
			}
			require.Equal(t, want, run(t, g))
			require.NoError(t, passes.Run(g, pass))
			require.Equal(t, lines, describe(g)[1:], "a second visit finds something")
		})
	}
}

func splatOf(t *testing.T, b *dag.Block, like *dag.Value, v float64) *dag.Value {
	return add(t, b, "splat", op.Attrs{"type": like.Type, "value": v})
}

// with returns op(x, splat), or op(splat, x) for a negative position.
func with(name string, v float64, first bool) build {
	return func(t *testing.T, b *dag.Block, x, _ *dag.Value) *dag.Value {
		s := splatOf(t, b, x, v)
		if first {
			return add(t, b, name, nil, s, x)
		}
		return add(t, b, name, nil, x, s)
	}
}

// chain applies functions one after the other.
func chain(names ...string) build {
	return func(t *testing.T, b *dag.Block, x, _ *dag.Value) *dag.Value {
		for _, n := range names {
			x = add(t, b, n, nil, x)
		}
		return x
	}
}

// casts converts one after the other.
func casts(types ...dtype.DType) build {
	return func(t *testing.T, b *dag.Block, x, _ *dag.Value) *dag.Value {
		for _, d := range types {
			x = add(t, b, "convert", op.Attrs{"dtype": d}, x)
		}
		return x
	}
}

var (
	f32s  = tensor.TypeOf(dtype.F32, 12)
	f16s  = tensor.TypeOf(dtype.F16, 12)
	bf16s = tensor.TypeOf(dtype.BF16, 12)
	i8s   = tensor.TypeOf(dtype.I8, 12)
	u8s   = tensor.TypeOf(dtype.U8, 12)
	bools = tensor.TypeOf(dtype.Bool, 12)
)

func TestSimplify(t *testing.T) {
	none := []string{} // the result is an argument
	minusZero := math.Copysign(0, -1)
	var cases []ruleCase
	for _, typ := range []tensor.Type{f32s, f16s, bf16s, i8s, u8s} {
		d := typ.DType
		name := func(what string) string { return what + "/" + d.String() }
		cases = append(cases,
			ruleCase{name("x*1"), typ, with("multiply", 1, false), none},
			ruleCase{name("1*x"), typ, with("multiply", 1, true), none},
			ruleCase{name("x-0"), typ, with("subtract", 0, false), none},
			ruleCase{name("x/1"), typ, with("divide", 1, false), none},
			ruleCase{name("0-x"), typ, with("subtract", 0, true), []string{fmt.Sprintf("splat %s 0", typ), "subtract"}},
			ruleCase{name("1/x"), typ, with("divide", 1, true), []string{fmt.Sprintf("splat %s 1", typ), "divide"}},
			ruleCase{name("max(x,x)"), typ, func(t *testing.T, b *dag.Block, x, _ *dag.Value) *dag.Value { return add(t, b, "maximum", nil, x, x) }, none},
		)
		if d.IsFloat() {
			cases = append(cases,
				ruleCase{name("x+-0"), typ, with("add", minusZero, false), none},
				ruleCase{name("x+0"), typ, with("add", 0, false), []string{fmt.Sprintf("splat %s 0", typ), "add"}},
				ruleCase{name("x--0"), typ, with("subtract", minusZero, false), []string{fmt.Sprintf("splat %s -0", typ), "subtract"}},
				ruleCase{name("x*0"), typ, with("multiply", 0, false), []string{fmt.Sprintf("splat %s 0", typ), "multiply"}},
				ruleCase{name("x-x"), typ, func(t *testing.T, b *dag.Block, x, _ *dag.Value) *dag.Value { return add(t, b, "subtract", nil, x, x) }, []string{"subtract"}},
				ruleCase{name("x/8"), typ, with("divide", 8, false), []string{fmt.Sprintf("splat %s 0.125", typ), "multiply"}},
				ruleCase{name("x/-0.5"), typ, with("divide", -0.5, false), []string{fmt.Sprintf("splat %s -2", typ), "multiply"}},
				ruleCase{name("x/3"), typ, with("divide", 3, false), []string{fmt.Sprintf("splat %s 3", typ), "divide"}},
				ruleCase{name("x/0"), typ, with("divide", 0, false), []string{fmt.Sprintf("splat %s 0", typ), "divide"}},
				ruleCase{name("round(floor)"), typ, chain("floor", "round"), []string{"floor"}},
				ruleCase{name("relu(relu)"), typ, chain("relu", "relu"), []string{"relu"}},
			)
		} else {
			cases = append(cases,
				ruleCase{name("x+0"), typ, with("add", 0, false), none},
				ruleCase{name("x*0"), typ, with("multiply", 0, false), []string{fmt.Sprintf("splat %s 0", typ)}},
				ruleCase{name("x-x"), typ, func(t *testing.T, b *dag.Block, x, _ *dag.Value) *dag.Value { return add(t, b, "subtract", nil, x, x) }, []string{fmt.Sprintf("splat %s 0", typ)}},
				ruleCase{name("x/8"), typ, with("divide", 8, false), []string{fmt.Sprintf("splat %s 8", typ), "divide"}},
				ruleCase{name("x|0"), typ, with("or", 0, false), none},
				ruleCase{name("x&0"), typ, with("and", 0, false), []string{fmt.Sprintf("splat %s 0", typ)}},
				ruleCase{name("x^0"), typ, with("xor", 0, false), none},
				ruleCase{name("~~x"), typ, chain("not", "not"), none},
			)
		}
		if !d.IsUnsigned() {
			cases = append(cases,
				ruleCase{name("--x"), typ, chain("negate", "negate"), none},
				ruleCase{name("---x"), typ, chain("negate", "negate", "negate"), []string{"negate"}},
				ruleCase{name("|-x|"), typ, chain("negate", "abs"), []string{"abs"}},
				ruleCase{name("||x||"), typ, chain("abs", "abs"), []string{"abs"}},
				ruleCase{name("x-(-y)"), typ, func(t *testing.T, b *dag.Block, x, y *dag.Value) *dag.Value {
					return add(t, b, "subtract", nil, x, add(t, b, "negate", nil, y))
				}, []string{"add"}},
				ruleCase{name("(-x)+y"), typ, func(t *testing.T, b *dag.Block, x, y *dag.Value) *dag.Value {
					return add(t, b, "add", nil, add(t, b, "negate", nil, x), y)
				}, []string{"subtract"}},
			)
		}
	}
	cases = append(cases,
		// 2^-149, whose inverse is not an f32; 2^-20, whose inverse is not an f16.
		ruleCase{"subnormal divisor", f32s, with("divide", math.SmallestNonzeroFloat32, false), []string{"splat f32[12] 1.401298464324817e-45", "divide"}},
		ruleCase{"divisor beyond halves", f16s, with("divide", 32768, false), []string{"splat f16[12] 32768", "divide"}},
		ruleCase{"all bits and", u8s, with("and", 255, false), none},
		ruleCase{"all bits or", i8s, with("or", -1, true), []string{"splat i8[12] -1"}},
		ruleCase{"not all bits", u8s, with("and", 127, false), []string{"splat u8[12] 127", "and"}},
	)
	checkRules(t, passes.Pass{Name: "simplify", Run: passes.Simplify}, cases)
}

func TestSimplifyConversions(t *testing.T) {
	none := []string{}
	checkRules(t, passes.Pass{Name: "simplify", Run: passes.Simplify}, []ruleCase{
		{"the same type", f32s, casts(dtype.F32), none},
		{"there and back", f16s, casts(dtype.F32, dtype.F16), none},
		{"there and back of bf16", bf16s, casts(dtype.F64, dtype.BF16), none},
		{"by a wider type", f16s, casts(dtype.F32, dtype.F64), []string{"convert"}},
		{"to another narrow type", f16s, casts(dtype.F32, dtype.BF16), []string{"convert"}},
		{"a loss stays", f32s, casts(dtype.F16, dtype.F32), []string{"convert", "convert"}},
		{"bf16 does not hold f16", f16s, casts(dtype.BF16, dtype.F32), []string{"convert", "convert"}},
		{"small integers in floats", i8s, casts(dtype.F16, dtype.I32), []string{"convert"}},
		{"small integers in bf16", u8s, casts(dtype.BF16, dtype.U8), none},
		{"large integers are not in halves", tensor.TypeOf(dtype.I16, 12), casts(dtype.F16, dtype.I32), []string{"convert", "convert"}},
		{"a sign is lost", i8s, casts(dtype.U32, dtype.I64), []string{"convert", "convert"}},
		{"bits are lost", tensor.TypeOf(dtype.I32, 12), casts(dtype.I16, dtype.I32), []string{"convert", "convert"}},
		{"a wider integer", u8s, casts(dtype.I16, dtype.I64), []string{"convert"}},
		{"truth is a number", bools, casts(dtype.F32, dtype.Bool), none},
		{"a float is bounded where an integer loses bits", i8s, casts(dtype.F32, dtype.U8), []string{"convert", "convert"}},
		{"both keep all", u8s, casts(dtype.F32, dtype.I16), []string{"convert"}},
		{"a number is more than truth", i8s, casts(dtype.Bool, dtype.I8), []string{"convert", "convert"}},
		{"a float is no integer", f32s, casts(dtype.I64, dtype.F32), []string{"convert", "convert"}},
		{"three", f16s, casts(dtype.F32, dtype.F64, dtype.F32, dtype.F16), none},
	})
}

func TestSimplifyChoices(t *testing.T) {
	sel := func(condition func(t *testing.T, b *dag.Block, x, y *dag.Value) *dag.Value) build {
		return func(t *testing.T, b *dag.Block, x, y *dag.Value) *dag.Value {
			return add(t, b, "select", nil, condition(t, b, x, y), x, y)
		}
	}
	all := func(v float64) build {
		return func(t *testing.T, b *dag.Block, x, _ *dag.Value) *dag.Value {
			return add(t, b, "splat", op.Attrs{"type": tensor.Type{DType: dtype.Bool, Shape: x.Type.Shape}, "value": v})
		}
	}
	listed := func(v ...bool) build {
		return func(t *testing.T, b *dag.Block, _, _ *dag.Value) *dag.Value { return constant(t, b, "", v...) }
	}
	less := func(t *testing.T, b *dag.Block, x, y *dag.Value) *dag.Value {
		return add(t, b, "compare", op.Attrs{"direction": op.LT}, x, y)
	}
	none := []string{}
	checkRules(t, passes.Pass{Name: "simplify", Run: passes.Simplify}, []ruleCase{
		{"always", f32s, sel(all(1)), none},
		{"never", f32s, sel(all(0)), none},
		{"a list of one value", tensor.TypeOf(dtype.F32, 2), sel(listed(true, true)), none},
		{"a list of two", tensor.TypeOf(dtype.F32, 2), sel(listed(true, false)), []string{"constant", "select"}},
		{"the other way round", f32s, sel(func(t *testing.T, b *dag.Block, x, y *dag.Value) *dag.Value {
			return add(t, b, "not", nil, less(t, b, x, y))
		}), []string{"compare", "select"}},
		{"both the same", f32s, func(t *testing.T, b *dag.Block, x, y *dag.Value) *dag.Value {
			return add(t, b, "select", nil, less(t, b, x, y), y, y)
		}, none},
		{"and true", bools, with("and", 1, false), none},
		{"and false", bools, with("and", 0, true), []string{"splat bool[12] 0"}},
		{"or true", bools, with("or", 1, false), []string{"splat bool[12] 1"}},
		{"or false", bools, with("or", 0, false), none},
		{"xor true", bools, with("xor", 1, false), []string{"splat bool[12] 1", "xor"}},
		{"and itself", bools, func(t *testing.T, b *dag.Block, x, _ *dag.Value) *dag.Value { return add(t, b, "and", nil, x, x) }, none},
	})
}

// Names of dynamic dimensions are kept, and one without a name equals nothing.
func TestDynamicDimensionsStay(t *testing.T) {
	named := tensor.Type{DType: dtype.F32, Shape: shape.Shape{{Size: shape.Dynamic, Name: "batch"}, {Size: 4}}}
	b := &dag.Block{}
	x := b.AddArg(named)
	flip := op.Attrs{"permutation": []int64{1, 0}}
	y := add(t, b, "negate", nil, add(t, b, "negate", nil, x))
	z := add(t, b, "transpose", flip, add(t, b, "transpose", flip, y))
	w := add(t, b, "transpose", flip, x)
	b.Results = []*dag.Value{z, w, add(t, b, "add", nil, w, add(t, b, "transpose", flip, x))}
	g := &dag.Graph{Name: "dynamic", Funcs: []*dag.Func{entry("main", b)}}
	require.NoError(t, passes.Run(g, passes.Default...))
	require.Equal(t, []string{"main", "transpose", "add"}, describe(g))
	require.Same(t, x, b.Results[0])
	require.Equal(t, "f32[4xbatch?]", b.Results[1].Type.String())
	require.Equal(t, "f32[4xbatch?]", b.Results[2].Type.String())
}
