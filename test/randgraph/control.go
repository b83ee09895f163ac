package randgraph

import (
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var controlRecipes = map[string]recipe{
	// A loop carries its counter, a tensor, and at times the tensor of the round
	// before, which is the same one where no round is run; what it does not carry it uses
	// from around it. Results may be changed in place, each in its own way.
	"while": func(g *gen) *step {
		x := g.operand(op.Numeric, 0, 4, 0, anything)
		rounds := g.exactly(tensor.TypeOf(dtype.I32), style{low: 0, high: 4, whole: true})
		chain, two, change := g.chain(x), g.chance(2), g.chance(2)
		return several(rounds, x, func(b *building, n, x T) []T {
			zero, one := b.f.Splat(dtype.I32, 0), b.f.Splat(dtype.I32, 1)
			initial := []T{zero, x}
			if two {
				initial = append(initial, x)
			}
			out := b.f.While(initial,
				func(c []T) T { return c[0].Less(n) },
				func(c []T) []T {
					next := []T{c[0].Add(one), chain(c[1], x)}
					if two {
						next = append(next, c[1])
					}
					return next
				})[1:]
			if change {
				out = changed(b, out)
			}
			return out
		})
	},
	"cond": func(g *gen) *step {
		x := g.operand(op.Numeric, 0, 4, 0, anything)
		p := g.exactly(tensor.TypeOf(dtype.Bool), anything)
		a, b, two, change := g.chain(x), g.chain(x), g.chance(2), g.chance(2)
		return several(p, x, func(at *building, p, x T) []T {
			branch := func(chain func(x, y T) T) func() []T {
				return func() []T {
					out := []T{chain(x, x)}
					if two {
						out = append(out, x)
					}
					return out
				}
			}
			out := at.f.Cond(p, branch(a), branch(b))
			if change {
				out = changed(at, out)
			}
			return out
		})
	},
	"call": func(g *gen) *step {
		x := g.operand(op.Numeric, 0, 4, 0, anything)
		y := g.exactly(g.typ(x), anything)
		chain, two, t := g.chain(x), g.chance(2), g.typ(x)
		s := &step{in: []int{x, y}, build: func(b *building, in []T) []T {
			out := b.f.Call(b.callee, in...)
			if two { // again, on what it gave
				out = b.f.Call(b.callee, out[0], in[0])
			}
			return out
		}}
		s.callee = func(f *lang.Func) {
			x, y := f.Input("x", t.DType, t.Shape.Sizes()...), f.Input("y", t.DType, t.Shape.Sizes()...)
			f.Output("z", chain(x, y))
		}
		return s
	},
}

// changed replaces the first rows of tensors, each by one of its own.
func changed(b *building, xs []T) []T {
	rank := xs[0].Rank()
	if rank == 0 {
		return xs
	}
	at := make([]T, rank)
	for i := range at {
		at[i] = b.f.Splat(dtype.I32, 0)
	}
	out := make([]T, len(xs))
	for i, x := range xs {
		row := x.Slice(0, 0, 1)
		for range i + 1 {
			row = row.Add(xs[0].Slice(0, 0, 1))
		}
		out[i] = x.Update(row, at...)
	}
	return out
}

// several is a step of two operands and any number of results.
func several(x, y int, f func(b *building, x, y T) []T) *step {
	return &step{in: []int{x, y}, build: func(b *building, in []T) []T { return f(b, in[0], in[1]) }}
}

// chain makes a function of two tensors of the type of value i that gives one of
// that type: what loops, choices and functions hold.
func (g *gen) chain(i int) func(x, y T) T {
	t := g.typ(i)
	links := []func(x, y T) T{
		T.Add, T.Sub, T.Max, T.Min,
		func(x, _ T) T { return x.Negate() },
		func(x, _ T) T { return x.Abs() },
	}
	if t.DType.IsFloat() {
		links = append(links,
			func(x, _ T) T { return x.MulScalar(0.5) },
			func(x, _ T) T { return x.Tanh() },
			func(x, y T) T { return x.Mul(y.Logistic()) },
		)
	} else {
		links = append(links, T.And, T.Xor, func(x, _ T) T { return x.Not() })
	}
	if r := t.Shape.Rank(); r > 0 {
		dim := g.axis(r)
		links = append(links,
			func(x, _ T) T { return x.Reverse(dim) },
			func(x, _ T) T { return x.Sub(x.ReduceMax(true, dim)) },
		)
	}
	picked := make([]func(x, y T) T, 1+g.r.IntN(3))
	for k := range picked {
		picked[k] = one(g, links)
	}
	return func(x, y T) T {
		for _, link := range picked {
			x = link(x, y)
		}
		return x
	}
}
