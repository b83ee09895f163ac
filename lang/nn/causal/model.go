package causal

import (
	"fmt"
	"strings"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Model builds the entry points of c.
func Model(m *lang.Module, c Config) {
	if err := c.Adapter.check(c); err != nil {
		panic(err)
	}
	w := &model{Config: c, m: m}
	w.states()
	if !c.Block.NoRotary {
		w.turns = m.Func("frequencies", w.frequencies)
	}
	// A row a call: products with one vector, which are kernels of their own. Many:
	// any number, which a call says.
	w.one = w.variant("one", shape.N(1))
	w.many = w.variant("many", shape.Named("seq"))
	w.entries()
}

type model struct {
	Config
	m         *lang.Module
	position  lang.State
	records   []record
	kept      []lang.State // one for each record
	turns     lang.Callee  // rotary frequencies
	one, many variant
}

var noBias = nn.LinearOptions{NoBias: true}

// variant is the functions for one number of rows. What layers share is a private
// function with small weights as arguments, so that the text does not say it again
// for each layer; large weights are read where they are used.
type variant struct {
	name          string
	rows          shape.Dim
	norm, addNorm lang.Callee           // of the residual stream
	glus          map[int64]lang.Callee // by the size of the feed-forward layer
	turns         map[heads]lang.Callee // what is before attention
	attentions    map[heads]lang.Callee
	latent        lang.Callee // in their place
	convolve      lang.Callee // in its place in some layers
	body, head    lang.Callee
}

func (w *model) variant(name string, rows shape.Dim) variant {
	v := variant{name: name, rows: rows}
	function := func(what string, build func(f *lang.Func)) lang.Callee { return w.m.Func(what+"_"+name, build) }
	wide := func(f *lang.Func, name string, width int64) lang.Tensor {
		return f.InputOf(name, dtype.F32, rows, shape.N(width))
	}

	v.norm = function("norm", func(f *lang.Func) {
		x := wide(f, "x", w.HiddenSize)
		f.Output("y", w.normalize(f, x))
	})
	if w.PostNorm {
		v.addNorm = function("add_norm", func(f *lang.Func) {
			x, more := wide(f, "x", w.HiddenSize), wide(f, "more", w.HiddenSize)
			f.Output("y", x.Add(more.RMSNorm(f.Input("gamma", dtype.F32, w.HiddenSize), w.Epsilon, 0)))
		})
	}
	if w.ActivationOf == nil {
		v.glus = map[int64]lang.Callee{}
		for i, size := range w.intermediateSizes() {
			v.glus[size] = function(numbered("glu", i), func(f *lang.Func) {
				if w.Block.Ungated {
					f.Output("y", w.Activation(wide(f, "up", size)))
					return
				}
				gate, up := wide(f, "gate", size), wide(f, "up", size)
				f.Output("y", w.gated(gate, up))
			})
		}
	}
	if w.Latent.Rank > 0 {
		v.latent = function("latent", func(f *lang.Func) { w.attendLatent(f, rows) })
	} else {
		w.attentions(&v, function)
	}
	if len(w.ShortConv.Layers) > 0 {
		v.convolve = function("convolve", func(f *lang.Func) { w.convolve(f, rows) })
	}
	v.body = w.m.Func(name, func(f *lang.Func) { w.body(f, v) }) // a short name, since each layer is called by it
	v.head = function("head", func(f *lang.Func) { w.head(f, v) })
	return v
}

// turn is what both kinds of attention do first, for q [T, H*d], k and v [T, G*d]
// from the projections: heads [T, H, d] of queries, normalised and turned, and the
// layer's cache with the same of the keys and values.
func (w *model) turn(f *lang.Func, rows shape.Dim, h heads) {
	in := w.attentionInputs(f, rows, h)
	heads := func(x lang.Tensor, n int64) lang.Tensor { return x.ReshapeOf(rows, shape.N(n), shape.N(h.size)) }
	q, k, v := heads(in[0], h.queries), heads(in[1], h.keys), heads(in[2], h.keys)
	rest := in[3:]
	norm := func(q, k lang.Tensor) (lang.Tensor, lang.Tensor) { return q, k }
	if w.QKNorm && !w.normWeights() && !w.attention(h.global).NoRotary {
		one := f.Splat(dtype.F32, 1, h.size)
		norm = func(q, k lang.Tensor) (lang.Tensor, lang.Tensor) {
			return q.RMSNorm(one, w.Epsilon, 0), k.RMSNorm(one, w.Epsilon, 0)
		}
	}
	if w.normWeights() {
		queries, keys := rest[0], rest[1]
		norm = func(q, k lang.Tensor) (lang.Tensor, lang.Tensor) {
			return w.normHeads(q, queries), w.normHeads(k, keys)
		}
		rest = rest[2:]
	}
	turn := func(x lang.Tensor) lang.Tensor { return x }
	if !w.Block.NoRotary {
		rotary := nn.RotaryFromTables(rest[0], rest[1], w.RopeInterleaved)
		turn = func(x lang.Tensor) lang.Tensor { return turnHeads(rotary, x, h.turned) }
		rest = rest[2:]
	}
	keys, values, start := rest[0], rest[1], rest[2]
	if w.Block.QKNormTurned {
		q, k = norm(turn(q), turn(k))
	} else {
		q, k = norm(q, k)
		q, k = turn(q), turn(k)
	}
	q = w.attention(h.global).Temperature.warm(q, start)
	if w.ValueNorm {
		v = v.RMSNorm(f.Splat(dtype.F32, 1, h.size), w.Epsilon, 0)
	}
	f.Output("turned", q)
	f.Output("new_keys", keys.UpdateRows(k.Convert(dtype.F16), start))
	f.Output("new_values", values.UpdateRows(v.Convert(dtype.F16), start))
}

// attend is attention of one layer, [T, H*d], and its cache.
func (w *model) attend(f *lang.Func, v variant, h heads) {
	a, in := w.attention(h.global), w.attentionInputs(f, v.rows, h)
	out := f.Call(v.turns[w.turnKind(h)], in...)
	o := lang.AttentionOptions{Scale: w.AttentionScale, Window: a.Window, SoftCap: w.AttnLogitSoftcap}
	var y lang.Tensor
	if start := in[len(in)-1]; w.Block.Sinks || w.Block.MaxBias != 0 || w.chunk(a) != 0 {
		y = w.biasedAttention(f, out[0], out[1], out[2], start, o, w.chunk(a))
	} else {
		y = out[0].CachedAttention(out[1], out[2], start, o)
	}
	f.Output("y", y.Flatten(1, 2))
	f.Output("new_keys", out[1])
	f.Output("new_values", out[2])
}

// attentionInputs are q, k, v, with QKNorm q_norm and k_norm, cos, sin, keys,
// values and start.
func (w *model) attentionInputs(f *lang.Func, rows shape.Dim, h heads) []lang.Tensor {
	wide := func(name string, width int64) lang.Tensor { return f.InputOf(name, dtype.F32, rows, shape.N(width)) }
	in := []lang.Tensor{wide("q", h.queries*h.size), wide("k", h.keys*h.size), wide("v", h.keys*h.size)}
	if w.normWeights() {
		in = append(in, f.Input("q_norm", dtype.F32, w.qkNormSizes(h.queries, h.size)...), f.Input("k_norm", dtype.F32, w.qkNormSizes(h.keys, h.size)...))
	}
	if !w.Block.NoRotary {
		in = append(in, wide("cos", h.turned/2), wide("sin", h.turned/2))
	}
	for _, name := range []string{"keys", "values"} {
		in = append(in, f.Input(name, dtype.F16, w.Context, h.keys, h.size))
	}
	return append(in, f.Input("start", dtype.I32))
}

// positions counts [T] from start.
func positions(f *lang.Func, rows shape.Dim, start lang.Tensor) lang.Tensor {
	return f.IotaOf(dtype.I32, 0, rows).Add(start)
}

// body is all layers: tokens [T] at positions from start on give the residual
// stream [T, D] and the caches with their rows.
func (w *model) body(f *lang.Func, v variant) {
	tokens := f.InputOf("tokens", dtype.I32, v.rows)
	start := f.Input("start", dtype.I32)
	c := w.eachCache(func(r record) lang.Tensor { return f.Input(r.String(), r.dtype(), r.sizes...) })

	x := nn.Embedding(f, "token_embd.weight", tokens)
	if w.EmbeddingScale != 1 {
		x = x.MulScalar(w.EmbeddingScale)
	}
	at := positions(f, v.rows, start)
	if w.Block.LearnedPositions {
		x = x.Add(nn.Embedding(f, "position_embd.weight", at))
	}
	if w.Block.EmbeddingNorm {
		x = f.Call(v.norm, w.normed(f, "token_embd_norm.", x)...)[0]
	}
	in := surroundings{cache: c, start: start}
	if !w.Block.NoRotary {
		in.global, in.local = w.rotaries(f, at)
	}
	if w.PerLayer.Size > 0 {
		in.inputs = w.perLayerInputs(f, tokens, x)
	}
	var streams []lang.Tensor
	if w.AltUp.Streams > 0 {
		streams = w.streams(f, x)
	}
	for i := range w.NumLayers {
		// A text says once what layers in scopes of this name have in common.
		f.Scope(fmt.Sprintf("layer_%d", i), func() {
			if w.AltUp.Streams > 0 {
				streams = w.altLayer(f, v, i, streams, in)
			} else {
				x = w.layer(f, v, i, x, in)
			}
		})
	}
	if w.AltUp.Streams > 0 {
		x = w.merge(f, streams)
	}
	f.Output("hidden", x)
	for i, r := range w.records {
		f.Output("new_"+r.String(), c[i])
	}
}

// rotaries returns those of global and of local layers at these positions.
func (w *model) rotaries(f *lang.Func, at lang.Tensor) (global, local nn.Rotary) {
	frequencies := f.Call(w.turns)
	rotary := func(i int, magnitude float64) nn.Rotary {
		r := nn.NewRotary(at, nn.Frequencies{Whole: frequencies[i], Rest: frequencies[i+1]}, w.RopeInterleaved)
		if magnitude == 0 || magnitude == 1 {
			return r
		}
		cos, sin := r.Tables()
		return nn.RotaryFromTables(cos.MulScalar(magnitude), sin.MulScalar(magnitude), w.RopeInterleaved)
	}
	global = rotary(0, w.Global.Magnitude)
	if !w.hasLocal() {
		return global, global
	}
	return global, rotary(2, w.Local.Magnitude)
}

// frequencies returns those of global layers, and of local ones if there are some: a
// function, since a text holds its numbers.
func (w *model) frequencies(f *lang.Func) {
	give := func(name string, a Attention) {
		x := a.frequencies(f, w.kind(name == "global", LayerSizes{}).turned)
		if w.RopeFreqFactors && !a.NoFactors {
			x = x.Div(nn.Param(f, w.ropeFactors()))
		}
		f.Output(name, x.Whole)
		f.Output(name+"_rest", x.Rest)
	}
	give("global", w.Global)
	if w.hasLocal() {
		give("local", w.Local)
	}
}

// head returns the logits [T, V] of the residual stream [T, D].
func (w *model) head(f *lang.Func, v variant) {
	x := f.InputOf("hidden", dtype.F32, v.rows, shape.N(w.HiddenSize))
	h := f.Call(v.norm, w.normed(f, w.Block.outputNorm()+".", x)...)[0]
	y := nn.Linear(f, strings.TrimSuffix(w.OutputKey, "weight"), h, noBias)
	if w.Block.OutputBias {
		y = y.Add(nn.Param(f, "output.bias"))
	}
	if s := w.Block.LogitScale; s != 0 && s != 1 {
		y = y.MulScalar(s)
	}
	if w.FinalLogitSoftcap != 0 {
		y = y.DivScalar(w.FinalLogitSoftcap).Tanh().MulScalar(w.FinalLogitSoftcap)
	}
	f.Output("logits", y)
}
