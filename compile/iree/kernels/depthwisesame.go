package kernels

// flat writes the work of a Depthwise with Same: positions of a channel in a line, 16 at a
// time, also across the end of a row. Nothing is copied: what lies outside is left out of the
// sum by masks, which are the same for all channels and are written once for a piece of them.
// A copy of a channel of 7 x 7 takes more time than its sums.
type flat struct {
	*builder
	Depthwise
	width, height value
	n             value  // positions
	x, y          memory // in lines
	total         value  // elements of x
	weights       memory // [features, taps]
	across, down  memory // [vectors, columns or rows of taps]: what counts, as bits
	lanesOf       memory // 16 elements
	lowest, span  value  // the least offset of a tap, and how far the greatest is from that
	factors       []value
	bias          value
}

const (
	// Positions of a piece: the masks of so many vectors stay in the L1 cache.
	pieceVectors = 32
	// Channels of a workgroup, which share the masks.
	sameChannels = 8
)

// InLine reports whether a Depthwise with Same is fast for channels of these sizes: rows do not
// fill a vector, and the channel does. On a Xeon with AVX-512 5 x 5 taps of 7 x 7 take 0.55 of
// the time of a Depthwise that copies them, of 14 x 14 0.93, of 28 x 28 as long, 3 x 3 taps of 56 x 56 1.25.
func InLine(rows, columns int64) bool { return columns < lanes && rows*columns >= lanes }

// sameText is Text with Same.
func (d Depthwise) sameText(f Form) string {
	return sizedOf(f, d.Symbol(), d.operands(), depthwiseSizes, []dealt{{of: "z", by: sameChannels}}, func(b *builder, in []value, y value, sizes []value) {
		z, features, multiplier := sizes[0], sizes[1], sizes[2]
		p := flat{builder: b, Depthwise: d, height: sizes[3], width: sizes[4]}
		p.n = b.mul(p.height, p.width)
		p.total = b.mul(b.over(z, multiplier, false), p.n)
		p.x, p.y = b.view(in[1], f32, []value{p.total}, -1), b.view(y, f32, []value{b.mul(z, p.n)}, -1)
		p.weights = b.view(in[0], f32, []value{features}, -1, d.Taps())
		p.across = b.scratch(i32, pieceVectors, d.Kernel[1], lanes)
		p.down = b.scratch(i32, pieceVectors, d.Kernel[0], lanes)
		p.lanesOf = b.scratch(f32, lanes)
		var biases memory
		if d.Bias {
			biases = b.view(in[2], f32, []value{features}, -1)
		}
		top, left := d.distance(0, 0), d.distance(1, 0)
		bottom, right := d.distance(0, d.Kernel[0]-1), d.distance(1, d.Kernel[1]-1)
		p.lowest = b.plus(b.mul(p.width, b.index(top)), left)
		p.span = b.plus(b.mul(p.width, b.index(bottom-top)), right-left)
		first := b.mul(b.workgroup("id", 0), b.index(sameChannels))
		last := b.least(b.plus(first, sameChannels), z)
		vectors := b.over(p.n, b.index(lanes), true)
		b.loop(b.index(0), vectors, b.index(pieceVectors), nil, func(piece value, _ []value) []value {
			count := b.least(b.sub(vectors, piece), b.index(pieceVectors))
			b.loop(b.index(0), count, b.index(1), nil, func(v value, _ []value) []value {
				p.mark(v, p.position(b.add(piece, v)))
				return nil
			})
			b.loop(first, last, b.index(1), nil, func(z value, _ []value) []value {
				at := b.def(indexType, "arith.remui %s, %s : index", z.name, features.name)
				p.factors = nil
				for t := range d.Taps() {
					p.factors = append(p.factors, b.splat(b.load(p.weights, 0, at, b.index(t)), lanes))
				}
				if d.Bias {
					p.bias = b.splat(b.load(biases, 0, at), lanes)
				}
				from, to := b.mul(b.over(z, multiplier, false), p.n), b.mul(z, p.n)
				b.loop(b.index(0), count, b.index(1), nil, func(v value, _ []value) []value {
					position := p.position(b.add(piece, v))
					p.sums(v, position, b.add(from, position), at, func(sum value) {
						b.store(p.finish(b, sum, p.bias), p.y, b.add(to, position))
					})
					return nil
				})
				return nil
			})
			return nil
		})
	})
}

// distance is how many rows or columns a tap is away from its position.
func (d Depthwise) distance(dim int, tap int64) int64 { return tap*d.Dilation[dim] - d.Low[dim] }

// position is where a vector begins: the last one ends with the channel.
func (p *flat) position(vector value) value {
	return p.least(p.mul(vector, p.index(lanes)), p.sub(p.n, p.index(lanes)))
}

// mark writes which rows and columns of taps count for a vector.
func (p *flat) mark(v, position value) {
	g := grid{builder: p.builder, width: p.width, height: p.height}
	rows, columns := g.of(position, 0)
	for i := range p.Kernel[0] {
		p.store(p.signed(g.inRow(rows, p.distance(0, i)), i32), p.down, v, p.index(i), p.index(0))
	}
	for j := range p.Kernel[1] {
		p.store(p.signed(g.inColumn(columns, p.distance(1, j)), i32), p.across, v, p.index(j), p.index(0))
	}
}

// sums passes the sums of a vector to put, which is written in each of the forms: with rows
// that are all within the channel, with others, and at the ends of x.
func (p *flat) sums(v, position, from, feature value, put func(sum value)) {
	room := p.plus(p.span, lanes)
	begins := func(at, end value) value {
		first := p.add(at, p.lowest) // less than 0 is more than all as an unsigned number
		return p.and(p.less(first, end), p.def(typ{elem: i1}, "arith.cmpi ule, %s, %s : index", p.add(first, room).name, end.name))
	}
	p.either(begins(position, p.n), func() { put(p.vector(v, from, false)) }, func() {
		p.either(begins(from, p.total), func() { put(p.vector(v, from, true)) }, func() { put(p.single(v, from, feature)) })
	})
}

// vector returns the sums of a vector whose taps all lie within x. Those of a column of taps
// are summed apart: one mask is enough for them, and chains of multiply-adds are short.
func (p *flat) vector(v, from value, masked bool) value {
	sums, down := make([]value, p.Kernel[1]), make([]value, p.Kernel[0])
	for i := range p.Kernel[0] {
		if masked && p.distance(0, i) != 0 {
			down[i] = p.load(p.down, lanes, v, p.index(i), p.index(0))
		}
		row := p.add(from, p.mul(p.width, p.index(p.distance(0, i))))
		for j := range p.Kernel[1] {
			x := p.load(p.x, lanes, p.offset(row, int(p.distance(1, j))))
			sums[j] = p.fma(p.kept(x, down[i]), p.factors[i*p.Kernel[1]+j], sums[j])
		}
	}
	var sum value
	for j := range p.Kernel[1] {
		if p.distance(1, j) != 0 {
			sums[j] = p.kept(sums[j], p.load(p.across, lanes, v, p.index(j), p.index(0)))
		}
		if sum = sums[j]; j > 0 {
			sum = p.add(sums[0], sums[j])
		}
		sums[0] = sum
	}
	return sum
}

// kept is x where the bits of keep are set, 0 elsewhere.
func (p *flat) kept(x, keep value) value {
	if keep.none() {
		return x
	}
	return p.pattern(p.and(p.pattern(x, i32), keep), f32)
}

// single returns the sums of a vector some of whose taps lie outside of x, one at a time.
func (p *flat) single(v, from, feature value) value {
	one := p.index(1)
	p.loop(p.index(0), p.index(lanes), one, nil, func(lane value, _ []value) []value {
		p.store(p.zeros(typ{elem: f32}), p.lanesOf, lane)
		for i := range p.Kernel[0] {
			for j := range p.Kernel[1] {
				keep := p.and(p.load(p.down, 0, v, p.index(i), lane), p.load(p.across, 0, v, p.index(j), lane))
				p.body.open("scf.if %s {", p.nonzero(keep).name)
				at := p.add(p.add(from, lane), p.plus(p.mul(p.width, p.index(p.distance(0, i))), p.distance(1, j)))
				w := p.load(p.weights, 1, feature, p.index(i*p.Kernel[1]+j))
				p.store(p.fma(p.load(p.x, 1, at), w, p.load(p.lanesOf, 1, lane)), p.lanesOf, lane)
				p.body.close()
			}
		}
		return nil
	})
	return p.load(p.lanesOf, lanes, p.index(0))
}
