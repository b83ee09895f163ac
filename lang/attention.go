package lang

// AttentionOptions configures Attention and CachedAttention. The zero value is plain
// attention.
type AttentionOptions struct {
	Mask    Tensor // added to the scores [B, H, Tq, Tk], to which it broadcasts; the zero Tensor means none
	Scale   float64
	Causal  bool
	Window  int64 // keys that a query sees, itself included; 0 means all
	Offset  int64 // position of the first query among the keys
	SoftCap float64
}

// Attention is scaled dot-product attention of t [B, H, Tq, D] over k [B, G, Tk, D]
// and v [B, G, Tk, E]: [B, H, Tq, E]. The result of a query that sees no key is zeros; a scale
// of 0 means 1/sqrt(D).
func (t Tensor) Attention(k, v Tensor, o AttentionOptions) Tensor {
	in := []Tensor{t, k, v}
	if o.Mask.f != nil {
		in = append(in, o.Mask)
	}
	return t.f.add("attention", attrs{
		"scale": o.Scale, "causal": o.Causal, "window": o.Window, "offset": o.Offset, "soft_cap": o.SoftCap,
	}, in...)
}

// CachedAttention is attention of T new tokens t [T, H, D] over a cache of keys and
// values [R, G, D] of f32 or narrower, which already holds theirs, the first at row
// start (i32 scalar): [T, H, D]. Token i sees the rows up to start + i, and with a
// window the last of these alone. Of o it takes Scale, Window and SoftCap. T may be
// dynamic. Processors visit only the rows that are seen.
func (t Tensor) CachedAttention(keys, values, start Tensor, o AttentionOptions) Tensor {
	return t.f.add("cached_attention", attrs{"scale": o.Scale, "window": o.Window, "soft_cap": o.SoftCap}, t, keys, values, start)
}

// UpdateRows returns t [R, ...] with rows [T, ...] written from row start (i32 scalar)
// on, which is clamped so that they fit; T may be dynamic. Where t is a state variable
// that is set to the result, programs write in place.
func (t Tensor) UpdateRows(rows, start Tensor) Tensor {
	return t.f.add("update_rows", nil, t, rows, start)
}

// RotaryOptions configures Rotary. The zero value rotates all dimensions, pairing the
// halves, with base 10000.
type RotaryOptions struct {
	Dims        int64 // elements to rotate; 0 means all
	Interleaved bool  // pairs are adjacent elements rather than the halves
	Base        float64
	Scale       float64 // divides positions; 0 means 1
	Denominator int64   // divisor in the exponent of the base; 0 means Dims
}

// Rotary is the rotary position embedding of t [..., T, D] at integer positions
// [T], or [B, T] for t [B, ..., T, D].
func (t Tensor) Rotary(positions Tensor, o RotaryOptions) Tensor {
	a := attrs{"dims": o.Dims, "interleaved": o.Interleaved, "denominator": o.Denominator}
	if o.Base != 0 {
		a["base"] = o.Base
	}
	if o.Scale != 0 {
		a["factor"] = o.Scale
	}
	return t.f.add("rotary", a, t, positions)
}

// Positions returns the n positions from offset on, an i32 scalar, for Rotary.
func (f *Func) Positions(offset Tensor, n int64) Tensor {
	return f.Iota(offset.DType(), 0, n).Add(offset)
}

// GRUCell returns the state [B, H] after t [B, I] and state h; gates are in ONNX's
// order z, r, h.
func (t Tensor) GRUCell(h, w, r, bias Tensor, linearBeforeReset bool) Tensor {
	return t.f.add("gru_cell", attrs{"linear_before_reset": linearBeforeReset}, t, h, w, r, bias)
}

// LSTMCell returns state and cell [B, H] after t [B, I]; gates are in ONNX's order i,
// o, f, c.
func (t Tensor) LSTMCell(h, c, w, r, bias Tensor) (nextH, nextC Tensor) {
	out := t.f.outputs(t.f.node("lstm_cell", nil, t, h, c, w, r, bias))
	return out[0], out[1]
}
