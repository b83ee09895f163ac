package randgraph

import (
	"math"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// function is a method of one operand, with the values that it takes.
type function struct {
	apply  func(T) T
	domain style
}

var functions = map[string]function{
	"negate": {T.Negate, anything}, "abs": {T.Abs, anything}, "not": {T.Not, anything}, "sign": {T.Sign, anything},
	"exp": {T.Exp, style{low: -6, high: 6}}, "expm1": {T.Expm1, style{low: -6, high: 6}},
	"log": {T.Log, style{low: 0.1, high: 50}}, "log2": {T.Log2, style{low: 0.1, high: 50}},
	"log10": {T.Log10, style{low: 0.1, high: 50}}, "log1p": {T.Log1p, style{low: -0.8, high: 50}},
	"sqrt": {T.Sqrt, style{low: 0, high: 100}}, "rsqrt": {T.Rsqrt, style{low: 0.1, high: 100}},
	"cbrt": {T.Cbrt, anything}, "reciprocal": {T.Reciprocal, style{low: 0.2, high: 50}},
	"tanh": {T.Tanh, anything}, "logistic": {T.Logistic, anything}, "erf": {T.Erf, anything}, "erfc": {T.Erfc, style{low: -5, high: 5}},
	"sine": {T.Sine, style{low: -9, high: 9}}, "cosine": {T.Cosine, style{low: -9, high: 9}}, "tan": {T.Tan, style{low: -1.4, high: 1.4}},
	"asin": {T.Asin, style{low: -0.9, high: 0.9}}, "acos": {T.Acos, style{low: -0.9, high: 0.9}}, "atan": {T.Atan, anything},
	"sinh": {T.Sinh, style{low: -5, high: 5}}, "cosh": {T.Cosh, style{low: -5, high: 5}}, "asinh": {T.Asinh, anything},
	"acosh": {T.Acosh, style{low: 1.1, high: 40}}, "atanh": {T.Atanh, style{low: -0.9, high: 0.9}},
	"floor": {T.Floor, anything}, "ceil": {T.Ceil, anything}, "round": {T.Round, anything}, "trunc": {T.Trunc, anything},
	"square": {T.Square, anything}, "relu": {T.ReLU, anything}, "relu6": {T.ReLU6, anything}, "silu": {T.SiLU, anything},
	"softplus": {T.Softplus, anything}, "mish": {T.Mish, anything}, "selu": {T.SELU, anything}, "gelu": {T.GELU, anything},
	"gelu_tanh": {T.GELUTanh, anything}, "hardsigmoid": {T.Hardsigmoid, anything}, "hardswish": {T.Hardswish, anything},
	"is_nan": {T.IsNaN, anything}, "is_inf": {T.IsInf, anything}, "is_finite": {T.IsFinite, anything},
	"barrier": {T.Barrier, anything},
}

func functionRecipes() map[string]recipe {
	all := map[string]recipe{}
	for name, f := range functions {
		all[name] = func(g *gen) *step { return single(g.operand(class(name, 0), 0, 5, 0, f.domain), f.apply) }
	}
	return all
}

var binaries = map[string]struct {
	apply func(a, b T) T
	b     style
}{
	"add": {T.Add, anything}, "subtract": {T.Sub, anything}, "multiply": {T.Mul, anything}, "maximum": {T.Max, anything}, "minimum": {T.Min, anything},
	"divide": {T.Div, style{low: 2, high: 9}}, "remainder": {T.Remainder, style{low: 1, high: 9}}, "modulo": {T.Modulo, style{low: 1, high: 9}},
	"and": {T.And, anything}, "or": {T.Or, anything}, "xor": {T.Xor, anything}, "atan2": {T.Atan2, anything},
}

var elementwiseRecipes = func() map[string]recipe {
	all := map[string]recipe{
		"power": func(g *gen) *step {
			a := g.operand(op.Float, 0, 5, 0, style{low: 0.3, high: 4})
			return pair(a, g.partner(a, style{low: -3, high: 3}), T.Pow)
		},
		"compare": func(g *gen) *step {
			direction := one(g, []lang.Direction{lang.EQ, lang.NE, lang.LT, lang.LE, lang.GT, lang.GE})
			a := g.operand(op.Any, 0, 5, 0, anything)
			return pair(a, g.partner(a, anything), func(a, b T) T { return a.Compare(direction, b) })
		},
		"shard": func(g *gen) *step {
			return single(g.operand(op.Any, 1, 5, 0, anything), func(x T) T {
				axes := make([]string, x.Rank())
				axes[0] = "data"
				return x.Shard(axes...)
			})
		},
		"select": func(g *gen) *step {
			a := g.operand(op.Any, 0, 5, 0, anything)
			b := g.partner(a, anything)
			sizes := g.alike(g.dims(a))
			if g.chance(3) {
				sizes = nil
			}
			c := g.exactly(tensor.TypeOf(dtype.Bool, sizes...), anything)
			return triple(c, a, b, T.Select)
		},
		"clamp": func(g *gen) *step {
			x := g.operand(op.Numeric, 0, 5, 0, anything)
			bound := func() int {
				t := tensor.TypeOf(g.typ(x).DType)
				if g.chance(2) {
					t = g.typ(x)
				}
				return g.exactly(t, anything)
			}
			return triple(bound(), x, bound(), func(low, x, high T) T { return x.Clamp(low, high) })
		},
		"convert": func(g *gen) *step {
			x := g.operand(op.Any, 0, 5, 0, anything)
			d := g.dtype(op.Any)
			if from := g.typ(x).DType; from.IsFloat() && d.IsInt() && g.chance(3) {
				x = g.edges(g.typ(x), d)
			}
			return single(x, func(x T) T { return x.Convert(d) })
		},
		"leaky_relu": func(g *gen) *step {
			slope := g.r.Float64()
			return single(g.operand(op.Float, 0, 5, 0, anything), func(x T) T { return x.LeakyReLU(slope) })
		},
		"elu": func(g *gen) *step {
			alpha := g.r.Float64() * 2
			return single(g.operand(op.Float, 0, 5, 0, anything), func(x T) T { return x.ELU(alpha) })
		},
		"iota": func(g *gen) *step {
			d, sizes := g.dtype(op.Numeric), g.sizes(1, 5, 0)
			dim := g.r.IntN(len(sizes))
			dims := g.known(sizes)
			return source(func(f *lang.Func) T { return f.IotaOf(d, dim, dims...) })
		},
		"splat": func(g *gen) *step {
			d, sizes, v := g.dtype(op.Any), g.sizes(0, 5, 0), float64(g.r.IntN(2))
			if d.IsFloat() {
				v = math.Round(g.r.NormFloat64()*16) / 8
			} else if d.IsInt() {
				v = float64(g.r.IntN(100))
			}
			dims := g.known(sizes)
			return source(func(f *lang.Func) T { return f.SplatOf(d, v, dims...) })
		},
		"shift_left":  shift(T.ShiftLeft),
		"shift_right": shift(T.ShiftRight),
	}
	for name, b := range binaries {
		all[name] = func(g *gen) *step {
			x := g.operand(class(name, 0), 0, 5, 0, anything)
			y := g.partner(x, b.b)
			if b.b == anything && g.chance(2) {
				x, y = y, x
			}
			return pair(x, y, b.apply)
		}
	}
	return all
}()

func shift(apply func(a, b T) T) recipe {
	return func(g *gen) *step {
		x := g.operand(op.Int, 0, 5, 0, anything)
		d := g.typ(x).DType
		s := style{high: float64(d.Bits() + 1), whole: true}
		if d.IsSigned() {
			s.low = -2
		}
		return pair(x, g.partner(x, s), apply)
	}
}

// partner chooses a value that broadcasts with value i and has its element type.
func (g *gen) partner(i int, s style) int {
	t := g.typ(i)
	if !g.chance(3) {
		if j := g.find(func(v *value) bool {
			return v.typ.DType == t.DType && within(v, s) && broadcasts(v.typ.Shape.Sizes(), t.Shape.Sizes())
		}); j >= 0 {
			return j
		}
	}
	return g.leaf(tensor.TypeOf(t.DType, g.alike(t.Shape.Sizes())...), s)
}

func broadcasts(a, b []int64) bool {
	for i := 1; i <= min(len(a), len(b)); i++ {
		if x, y := a[len(a)-i], b[len(b)-i]; x != y && x != 1 && y != 1 {
			return false
		}
	}
	return true
}
