package optest

import (
	"fmt"
	"slices"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// sizes are those of the names of dynamic dimensions in one call.
type sizes = map[string]int64

// Bindings with 1, with sizes that are not multiples of a kernel's block, and with
// sizes that are.
var (
	ofN       = []sizes{{"n": 1}, {"n": 5}, {"n": 16}}
	ofBatches = []sizes{{"batch": 1, "seq": 1}, {"batch": 2, "seq": 7}, {"batch": 3, "seq": 16}}
)

var (
	n     = shape.Named("n")
	batch = shape.Named("batch")
	seq   = shape.Named("seq")
)

// dynamic is the table of entry points with dynamic sizes: one program, called
// with several sizes each.
var dynamic = join(dynamicElementwise, unsigned, dynamicLayout, dynamicProducts, dynamicReductions, dynamicIndexing, dynamicControl, dynamicComposites, dynamicPacked, manyRows, blocks, dynamicWidened, dynamicBounded, dynamicFound, dynamicDerived, tiles)

// Dynamic is the constructor of the entry points with dynamic sizes.
func Dynamic(m *lang.Module) {
	add(m, dynamic)
	dynamicCalls(m)
}

// unary are functions of any number; functions of positive numbers and of numbers
// in [-1, 1] follow.
var (
	unary = []func(lang.Tensor) lang.Tensor{
		lang.Tensor.Negate, lang.Tensor.Abs, lang.Tensor.Exp, lang.Tensor.Tanh, lang.Tensor.Logistic, lang.Tensor.Sine, lang.Tensor.Cosine,
		lang.Tensor.Floor, lang.Tensor.Ceil, lang.Tensor.Round, lang.Tensor.Trunc, lang.Tensor.Sign, lang.Tensor.Cbrt, lang.Tensor.Expm1,
		lang.Tensor.Atan, lang.Tensor.Sinh, lang.Tensor.Cosh, lang.Tensor.Asinh, lang.Tensor.Erf, lang.Tensor.Erfc, lang.Tensor.Square,
		lang.Tensor.GELU, lang.Tensor.GELUTanh, lang.Tensor.ReLU, lang.Tensor.ReLU6, lang.Tensor.SELU, lang.Tensor.SiLU,
		lang.Tensor.Softplus, lang.Tensor.Mish, lang.Tensor.Hardsigmoid, lang.Tensor.Hardswish,
		func(x lang.Tensor) lang.Tensor { return x.LeakyReLU(0.125) }, func(x lang.Tensor) lang.Tensor { return x.ELU(0.5) },
	}
	ofPositive = []func(lang.Tensor) lang.Tensor{
		lang.Tensor.Log, lang.Tensor.Log1p, lang.Tensor.Log2, lang.Tensor.Log10, lang.Tensor.Sqrt, lang.Tensor.Rsqrt, lang.Tensor.Acosh, lang.Tensor.Reciprocal,
	}
	ofUnit = []func(lang.Tensor) lang.Tensor{lang.Tensor.Tan, lang.Tensor.Asin, lang.Tensor.Acos, lang.Tensor.Atanh}
)

// applied are entry points with at most eight functions each, since a kernel may be
// given 64 numbers, and needs some for the sizes of each result.
func applied(name string, d dtype.DType, prepare func(lang.Tensor) lang.Tensor, functions []func(lang.Tensor) lang.Tensor) []entry {
	var entries []entry
	for chunk := range slices.Chunk(functions, 8) {
		entries = append(entries, entry{name: fmt.Sprintf("dynamic_%s_%s_%d", name, d, len(entries)), sizes: ofN, build: func(f *lang.Func) {
			x := prepare(f.InputOf("x", d, n, shape.N(3)))
			for i, fn := range chunk {
				f.Output(fmt.Sprintf("y%d", i), fn(x))
			}
		}})
	}
	return entries
}

// functions of each element type.
func dynamicFunctions(d dtype.DType) []entry {
	return join(
		applied("any", d, func(x lang.Tensor) lang.Tensor { return x }, unary),
		applied("positive", d, func(x lang.Tensor) lang.Tensor { return x.Abs().AddScalar(1.125) }, ofPositive),
		applied("unit", d, lang.Tensor.Logistic, ofUnit),
	)
}

var dynamicElementwise = join([]entry{
	{name: "dynamic_compare", sizes: ofN, build: func(f *lang.Func) {
		a, b := f.InputOf("a", dtype.F32, n, shape.N(4)), f.InputOf("b", dtype.F32, n, shape.N(1))
		less := a.Less(b)
		f.Output("less", less)
		f.Output("not", less.Not())
		f.Output("select", less.Select(a, f.SplatOf(dtype.F32, 0.5, n, shape.N(4))))
		f.Output("clamp", a.ClampScalar(-0.5, 0.75))
		f.Output("bounds", a.Clamp(b.BroadcastOf(n, shape.N(4)), f.SplatOf(dtype.F32, 2, n, shape.N(4))))
		f.Output("is_nan", a.IsNaN())
		f.Output("is_inf", a.IsInf())
		f.Output("is_finite", a.IsFinite())
		f.Output("i32", a.MulScalar(3).Convert(dtype.I32))
		f.Output("f16", a.Convert(dtype.F16))
		f.Output("u8", a.Abs().Convert(dtype.U8))
		f.Output("barrier", a.Exp().Barrier())
		f.Output("shard", a.Exp().Shard("data", ""))
	}},
	{name: "dynamic_logic", sizes: ofN, build: func(f *lang.Func) {
		a, b := f.InputOf("a", dtype.Bool, n), f.InputOf("b", dtype.Bool, n)
		f.Output("and", a.And(b))
		f.Output("or", a.Or(b))
		f.Output("xor", a.Xor(b))
	}},
}, dynamicFunctions(dtype.F32), dynamicFunctions(dtype.F16), over(ofN, each("dynamic_binary", []dtype.DType{dtype.F32, dtype.BF16, dtype.F64}, func(f *lang.Func, d dtype.DType) {
	a, b := f.InputOf("a", d, n, shape.N(3)), f.InputOf("b", d, n, shape.N(3))
	f.Output("add", a.Add(b))
	f.Output("subtract", a.Sub(b.Slice(1, 0, 1)))
	f.Output("multiply", a.Mul(b))
	f.Output("divide", a.Div(b))
	f.Output("maximum", a.Max(b))
	f.Output("minimum", a.Min(b))
	f.Output("remainder", a.Remainder(b))
	f.Output("modulo", a.Modulo(b))
	if d == dtype.F32 {
		f.Output("atan2", a.Atan2(b))
		f.Output("power", a.Abs().AddScalar(0.5).Pow(b))
	}
}, nil)), over(ofN, each("dynamic_integer", []dtype.DType{dtype.I32, dtype.I8}, func(f *lang.Func, d dtype.DType) {
	a, b := f.InputOf("a", d, n), f.InputOf("b", d, n)
	less := b.Sub(f.Splat(d, 1)) // -1 to 2
	f.Output("divide", a.Div(less))
	f.Output("remainder", a.Remainder(less))
	f.Output("modulo", a.Modulo(less))
	f.Output("shift_left", a.ShiftLeft(b))
	f.Output("shift_right", a.Negate().ShiftRight(b))
	f.Output("or", a.Or(b))
}, nil)))

// unsigned are types that the compiler's own dialects lack.
var unsigned = over([]sizes{{"batch": 1, "seq": 1, "rows": 1}, {"batch": 2, "seq": 7, "rows": 5}, {"batch": 3, "seq": 4, "rows": 16}}, each("dynamic_unsigned", []dtype.DType{dtype.U8, dtype.U32, dtype.U64}, func(f *lang.Func, d dtype.DType) {
	i := f.InputOf("i", dtype.I32, batch, seq) // says both sizes, but not for all
	x := f.InputOf("x", dtype.I32, shape.N(2), shape.Named("rows")).AddScalar(1).Convert(d)
	f.Output("size", x.Size(1))
	f.Output("reshape", x.ReshapeOf(shape.Named("rows").Times(shape.N(2))).Add(f.Splat(d, 1)))
	f.Output("units", x.Unsqueeze(0))
	f.Output("take", x.Take(i))
	f.Output("indices", f.Input("t", dtype.F32, 5, 2).Take(i.Convert(d)))
	f.Output("rows", f.InputOf("r", dtype.F32, shape.Named("rows")).Take(i.Convert(d)))
	f.Output("slice", x.SliceOf(1, shape.Named("rows").Minus(shape.N(1)), shape.Named("rows"), 1))
	f.Output("pad", x.Pad(1, 1, 2, 9))
	f.Output("both", f.Concat(1, x, x))
	f.Output("reverse", x.Reverse(1))
	f.Output("sum", x.Sum(true, 1))
	f.Output("argmax", x.ArgMax(1))
	f.Output("argsort", x.ArgSort(1, true))
	f.Output("iota", f.IotaOf(d, 0, shape.Named("rows")))
	f.Output("barrier", x.Max(f.Splat(d, 1)).Barrier())
	f.Output("update", x.Update(x.Slice(0, 0, 1), f.Splat(dtype.I32, 1), f.Splat(dtype.I32, 0)))
	f.Output("abs", x.Abs())
	f.Output("count", x.Size(1).Convert(d))
	f.Output("half", x.Size(1).Convert(dtype.F32).MulScalar(0.5).Convert(d))
}, nil))

var dynamicLayout = []entry{
	{name: "dynamic_reshape", sizes: ofBatches, build: func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, batch, seq, shape.N(12))
		heads := x.ReshapeOf(batch, seq, shape.N(3), shape.N(4))
		f.Output("heads", heads.Transpose(0, 2, 1, 3))
		f.Output("rows", x.ReshapeOf(batch.Times(seq), shape.N(12)).AddScalar(1))
		f.Output("back", x.ReshapeOf(batch.Times(seq), shape.N(12)).Exp().ReshapeOf(batch, seq, shape.N(12)))
		f.Output("flat", x.Reshape(-1).MulScalar(2))
		f.Output("units", x.Unsqueeze(1).Unsqueeze(-1).Negate())
		f.Output("squeezed", x.Slice(2, 3, 4).Squeeze(2))
		f.Output("bytes", f.InputOf("b", dtype.I8, seq, shape.N(6)).ReshapeOf(seq.Times(shape.N(2)), shape.N(3)))
		f.Output("size", x.Size(1).Add(x.Size(2)))
	}},
	{name: "dynamic_broadcast", sizes: ofBatches, build: func(f *lang.Func) {
		f.Output("rows", f.InputOf("row", dtype.F32, seq).BroadcastOf(batch, seq))
		f.Output("columns", f.InputOf("column", dtype.F32, batch, shape.N(1)).BroadcastOf(batch, seq))
		f.Output("scalar", f.Input("s", dtype.I32).BroadcastOf(shape.N(2), seq))
		f.Output("vector", f.Input("v", dtype.F32, 4).BroadcastOf(batch, seq, shape.N(4)))
		f.Output("splat", f.SplatOf(dtype.F16, 0.25, batch, shape.N(2)))
		f.Output("iota", f.IotaOf(dtype.I32, 1, batch, seq))
		f.Output("other", f.IotaOf(dtype.F32, 0, batch, shape.N(3)))
		f.Output("one", f.IotaOf(dtype.I64, 0, seq.Plus(batch)))
	}},
	{name: "dynamic_widened_parts", sizes: ofBatches, build: func(f *lang.Func) {
		x := f.InputOf("x", dtype.F16, batch, seq, shape.N(4)).Convert(dtype.F32)
		f.Output("first", f.Concat(0, x, f.InputOf("y", dtype.F32, shape.N(2), seq, shape.N(4))))
		f.Output("later", f.Concat(1, x.Exp(), x.Add(f.InputOf("z", dtype.F16, batch, seq, shape.N(4)).Convert(dtype.F32))))
		f.Output("bools", f.Concat(0, f.InputOf("b", dtype.Bool, shape.N(9), seq).Convert(dtype.I8), f.InputOf("i", dtype.I8, batch, seq)))
		f.Output("bytes", f.Concat(1, f.InputOf("c", dtype.I8, seq, batch).Convert(dtype.I32).Transpose(1, 0), f.InputOf("j", dtype.I32, batch, seq)))
	}},
	{name: "dynamic_parts", sizes: ofBatches, build: func(f *lang.Func) {
		a, b := f.InputOf("a", dtype.F32, batch, seq), f.InputOf("b", dtype.F32, batch, shape.N(3))
		both := f.Concat(1, a, b, a)
		f.Output("columns", both)
		f.Output("rows", f.Concat(0, a, a.Negate()))
		f.Output("taken", both.SliceOf(1, seq, seq.Plus(shape.N(3)), 1))
		f.Output("steps", both.SliceOf(1, shape.N(1), seq.Plus(shape.N(2)), 2))
		f.Output("first", a.SliceOf(1, shape.N(0), shape.N(1), 1))
		f.Output("last", a.SliceOf(1, seq.Minus(shape.N(1)), seq, 1))
		f.Output("padded", a.Pad(1, 2, 1, -1.5).Pad(0, 0, 1, 3))
		f.Output("reverse", a.Reverse(0, 1))
		f.Output("transpose", a.Transpose(1, 0).Exp())
	}},
	{name: "dynamic_same", sizes: ofN, build: func(f *lang.Func) { // constants, as passes see
		x := f.InputOf("x", dtype.I32, n, shape.N(2))
		f.Output("equal", x.Equal(x))
		f.Output("less", x.Less(x))
		f.Output("xor", x.Xor(x))
		f.Output("subtract", x.Sub(x))
	}},
	{name: "dynamic_many_parts", sizes: ofBatches, build: func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, batch, seq)
		parts := make([]lang.Tensor, 12) // with 6 numbers each, more than the 64 that a kernel accepts
		for i := range parts {
			parts[i] = x.MulScalar(float64(i))
		}
		f.Output("y", f.Concat(1, parts...))
	}},
}

// over returns entry points their sizes.
func over(s []sizes, entries []entry) []entry {
	for i := range entries {
		entries[i].sizes = s
	}
	return entries
}
