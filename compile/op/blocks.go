package op

import (
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// Unpacking of blocks with base operations. A layout returns the elements
// of all blocks [..., blocks, bytes] in parts f32 [..., blocks, n] of equal n,
// in element order: compilers materialise the result of a reshape or a
// concatenation of smaller parts, but fuse slices of bytes and arithmetic with the
// sum of a product. The values equal those of package quant bit for bit if
// arithmetic follows IEEE 754 without contraction.
var layouts = map[quant.Encoding]func(w blocks) parts{
	"Q4_0": func(w blocks) parts {
		return w.nibbles(2, func(q expr) expr { return q.with("subtract", 8).to(dtype.F32).times(w.half(0)) })
	},
	"Q4_1": func(w blocks) parts {
		return w.nibbles(4, func(q expr) expr { return q.to(dtype.F32).times(w.half(0)).plus(w.half(2)) })
	},
	"Q5_0": func(w blocks) parts {
		return w.fives(2, func(q expr) expr { return q.with("subtract", 16).to(dtype.F32).times(w.half(0)) })
	},
	"Q5_1": func(w blocks) parts {
		return w.fives(4, func(q expr) expr { return q.to(dtype.F32).times(w.half(0)).plus(w.half(2)) })
	},
	"Q8_0": func(w blocks) parts { return parts{w.bytes(2, 32).to(dtype.F32).times(w.half(0))} },
	"IQ4_NL": func(w blocks) parts {
		return w.nibbles(2, func(q expr) expr { return w.half(0).times(w.uneven(q)) })
	},
	"Q2_K": func(w blocks) parts {
		d, low := w.half(80), w.half(82)
		return w.each(16, func(i int64) expr {
			s := w.bytes(i, 1)
			q := w.bytes(16+i/8*32+i%2*16, 16).bits(i/2%4*2, 3)
			return d.times(s.bits(0, 15).to(dtype.F32)).times(q.to(dtype.F32)).minus(low.times(s.bits(4, 15).to(dtype.F32)))
		})
	},
	"Q3_K": func(w blocks) parts {
		d := w.half(108)
		return w.each(16, func(i int64) expr {
			s := w.bytes(96+i%8, 1).bits(i/8*4, 15).with6(w.bytes(104+i%4, 1).bits(i/4*2, 3)).with("subtract", 32)
			q := w.bytes(32+i/8*32+i%2*16, 16).bits(i/2%4*2, 3).bin("or", w.bytes(i%2*16, 16).bits(i/2, 1).with("shift_left", 2))
			return d.times(s.to(dtype.F32)).times(q.with("subtract", 4).to(dtype.F32))
		})
	},
	"Q4_K": func(w blocks) parts {
		return w.each(8, func(i int64) expr { return w.affine(i, w.bytes(16+i/2*32, 32).bits(i%2*4, 15)) })
	},
	"Q5_K": func(w blocks) parts {
		return w.each(8, func(i int64) expr {
			high := w.bytes(16, 32).bits(i, 1).with("shift_left", 4)
			return w.affine(i, w.bytes(48+i/2*32, 32).bits(i%2*4, 15).bin("or", high))
		})
	},
	"Q6_K": func(w blocks) parts {
		d := w.half(208)
		return w.each(16, func(i int64) expr {
			s := d.times(w.bytes(192+i, 1).to(dtype.F32))
			q := w.bytes(i/8*64+i%4*16, 16).bits(i/4%2*4, 15).with6(w.bytes(128+i/8*32+i%2*16, 16).bits(i/2%4*2, 3))
			return s.times(q.with("subtract", 32).to(dtype.F32))
		})
	},
	"IQ4_XS": func(w blocks) parts {
		d := w.half(0)
		return w.each(16, func(i int64) expr {
			sub := i / 2
			s := w.bytes(4+sub/2, 1).bits(sub%2*4, 15).with6(w.bytes(2+sub/4, 1).bits(sub%4*2, 3)).with("subtract", 32)
			return d.times(s.to(dtype.F32)).times(w.uneven(w.bytes(8+16*sub, 16).bits(i%2*4, 15)))
		})
	},
	"TQ2_0": func(w blocks) parts {
		d := w.half(64)
		return w.each(8, func(i int64) expr {
			return w.bytes(i/4*32, 32).bits(i%4*2, 3).with("subtract", 1).to(dtype.F32).times(d)
		})
	},
}

// blocks are i8 [..., blocks, bytes].
type blocks struct {
	b *builder
	w expr
}

// parts are the elements of blocks, f32 [..., blocks, n] each.
type parts []expr

// unpack returns the elements of w in the call's encoding.
func (c *Call) unpack(b *builder, w expr) parts {
	return layouts[quant.Encoding(c.Attrs.String("encoding"))](blocks{b, w})
}

// whole returns all elements, f32 [..., K].
func (p parts) whole() expr {
	last := p[0].rank() - 1
	if !p[0].Type.Shape.IsStatic() && len(p) > 1 {
		// Parts of dynamic size are reshaped one by one, and then concatenated.
		for i := range p {
			p[i] = p[i].un("barrier")
		}
	}
	x := p[0].concat(last, p...)
	dims := x.dims()
	return x.reshape(append(dims[:last-1], dims[last-1].Times(dims[last]))...)
}

func (x expr) concat(dim int, xs ...expr) expr { return (&builder{x.add}).concat(dim, xs...) }

// bytes returns n bytes of each block.
func (w blocks) bytes(at, n int64) expr { return w.w.slice(w.w.rank()-1, at, n, 1) }

// bits returns bytes shifted right and masked, as non-negative i8: the mask
// removes the sign bits that the shift copies.
func (x expr) bits(shift int64, mask float64) expr {
	if shift > 0 {
		x = x.with("shift_right", float64(shift))
	}
	return x.with("and", mask)
}

// with6 returns six-bit codes from the low four and the high two bits.
func (x expr) with6(high expr) expr { return x.bin("or", high.with("shift_left", 4)) }

// half returns the f16 at an offset of each block, as f32 [..., blocks, 1]. A bitcast
// of two bytes would become a reduction.
func (w blocks) half(at int64) expr {
	low := w.bytes(at, 1).to(dtype.I16).with("and", 255)
	high := w.bytes(at+1, 1).to(dtype.I16).with("shift_left", 8)
	return apply(w.b.add, "bitcast", Attrs{"dtype": dtype.F16}, low.bin("or", high)).to(dtype.F32)
}

func (w blocks) each(n int64, part func(i int64) expr) parts {
	list := make(parts, n)
	for i := range list {
		list[i] = part(int64(i))
	}
	return list
}

// nibbles returns elements whose codes are the low and the high halves of 16 bytes.
func (w blocks) nibbles(at int64, value func(q expr) expr) parts {
	return w.each(2, func(i int64) expr { return value(w.bytes(at, 16).bits(4*i, 15)) })
}

// fives is like nibbles with a fifth bit for each code, in four bytes before them.
func (w blocks) fives(at int64, value func(q expr) expr) parts {
	masks := make([]float64, 16)
	for i := range masks {
		masks[i] = float64(int(1) << i)
	}
	mask, zero := w.b.numbers(dtype.I32, masks, 16), w.b.splat(dtype.I32, 0)
	return w.each(2, func(i int64) expr {
		low := w.bytes(at+2*i, 1).to(dtype.I32).with("and", 255)
		word := low.bin("or", w.bytes(at+2*i+1, 1).to(dtype.I32).with("and", 255).with("shift_left", 8))
		high := word.bin("and", mask).compare(NE, zero).choose(w.b.splat(dtype.I8, 16), w.b.splat(dtype.I8, 0))
		return value(w.bytes(at+4, 16).bits(4*i, 15).bin("or", high))
	})
}

// affine returns sub-block i of the eight of Q4_K and Q5_K from its codes.
func (w blocks) affine(i int64, q expr) expr {
	scale, low := w.bytes(4+i, 1).bits(0, 63), w.bytes(8+i, 1).bits(0, 63)
	if i >= 4 {
		both := w.bytes(8+i, 1)
		scale = both.bits(0, 15).with6(w.bytes(i, 1).bits(6, 3))
		low = both.bits(4, 15).with6(w.bytes(4+i, 1).bits(6, 3))
	}
	return w.half(0).times(scale.to(dtype.F32)).times(q.to(dtype.F32)).minus(w.half(2).times(low.to(dtype.F32)))
}

// uneven returns the IQ4_NL values of four-bit codes. A take would be materialised,
// so the bits select among constants.
func (w blocks) uneven(q expr) expr {
	steps := make([]expr, 16)
	for i, v := range quant.Steps4() {
		steps[i] = w.b.splat(dtype.F32, float64(v))
	}
	zero := w.b.splat(dtype.I8, 0)
	for bit := 0; len(steps) > 1; bit++ {
		set := q.with("and", float64(int(1)<<bit)).compare(NE, zero)
		next := make([]expr, len(steps)/2)
		for i := range next {
			next[i] = set.choose(steps[2*i+1], steps[2*i])
		}
		steps = next
	}
	return steps[0]
}
