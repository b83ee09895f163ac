package causal

import (
	"fmt"
	"math"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Recurrent configures layers that keep a memory of one size in place of keys and values: a
// short convolution, and a recurrence over the positions. Whoever has such a memory cannot
// go back to an earlier position: see entries.go. The zero value is none.
type Recurrent struct {
	Kind   Recurrence
	Layers []bool // of the file: those that have a memory
	Beside bool   // attention is there too, and both add to the residual stream
	Width  int64  // positions that the convolution reads
	Inner  int64  // channels of the recurrence
	State  int64  // N, elements of the memory for each channel
	Heads  int64  // H, that share a step size; of a Selective one the rank of it
	Groups int64  // G, of heads that share what is read and written
	// PlainNorms and Norms add RMS norms of the step, of what is written and of what is read,
	// of a Selective one: without weights, and of ssm_dt_norm and so on.
	PlainNorms, Norms bool
	// GroupNorm adds an RMS norm ssm_norm of each group of channels, and ConvBias a shift of
	// the convolution.
	GroupNorm, ConvBias bool
	// Joint has ssm_beta and ssm_alpha of a DeltaRule in one, ssm_ba, for each group those of
	// its heads, and a group's heads follow each other; otherwise the groups do.
	Joint bool
}

// Recurrence is how a memory changes from one position to the next.
type Recurrence int

// The kinds of recurrences.
const (
	Selective Recurrence = iota // Mamba (Gu and Dao 2023)
	Duality                     // Mamba 2 (Dao and Gu 2024)
	DeltaRule                   // gated delta rule (Yang et al. 2024)
)

// recurs reports whether a layer of the file has a memory.
func (c Config) recurs(i int64) bool {
	return i < int64(len(c.Recurrent.Layers)) && c.Recurrent.Layers[i]
}

// attends reports whether a layer of the file has keys and values.
func (c Config) attends(i int64) bool {
	h := c.headsOf(i)
	return h.queries > 0 && h.keys > 0 && (!c.recurs(i) || c.Recurrent.Beside)
}

// hasMemory reports whether some layer that is used has a memory.
func (c Config) hasMemory() bool {
	for i := range c.NumLayers {
		if c.recurs(c.FirstLayer + i) {
			return true
		}
	}
	return false
}

// channels is the number of those that the convolution reads.
func (r Recurrent) channels() int64 {
	if r.Kind == Selective {
		return r.Inner
	}
	return r.Inner + 2*r.Groups*r.State
}

// memory is the shape of what a layer keeps: [heads, elements of a head, N].
func (r Recurrent) memory() []int64 {
	if r.Kind == Selective {
		return []int64{r.Inner, 1, r.State}
	}
	return []int64{r.Heads, r.Inner / max(r.Heads, 1), r.State}
}

func (l *list) recurrent() {
	c, r := l.c, l.c.Recurrent
	l.add("ssm_conv1d.weight", r.channels(), r.Width)
	if r.ConvBias {
		l.add("ssm_conv1d.bias", r.channels())
	}
	switch r.Kind {
	case Selective:
		l.linear("ssm_in", 2*r.Inner, c.HiddenSize)
		l.linear("ssm_x", r.Heads+2*r.State, r.Inner)
		l.add("ssm_dt.weight", r.Inner, r.Heads)
		l.add("ssm_dt.bias", r.Inner)
		l.add("ssm_a", r.Inner, r.State)
		l.add("ssm_d", r.Inner)
		if r.Norms {
			l.add("ssm_dt_norm.weight", r.Heads)
			l.add("ssm_b_norm.weight", r.State)
			l.add("ssm_c_norm.weight", r.State)
		}
	case Duality:
		l.linear("ssm_in", r.Inner+r.channels()+r.Heads, c.HiddenSize)
		l.add("ssm_dt.bias", r.Heads)
		l.add("ssm_a", r.Heads, 1)
		l.add("ssm_d", r.Heads, 1)
		if r.GroupNorm {
			l.add("ssm_norm.weight", r.Groups, r.Inner/r.Groups)
		}
	case DeltaRule:
		l.linear("attn_qkv", r.channels(), c.HiddenSize)
		l.linear("attn_gate", r.Inner, c.HiddenSize)
		if r.Joint {
			l.linear("ssm_ba", 2*r.Heads, c.HiddenSize)
		} else {
			l.linear("ssm_beta", r.Heads, c.HiddenSize)
			l.linear("ssm_alpha", r.Heads, c.HiddenSize)
		}
		l.add("ssm_dt.bias", r.Heads)
		l.add("ssm_a", r.Heads)
		l.add("ssm_norm.weight", r.Inner/r.Heads)
	}
	l.linear("ssm_out", c.HiddenSize, r.Inner)
}

// convolved is the convolution of x [T, C] and its activation, and the rows that the next
// call reads before its own.
func (w *model) convolved(x, past lang.Tensor, kernel lang.Tensor, bias []lang.Tensor) (y, next lang.Tensor) {
	r, f, rows := w.Recurrent, x.Func(), x.DimOf(0)
	tap := func(i int64) lang.Tensor { return kernel.Slice(1, i, i+1).Reshape(1, r.channels()) }
	all := f.Concat(0, past, x)
	y = x.Mul(tap(r.Width - 1))
	for i := range r.Width - 1 {
		y = y.Add(all.SliceOf(0, shape.N(i), rows.Plus(shape.N(i)), 1).Mul(tap(i)))
	}
	for _, b := range bias {
		y = y.Add(b.Reshape(1, r.channels()))
	}
	return y.SiLU(), all.SliceOf(0, rows, rows.Plus(shape.N(r.Width-1)), 1)
}

// scan goes through the rows of the inputs [T, ...] with a memory, which each step replaces,
// and returns what the steps give, [T, H, P], and the last memory.
func (w *model) scan(memory lang.Tensor, inputs []lang.Tensor, step func(memory lang.Tensor, in []lang.Tensor) (next, y lang.Tensor)) (y, last lang.Tensor) {
	f, rows := memory.Func(), inputs[0].DimOf(0)
	if rows == shape.N(1) {
		var in []lang.Tensor
		for _, x := range inputs {
			in = append(in, x.Squeeze(0))
		}
		next, y := step(memory, in)
		return y.Unsqueeze(0), next
	}
	zero := f.Splat(dtype.I32, 0)
	size, sizes := inputs[0].Size(0), w.Recurrent.memory()
	out := f.While([]lang.Tensor{zero, memory, f.SplatOf(dtype.F32, 0, rows, shape.N(sizes[0]), shape.N(sizes[1]))},
		func(v []lang.Tensor) lang.Tensor { return v[0].Less(size) },
		func(v []lang.Tensor) []lang.Tensor {
			var in []lang.Tensor
			for _, x := range inputs {
				window, at := []int64{1}, []lang.Tensor{v[0]}
				for i := 1; i < x.Rank(); i++ {
					window, at = append(window, x.Dim(i)), append(at, zero)
				}
				in = append(in, x.DynamicSlice(window, at...).Squeeze(0))
			}
			next, y := step(v[1], in)
			return []lang.Tensor{v[0].AddScalar(1), next, v[2].Update(y.Unsqueeze(0), v[0], zero, zero)}
		})
	return out[2], out[1]
}

// spread gives each head of x [T, G, N] its group's: [T, H, N].
func spread(x lang.Tensor, heads int64) lang.Tensor {
	groups, n := x.Dim(1), x.Dim(2)
	x = x.Unsqueeze(2).BroadcastOf(x.DimOf(0), shape.N(groups), shape.N(heads/groups), shape.N(n))
	return x.ReshapeOf(x.DimOf(0), shape.N(heads), shape.N(n))
}

// outer is x [H, P] times y [H, N]: [H, P, N]; inner is the sum of m [H, P, N] times y.
func outer(x, y lang.Tensor) lang.Tensor { return x.Unsqueeze(2).Mul(y.Unsqueeze(1)) }
func inner(m, y lang.Tensor) lang.Tensor { return m.Mul(y.Unsqueeze(1)).Sum(false, 2) }

// recurrent is what such a layer adds to the residual stream, of which it reads h.
func (b block) recurrent(h lang.Tensor) lang.Tensor {
	past, memory := b.w.of(b.in.cache, "conv", b.i), b.w.of(b.in.cache, "memory", b.i)
	var y lang.Tensor
	switch b.w.Recurrent.Kind {
	case Selective:
		y, *past, *memory = b.selective(h, *past, *memory)
	case Duality:
		y, *past, *memory = b.duality(h, *past, *memory)
	case DeltaRule:
		y, *past, *memory = b.deltaRule(h, *past, *memory)
	}
	return b.linear("ssm_out", y)
}

// convolve is the convolution of the block.
func (b block) convolve(x, past lang.Tensor) (y, next lang.Tensor) {
	var bias []lang.Tensor
	if b.w.Recurrent.ConvBias {
		bias = append(bias, nn.Param(b.f, b.key("ssm_conv1d")+"bias"))
	}
	return b.w.convolved(x, past, b.param("ssm_conv1d"), bias)
}

func (b block) plain(name string) lang.Tensor { return nn.Param(b.f, b.key(name)[:len(b.key(name))-1]) }

// selective is Mamba's layer but for its last projection. Each channel is a head of one
// element.
func (b block) selective(h, past, memory lang.Tensor) (y, nextPast, next lang.Tensor) {
	r := b.w.Recurrent
	xz := b.linear("ssm_in", h)
	x, nextPast := b.convolve(xz.Slice(1, 0, r.Inner), past)
	z, made := xz.Slice(1, r.Inner, 2*r.Inner), b.linear("ssm_x", x)
	parts := []lang.Tensor{made.Slice(1, 0, r.Heads), made.Slice(1, r.Heads, r.Heads+r.State), made.Slice(1, r.Heads+r.State, r.Heads+2*r.State)}
	for i, name := range []string{"ssm_dt_norm", "ssm_b_norm", "ssm_c_norm"} {
		switch {
		case r.Norms:
			parts[i] = parts[i].RMSNorm(b.param(name), b.w.Epsilon, 0)
		case r.PlainNorms:
			parts[i] = parts[i].RMSNorm(b.f.Splat(dtype.F32, 1, parts[i].Dim(1)), b.w.Epsilon, 0)
		}
	}
	steps := nn.Linear(b.f, b.key("ssm_dt"), parts[0], nn.LinearOptions{}).Softplus() // [T, C]
	decay := b.plain("ssm_a").Unsqueeze(1)                                            // [C, 1, N]
	y, next = b.w.scan(memory, []lang.Tensor{x, steps, parts[1], parts[2]}, func(memory lang.Tensor, in []lang.Tensor) (lang.Tensor, lang.Tensor) {
		x, step, write, read := in[0], in[1].Unsqueeze(1), in[2].Unsqueeze(0), in[3].Unsqueeze(0)
		memory = memory.Mul(step.Unsqueeze(2).Mul(decay).Exp()).Add(outer(x.Unsqueeze(1).Mul(step), write))
		return memory, inner(memory, read)
	})
	y = y.Squeeze(2).Add(x.Mul(b.plain("ssm_d").Unsqueeze(0)))
	return y.Mul(z.SiLU()), nextPast, next
}

// duality is Mamba 2's layer but for its last projection.
func (b block) duality(h, past, memory lang.Tensor) (y, nextPast, next lang.Tensor) {
	r, rows := b.w.Recurrent, h.DimOf(0)
	heads, groups, size, state := shape.N(r.Heads), shape.N(r.Groups), shape.N(r.Inner/r.Heads), shape.N(r.State)
	all := b.linear("ssm_in", h)
	z := all.Slice(1, 0, r.Inner)
	mixed, nextPast := b.convolve(all.Slice(1, r.Inner, r.Inner+r.channels()), past)
	steps := all.Slice(1, r.Inner+r.channels(), r.Inner+r.channels()+r.Heads).Add(nn.Param(b.f, b.key("ssm_dt")+"bias")).Softplus() // [T, H]
	x, width := mixed.Slice(1, 0, r.Inner).ReshapeOf(rows, heads, size), r.Groups*r.State
	write := spread(mixed.Slice(1, r.Inner, r.Inner+width).ReshapeOf(rows, groups, state), r.Heads)
	read := spread(mixed.Slice(1, r.Inner+width, r.Inner+2*width).ReshapeOf(rows, groups, state), r.Heads)
	decay := b.plain("ssm_a") // [H, 1]
	y, next = b.w.scan(memory, []lang.Tensor{x, steps, write, read}, func(memory lang.Tensor, in []lang.Tensor) (lang.Tensor, lang.Tensor) {
		step := in[1].Unsqueeze(1) // [H, 1]
		memory = memory.Mul(step.Mul(decay).Exp().Unsqueeze(2)).Add(outer(in[0].Mul(step), in[2]))
		return memory, inner(memory, in[3])
	})
	y = y.Add(x.Mul(b.plain("ssm_d").Unsqueeze(0))).ReshapeOf(rows, shape.N(r.Inner)).Mul(z.SiLU())
	if r.GroupNorm {
		y = y.ReshapeOf(rows, groups, shape.N(r.Inner/r.Groups))
		one := b.f.Splat(dtype.F32, 1, r.Inner/r.Groups)
		y = y.RMSNorm(one, b.w.Epsilon, 0).Mul(b.param("ssm_norm").Unsqueeze(0)).ReshapeOf(rows, shape.N(r.Inner))
	}
	return y, nextPast, next
}

// deltaRule is such a layer of Qwen 3 Next but for its last projection.
func (b block) deltaRule(h, past, memory lang.Tensor) (y, nextPast, next lang.Tensor) {
	r, rows := b.w.Recurrent, h.DimOf(0)
	size, width := r.Inner/r.Heads, r.Groups*r.State
	mixed, nextPast := b.convolve(b.linear("attn_qkv", h), past)
	part := func(from int64) lang.Tensor { // of length 1, and each head's
		x := mixed.Slice(1, from, from+width).ReshapeOf(rows, shape.N(r.Groups), shape.N(r.State))
		x = x.Div(x.Square().Sum(true, 2).Sqrt().Max(b.f.Splat(dtype.F32, b.w.Epsilon)))
		if r.Joint {
			return spread(x, r.Heads)
		}
		x = x.Unsqueeze(1).BroadcastOf(rows, shape.N(r.Heads/r.Groups), shape.N(r.Groups), shape.N(r.State))
		return x.ReshapeOf(rows, shape.N(r.Heads), shape.N(r.State))
	}
	q, k := part(0).MulScalar(1/math.Sqrt(float64(r.State))), part(width)
	v := mixed.Slice(1, 2*width, 2*width+r.Inner).ReshapeOf(rows, shape.N(r.Heads), shape.N(size))
	share, more := b.shares(h)
	share = share.Logistic()
	decay := more.Add(nn.Param(b.f, b.key("ssm_dt")+"bias")).Softplus().Mul(b.plain("ssm_a")).Exp() // [T, H]
	y, next = b.w.scan(memory, []lang.Tensor{q, k, v, share, decay}, func(memory lang.Tensor, in []lang.Tensor) (lang.Tensor, lang.Tensor) {
		memory = memory.Mul(in[4].Unsqueeze(1).Unsqueeze(2))
		off := in[2].Sub(inner(memory, in[1])).Mul(in[3].Unsqueeze(1)) // [H, P]
		memory = memory.Add(outer(off, in[1]))
		return memory, inner(memory, in[0])
	})
	y = y.RMSNorm(b.param("ssm_norm"), b.w.Epsilon, 0).ReshapeOf(rows, shape.N(r.Inner))
	return y.Mul(b.linear("attn_gate", h).SiLU()), nextPast, next
}

// shares are what the delta rule makes its shares and its decay of, [T, H].
func (b block) shares(h lang.Tensor) (share, decay lang.Tensor) {
	r, rows := b.w.Recurrent, h.DimOf(0)
	if !r.Joint {
		return b.linear("ssm_beta", h), b.linear("ssm_alpha", h)
	}
	each := r.Heads / r.Groups
	both := b.linear("ssm_ba", h).ReshapeOf(rows, shape.N(r.Groups), shape.N(2*each))
	half := func(from int64) lang.Tensor { return both.Slice(2, from, from+each).ReshapeOf(rows, shape.N(r.Heads)) }
	return half(0), half(each)
}

// resumed makes memories those of a call that begins at start: new ones at 0, those that are
// kept at the position, and NaN elsewhere, where no memory is.
func (w *model) resumed(f *lang.Func, c cache, start lang.Tensor) cache {
	if !w.hasMemory() {
		return c
	}
	at := f.Read(w.position)
	zero := f.Splat(dtype.I32, 0)
	for i, r := range w.records {
		if !r.memory {
			continue
		}
		each := func(v float64) lang.Tensor { return f.Splat(dtype.F32, v, r.sizes...) }
		kept := start.Equal(at).Select(c[i], each(math.NaN()))
		c[i] = start.Equal(zero).Select(each(0), kept)
	}
	return c
}

// recurrentKey is a key of all files whose layers have memories.
const recurrentKey = "ssm.conv_kernel"

// maxWidth is the number of positions that a convolution reads, at most: the graph has a
// product for each.
const maxWidth = 64

// Recurrent reads the sizes of layers that have a memory of that kind: those for which has
// is true.
func (h *Header) Recurrent(c *Config, kind Recurrence, has func(i int64) bool) {
	r := Recurrent{
		Kind: kind, Width: h.Size(recurrentKey), Inner: h.Size("ssm.inner_size"), State: h.Size("ssm.state_size"),
		Heads: h.Size("ssm.time_step_rank"), Groups: 1,
	}
	if kind != Selective {
		r.Groups = h.Size("ssm.group_count")
	}
	switch {
	case r.Width < 2 || r.Width > maxWidth:
		h.Fail(recurrentKey, "a convolution of %d positions, not of 2 to %d", r.Width, maxWidth)
	case r.State > maxSize/r.Inner:
		h.Fail("ssm.state_size", "a memory of %d times %d elements", r.Inner, r.State)
	case kind != Selective && r.Inner%r.Heads != 0:
		h.Fail("ssm.time_step_rank", "%d heads do not divide %d channels", r.Heads, r.Inner)
	case kind != Selective && (r.Heads%r.Groups != 0 || r.Inner%r.Groups != 0):
		h.Fail("ssm.group_count", "%d groups do not divide %d heads and %d channels", r.Groups, r.Heads, r.Inner)
	}
	first := int64(-1)
	for i := range c.NumLayers {
		r.Layers = append(r.Layers, has(i))
		if has(i) && first < 0 {
			first = i
		}
	}
	tensor := func(name string) bool { return h.HasTensor(fmt.Sprintf("blk.%d.%s", first, name)) }
	r.ConvBias, r.GroupNorm, r.Norms = tensor("ssm_conv1d.bias"), tensor("ssm_norm.weight"), tensor("ssm_dt_norm.weight")
	if kind == Selective {
		r.PlainNorms = h.Flag("ssm.dt_b_c_rms", false)
	}
	r.Joint = kind == DeltaRule && tensor("ssm_ba.weight")
	c.Recurrent = r
}
