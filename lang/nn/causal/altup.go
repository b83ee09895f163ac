package causal

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
)

// AltUp configures several residual streams, of which one goes through the layers and the
// others are predicted and corrected by it (Baykal et al. 2023). The zero value is one.
type AltUp struct {
	Streams int64
	Active  int64 // the one that goes through the layers
	// LaurelRank is that of a projection beside attention, laurel_l and laurel_r.
	LaurelRank int64
}

// Sparse keeps of the gates of the first feed-forward layers only what is so many standard
// deviations above the mean. The zero value keeps all.
type Sparse struct {
	Layers     int64
	Deviations float64
}

func (l *list) altUpTables() {
	c := l.c
	l.add("altup_proj.weight", c.AltUp.Streams-1, c.HiddenSize, c.HiddenSize)
	l.add("altup_unembd_proj.weight", c.AltUp.Streams-1, c.HiddenSize, c.HiddenSize)
}

func (l *list) altUp() {
	c, n := l.c, l.c.AltUp.Streams
	l.add("altup_router_norm.weight", c.HiddenSize)
	l.add("altup_router.weight", n, c.HiddenSize)
	l.add("altup_predict_coef.weight", n*n, n)
	l.add("altup_correct_coef.weight", n, n)
	l.add("altup_correct_scale.weight", c.HiddenSize)
	l.add("laurel_l.weight", c.AltUp.LaurelRank, c.HiddenSize)
	l.add("laurel_r.weight", c.HiddenSize, c.AltUp.LaurelRank)
	l.add("laurel_post_norm.weight", c.HiddenSize)
}

// length is that of the rows of x [T, D], [T, 1].
func length(x lang.Tensor) lang.Tensor { return x.Square().Sum(true, 1).Sqrt() }

// streams makes the others of x [T, D]: projections that have its length.
func (w *model) streams(f *lang.Func, x lang.Tensor) []lang.Tensor {
	var others []lang.Tensor
	for i := range w.AltUp.Streams - 1 {
		others = append(others, w.resized(f, "altup_proj.weight", i, x, length(x)))
	}
	return w.insert(others, x)
}

// insert returns the streams with the active one among the others.
func (w *model) insert(others []lang.Tensor, active lang.Tensor) []lang.Tensor {
	at := w.AltUp.Active
	return append(append(append([]lang.Tensor(nil), others[:at]...), active), others[at:]...)
}

// resized is projection i of x, of that length.
func (w *model) resized(f *lang.Func, key string, i int64, x, size lang.Tensor) lang.Tensor {
	m := f.Param(key).Slice(0, i, i+1).Squeeze(0)
	y := x.Dot(m, lang.Dims{}, lang.Dims{LHS: []int{1}, RHS: []int{1}})
	return y.Mul(size).Div(length(y))
}

// merge returns the mean of the streams, the others projected and of the active one's length.
func (w *model) merge(f *lang.Func, streams []lang.Tensor) lang.Tensor {
	y, size := streams[0], length(streams[w.AltUp.Active])
	for i := range w.AltUp.Streams - 1 {
		y = y.Add(w.resized(f, "altup_unembd_proj.weight", i, streams[i+1], size))
	}
	return y.MulScalar(1 / float64(w.AltUp.Streams))
}

// modalities [T, N] are what the router makes of x [T, D].
func (b block) modalities(x lang.Tensor) lang.Tensor {
	x = x.RMSNorm(b.param("altup_router_norm"), b.w.Epsilon, 0).MulScalar(1 / float64(b.w.HiddenSize))
	return nn.Linear(b.f, b.key("altup_router"), x, noBias).Tanh()
}

// predict returns what the layer expects of each stream: a sum of all, of weights that the
// active one makes, and itself.
func (b block) predict(streams []lang.Tensor) []lang.Tensor {
	n := b.w.AltUp.Streams
	weights := nn.Linear(b.f, b.key("altup_predict_coef"), b.modalities(streams[b.w.AltUp.Active]), noBias) // [T, N*N]
	out := make([]lang.Tensor, n)
	for i := range n {
		out[i] = streams[i]
		for j := range n {
			out[i] = out[i].Add(streams[j].Mul(weights.Slice(1, i*n+j, i*n+j+1)))
		}
	}
	return out
}

// correct adds to each stream its part of how far the active one came out from what was
// predicted.
func (b block) correct(predicted []lang.Tensor, active lang.Tensor) []lang.Tensor {
	weights := nn.Linear(b.f, b.key("altup_correct_coef"), b.modalities(active), noBias).AddScalar(1) // [T, N]
	off := active.Sub(predicted[b.w.AltUp.Active])
	out := make([]lang.Tensor, len(predicted))
	for i := range b.w.AltUp.Streams {
		out[i] = predicted[i].Add(off.Mul(weights.Slice(1, i, i+1)))
	}
	return out
}

// altLayer is a layer of several streams [T, D].
func (w *model) altLayer(f *lang.Func, v variant, i int64, streams []lang.Tensor, in surroundings) []lang.Tensor {
	b := block{w: w, f: f, v: v, i: i, number: w.FirstLayer + i, in: in}
	predicted := b.predict(streams)
	streams = b.correct(predicted, w.layer(f, v, i, predicted[w.AltUp.Active], in))
	more := b.perLayer(streams[w.AltUp.Active].Mul(b.param("altup_correct_scale")))
	for i := range streams[1:] {
		streams[i+1] = streams[i+1].Add(more)
	}
	return streams
}

// laurel is a projection of small rank beside attention (Menghani et al. 2024).
func (b block) laurel(h lang.Tensor) lang.Tensor {
	y := nn.Linear(b.f, b.key("laurel_r"), nn.Linear(b.f, b.key("laurel_l"), h, noBias), noBias)
	return y.RMSNorm(b.param("laurel_post_norm"), b.w.Epsilon, 0).Add(h)
}

// sparse keeps the greatest of the gates x [T, F].
func (b block) sparse(x lang.Tensor) lang.Tensor {
	if b.number >= b.w.Sparse.Layers {
		return x
	}
	n := float64(x.Dim(1))
	mean := x.Sum(true, 1).MulScalar(1 / n)
	off := x.Sub(mean)
	deviation := off.Square().Sum(true, 1).MulScalar(1 / (n - 1)).Sqrt()
	return off.Sub(deviation.MulScalar(b.w.Sparse.Deviations)).ReLU()
}
