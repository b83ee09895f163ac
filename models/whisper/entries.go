package whisper

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// prompt declares the prompt's tokens [MaxPrompt] and how many of them are
// valid (at least 1).
func (w *model) prompt(f *lang.Func) (tokens, length lang.Tensor) {
	return f.Input("prompt", dtype.I32, MaxPrompt), f.Input("prompt_length", dtype.I32)
}

// step runs the decoder on one token.
func (w *model) step(f *lang.Func, token, position lang.Tensor, c cache) (lang.Tensor, cache) {
	out := f.Call(w.decoder, append([]lang.Tensor{token.Reshape(1), position}, c.all()...)...)
	return out[0], c.withSelf(out[1:])
}

// fresh returns the cache before the first token of a window.
func (w *model) fresh(f *lang.Func, encoded lang.Tensor) cache {
	cross := f.Call(w.cross, encoded)
	empty := func(string) lang.Tensor { return f.Splat(dtype.F32, 0, w.cacheSizes(w.CacheRows())...) }
	return cache{w.eachLayer("", empty), w.eachLayer("", empty), cross[:w.DecoderLayers], cross[w.DecoderLayers:]}
}

// feed runs the decoder on all tokens of the prompt but the last, which the
// caller runs for its logits: of a prompt of one token, on none.
func (w *model) feed(f *lang.Func, prompt, length lang.Tensor, c cache) cache {
	last := length.AddScalar(-1)
	out := f.While(append([]lang.Tensor{f.Splat(dtype.I32, 0)}, c.self()...),
		func(v []lang.Tensor) lang.Tensor { return v[0].Less(last) },
		func(v []lang.Tensor) []lang.Tensor {
			token := prompt.DynamicSlice([]int64{1}, v[0])
			_, after := w.step(f, token, v[0], c.withSelf(v[1:]))
			return append([]lang.Tensor{v[0].AddScalar(1)}, after.self()...)
		})
	return c.withSelf(out[1:])
}

// buildSteps adds the entry points that keep their caches between calls.
func (w *model) buildSteps(m *lang.Module) {
	position := m.State("position", dtype.I32, 0)
	var states []lang.State // in the order of cache.all
	w.caches(func(name string, rows int64) lang.Tensor {
		states = append(states, m.State(name, dtype.F32, 0, w.cacheSizes(rows)...))
		return lang.Tensor{}
	})
	write := func(f *lang.Func, ts []lang.Tensor) {
		for i, t := range ts {
			f.Write(states[i], t)
		}
	}

	m.Entry("prefill", func(f *lang.Func) {
		encoded := f.Input("encoded", dtype.F32, w.AudioContext, w.HiddenSize)
		prompt, length := w.prompt(f)
		c := w.feed(f, prompt, length, w.fresh(f, encoded))
		last := length.AddScalar(-1)
		hidden, c := w.step(f, prompt.DynamicSlice([]int64{1}, last), last, c)
		f.Output("logits", w.logits(f, hidden))
		f.Write(position, length)
		write(f, c.all())
	})
	m.Entry("decode_step", func(f *lang.Func) {
		token := f.Input("token", dtype.I32, 1)
		at := f.Read(position)
		i := -1
		c := w.caches(func(string, int64) lang.Tensor { i++; return f.Read(states[i]) })
		hidden, c := w.step(f, token, at, c)
		f.Output("logits", w.logits(f, hidden))
		f.Write(position, at.AddScalar(1))
		write(f, c.self())
	})
}

// buildTranscribe adds encoder, prompt, and greedy decoding until the token stop or
// max_tokens, which is at least 1. suppress and suppress_first [VocabSize] are added to
// the logits of every token, and of the first one: -inf forbids a token. count excludes
// the stop token; log_probability is the sum over all tokens, including it.
// no_speech_probability is that of the token no_speech right after the first token of
// the prompt, where the model was trained to say so (Radford et al. 2022, section 2.3).
func (w *model) buildTranscribe(f *lang.Func) {
	mel := w.mel(f)
	prompt, length := w.prompt(f)
	stop := f.Input("stop", dtype.I32)
	suppress := f.Input("suppress", dtype.F32, w.VocabSize)
	suppressFirst := f.Input("suppress_first", dtype.F32, w.VocabSize)
	limit := f.Input("max_tokens", dtype.I32).Min(f.Splat(dtype.I32, MaxTokens)).Max(f.Splat(dtype.I32, 1))
	noSpeech := f.Input("no_speech", dtype.I32)

	c := w.fresh(f, f.Call(w.encoder, mel)[0])
	zero := f.Splat(dtype.I32, 0)
	hidden, _ := w.step(f, prompt.DynamicSlice([]int64{1}, zero), zero, c)
	begin := w.logits(f, hidden).Reshape(w.VocabSize)
	silent := begin.Softmax(0).DynamicSlice([]int64{1}, noSpeech).Reshape()
	c = w.feed(f, prompt, length, c)
	last := length.AddScalar(-1)
	one := f.Splat(dtype.I32, 1)

	// Loop state: number of tokens, newest token, all tokens, log probability, caches.
	out := f.While(append([]lang.Tensor{
		f.Splat(dtype.I32, 0), prompt.DynamicSlice([]int64{1}, last).Reshape(), f.Splat(dtype.I32, 0, MaxTokens), f.Splat(dtype.F32, 0),
	}, c.self()...), func(v []lang.Tensor) lang.Tensor {
		fresh := v[0].Equal(f.Splat(dtype.I32, 0))
		return v[0].Less(limit).And(fresh.Or(v[1].NotEqual(stop)))
	}, func(v []lang.Tensor) []lang.Tensor {
		hidden, after := w.step(f, v[1], last.Add(v[0]), c.withSelf(v[4:]))
		first := v[0].Equal(f.Splat(dtype.I32, 0))
		bias := suppress.Add(first.Select(suppressFirst, f.Splat(dtype.F32, 0, w.VocabSize)))
		logits := w.logits(f, hidden).Reshape(w.VocabSize).Add(bias)
		token := logits.ArgMax(0)
		// The chosen token has the largest logit, so its log probability is
		// minus the logarithm of the sum of exponentials around it.
		spread := logits.Sub(logits.ReduceMax(true, 0)).Exp().Sum(false, 0).Log()
		return append([]lang.Tensor{
			v[0].Add(one), token, v[2].Update(token.Reshape(1), v[0]), v[3].Sub(spread),
		}, after.self()...)
	})
	stopped := out[1].Equal(stop).And(out[0].Greater(f.Splat(dtype.I32, 0)))
	f.Output("tokens", out[2])
	f.Output("count", out[0].Sub(stopped.Convert(dtype.I32)))
	f.Output("log_probability", out[3])
	f.Output("no_speech_probability", silent)
}
