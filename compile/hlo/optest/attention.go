package optest

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/dtype"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

// attentions are the operations of attention and of recurrent cells.
var attentions = join(
	each("sdpa", halves, func(f *lang.Func, d dtype.DType) {
		q, k, v := f.Input("q", d, 1, 4, 6, 8), f.Input("k", d, 1, 2, 7, 8), f.Input("v", d, 1, 2, 7, 5)
		f.Output("plain", q.Attention(k, v, lang.AttentionOptions{}))
		f.Output("causal", q.Attention(k, v, lang.AttentionOptions{Causal: true, Offset: 1}))
		f.Output("window", q.Attention(k, v, lang.AttentionOptions{Window: 2, SoftCap: 3, Scale: 0.5}))
		f.Output("unseen", q.Attention(k, v, lang.AttentionOptions{Causal: true, Offset: -2}))
	}, nil),
	[]entry{{name: "sdpa_mask", build: func(f *lang.Func) {
		mask := f.Input("mask", dtype.F32, 2, 4)
		q, k, v := f.Input("q", dtype.F32, 2, 2, 2, 4), f.Input("k", dtype.F32, 2, 2, 4, 4), f.Input("v", dtype.F32, 2, 2, 4, 4)
		f.Output("y", q.Attention(k, v, lang.AttentionOptions{Mask: mask}))
	}, args: []tensor.Value{list([]float32{0, -inf, 0.5, 0, -inf, -inf, -inf, -inf}, 2, 4)}}},
	each("rotary", halves, func(f *lang.Func, d dtype.DType) {
		p, offset := f.Input("p", dtype.I32, 2, 4), f.Input("offset", dtype.I32)
		x := f.Input("x", d, 2, 3, 4, 8)
		f.Output("halves", x.Rotary(p, lang.RotaryOptions{}))
		f.Output("neighbours", x.Rotary(f.Positions(offset, 4), lang.RotaryOptions{Interleaved: true, Dims: 6, Base: 500, Factor: 2, Denominator: 8}))
	}, func(dtype.DType) []tensor.Value {
		return []tensor.Value{list([]int32{0, 1, 2, 3, 9, 5, 4, 7}, 2, 4), list([]int32{3})}
	}),
	each("cell", halves, func(f *lang.Func, d dtype.DType) {
		x, h, c := f.Input("x", d, 2, 3), f.Input("h", d, 2, 4), f.Input("c", d, 2, 4)
		w, r, b := f.Input("w", d, 16, 3), f.Input("r", d, 16, 4), f.Input("b", d, 32)
		nextH, nextC := x.LSTMCell(h, c, w, r, b)
		f.Output("lstm", nextH)
		f.Output("lstm_cell", nextC)
	}, nil),
	each("gru", []dtype.DType{dtype.F32}, gru, nil),
)
