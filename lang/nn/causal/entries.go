package causal

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// The state: position, the number of positions that the caches hold, and for each
// layer keys_I and values_I [R, G, d] in f16, of which the rows before position
// count.
//
// A layer that has a convolution keeps inputs_I in their place.
//
//   - prefill writes the tokens' rows from start on and returns the logits after the
//     last of them; position is then start + seq. A start of 0 begins anew, one of
//     the position appends, and one below it takes back what came after: whoever
//     generates again from the same beginning prefills only what differs.
//   - decode is prefill of one token at position, and advances it.
//   - logits returns the logits after each token of a text, and neither reads nor
//     writes the state.
//   - generate is prefill, and then a choice and a decode for each new token, in
//     one call: until a token of stop (at most 64) comes, or max_tokens, or the
//     caches are full.
//     There is at least one choice. tokens holds what was chosen, count says how
//     many: a stop token, which then is tokens[count], is not counted. position
//     is after the last token that was chosen, the stop token included, so that
//     a prefill goes on from there. Where logits have no largest finite one the
//     token is -1, which ends it too, unless stop has 64 tokens and -1 is none.
//
// A layer with a memory (Recurrent) keeps conv_I and memory_I in f32 in their place, or next
// to them, and cannot go back: start is named resume then, and is 0 or the position. Others
// make all logits NaN.
//
// A program cannot refuse: whoever calls it sees to it that start + seq is at most
// R, and less than R for generate and before decode, that seq is at least 1, and
// that tokens are of the vocabulary.

// Resume is the name of start in the entry points of a program that cannot go back to an
// earlier position than the last call's end: start is 0 or that position.
const Resume = "resume"

func (w *model) states() {
	w.position = w.m.State("position", dtype.I32, 0)
	w.records = w.list()
	for _, r := range w.records {
		w.kept = append(w.kept, w.m.State(r.String(), r.dtype(), 0, r.sizes...))
	}
}

// startName is the name of the argument that says where a call begins.
func (w *model) startName() string {
	if w.hasMemory() {
		return Resume
	}
	return "start"
}

// read returns the caches as they are at the call.
func (w *model) read(f *lang.Func) cache {
	var c cache
	for _, s := range w.kept {
		c = append(c, f.Read(s))
	}
	return c
}

// write keeps the caches and the position for the next call.
func (w *model) write(f *lang.Func, c cache, position lang.Tensor) {
	f.Write(w.position, position)
	for i, s := range w.kept {
		f.Write(s, c[i])
	}
}

// run is the body of v on tokens from start on.
func (w *model) run(f *lang.Func, v variant, tokens, start lang.Tensor, c cache) (lang.Tensor, cache) {
	out := f.Call(v.body, append([]lang.Tensor{tokens, start}, c...)...)
	return out[0], cache(out[1:])
}

// last returns the logits [1, V] after the last row of hidden [T, D].
func (w *model) last(f *lang.Func, hidden lang.Tensor) lang.Tensor {
	n := hidden.DimOf(0)
	return f.Call(w.one.head, hidden.SliceOf(0, n.Minus(shape.N(1)), n, 1))[0]
}

func (w *model) entries() {
	tokens := func(f *lang.Func) lang.Tensor { return f.InputOf("tokens", dtype.I32, w.many.rows) }

	w.m.Entry("prefill", func(f *lang.Func) {
		t, start := tokens(f), f.Input(w.startName(), dtype.I32)
		hidden, c := w.run(f, w.many, t, start, w.resumed(f, w.read(f), start))
		f.Output("logits", w.last(f, hidden))
		w.write(f, c, start.Add(t.Size(0)))
	})
	w.m.Entry("decode", func(f *lang.Func) {
		t := f.Input("token", dtype.I32, 1)
		at := f.Read(w.position)
		hidden, c := w.run(f, w.one, t, at, w.read(f))
		f.Output("logits", f.Call(w.one.head, hidden)[0])
		w.write(f, c, at.AddScalar(1))
	})
	w.m.Entry("logits", func(f *lang.Func) {
		empty := w.eachCache(func(r record) lang.Tensor { return f.Splat(r.dtype(), 0, r.sizes...) })
		hidden, _ := w.run(f, w.many, tokens(f), f.Splat(dtype.I32, 0), empty)
		f.Output("logits", f.Call(w.many.head, hidden)[0])
	})
	w.m.Entry("generate", func(f *lang.Func) { w.generate(f, tokens(f)) })
}

// maxStops is how many stop tokens count, the last ones of more.
const maxStops = 64

// penalized is the number of the newest tokens, of those that this call is given or
// chooses, that the repeat penalty makes less likely; it is text/generate's.
const penalized = 64

// generate carries how many tokens may still be chosen, how many were, those, the
// logits of the next choice, the newest tokens, and the caches. Each round chooses a
// token and runs it, also the last one. A stop token leaves nothing to choose: one
// number reports whether the loop goes on.
func (w *model) generate(f *lang.Func, tokens lang.Tensor) {
	start, most := f.Input(w.startName(), dtype.I32), f.Input("max_tokens", dtype.I32)
	s := nn.Sampling{
		Temperature: f.Input("temperature", dtype.F32), TopK: f.Input("top_k", dtype.I32),
		TopP: f.Input("top_p", dtype.F32), MinP: f.Input("min_p", dtype.F32),
	}
	penalty := f.Input("repeat_penalty", dtype.F32)
	s.Seed = f.Input("seed", dtype.I32, 2)
	stop := nn.Recent(f.InputOf("stop", dtype.I32, shape.Named("stops")), maxStops)
	stops := func(token lang.Tensor) lang.Tensor { // 1 for a stop token, else 0
		return stop.Equal(token).Convert(dtype.I32).ReduceMax(false, 0)
	}

	first := start.Add(tokens.Size(0))
	room := first.Negate().AddScalar(float64(w.Context))
	most = most.Min(room).Max(f.Splat(dtype.I32, 1))
	hidden, c := w.run(f, w.many, tokens, start, w.resumed(f, w.read(f), start))
	zero := f.Splat(dtype.I32, 0)
	out := f.While(append([]lang.Tensor{most, zero, f.Splat(dtype.I32, 0, w.Context), w.last(f, hidden), nn.Recent(tokens, penalized)}, c...),
		func(v []lang.Tensor) lang.Tensor { return v[0].Greater(zero) },
		func(v []lang.Tensor) []lang.Tensor {
			count, chosen, logits, recent := v[1], v[2], v[3].Reshape(w.VocabSize), v[4]
			s.Step = count
			choice := nn.Sample(nn.Penalize(logits, recent, penalty), s)
			token := choice.Reshape(1)
			left := v[0].AddScalar(-1).Mul(stops(token).Negate().AddScalar(1))
			hidden, c := w.run(f, w.one, choice.Max(zero).Reshape(1), first.Add(count), cache(v[5:]))
			return append([]lang.Tensor{
				left, count.AddScalar(1), chosen.Update(token, count), f.Call(w.one.head, hidden)[0], nn.Remember(recent, choice),
			}, c...)
		})
	chosen, count := out[2], out[1]
	f.Output("tokens", chosen)
	f.Output("count", count.Sub(stops(chosen.DynamicSlice([]int64{1}, count.AddScalar(-1)))))
	w.write(f, cache(out[5:]), first.Add(count))
}
