package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// fault is the smallest known model that shows the bug of a row.
type fault struct {
	target string // row of the table of targets; "" is the default target
	build  func(m *lang.Module)
	args   []tensor.Value // arguments of the entry point main
	device string         // "" is the calling thread
	cause  string         // where in the compiler, for reports
	weight shape.Shape    // of the parameter w, f32, if the model has it
	// kernels takes the text with kernels for a row of any text.
	kernels bool
	// count is the pattern whose occurrences grow in the compiler's output up to this phase.
	phase, count string
}

// vulkan is the target of rows for SPIR-V bugs.
const vulkan = "vulkan_generic"

// multiplyAdd is the instruction of which an exponential takes nine.
const multiplyAdd = "llvm.intr.fma"

// joined is the number of tensors that one case concatenates.
const joined = 12

var n, k = shape.Named("n"), shape.Named("k")

// options returns those of the texts of a case.
func (f fault) options(r *iree.Rewrite) iree.Options {
	return iree.Options{Kernels: r.Text == iree.KernelText || f.kernels, IntegerF16: r.Text == iree.NoF16Text}
}

// entry returns a model with the single entry point main.
func entry(build func(f *lang.Func)) func(m *lang.Module) {
	return func(m *lang.Module) { m.Entry("main", build) }
}

// of returns a model with one result computed from an argument x.
func of(d dtype.DType, dims shape.Shape, y func(x lang.Tensor) lang.Tensor) func(m *lang.Module) {
	return entry(func(f *lang.Func) { f.Output("y", y(f.InputOf("x", d, dims...))) })
}

// sinking returns a 1, and numbers that are lost where they are added to it one by one.
func sinking(count int) []float32 {
	v := make([]float32, count)
	for i := range v {
		v[i] = 0x1p-26
	}
	v[0] = 1
	return v
}

// weights are the contracting dimensions of a product with a weight [N, K].
var weights = lang.Dims{LHS: []int{1}, RHS: []int{1}}

func list[T tensor.Element](v []T, sizes ...int64) tensor.Value {
	x, err := tensor.Of(v, sizes...)
	if err != nil {
		panic(err) // the lists are below
	}
	return x
}

// faults maps the names of rows to their models.
var faults = map[string]fault{
	"state-alias": {build: func(m *lang.Module) {
		keys, values := m.State("keys", dtype.F32, 0, 4, 2), m.State("values", dtype.F32, 0, 4, 2)
		m.Entry("main", func(f *lang.Func) {
			row, at, zero := f.Input("row", dtype.F32, 1, 2), f.Input("at", dtype.I32), f.Splat(dtype.I32, 0)
			k, v := f.Read(keys).Update(row, at, zero), f.Read(values).Update(row.Negate(), at, zero)
			f.Write(keys, k)
			f.Write(values, v)
			f.Output("product", k.Dot(v, lang.Dims{}, weights))
		})
	}, args: []tensor.Value{list([]float32{1, 2}, 1, 2), list([]int32{1})}},
	"kept-argument": {build: entry(func(f *lang.Func) {
		x, zero := f.Input("x", dtype.F32, 4, 2), f.Splat(dtype.I32, 0)
		f.Output("y", x.Update(f.Input("row", dtype.F32, 1, 2), f.Input("at", dtype.I32), zero))
		f.Output("x", x)
	}), args: []tensor.Value{list([]float32{1, 2, 3, 4, 5, 6, 7, 8}, 4, 2), list([]float32{-1, -2}, 1, 2), list([]int32{1})}},
	"shared-result": {build: entry(func(f *lang.Func) {
		n, zero, row := f.Input("n", dtype.I32), f.Splat(dtype.I32, 0), f.Input("row", dtype.F32, 1, 2)
		cache := f.Splat(dtype.F32, 0, 4, 2)
		out := f.While([]lang.Tensor{zero, cache, cache},
			func(v []lang.Tensor) lang.Tensor { return v[0].Less(n) },
			func(v []lang.Tensor) []lang.Tensor {
				return []lang.Tensor{v[0].AddScalar(1), v[1].AddScalar(1), v[2].AddScalar(2)}
			})
		f.Output("keys", out[1].Update(row, n, zero))
		f.Output("values", out[2].Update(row.Negate(), n, zero))
	}), args: []tensor.Value{list([]int32{0}), list([]float32{1, 2}, 1, 2)}},
	"unsigned-product": {build: entry(func(f *lang.Func) {
		f.Output("y", f.Input("x", dtype.U8, 2, 2).Convert(dtype.F32).Dot(f.Input("w", dtype.F32, 2, 2), lang.Dims{}, weights))
	}), args: []tensor.Value{list([]uint8{200, 0, 0, 255}, 2, 2), list([]float32{1, 2, 1, 0}, 2, 2)}},
	"unsigned-variable": {build: func(m *lang.Module) {
		s := m.State("count", dtype.U8, 200, 2)
		m.Entry("main", func(f *lang.Func) { f.Output("y", f.Read(s)) })
	}},
	"barrier-sizes": {build: of(dtype.F32, shape.Shape{n, k}, func(x lang.Tensor) lang.Tensor { return x.Exp().Barrier().Softmax(1) })},
	"indices-fused": {target: "vulkan", build: entry(func(f *lang.Func) {
		x := f.Input("w", dtype.F32, 512, 64).Take(f.Input("i", dtype.I32, 1))
		f.Output("y", x.RMSNorm(f.Input("g", dtype.F32, 64), 1e-6, 0))
		scores := f.Input("x", dtype.F32, 4, 1, 64)
		seen := f.Iota(dtype.I32, 2, 4, 1, 64).LessEqual(f.Input("n", dtype.I32).BroadcastTo(4, 1, 64))
		f.Output("z", seen.Select(scores, f.Splat(dtype.F32, -1e9, 4, 1, 64)).Softmax(2))
	})},
	"softmax-exponential": {build: of(dtype.F32, shape.Of(16, 64), func(x lang.Tensor) lang.Tensor { return x.Softmax(1) }), phase: "executable-targets", count: multiplyAdd},
	"long-row": {kernels: true, build: of(dtype.F32, shape.Shape{shape.N(4), k}, func(x lang.Tensor) lang.Tensor {
		y := x.Exp()
		return y.Sub(y.ReduceMax(true, 1))
	}), phase: "executable-targets", count: multiplyAdd},
	"unknown-rows": {kernels: true, build: entry(func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, n, shape.N(384)).Add(f.InputOf("r", dtype.F32, n, shape.N(384)))
		f.Output("y", x.LayerNorm(f.Input("gamma", dtype.F32, 384), f.Input("beta", dtype.F32, 384), 1e-12))
	}), args: []tensor.Value{list(make([]float32, 128*384), 128, 384), list(make([]float32, 128*384), 128, 384), list(make([]float32, 384), 384), list(make([]float32, 384), 384)}},
	"rows-resummed": {kernels: true, build: of(dtype.F32, shape.Of(128, 384), func(x lang.Tensor) lang.Tensor {
		apart := x.Sub(x.Mean(true, 1))
		return apart.Div(apart.Square().Mean(true, 1).AddScalar(1e-5).Sqrt()).ReduceMax(false, 0, 1)
	}), args: []tensor.Value{list(make([]float32, 128*384), 128, 384)}},
	"sliced-widening": {target: vulkan, build: entry(func(f *lang.Func) {
		f.Output("y", f.Input("x", dtype.F32, 3, 4).Dot(f.Input("w", dtype.F16, 8, 4).Convert(dtype.F32).Exp().Slice(0, 2, 6), lang.Dims{}, weights))
	})},
	"transposed-product": {target: "vulkan", build: entry(func(f *lang.Func) {
		product := f.Input("h", dtype.F32, 64, 32).Dot(f.Input("w", dtype.F32, 16, 32), lang.Dims{}, weights)
		y := f.Input("x", dtype.F32, 16, 64).Add(product.Add(f.Input("bias", dtype.F32, 16)).Transpose(1, 0))
		f.Output("norm", y.LayerNorm(f.Input("gamma", dtype.F32, 64), f.Input("beta", dtype.F32, 64), 1e-6))
		f.Output("shares", y.Softmax(0))
	})},
	"unsigned-size":   {build: of(dtype.U8, shape.Shape{n}, func(x lang.Tensor) lang.Tensor { return x.Size(0) })},
	"size-on-host":    {target: vulkan, build: of(dtype.F32, shape.Shape{n}, func(x lang.Tensor) lang.Tensor { return x.Size(0).AddScalar(1) })},
	"broadcast-twice": {build: of(dtype.F32, shape.Shape{n}, func(x lang.Tensor) lang.Tensor { return x.BroadcastOf(k2, n).BroadcastOf(shape.N(3), k2, n) })},
	"dynamic-reshape": {build: of(dtype.F32, shape.Shape{n, shape.N(12)}, func(x lang.Tensor) lang.Tensor { return x.Reshape(-1).MulScalar(2) })},
	"dynamic-itself":  {build: of(dtype.I32, shape.Shape{n, shape.N(2)}, func(x lang.Tensor) lang.Tensor { return x.Sub(x) })},
	"dynamic-parts": {kernels: true, build: entry(func(f *lang.Func) {
		parts := make([]lang.Tensor, joined)
		for i := range parts {
			parts[i] = f.InputOf(fmt.Sprintf("x%d", i), dtype.F32, n, shape.Named(fmt.Sprintf("k%d", i)))
		}
		f.Output("y", f.Concat(1, parts...))
	}), args: slices.Repeat([]tensor.Value{list([]float32{1, 2}, 2, 1)}, joined)},
	"dynamic-branches": {target: vulkan, cause: causeBranches, build: entry(func(f *lang.Func) {
		f.Output("y", f.Concat(1, f.InputOf("a", dtype.F32, n, k), f.InputOf("b", dtype.F32, n, shape.N(3)), f.InputOf("c", dtype.F32, n, k)))
	}), args: []tensor.Value{list([]float32{1, 2}, 2, 1), list([]float32{1, 2, 3, 4, 5, 6}, 2, 3), list([]float32{7, 8}, 2, 1)}},
	"dynamic-widening": {target: vulkan, build: entry(func(f *lang.Func) {
		x := f.InputOf("x", dtype.F16, n, k, shape.N(5))
		f.Output("some", x.Sum(false, 1))
		f.Output("all", x.Sum(false, 0, 1, 2))
	})},
	"dynamic-widened-part": {build: entry(func(f *lang.Func) {
		f.Output("y", f.Concat(0, f.InputOf("x", dtype.I32, n, shape.N(4)), f.InputOf("w", dtype.I8, k, shape.N(4)).Convert(dtype.I32)))
	})},
	"dynamic-nothing": {build: of(dtype.F32, shape.Shape{n, shape.N(0), shape.N(8)}, func(x lang.Tensor) lang.Tensor {
		return x.ReshapeOf(n, shape.N(0), shape.N(4), k2).Slice(2, 0, 3).Slice(2, 1, 3)
	})},
	"constant-kernel": {build: entry(func(f *lang.Func) {
		x := lang.Const(f, falling[float32](32), 8, 4, 1).Floor()
		f.Output("y", x)
		f.Output("z", x.Exp())
		f.Output("part", x.Slice(1, 0, 2))
	})},
	"element-reshaped": {build: entry(func(f *lang.Func) {
		y := f.Input("x", dtype.F32, 2).Slice(0, 0, 1).Reshape(1, 1)
		f.Output("y", y)
		f.Output("z", y.Tanh())
	})},
	"sort-in-place":    {build: sortedLate, cause: causeSort, args: []tensor.Value{list(falling[uint16](16*13), 8, 2, 1, 13, 1)}},
	"reverse-unsigned": {build: of(dtype.U8, shape.Of(4), func(x lang.Tensor) lang.Tensor { return x.Reverse(0) })},
	"pad-of-nothing":   {build: of(dtype.F32, shape.Of(1, 3), func(x lang.Tensor) lang.Tensor { return x.Slice(0, 1, 1).Pad(0, 1, 0, 1).Sum(false, 1) }), args: []tensor.Value{list([]float32{1, 2, 3}, 1, 3)}},
	"long-sum":         {build: of(dtype.F32, shape.Of(1, 263), func(x lang.Tensor) lang.Tensor { return x.Sum(false, 1) }), args: []tensor.Value{list(sinking(263), 1, 263)}},
	"reduce-order":     {target: vulkan, build: of(dtype.F32, shape.Of(16, 64), func(x lang.Tensor) lang.Tensor { return x.Exp().Sum(false, 0) })},
	"reduce-shared":    {target: vulkan, build: of(dtype.F32, shape.Of(16, 64), func(x lang.Tensor) lang.Tensor { return x.Sub(x.ReduceMax(true, 1)) })},
	"reduce-nothing":   {build: of(dtype.U8, shape.Shape{n, shape.N(0), shape.N(2)}, func(x lang.Tensor) lang.Tensor { return x.Prod(true, 1) })},
	"dynamic-product": {build: entry(func(f *lang.Func) {
		f.Output("y", f.InputOf("x", dtype.F32, n, k, shape.N(6)).Dot(f.Input("w", dtype.F32, 6, 4), lang.Dims{}, lang.Dims{LHS: []int{2}, RHS: []int{0}}))
	})},
	"product-of-nothing": {build: entry(func(f *lang.Func) {
		f.Output("y", f.Input("x", dtype.F32, 3, 0).Dot(f.Input("w", dtype.F32, 2, 0), lang.Dims{}, weights))
	})},
	"dynamic-product-fused": {target: vulkan, build: entry(func(f *lang.Func) {
		x := f.InputOf("x", dtype.U8, n, shape.N(4)).Convert(dtype.I32)
		f.Output("y", x.Transpose(1, 0).Dot(x.Slice(1, 0, 2), lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{0}}))
	})},
	"convolution-product": {build: entry(func(f *lang.Func) {
		f.Output("y", f.InputOf("x", dtype.F32, n, shape.N(3), k).Conv1D(f.Input("w", dtype.F32, 4, 3, 3), 2, 1))
	})},
	"depthwise-sum": {build: entry(func(f *lang.Func) {
		f.Output("y", f.Input("x", dtype.F32, 1, 8, 9, 9).Conv(f.Input("w", dtype.F32, 8, 1, 3, 3), lang.WindowOptions{Groups: 8}))
	}), phase: "flow", count: "flow.dispatch @"},
	"convolution-kernel": {build: entry(func(f *lang.Func) {
		f.Output("y", f.Input("x", dtype.F32, 1, 8, 9, 9).Conv(f.Input("w", dtype.F32, 4, 8, 3, 3), lang.WindowOptions{}))
	}), phase: "flow", count: "flow.tensor.update"},
	"max-pool-kernel": {build: entry(func(f *lang.Func) {
		f.Output("y", f.Input("x", dtype.F32, 1, 4, 9, 9).MaxPool([]int64{3, 3}, lang.WindowOptions{Low: []int64{1, 1}, High: []int64{1, 1}, Strides: []int64{2, 2}}))
	}), phase: "flow", count: "flow.dispatch @"},
	"convolution-of-nothing": {build: entry(func(f *lang.Func) {
		f.Output("y", f.InputOf("x", dtype.F32, n, shape.N(0), shape.N(8)).Conv1D(f.Input("w", dtype.F32, 4, 0, 3), 1, 1))
	})},
	"dynamic-gather": {build: entry(func(f *lang.Func) {
		f.Output("y", f.InputOf("w", dtype.F32, n, shape.N(4)).Take(f.InputOf("i", dtype.I32, k)))
	})},
	"gather-bounds": {build: entry(func(f *lang.Func) {
		f.Output("y", f.Input("w", dtype.F32, 2, 2).Take(f.Input("i", dtype.I32, 3)))
	}), args: []tensor.Value{list([]float32{1, 2, 3, 4}, 2, 2), list([]int32{-40, 1, 90}, 3)}},
	"narrow-start": {build: entry(func(f *lang.Func) {
		f.Output("y", f.Input("x", dtype.F32, 8).DynamicSlice([]int64{2}, f.Input("at", dtype.I8)))
	}), args: []tensor.Value{list([]float32{0, 1, 2, 3, 4, 5, 6, 7}, 8), list([]int8{-1})}},
	"slice-of-scalar": {build: of(dtype.F32, shape.Shape{}, func(x lang.Tensor) lang.Tensor { return x.DynamicSlice(nil).AddScalar(1) })},
	"dynamic-update": {build: entry(func(f *lang.Func) {
		f.Output("y", f.InputOf("x", dtype.F32, n, shape.N(4)).Update(f.Input("u", dtype.F32, 1, 4), f.Input("at", dtype.I32), f.Splat(dtype.I32, 0)))
	})},
	"update-rows": {build: entry(func(f *lang.Func) {
		f.Output("y", f.Input("x", dtype.F32, 8, 4).UpdateRows(f.InputOf("u", dtype.F32, n, shape.N(4)), f.Input("at", dtype.I32)))
	})},
	"dynamic-sort":       {build: of(dtype.F32, shape.Shape{shape.N(2), n}, func(x lang.Tensor) lang.Tensor { return x.ArgSort(1, false) })},
	"scatter-of-nothing": {build: entry(func(f *lang.Func) { f.Output("y", scatter(f, f.Input("x", dtype.F32, 4, 2), 0)) })},
	"scatter-fused":      {target: "cuda_sm_80", build: entry(func(f *lang.Func) { f.Output("y", scatter(f, f.Input("x", dtype.F32, 4, 2), 3)) })},
	"scatter-operand": {build: entry(func(f *lang.Func) {
		y := f.Input("x", dtype.F32, 2, 6).MulScalar(0.5)
		f.Output("y", y.Reshape(12).Scatter(lang.ScatterAdd, f.Input("at", dtype.I32, 12), y.Reshape(12)))
	})},
	"f64-functions": {build: of(dtype.F64, shape.Of(5), func(x lang.Tensor) lang.Tensor { return x.Tan().Add(x.Cbrt()).Add(x.Log1p()) })},
	"f64-remainder": {build: of(dtype.F64, shape.Of(5), func(x lang.Tensor) lang.Tensor { return x.Remainder(x.AddScalar(3)) })},
	"f32-angles": {build: entry(func(f *lang.Func) {
		f.Output("y", f.Input("x", dtype.F32, 4).Atan2(f.Input("z", dtype.F32, 4)))
	}), args: []tensor.Value{list([]float32{0, inf, -inf, 0.41}, 4), list([]float32{float32(math.Copysign(0, -1)), -inf, inf, -0.75}, 4)}},
	"bf16-of-integers": {build: of(dtype.I32, shape.Of(5), func(x lang.Tensor) lang.Tensor { return x.Convert(dtype.BF16) })},
	"size-converted":   {kernels: true, build: of(dtype.F32, shape.Shape{n}, func(x lang.Tensor) lang.Tensor { return x.Size(0).Convert(dtype.U8) })},
	"loop-shared-buffer": {target: vulkan, build: looping(func(c, x lang.Tensor) lang.Tensor { return c.Add(x).Sum(true, 0) },
		func(f *lang.Func) lang.Tensor { return f.Splat(dtype.F32, 0, 1) })},
	"loop-unread": {build: entry(func(f *lang.Func) {
		x, zero := f.InputOf("x", dtype.F32, shape.N(2), n), f.Splat(dtype.I32, 0)
		out := f.While([]lang.Tensor{zero, x, x},
			func(c []lang.Tensor) lang.Tensor { return c[0].Less(f.Splat(dtype.I32, 3)) },
			func(c []lang.Tensor) []lang.Tensor {
				return []lang.Tensor{c[0].AddScalar(1), c[1].MulScalar(0.5).Reverse(0), c[1]}
			})
		f.Output("last", out[1])
		f.Output("before", out[2])
	})},
	"loop-begin": {kernels: true, build: convertedBegin, args: []tensor.Value{halves(0, 1, 2, 6), halves(2, 1, 2, 6), halves(-3, 1, 2, 6)}},
	"loop-in-place": {build: entry(func(f *lang.Func) {
		x, w := f.InputOf("x", dtype.F32, n, shape.N(40)), f.Input("w", dtype.F32, 120, 40)
		out := f.While([]lang.Tensor{f.Splat(dtype.I32, 0), x, x},
			func(c []lang.Tensor) lang.Tensor { return c[0].Less(f.Splat(dtype.I32, 3)) },
			func(c []lang.Tensor) []lang.Tensor {
				gates := c[1].Dot(w, lang.Dims{}, weights)
				cell := gates.Slice(1, 0, 40).MulScalar(0.25).Sub(c[2]).Add(gates.Slice(1, 40, 80))
				return []lang.Tensor{c[0].AddScalar(1), gates.Slice(1, 80, 120).Sub(cell), cell}
			})
		f.Output("y", out[1])
	}), args: []tensor.Value{list(small(40), 1, 40), list(small(120*40), 120, 40)}},
	"loop-state":       {build: cachedLoop, phase: "stream", count: "stream.cmd.copy"},
	"carried-barrier":  {device: threads, build: carriedBarrier, cause: causeCarried},
	"moved-access":     {build: stateLoop, cause: causeMoved},
	"loop-load":        {build: stateLoop, cause: causeLoad},
	"attention-kernel": {build: attention, phase: "flow", count: "flow.dispatch @"},
	"product-kernel":   {build: entry(product), args: []tensor.Value{list(make([]float32, 2048), 1, 2048)}, weight: shape.Of(8192, 2048)},
	"whole-attention":  {build: entry(wholeAttention), phase: "flow", count: "flow.dispatch @"},
	"extremes-kernel": {build: entry(func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, n, k)
		f.Output("y", x.ReduceMax(false, 0, 1).Sub(x.ReduceMin(false, 0, 1)))
	}), args: []tensor.Value{list(make([]float32, 1<<20), 2048, 512)}},
	"packed-product-kernel": {build: entry(packedProduct), phase: "flow", count: "tensor<48x2x32xf32>"},
	"packed-rows-kernel":    {build: entry(packedRows), phase: "flow", count: "flow.dispatch @"},
	"f16-by-integers": {target: "cpu_x86_64_v1", build: of(dtype.F32, shape.Of(4), func(x lang.Tensor) lang.Tensor { return x.Convert(dtype.F16) }),
		args: []tensor.Value{list([]float32{6e-8, 3.1e-5, 1e-7, 1}, 4)}},
}

var inf = float32(math.Inf(1))

// k2 is a size next to n.
var k2 = shape.N(2)

func scatter(f *lang.Func, x lang.Tensor, updates int64) lang.Tensor {
	return x.Scatter(lang.ScatterAdd, f.Input("at", dtype.I32, updates), f.Input("u", dtype.F32, updates, 2).Exp())
}

func attention(m *lang.Module) {
	m.Entry("main", func(f *lang.Func) {
		q, cache := f.Input("q", dtype.F32, 1, 4, 64), func(name string) lang.Tensor { return f.Input(name, dtype.F16, 128, 2, 64) }
		f.Output("y", q.CachedAttention(cache("keys"), cache("values"), f.Input("start", dtype.I32), lang.AttentionOptions{}))
	})
}

// sortedLate sorts indices that a take, which waits for a size, also reads.
func sortedLate(m *lang.Module) {
	m.Entry("main", func(f *lang.Func) {
		x := f.InputOf("x", dtype.U16, shape.N(8), k2, shape.N(1), n, shape.N(1))
		top, _ := x.Convert(dtype.I32).TopK(1, 4, true)
		f.Output("top", top)
		f.Output("sorted", x.Sort(0, false).CumSum(2, lang.ScanOptions{}))
	})
}

// falling are the numbers from n down to 1.
func falling[T float32 | uint16](n int) []T {
	v := make([]T, n)
	for i := range v {
		v[i] = T(n - i)
	}
	return v
}

// product is one row times a weight of 64 MiB, which few caches hold.
func product(f *lang.Func) {
	f.Output("y", f.Input("x", dtype.F32, 1, 2048).Dot(f.Param("w"), lang.Dims{}, weights))
}

func wholeAttention(f *lang.Func) {
	of := func(name string, rows, columns shape.Dim) lang.Tensor {
		return f.InputOf(name, dtype.F32, shape.N(2), shape.N(4), rows, columns)
	}
	w := of("q", n, shape.N(32)).MatMul(of("k", shape.N(32), n)).DivScalar(5.5).Softmax(3)
	f.Output("y", w.MatMul(of("v", n, shape.N(32))))
}

func packedProduct(f *lang.Func) {
	f.Output("y", f.Input("x", dtype.F32, 5, 64).DequantMatMul("Q8_0", f.Input("w", dtype.I8, 48, 2, 34)))
}

func packedRows(f *lang.Func) {
	f.Output("y", f.Input("w", dtype.I8, 48, 2, 34).DequantTake("Q8_0", f.Input("i", dtype.I32, 3)))
}

// small returns integers from -1 to 1.
func small(n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(i*7%11%3) - 1
	}
	return v
}
