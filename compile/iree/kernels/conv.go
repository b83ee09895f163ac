package kernels

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Conv is y[z, m, n] = the sum over c and t of a[z mod groups, m, c*taps+t] times
// b[z, c, at(t)+n], all f32: a convolution over a padded operand with a flat spatial
// dimension, the product of the rows of a with the columns of b if it has one tap.
//
// The positions n are those of rows of b, width apart, beside each other: all taps of
// 16 neighbouring positions are then 16 neighbours in memory, also across the end of a
// row, at the price of the positions beyond the last column, whose sums have no meaning.
// With a stride, b is split into phases first, the elements whose row and column leave
// the same rest; a tap then reads one phase as if there were no stride.
//
// It is MatMul with panels of b that are copied as they lie: nothing is transposed, and
// the shifted copies of the operand (im2col) exist only for 16 positions at a time, in
// the L1 cache. See Chetlur et al., "cuDNN: Efficient Primitives for Deep Learning"
// (2014), section 3.1, for the same idea.
//
// With Same, b has no border of zeros, and y no positions beyond the last column: see same.
type Conv struct {
	Kernel, Strides, Dilation [2]int64 // rows, columns
	// Same says that y has as many rows and columns as a phase of b; Low is how many of b's
	// the first tap begins before it.
	Same bool
	Low  [2]int64
	Epilogue
	// Stored, if set, is the type of b, which Widens: its elements become f32 as the panel is
	// filled. It is for products alone.
	Stored dtype.DType
	// Direct is for products alone whose b is f32: its rows are read where they lie, not copied to
	// panels, which is faster where they are Near.
	Direct bool
}

// Near reports whether k rows of n columns of f32 are best read where they lie: tiles are wide,
// and the lines of a column of tiles, four for each row, have room in a cache of 16 ways of 64 KiB,
// such as the L2 cache of Xeons since Skylake, and their pages in its TLB. On a Xeon (Sapphire
// Rapids) the product of 192 rows with 1152 rows of 49 columns takes 0.179 ms with panels and 0.149
// without; of 128 rows with 384 of 1536 columns 1.18 and 1.12; with 1024 of 1024, which share 16
// places, 2.0 and 3.4; with 768 of 30522, each on pages of its own, 62 and 67.
func (f Form) Near(k, n int64) bool {
	const way, line, ways, each = 1 << 16, 64, 16, 4
	const page, pages = 1 << 12, 512
	if !f.tile().direct || 4*n > page && k > pages {
		return false
	}
	places := int64(1) // at which rows begin
	for stride := 4 * n; stride%way != 0; stride *= 2 {
		places *= 2
	}
	return k*each <= min(places*each, way/line)*ways
}

// operands is the number of tensors: the bias is the last, f32 [groups, m] or [features].
func (c Conv) operands() int {
	if c.Bias {
		return 3
	}
	return 2
}

// Product is that of the rows of a with the columns of b: the kernel of one tap.
var Product = Conv{Kernel: [2]int64{1, 1}, Strides: [2]int64{1, 1}, Dilation: [2]int64{1, 1}}

// maxTaps limits what is written out for each element of the panel: more taps are a loop.
const maxTaps = 64

// Taps is the number of elements of a for each channel.
func (c Conv) Taps() int64 { return c.Kernel[0] * c.Kernel[1] }

// Listed reports whether the taps are written out one by one. A Conv with Same has no other
// form: its text is that long, and so is the time to compile it.
func (c Conv) Listed() bool { return c.Taps() <= maxTaps }

// Supported reports whether there is a kernel.
func (c Conv) Supported() bool {
	for i := range 2 {
		if c.Kernel[i] < 1 || c.Strides[i] < 1 || c.Dilation[i] < 1 {
			return false
		}
	}
	return c.Listed() || !c.Same
}

// Symbol returns the kernel's name.
func (c Conv) Symbol() string {
	if c.Taps() == 1 {
		name := "product"
		if c.stored() != f32 {
			name += "_" + string(c.stored())
		}
		if c.Direct {
			name += "_direct"
		}
		return c.Epilogue.named(name)
	}
	return c.named("conv")
}

// stored is the type of the elements of b.
func (c Conv) stored() element {
	if c.Stored == dtype.Invalid {
		return f32
	}
	return element(c.Stored.MLIR())
}

// named adds the geometry to a name.
func (c Conv) named(name string) string {
	name += fmt.Sprintf("_%dx%d", c.Kernel[0], c.Kernel[1])
	if c.Strides != [2]int64{1, 1} {
		name += fmt.Sprintf("_stride_%dx%d", c.Strides[0], c.Strides[1])
	}
	if c.Dilation != [2]int64{1, 1} {
		name += fmt.Sprintf("_dilation_%dx%d", c.Dilation[0], c.Dilation[1])
	}
	if c.Same {
		name += fmt.Sprintf("_same_%dx%d", c.Low[0], c.Low[1])
	}
	return c.Epilogue.named(name)
}

// Sizes names the operands after the tensors: the count of z, of m and of n, the depth of
// a's rows, the number of its groups, the elements of a channel of b and of a row of y,
// the elements between rows of positions, and those of a phase.
var convSizes = []string{"z", "m", "n", "k", "groups", "channel", "row", "width", "phase"}

// Text returns the executable in this form.
func (c Conv) Text(f Form) string {
	form := f.tile()
	return sizedOf(f, c.Symbol(), c.operands(), convSizes, []dealt{{of: "n", by: form.columns()}, form.rowParts(c.Direct), {of: "z", by: 1}}, func(b *builder, operands []value, y value, sizes []value) {
		a, x := operands[0], operands[1]
		z, m, n, k, groups, channel, row, width, phase := sizes[0], sizes[1], sizes[2], sizes[3], sizes[4], sizes[5], sizes[6], sizes[7], sizes[8]
		taps := c.Taps()
		size := b.index(taps)
		at := b.workgroup("id", 2)
		p := product{builder: b, tail: true, ragged: true, form: form, ends: c.Epilogue, m: m, n: n, k: k}
		if c.Bias {
			p.bias = b.view(operands[2], f32, []value{groups, m}, -1, -1)
		}
		p.source = panelSource{elements: taps, slice: max(form.elements/taps, 1) * taps}
		if !c.Listed() {
			p.source = panelSource{elements: 1, slice: form.elements}
		}
		p.x = b.view(a, f32, []value{groups, m, k}, -1, -1, -1)
		p.xAt = []value{b.def(indexType, "arith.remui %s, %s : index", at.name, groups.name)}
		p.y = b.view(y, f32, []value{z, m, row}, -1, -1, -1)
		p.yAt = []value{at}
		if !c.Direct {
			p.panel = b.scratch(f32, p.source.slice, int64(form.vectors*lanes))
		}
		p.line = b.scratch(f32, p.source.slice)
		channels := b.over(k, size, false)
		if !c.Listed() {
			in := b.view(x, c.stored(), []value{z, channels, channel}, -1, -1, -1)
			p.fill = func(n, start, length value) { c.fill(&p, in, width, phase, n, start, length) }
			p.loops()
			return
		}
		offsets := c.offsets(b, width, phase)
		if c.Same {
			begin := b.mul(at, b.mul(channels, channel))
			total := b.mul(z, b.mul(channels, channel))
			s := same{product: &p, conv: c, begin: begin, channel: channel, total: total, width: width, height: b.over(phase, width, false), offsets: offsets}
			s.x = b.view(x, f32, []value{total}, -1)
			s.bits = b.scratch(i32, taps, int64(form.vectors*lanes))
			s.bounds(phase)
			p.fill = func(n, start, length value) { s.fill(n, b.over(start, size, false), b.over(length, size, false)) }
			p.loops()
			return
		}
		in := b.view(x, c.stored(), []value{z, channels, channel}, -1, -1, -1)
		if c.Direct {
			p.direct = in
			p.loops()
			return
		}
		p.fill = func(n, start, length value) {
			first := b.over(start, size, false)
			p.columnsOf(in, func(load func(at ...value) value) {
				b.loop(b.index(0), b.over(length, size, false), b.index(1), nil, func(i value, _ []value) []value {
					c := b.add(first, i)
					to := b.mul(i, size)
					for t, offset := range offsets {
						for v := range p.vectors {
							r := load(at, c, b.offset(b.add(offset, n), v*lanes))
							if in.elem != f32 {
								r = b.signed(r, f32)
							}
							b.store(r, p.panel, b.offset(to, t), b.index(int64(v*lanes)))
						}
					}
					return nil
				})
			})
		}
		p.loops()
	})
}

// offsets returns where the taps of the first position are in a channel.
func (c Conv) offsets(b *builder, width, phase value) []value {
	var list []value
	for i := range c.Kernel[0] {
		for j := range c.Kernel[1] {
			down, odd := c.shift(0, i)
			right, even := c.shift(1, j)
			along := b.add(b.mul(width, b.index(down)), b.index(right))
			list = append(list, b.add(b.mul(phase, b.index(odd*c.Strides[1]+even)), along))
		}
	}
	return list
}

// fill fills the panel with columns from n on, of elements from start on, one tap at a time.
func (c Conv) fill(p *product, in memory, width, phase, n, start, length value) {
	divided := func(x value, by int64) (quotient, rest value) {
		d := p.index(by)
		return p.over(x, d, false), p.def(indexType, "arith.remui %s, %s : index", x.name, d.name)
	}
	p.columnsOf(in, func(load func(at ...value) value) {
		p.loop(p.index(0), length, p.index(1), nil, func(i value, _ []value) []value {
			element, tap := divided(p.add(start, i), c.Taps())
			row, column := divided(tap, c.Kernel[1])
			down, odd := divided(p.mul(row, p.index(c.Dilation[0])), c.Strides[0])
			right, even := divided(p.mul(column, p.index(c.Dilation[1])), c.Strides[1])
			along := p.add(p.mul(width, down), right)
			from := p.add(p.mul(phase, p.add(p.mul(odd, p.index(c.Strides[1])), even)), p.add(along, n))
			for v := range p.vectors {
				r := load(p.yAt[0], element, p.offset(from, v*lanes))
				if in.elem != f32 {
					r = p.signed(r, f32)
				}
				p.store(r, p.panel, i, p.index(int64(v*lanes)))
			}
			return nil
		})
	})
}

// columnsOf runs body with a way to load the panel's columns: masked where y has fewer
// than a vector.
func (p *product) columnsOf(from memory, body func(load func(at ...value) value)) {
	if p.whole.none() {
		body(func(at ...value) value { return p.load(from, lanes, at...) })
		return
	}
	p.either(p.whole,
		func() { body(func(at ...value) value { return p.load(from, lanes, at...) }) },
		func() { body(func(at ...value) value { return p.masked(from, at...) }) })
}
