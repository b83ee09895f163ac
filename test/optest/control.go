package optest

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

var loops = []entry{
	{name: "loop", build: func(f *lang.Func) { // n! and the sum of the rows passed
		n, x := f.Input("n", dtype.I32), f.Input("x", dtype.F32, 8, 4)
		one, zero := f.Splat(dtype.I32, 1), f.Splat(dtype.I32, 0)
		out := f.While([]lang.Tensor{one, one, f.Splat(dtype.F32, 0, 1, 4)},
			func(c []lang.Tensor) lang.Tensor { return c[0].LessEqual(n) },
			func(c []lang.Tensor) []lang.Tensor {
				row := x.DynamicSlice([]int64{1, 4}, c[0], zero)
				return []lang.Tensor{c[0].AddScalar(1), c[1].Mul(c[0]), c[2].Add(row)}
			})
		f.Output("factorial", out[1])
		f.Output("sum", out[2])
	}, args: []tensor.Value{list([]int32{5})}},
	{name: "loop_of_no_rounds", build: func(f *lang.Func) { // its initial value then has several names
		n, x := f.Input("n", dtype.I32), f.Input("x", dtype.F32, 4, 2)
		y, cache := x.MulScalar(2), f.Splat(dtype.F32, 0, 4, 2)
		out := f.While([]lang.Tensor{f.Splat(dtype.I32, 0), x, x, cache, cache, y},
			func(c []lang.Tensor) lang.Tensor { return c[0].Less(n) },
			func(c []lang.Tensor) []lang.Tensor {
				return []lang.Tensor{c[0].AddScalar(1), c[2], c[1].Add(c[2]), c[3].Add(c[1]), c[4].Sub(c[1]), c[5].Negate()}
			})
		for i, name := range []string{"a", "b", "keys", "values", "c"} {
			row := f.Splat(dtype.F32, float64(10+i), 1, 2)
			f.Output(name, out[1+i].Update(row, n, f.Splat(dtype.I32, 0)))
		}
		f.Output("y", y)
	}, args: []tensor.Value{list([]int32{0}), list([]float32{1, 2, 3, 4, 5, 6, 7, 8}, 4, 2)}},
	{name: "choice_given_twice", build: func(f *lang.Func) {
		n, x := f.Input("n", dtype.I32), f.Input("x", dtype.F32, 4, 2)
		y := x.MulScalar(2)
		out := f.Cond(n.Less(f.Splat(dtype.I32, 1)),
			func() []lang.Tensor { return []lang.Tensor{y, y} },
			func() []lang.Tensor { return []lang.Tensor{y.Add(x), y.Mul(x)} })
		for i, name := range []string{"a", "b"} {
			row := f.Splat(dtype.F32, float64(10+i), 1, 2)
			f.Output(name, out[i].Update(row, n, f.Splat(dtype.I32, 0)))
		}
		f.Output("y", y)
	}, args: []tensor.Value{list([]int32{0}), list([]float32{1, 2, 3, 4, 5, 6, 7, 8}, 4, 2)}},
	{name: "loop_of_one", build: func(f *lang.Func) { // carries a single value
		out := f.While([]lang.Tensor{f.Input("x", dtype.F32)},
			func(c []lang.Tensor) lang.Tensor { return c[0].Less(f.Splat(dtype.F32, 100)) },
			func(c []lang.Tensor) []lang.Tensor { return []lang.Tensor{c[0].MulScalar(3)} })
		f.Output("y", out[0])
	}, args: []tensor.Value{list([]float32{2})}},
	{name: "nested_loops", build: func(f *lang.Func) {
		limit, inner := f.Input("outer", dtype.I32), f.Input("inner", dtype.I32)
		zero := f.Splat(dtype.I32, 0)
		out := f.While([]lang.Tensor{zero, zero},
			func(c []lang.Tensor) lang.Tensor { return c[0].Less(limit) },
			func(c []lang.Tensor) []lang.Tensor {
				sum := f.While([]lang.Tensor{zero, c[1]},
					func(d []lang.Tensor) lang.Tensor { return d[0].Less(inner) },
					func(d []lang.Tensor) []lang.Tensor { return []lang.Tensor{d[0].AddScalar(1), d[1].Add(c[0])} })
				return []lang.Tensor{c[0].AddScalar(1), sum[1]}
			})
		f.Output("sum", out[1])
	}, args: []tensor.Value{list([]int32{4}), list([]int32{3})}},
	{name: "loop_of_choices", build: func(f *lang.Func) { // greedy decoding: the token of one iteration is the input of the next
		limit, stop, table := f.Input("limit", dtype.I32), f.Input("stop", dtype.I32), f.Input("table", dtype.F32, 64, 32)
		zero := f.Splat(dtype.I32, 0)
		out := f.While([]lang.Tensor{zero, f.Splat(dtype.I32, 3), f.Splat(dtype.F32, 0)},
			func(c []lang.Tensor) lang.Tensor { return c[0].Less(limit).And(c[1].NotEqual(stop)) },
			func(c []lang.Tensor) []lang.Tensor {
				row := table.Take(c[1].Reshape(1)).Reshape(32)
				scores := table.Dot(row, lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{0}})
				itself := f.Iota(dtype.I32, 0, 64).Equal(c[1])
				scores = itself.Select(f.Splat(dtype.F32, -100, 64), scores)
				spread := scores.Sub(scores.ReduceMax(true, 0)).Exp().Sum(false, 0).Log()
				return []lang.Tensor{c[0].AddScalar(1), scores.ArgMax(0), c[2].Sub(spread)}
			})
		f.Output("choice", out[1])
		f.Output("probability", out[2])
		f.Output("stopped", out[1].Equal(stop))
	}, args: []tensor.Value{list([]int32{5}), list([]int32{63})}},
	{name: "choice", build: func(f *lang.Func) {
		n, x := f.Input("n", dtype.I32), f.Input("x", dtype.F32, 2, 3)
		large := n.Greater(f.Splat(dtype.I32, 4))
		one := f.Cond(large, func() []lang.Tensor { return []lang.Tensor{x.Exp()} }, func() []lang.Tensor { return []lang.Tensor{x} })
		two := f.Cond(large.Not(), func() []lang.Tensor { return []lang.Tensor{n, x.Negate()} }, func() []lang.Tensor {
			return []lang.Tensor{n.AddScalar(1), f.Cond(large, func() []lang.Tensor { return []lang.Tensor{x.Add(x)} }, func() []lang.Tensor { return []lang.Tensor{x} })[0]}
		})
		f.Output("one", one[0])
		f.Output("count", two[0])
		f.Output("two", two[1])
	}, args: []tensor.Value{list([]int32{7})}},
	{name: "choice_in_loop", build: func(f *lang.Func) { // Collatz: the steps from n to 1
		n, zero := f.Input("n", dtype.I32), f.Splat(dtype.I32, 0)
		one := f.Splat(dtype.I32, 1)
		out := f.While([]lang.Tensor{n, zero},
			func(c []lang.Tensor) lang.Tensor { return c[0].Greater(one) },
			func(c []lang.Tensor) []lang.Tensor {
				odd := c[0].And(one).Equal(one)
				next := f.Cond(odd, func() []lang.Tensor { return []lang.Tensor{c[0].MulScalar(3).AddScalar(1)} },
					func() []lang.Tensor { return []lang.Tensor{c[0].Div(f.Splat(dtype.I32, 2))} })
				return []lang.Tensor{next[0], c[1].AddScalar(1)}
			})
		f.Output("steps", out[1])
	}, args: []tensor.Value{list([]int32{27})}},
	{name: "barrier", build: func(f *lang.Func) {
		e := f.Input("x", dtype.F32, 4, 32).Exp().Barrier()
		f.Output("y", e.Div(e.Sum(true, 1)))
		f.Output("bools", f.Input("b", dtype.Bool, 5).Barrier())
	}},
	{name: "shard", build: func(f *lang.Func) { // on one device
		e := f.Input("x", dtype.F32, 4, 6).Exp().Shard("data", "model")
		f.Output("y", e.Div(e.Sum(true, 1)).Shard("data", ""))
		f.Output("bools", f.Input("b", dtype.Bool, 5).Not().Shard(""))
	}},
	{name: "attention", build: func(f *lang.Func) {
		q, k, v := f.Input("q", dtype.F32, 2, 6, 8), f.Input("k", dtype.F32, 2, 10, 8), f.Input("v", dtype.F32, 2, 10, 8)
		f.Output("whole", nn.Attention(q, k, v, nn.AttentionOptions{}))
		f.Output("blocks", nn.Attention(q, k, v, nn.AttentionOptions{BlockRows: 3}))
	}},
}

// withCalls are the entry points of calls, withState those of stateful.
var (
	withCalls = []string{"call_once", "call_twice"}
	withState = []string{"push", "count", "fill"}
)

func calls(m *lang.Module) {
	affine := m.Func("affine", func(f *lang.Func) {
		x := f.Input("x", dtype.F32, 3)
		f.Output("y", x.MulScalar(2).AddScalar(1))
	})
	both := m.Func("sum_and_product", func(f *lang.Func) {
		a, b := f.Input("a", dtype.F32, 3), f.Input("b", dtype.F32, 3)
		f.Output("sum", f.Call(affine, a.Add(b))[0])
		f.Output("product", a.Mul(b))
	})
	m.Entry("call_once", func(f *lang.Func) { f.Output("y", f.Call(affine, f.Input("x", dtype.F32, 3))[0]) })
	m.Entry("call_twice", func(f *lang.Func) {
		x := f.Input("x", dtype.F32, 3)
		first := f.Call(both, x, f.Input("y", dtype.F32, 3))
		second := f.Call(both, first[0], first[1])
		f.Output("sum", second[0])
		f.Output("product", second[1])
	})
}

// stateful has two caches with one initial value, written in place and
// multiplied in the call that writes them (compile/iree, state-alias).
func stateful(m *lang.Module) {
	k, v := m.State("k_cache", dtype.F32, 0, 4, 2), m.State("v_cache", dtype.F32, 0, 4, 2)
	calls := m.State("calls", dtype.I32, 10)
	m.Entry("push", func(f *lang.Func) {
		row, pos, zero := f.Input("row", dtype.F32, 1, 2), f.Input("pos", dtype.I32), f.Splat(dtype.I32, 0)
		keys, values := f.Read(k).Update(row, pos, zero), f.Read(v).Update(row.Negate(), pos, zero)
		f.Write(k, keys)
		f.Write(v, values)
		f.Output("kv", keys.Dot(values, lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{1}}))
	})
	// Both caches change in a loop and before it, one of them in a function.
	row := m.Func("row", func(f *lang.Func) {
		cache, x, at := f.Input("cache", dtype.F32, 4, 2), f.Input("x", dtype.F32, 1, 2), f.Input("at", dtype.I32)
		f.Output("cache", cache.UpdateRows(x, at))
	})
	m.Entry("fill", func(f *lang.Func) {
		x, pos := f.Input("row", dtype.F32, 1, 2), f.Input("pos", dtype.I32)
		keys, values := f.Read(k), f.Call(row, f.Read(v), x, pos)[0]
		out := f.While([]lang.Tensor{pos, keys, values, x}, func(c []lang.Tensor) lang.Tensor {
			return c[0].Less(f.Splat(dtype.I32, 6))
		}, func(c []lang.Tensor) []lang.Tensor {
			next := c[3].Add(c[1].Sum(true, 0)).Sub(c[2].Sum(true, 0))
			return []lang.Tensor{c[0].AddScalar(1), c[1].UpdateRows(c[3], c[0]), f.Call(row, c[2], next, c[0])[0], next}
		})
		f.Write(k, out[1])
		f.Write(v, out[2])
		f.Output("last", out[3])
		f.Output("keys", out[1].Add(keys))
	})
	m.Entry("count", func(f *lang.Func) {
		f.Input("row", dtype.F32, 1, 2)
		f.Input("pos", dtype.I32)
		n := f.Read(calls).AddScalar(1)
		f.Write(calls, n)
		f.Output("n", n)
	})
}

// step returns the arguments of a stateful entry point's call number pos.
func step(pos int32) []tensor.Value {
	x := float32(pos + 1)
	return []tensor.Value{list([]float32{x, 10 * x}, 1, 2), list([]int32{pos})}
}
