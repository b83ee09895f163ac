package kernels

import "fmt"

// FewPositions is a convolution along a line with a few positions, all f32:
// y[m, n] = the sum over c and t of w[m, c*Taps+t] times x[c, n*Stride + t*Dilation - Low],
// with zeros outside. So are nets that hear a few hundredths of a second at a time.
//
// A tile of a product would be almost empty. Here the elements that a position sees lie side
// by side, copied if they do not in x, and are multiplied by the rows of w, 16 at a time, so
// that w, of which most of the memory is, is read once.
type FewPositions struct {
	Channels, Length                       int64 // of x
	Positions, Taps, Stride, Dilation, Low int64
	Epilogue
}

const (
	// Beyond these a tile of a product is better, or the copies of a channel are too many
	// to write out.
	maxPositions = 7
	maxCopies    = 64
	// Rows of w of a workgroup.
	fewRows = 128
	// Elements that are copied at most, 64 kB.
	maxSeen = 16384
)

// Supported reports whether there is a kernel.
func (f FewPositions) Supported() bool {
	if f.Channels < 1 || f.Length < 1 || f.Positions < 1 || f.Taps < 1 || f.Stride < 1 || f.Dilation < 1 || f.Positions > maxPositions {
		return false
	}
	return f.lies() || f.Taps*f.Positions <= maxCopies && f.Positions*f.pitch() <= maxSeen
}

// Symbol returns the kernel's name.
func (f FewPositions) Symbol() string {
	return f.Epilogue.named(fmt.Sprintf("few_%d_of_%dx%d_taps_%d_stride_%d_dilation_%d_low_%d", f.Positions, f.Channels, f.Length, f.Taps, f.Stride, f.Dilation, f.Low))
}

func (f FewPositions) depth() int64 { return f.Channels * f.Taps }

// pitch is the distance of what positions see, copied.
func (f FewPositions) pitch() int64 { return (f.depth() + lanes - 1) / lanes * lanes }

// lies reports whether what a position sees lies side by side in x.
func (f FewPositions) lies() bool {
	inside := f.Low <= 0 && (f.Positions-1)*f.Stride+(f.Taps-1)*f.Dilation-f.Low < f.Length
	return inside && (f.Channels == 1 && (f.Dilation == 1 || f.Taps == 1) || f.Taps == 1 && f.Length == 1)
}

// Text returns the executable in this form.
func (f FewPositions) Text(form Form) string {
	operands := 2
	if f.Bias {
		operands = 3
	}
	return sizedOf(form, f.Symbol(), operands, []string{"m"}, []dealt{{of: "m", by: fewRows}}, func(b *builder, in []value, y value, sizes []value) {
		m := sizes[0]
		p := few{
			builder: b, FewPositions: f,
			w: b.view(in[0], f32, []value{m}, -1, f.depth()),
			x: b.subspan(in[1], f32, f.Channels*f.Length),
			y: b.view(y, f32, []value{m}, -1, f.Positions),
		}
		if f.Bias {
			p.bias = b.view(in[2], f32, []value{m}, -1)
		}
		if !f.lies() {
			p.seen = b.scratch(f32, f.Positions, f.pitch())
			p.copies()
		}
		first := b.mul(b.workgroup("id", 0), b.index(fewRows))
		last := b.least(b.plus(first, fewRows), m)
		rows := f.rows(form)
		rest := b.def(indexType, "arith.remui %s, %s : index", b.sub(last, first).name, b.index(rows).name)
		whole := b.sub(last, rest)
		chains := 1
		if form.Wide {
			chains = max(1, 8/int(rows*f.Positions))
		}
		b.loop(first, whole, b.index(rows), nil, func(m value, _ []value) []value {
			p.results(m, int(rows), chains)
			return nil
		})
		b.loop(whole, last, b.index(1), nil, func(m value, _ []value) []value {
			p.results(m, 1, chains)
			return nil
		})
	})
}

// rows is the number of rows whose sums stay in registers together.
func (f FewPositions) rows(form Form) int64 {
	sums := int64(4)
	if form.Wide {
		sums = 8
	}
	return min(max(sums/f.Positions, 1), 4)
}

type few struct {
	*builder
	FewPositions
	w, x, y, bias, seen memory
}

// copies lays what positions see side by side, with zeros behind it.
func (p *few) copies() {
	zero := p.zeros(typ{elem: f32})
	if rest := p.depth() % lanes; rest != 0 {
		for n := range p.Positions {
			p.store(p.zeros(vectorType), p.seen, p.index(n), p.index(p.depth()-rest))
		}
	}
	p.loop(p.index(0), p.index(p.Channels), p.index(1), nil, func(c value, _ []value) []value {
		from, to := p.mul(c, p.index(p.Length)), p.mul(c, p.index(p.Taps))
		loaded := map[int64]value{}
		for n := range p.Positions {
			for t := range p.Taps {
				at := n*p.Stride + t*p.Dilation - p.Low
				v := zero
				if at >= 0 && at < p.Length {
					known, ok := loaded[at]
					if !ok {
						known = p.load(p.x, 0, p.offset(from, int(at)))
						loaded[at] = known
					}
					v = known
				}
				p.store(v, p.seen, p.index(n), p.offset(to, int(t)))
			}
		}
		return nil
	})
}

// seenFrom loads what position n sees from element k on.
func (p *few) seenFrom(n int64, k, mask value) value {
	if p.lies() {
		at := p.offset(k, int(n*p.Stride-p.Low))
		if !mask.none() {
			return p.loadMasked(mask, p.x, at)
		}
		return p.load(p.x, lanes, at)
	}
	return p.load(p.seen, lanes, p.index(n), k)
}

// results computes so many rows of y, from m on, with sums in that many chains.
func (p *few) results(m value, rows, chains int) {
	count := rows * int(p.Positions)
	sums := make([]value, chains*count)
	for i := range sums {
		sums[i] = p.zeros(vectorType)
	}
	add := func(sums []value, k, mask value) {
		w := make([]value, rows)
		for i := range w {
			if w[i] = (value{}); mask.none() {
				w[i] = p.load(p.w, lanes, p.offset(m, i), k)
			} else {
				w[i] = p.loadMasked(mask, p.w, p.offset(m, i), k)
			}
		}
		for n := range p.Positions {
			x := p.seenFrom(n, k, mask)
			for i := range w {
				s := &sums[i*int(p.Positions)+int(n)]
				*s = p.fma(w[i], x, *s)
			}
		}
	}
	step := int64(chains * lanes)
	whole := p.depth() / step * step
	sums = p.loop(p.index(0), p.index(whole), p.index(step), sums, func(k value, sums []value) []value {
		next := append([]value{}, sums...)
		for c := range chains {
			add(next[c*count:(c+1)*count], p.offset(k, c*lanes), value{})
		}
		return next
	})
	rest := append([]value{}, sums...)
	for ; whole+lanes <= p.depth(); whole += lanes {
		add(rest[:count], p.index(whole), value{})
	}
	if left := p.depth() - whole; left > 0 {
		add(rest[:count], p.index(whole), p.def(typ{i1, lanes}, "vector.create_mask %s : vector<%dxi1>", p.index(left).name, lanes))
	}
	for c := 1; c < chains; c++ {
		for i := range count {
			rest[i] = p.add(rest[i], rest[c*count+i])
		}
	}
	for i := range rows {
		row := p.offset(m, i)
		var bias value
		if p.Bias {
			bias = p.load(p.bias, 0, row)
		}
		for n := range p.Positions {
			v := p.sum(rest[i*int(p.Positions)+int(n)])
			p.store(p.finish(p.builder, v, bias), p.y, row, p.index(n))
		}
	}
}
