package kernels

import "fmt"

// Line is y[z, m, n] = the sum over c and t of a[z mod groups, m, c*Taps+t] times
// f(x[z, c, n + t*Dilation - Low]), all f32, with zeros outside: a convolution along a line
// with a stride of 1, such as those of speech. f may be a leaky ReLU, and a tensor like y may
// be added, as in a residual block, so that neither is a pass over memory of its own.
//
// It is a Conv whose panel has a line of each channel in place of a copy for each tap: what
// the taps of the panel's columns see, made of x with its zeros as it is copied.
type Line struct {
	Taps, Dilation, Low int64
	Leaky               Limit // of f, the factor of numbers below zero
	Addend              bool  // the last operand, after the bias and before limits
	Epilogue
}

// Beyond these a line or what is written out for each of its elements is too long.
const (
	maxLineTaps = 16
	maxSpan     = 256
)

// span is how far apart the first and the last tap are.
func (l Line) span() int64 { return (l.Taps - 1) * l.Dilation }

// Supported reports whether there is a kernel.
func (l Line) Supported() bool {
	return l.Taps > 1 && l.Taps <= maxLineTaps && l.Dilation > 0 && l.Low >= 0 && l.span() <= maxSpan
}

// Symbol returns the kernel's name.
func (l Line) Symbol() string {
	name := fmt.Sprintf("line_%d_dilation_%d_low_%d", l.Taps, l.Dilation, l.Low)
	if l.Leaky.Set {
		name += "_leaky_" + l.Leaky.word()
	}
	if l.Addend {
		name += "_plus"
	}
	return l.Epilogue.named(name)
}

var lineSizes = []string{"z", "m", "n", "k", "groups", "length"}

// width is the number of elements of a line for so many vectors of columns.
func (l Line) width(vectors int) int64 {
	return (int64(vectors*lanes) + l.span() + lanes - 1) / lanes * lanes
}

// Text returns the executable in this form.
func (l Line) Text(f Form) string {
	form := f.tile()
	operands := 2
	for _, more := range []bool{l.Bias, l.Addend} {
		if more {
			operands++
		}
	}
	return sizedOf(f, l.Symbol(), operands, lineSizes, []dealt{{of: "n", by: form.columns()}, {of: "m", by: groupRows, least: form.rows, few: fewGroups}, {of: "z", by: 1}}, func(b *builder, in []value, y value, sizes []value) {
		z, m, n, k, groups, length := sizes[0], sizes[1], sizes[2], sizes[3], sizes[4], sizes[5]
		at := b.workgroup("id", 2)
		p := product{builder: b, tail: true, ragged: true, form: form, ends: l.Epilogue, along: &l, m: m, n: n, k: k}
		p.x = b.view(in[0], f32, []value{groups, m, k}, -1, -1, -1)
		p.xAt = []value{b.def(indexType, "arith.remui %s, %s : index", at.name, groups.name)}
		if l.Bias {
			p.bias = b.view(in[2], f32, []value{groups, m}, -1, -1)
		}
		if l.Addend {
			p.addend = b.view(in[operands-1], f32, []value{z, m, n}, -1, -1, -1)
		}
		p.y = b.view(y, f32, []value{z, m, n}, -1, -1, -1)
		p.yAt = []value{at}
		width := l.width(form.vectors)
		// Lines take as much of the cache as panels do, and may take a vector more.
		channels := max(form.elements*int64(form.vectors*lanes)/width, 1)
		p.source = panelSource{elements: l.Taps, slice: channels * l.Taps}
		p.panel = b.scratch(f32, channels, width+lanes)
		taps := b.index(l.Taps)
		x := b.view(in[1], f32, []value{z, b.over(k, taps, false), length}, -1, -1, -1)
		p.fill = func(n, start, elements value) {
			l.lines(&p, x, at, n, b.over(start, taps, false), b.over(elements, taps, false), length)
		}
		p.loops()
	})
}

// lines copies so many channels, from the first on, of what the columns from n on see.
func (l Line) lines(p *product, x memory, z, n, first, channels, length value) {
	// Positions count from the first zero before x.
	width, low := l.width(p.vectors), p.index(l.Low)
	begin := p.most(n, low)
	end := p.most(begin, p.least(p.plus(n, width), p.add(length, low)))
	count, source, target := p.sub(end, begin), p.sub(begin, low), p.sub(begin, n)
	rest := p.def(indexType, "arith.remui %s, %s : index", count.name, p.index(lanes).name)
	whole := p.sub(count, rest)
	mask := p.def(typ{i1, lanes}, "vector.create_mask %s : vector<%dxi1>", rest.name, lanes)
	inside := p.def(typ{elem: i1}, "arith.cmpi eq, %s, %s : index", count.name, p.index(width).name)
	p.loop(p.index(0), channels, p.index(1), nil, func(i value, _ []value) []value {
		c := p.add(first, i)
		p.either(inside, func() {
			for v := int64(0); v < width; v += lanes {
				p.store(l.seen(p, p.load(x, lanes, z, c, p.offset(source, int(v)))), p.panel, i, p.index(v))
			}
		}, func() {
			for v := int64(0); v < width; v += lanes {
				p.store(p.zeros(vectorType), p.panel, i, p.index(v))
			}
			p.loop(p.index(0), whole, p.index(lanes), nil, func(j value, _ []value) []value {
				p.store(l.seen(p, p.load(x, lanes, z, c, p.add(source, j))), p.panel, i, p.add(target, j))
				return nil
			})
			p.body.open("scf.if %s {", p.less(p.index(0), rest).name)
			p.store(l.seen(p, p.loadMasked(mask, x, z, c, p.add(source, whole))), p.panel, i, p.add(target, whole))
			p.body.close()
		})
		return nil
	})
}

// seen is what the taps see of elements.
func (l Line) seen(p *product, v value) value {
	if !l.Leaky.Set {
		return v
	}
	zero := p.zeros(v.typ)
	return p.choose(p.compare("olt", v, zero), p.mul(v, p.number(v.typ, l.Leaky.At)), v)
}

// lineSteps adds the products of rows with the lines to sums, a channel at a time.
func (p *product) lineSteps(sums, rows []value, start, length value, chains int) []value {
	l, count := p.along, len(rows)*p.vectors
	taps := p.index(l.Taps)
	return p.loop(p.index(0), p.over(length, taps, false), p.index(1), sums, func(c value, sums []value) []value {
		from := p.add(start, p.mul(c, taps))
		next := append([]value{}, sums...)
		for t := range l.Taps {
			w := make([]value, p.vectors)
			for v := range w {
				w[v] = p.load(p.panel, lanes, c, p.index(t*l.Dilation+int64(v*lanes)))
			}
			for i, m := range rows {
				x := p.factor(m, p.offset(from, int(t)))
				for v := range w {
					s := &next[int(t)%chains*count+i*p.vectors+v]
					*s = p.fma(w[v], x, *s)
				}
			}
		}
		return next
	})
}
