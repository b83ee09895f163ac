package optest

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
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
	each("cached", halves, func(f *lang.Func, d dtype.DType) {
		start := f.Input("start", dtype.I32)
		keys, values := f.Input("keys", d, 150, 2, 16), f.Input("values", d, 150, 2, 16)
		for i, name := range []string{"decode", "prefill"} {
			q := f.Input("q_"+name, dtype.F32, 1+10*int64(i), 4, 16)
			f.Output(name, q.CachedAttention(keys, values, start, lang.AttentionOptions{}))
			f.Output(name+"_window", q.CachedAttention(keys, values, start, lang.AttentionOptions{Window: 7, SoftCap: 3, Scale: 0.5}))
		}
		keys, values = f.Input("own_keys", d, 150, 8, 32), f.Input("own_values", d, 150, 8, 32)
		f.Output("own", f.Input("q_own", d, 1, 8, 32).CachedAttention(keys, values, start, lang.AttentionOptions{}))
	}, func(dtype.DType) []tensor.Value { return []tensor.Value{list([]int32{121})} }),
	[]entry{{name: "update_rows", build: func(f *lang.Func) {
		first, beyond := f.Input("first", dtype.I32), f.Input("beyond", dtype.I32)
		for _, d := range []dtype.DType{dtype.F32, dtype.F16, dtype.U8, dtype.I32, dtype.Bool} {
			x := f.Input("x_"+d.String(), d, 6, 2, 3)
			f.Output("one_"+d.String(), x.UpdateRows(f.Input("u_"+d.String(), d, 1, 2, 3), first))
			f.Output("more_"+d.String(), x.UpdateRows(f.Input("v_"+d.String(), d, 3, 2, 3), beyond))
			f.Output("all_"+d.String(), x.UpdateRows(f.Input("w_"+d.String(), d, 8, 2, 3), first))
		}
		y := f.Input("y", dtype.F32, 6)
		f.Output("none", y.UpdateRows(f.Input("z", dtype.F32, 0), first))
	}, args: []tensor.Value{list([]int32{2}), list([]int32{5})}}},
	[]entry{{name: "sdpa_mask", build: func(f *lang.Func) {
		mask := f.Input("mask", dtype.F32, 2, 4)
		q, k, v := f.Input("q", dtype.F32, 2, 2, 2, 4), f.Input("k", dtype.F32, 2, 2, 4, 4), f.Input("v", dtype.F32, 2, 2, 4, 4)
		f.Output("y", q.Attention(k, v, lang.AttentionOptions{Mask: mask}))
	}, args: []tensor.Value{list([]float32{0, -inf, 0.5, 0, -inf, -inf, -inf, -inf}, 2, 4)}}},
	each("rotary", halves, func(f *lang.Func, d dtype.DType) {
		p, offset := f.Input("p", dtype.I32, 2, 4), f.Input("offset", dtype.I32)
		x := f.Input("x", d, 2, 3, 4, 8)
		f.Output("halves", x.Rotary(p, lang.RotaryOptions{}))
		f.Output("neighbours", x.Rotary(f.Positions(offset, 4), lang.RotaryOptions{Interleaved: true, Dims: 6, Base: 500, Scale: 2, Denominator: 8}))
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
	each("gru", halves, func(f *lang.Func, d dtype.DType) {
		x, h := f.Input("x", d, 2, 3), f.Input("h", d, 2, 4)
		w, r, b := f.Input("w", d, 12, 3), f.Input("r", d, 12, 4), f.Input("b", d, 24)
		f.Output("gru", x.GRUCell(h, w, r, b, false))
		f.Output("gru_linear", x.GRUCell(h, w, r, b, true))
	}, nil),
)
