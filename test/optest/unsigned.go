package optest

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Bools and unsigned numbers with their highest bit set, widened, in everything that
// multiplies, sums or moves (compile/iree, unsigned-product).
var (
	widened = join(
		widenings(dtype.Bool, dtype.F32, dtype.F16, dtype.I32, dtype.I8),
		widenings(dtype.U8, dtype.F32, dtype.F16, dtype.I32),
		[]entry{{name: "one_hot_product", build: func(f *lang.Func) {
			f.Output("y", f.Input("x", dtype.I32, 2).OneHot(3, dtype.F32).MatMul(f.Input("w", dtype.F32, 3, 2)))
		}, args: oneHotArguments}, {name: "unsigned_weight", build: func(f *lang.Func) {
			w := lang.Weight(f, "unsigned.u8", []uint8{200, 1, 255, 128, 0, 127}, 3, 2)
			f.Output("stored", w)
			f.Output("y", f.Input("x", dtype.F32, 2, 3).MatMul(w.Convert(dtype.F32)))
		}}},
	)
	wideWidened = join(
		widenings(dtype.Bool, dtype.I64, dtype.BF16),
		widenings(dtype.U8, dtype.U16, dtype.F64),
		widenings(dtype.U16, dtype.F32, dtype.U32, dtype.I64),
		widenings(dtype.U32, dtype.F64, dtype.I64, dtype.U64),
		[]entry{{name: "unsigned_weights", build: func(f *lang.Func) {
			f.Output("u16", lang.Weight(f, "unsigned.u16", []uint16{1, 65535}, 2).Div(f.Splat(dtype.U16, 2, 2)))
			f.Output("u32", lang.Weight(f, "unsigned.u32", []uint32{1, 1<<32 - 1}, 2).Convert(dtype.F64))
			f.Output("u64", lang.Weight(f, "unsigned.u64", []uint64{3, 1<<64 - 1}, 2).Max(f.Input("x", dtype.U64, 2)))
		}, args: []tensor.Value{list([]uint64{1 << 63, 7}, 2)}}},
	)
	dynamicWidened = over(ofN, join(dynamicWidenings(dtype.Bool, dtype.F32), dynamicWidenings(dtype.U8, dtype.F32, dtype.I32), dynamicWidenings(dtype.U32, dtype.I64)))
)

// oneHotArguments choose rows 1 and 2 of a table.
var oneHotArguments = []tensor.Value{list([]int32{1, 2}, 2), list([]float32{1, 2, 3, 4, 5, 6}, 3, 2)}

// widenings has one entry point for each wide type.
func widenings(from dtype.DType, to ...dtype.DType) []entry {
	return each(fmt.Sprintf("widened_%s", from), to, func(f *lang.Func, d dtype.DType) {
		narrow := f.Input("x", from, 3, 4)
		w, v, i := f.Input("w", d, 4, 2), f.Input("v", d, 3, 4), f.Input("i", dtype.I32, 3)
		x := narrow.Convert(d)
		over := func(a, b lang.Tensor, l, r int) lang.Tensor {
			return a.Dot(b, lang.Dims{}, lang.Dims{LHS: []int{l}, RHS: []int{r}})
		}
		f.Output("left", x.MatMul(w))
		f.Output("right", over(w, x, 0, 1))
		f.Output("row", narrow.Slice(0, 0, 1).Convert(d).MatMul(w))
		f.Output("batched", x.Dot(v, lang.Dims{LHS: []int{0}, RHS: []int{0}}, lang.Dims{LHS: []int{1}, RHS: []int{1}}))
		f.Output("both_dims", x.Dot(v, lang.Dims{}, lang.Dims{LHS: []int{0, 1}, RHS: []int{0, 1}}))
		f.Output("outer", x.Slice(0, 0, 1).Reshape(4).Dot(w.Slice(1, 0, 1).Reshape(4), lang.Dims{}, lang.Dims{}))
		f.Output("unchanged", x.MulScalar(1).Max(x).MatMul(w))
		f.Output("moved", over(x.Transpose(1, 0), v, 1, 0))
		f.Output("shaped", x.Reshape(4, 3).MatMul(v.Slice(1, 0, 2)))
		f.Output("spread", narrow.Slice(0, 0, 1).Convert(d).Reshape(4).BroadcastOf(shape.N(3), shape.N(4)).MatMul(w))
		f.Output("padded", x.Slice(1, 0, 3).Pad(1, 0, 1, 0).MatMul(w))
		f.Output("sum", x.Sum(false, 1))
		f.Output("largest", x.ReduceMax(false, 0))
		f.Output("summed", x.Mul(v).Sum(false, 1))
		f.Output("taken", x.Take(i))
		f.Output("scattered", v.Scatter(op.ScatterAdd, i, x))
		if d.IsFloat() {
			k := v.Reshape(2, 3, 2)
			f.Output("signal", x.Reshape(1, 3, 4).Conv1D(k, 1, 1))
			f.Output("kernel", v.Reshape(1, 3, 4).Conv1D(x.Reshape(2, 3, 2), 1, 0))
			f.Output("image", x.Reshape(1, 1, 3, 4).Conv(v.Reshape(3, 1, 2, 2), lang.WindowOptions{}))
		}
	}, func(d dtype.DType) []tensor.Value {
		return []tensor.Value{high(from), numbered(d, factors[:8], 4, 2), numbered(d, factors, 3, 4), list([]int32{2, 0, 2}, 3)}
	})
}

// dynamicWidenings is widenings with a dynamic number of rows.
func dynamicWidenings(from dtype.DType, to ...dtype.DType) []entry {
	return each(fmt.Sprintf("dynamic_widened_%s", from), to, func(f *lang.Func, d dtype.DType) {
		x := f.InputOf("x", dtype.I32, n, shape.N(4)).AddScalar(-1).MulScalar(77).Convert(from).Convert(d)
		w := f.Input("w", dtype.I32, 4, 2).Convert(d)
		f.Output("left", x.MatMul(w))
		f.Output("right", w.Dot(x, lang.Dims{}, lang.Dims{LHS: []int{0}, RHS: []int{1}}))
		f.Output("inner", x.Dot(x, lang.Dims{LHS: []int{0}, RHS: []int{0}}, lang.Dims{LHS: []int{1}, RHS: []int{1}}).MulScalar(1))
		f.Output("moved", x.Transpose(1, 0).Dot(x.Slice(1, 0, 2), lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{0}}))
		f.Output("sum", x.Sum(false, 1))
	}, nil)
}

// factors are small, so that sums of products fit an f16.
var factors = []float32{1, 0, 2, 1, 0, 1, 1, 3, 0, 2, 1, 0}

// high has zeros, ones, and numbers whose highest bit is set.
func high(d dtype.DType) tensor.Value {
	top := float32(math.Ldexp(1, max(d.Bits(), 8)-1))
	return numbered(d, []float32{top, 1, 0, top + top/2, 0, 3, 0, 1, top / 2, 0, top, 1}, 3, 4)
}

// numbered returns v's numbers, which it holds, in any element type.
func numbered(d dtype.DType, v []float32, sizes ...int64) tensor.Value {
	if d.IsFloat() {
		return typed(d, v, sizes...)
	}
	out := tensor.Value{Type: tensor.TypeOf(d, sizes...)}
	for _, x := range v {
		if d == dtype.Bool {
			x = min(x, 1)
		}
		out.Bytes = append(out.Bytes, binary.LittleEndian.AppendUint64(nil, uint64(int64(x)))[:max(d.Bits(), 8)/8]...)
	}
	return out
}
