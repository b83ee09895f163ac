package optest

import (
	"math/rand/v2"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// packed has the operations on blocks, for each encoding.
var packed = func() []entry {
	var entries []entry
	for _, e := range op.PackedEncodings() {
		w := blocksOf(e, 6)
		k := w.Type.Shape[1].Size * elements(e)
		entries = append(entries, entry{name: "packed_" + strings.ToLower(string(e)), build: func(f *lang.Func) {
			w := f.Input("w", dtype.I8, w.Type.Shape.Sizes()...)
			f.Output("whole", w.DequantizeBlocks(e))
			f.Output("rows", w.DequantTake(e, f.Input("at", dtype.I32, 2, 2)))
			x := f.Input("x", dtype.F32, 3, k)
			f.Output("one", x.Slice(0, 1, 2).DequantMatMul(e, w))
			f.Output("vector", x.Slice(0, 2, 3).Reshape(k).DequantMatMul(e, w))
			f.Output("several", x.DequantMatMul(e, w))
		}, args: []tensor.Value{w, list([]int32{0, 5, -3, 99}, 2, 2)}})
	}
	return entries
}()

// bitcast reinterprets elements as another type.
var bitcast = []entry{{name: "bitcast", build: func(f *lang.Func) {
	x := f.Input("x", dtype.F32, 2, 3)
	f.Output("i32", x.Bitcast(dtype.I32))
	f.Output("f32", x.Bitcast(dtype.I32).AddScalar(1).Bitcast(dtype.F32))
	f.Output("i16", x.Convert(dtype.F16).Bitcast(dtype.I16))
	f.Output("u8", f.Input("y", dtype.I8, 4).Bitcast(dtype.U8))
}}}

// dynamicPacked has weights of known size, as all weights are, and any number of
// rows.
var dynamicPacked = func() []entry {
	entries := []entry{{name: "dynamic_bitcast", sizes: ofN, build: func(f *lang.Func) {
		x := f.InputOf("x", dtype.F32, n)
		f.Output("i32", x.Bitcast(dtype.I32))
		f.Output("f16", x.Convert(dtype.F16).Bitcast(dtype.I16).Bitcast(dtype.F16))
	}}}
	for _, e := range []quant.Encoding{"Q8_0", "Q4_K"} {
		w := blocksOf(e, 6)
		entries = append(entries, entry{name: "dynamic_packed_" + strings.ToLower(string(e)), sizes: ofN, build: func(f *lang.Func) {
			w := f.Input("w", dtype.I8, w.Type.Shape.Sizes()...)
			f.Output("rows", w.DequantTake(e, f.InputOf("at", dtype.I32, n)))
			f.Output("y", f.InputOf("x", dtype.F32, n, w.DequantizeBlocks(e).DimOf(1)).DequantMatMul(e, w))
		}, args: []tensor.Value{w}})
	}
	return entries
}()

func elements(e quant.Encoding) int64 {
	b, _ := e.Block()
	return b.Elements
}

// scales are the offsets of the high bytes of a block's f16 scales.
var scales = map[quant.Encoding][]int64{
	"Q4_0": {1}, "Q4_1": {1, 3}, "Q5_0": {1}, "Q5_1": {1, 3}, "Q8_0": {1}, "IQ4_NL": {1}, "IQ4_XS": {1}, "TQ2_0": {65},
	"Q2_K": {81, 83}, "Q3_K": {109}, "Q4_K": {1, 3}, "Q5_K": {1, 3}, "Q6_K": {209},
}

// blocksOf makes a matrix of rows of 512 elements, in blocks of arbitrary bytes; scales
// are between 2^-13 and 2^-12, so that products have the magnitude of others here.
func blocksOf(e quant.Encoding, rows int64) tensor.Value {
	b, _ := e.Block()
	v := tensor.Value{Type: tensor.TypeOf(dtype.I8, rows, 512/b.Elements, b.Bytes)}
	r := rand.New(rand.NewPCG(uint64(b.GGML), 0))
	for range rows * 512 / b.Elements {
		block := make([]byte, b.Bytes)
		for i := range block {
			block[i] = byte(r.Uint32())
		}
		for _, at := range scales[e] {
			block[at] = block[at]&0x83 | 0x08
		}
		v.Bytes = append(v.Bytes, block...)
	}
	return v
}
