package kernels

// Depthwise is a convolution whose groups have one input channel, all f32:
// y[z, i, j] = the sum over taps of w[z mod features, tap] times
// x[z div multiplier, i stride - low + ..., j stride - low + ...], with zeros outside.
//
// Each workgroup copies a part of one channel with its border of zeros into memory that
// fits the cache, and sums 16 neighbouring results at a time in registers: the operand is
// read from memory once, whatever the number of taps. A stride of 2 along a row takes every
// other of 32 neighbours.
type Depthwise struct{ Conv }

const (
	// The part of a channel: so many columns of results, and as many rows as fit the memory.
	partColumns = 256
	partMemory  = 16384 // elements, 64 kB
	// Channels of a workgroup.
	groupChannels = 2
)

// Supported reports whether there is a kernel.
func (d Depthwise) Supported() bool {
	if d.Same {
		return d.Conv.Supported()
	}
	return d.Conv.Supported() && d.Listed() && d.Strides[1] <= 2 && d.extent(0) <= d.memoryRows()
}

// Symbol returns the kernel's name.
func (d Depthwise) Symbol() string { return d.named("depthwise") }

// extent is what the taps of a dimension span.
func (d Depthwise) extent(i int) int64 { return (d.Kernel[i]-1)*d.Dilation[i] + 1 }

// pitch is the distance of rows in the memory, with what the last vector reads beyond.
func (d Depthwise) pitch() int64 {
	n := (partColumns+lanes)*d.Strides[1] + d.extent(1)
	return (n + lanes - 1) / lanes * lanes
}

// memoryRows is the number of rows that the memory holds, and partRows that of the results
// that they give.
func (d Depthwise) memoryRows() int64 { return partMemory / d.pitch() }
func (d Depthwise) partRows() int64   { return (d.memoryRows()-d.extent(0))/d.Strides[0] + 1 }

var depthwiseSizes = []string{"z", "features", "multiplier", "height", "width", "rows", "columns", "top", "left"}

// Text returns the executable in this form.
func (d Depthwise) Text(f Form) string {
	if d.Same {
		return d.sameText(f)
	}
	return sizedOf(f, d.Symbol(), d.operands(), depthwiseSizes, []dealt{{of: "z", by: groupChannels}}, func(b *builder, in []value, y value, sizes []value) {
		w, x := in[0], in[1]
		z, features, multiplier := sizes[0], sizes[1], sizes[2]
		p := part{
			builder: b, Depthwise: d, height: sizes[3], width: sizes[4], rows: sizes[5], columns: sizes[6], top: sizes[7], left: sizes[8],
			x:    b.view(x, f32, []value{b.over(z, multiplier, false), sizes[3], sizes[4]}, -1, -1, -1),
			y:    b.view(y, f32, []value{z, b.mul(sizes[5], sizes[6])}, -1, -1),
			copy: b.scratch(f32, d.memoryRows(), d.pitch()),
		}
		weights := b.view(w, f32, []value{features}, -1, d.Taps())
		var biases memory
		if d.Bias {
			biases = b.view(in[2], f32, []value{features}, -1)
		}
		first := b.mul(b.workgroup("id", 0), b.index(groupChannels))
		b.loop(first, b.least(b.plus(first, groupChannels), z), b.index(1), nil, func(z value, _ []value) []value {
			at := b.def(indexType, "arith.remui %s, %s : index", z.name, features.name)
			p.weights = nil
			for t := range d.Taps() {
				p.weights = append(p.weights, b.splat(b.load(weights, 0, at, b.index(t)), lanes))
			}
			if d.Bias {
				p.bias = b.splat(b.load(biases, 0, at), lanes)
			}
			p.channel(b.over(z, multiplier, false), z)
			return nil
		})
	})
}

// part writes the work on a channel.
type part struct {
	*builder
	Depthwise
	height, width, rows, columns, top, left value
	x, y, copy                              memory
	weights                                 []value
	bias                                    value
	outside                                 value // of a MaxPool what counts around x, otherwise none
}

// fold adds a tap to a result.
func (p *part) fold(x value, tap int64, s value) value {
	switch {
	case p.outside.none():
		return p.fma(x, p.weights[tap], s)
	case s.none():
		return x
	}
	return p.maximum(s, x)
}

func (p *part) channel(from, to value) {
	zero, one := p.index(0), p.index(1)
	p.loop(zero, p.rows, p.index(p.partRows()), nil, func(row value, _ []value) []value {
		p.loop(zero, p.columns, p.index(partColumns), nil, func(column value, _ []value) []value {
			rows := p.least(p.sub(p.rows, row), p.index(p.partRows()))
			columns := p.least(p.sub(p.columns, column), p.index(partColumns))
			p.fill(from, row, column, rows, columns)
			p.loop(zero, rows, one, nil, func(i value, _ []value) []value {
				start := p.add(p.mul(p.add(row, i), p.columns), column)
				p.results(i, columns, func(v, j, mask value) { p.put(v, mask, to, p.add(start, j), columns) })
				return nil
			})
			return nil
		})
		return nil
	})
}

// put stores results of a row. Where the part is as wide as the row, a vector that reaches
// beyond its end is stored whole, if the channel has room: the rows that follow are written
// later. Masked stores of AVX2 are slow (Zen 4: planes of 14 x 14 took twice the time).
func (p *part) put(v, mask, z, at, columns value) {
	v = p.finish(p.builder, v, p.bias)
	if mask.none() {
		p.store(v, p.y, z, at)
		return
	}
	room := p.def(typ{elem: i1}, "arith.cmpi ule, %s, %s : index", p.plus(at, lanes).name, p.mul(p.rows, p.columns).name)
	room = p.and(room, p.def(typ{elem: i1}, "arith.cmpi eq, %s, %s : index", columns.name, p.columns.name))
	p.either(room, func() { p.store(v, p.y, z, at) }, func() { p.keep(v, mask, p.y, z, at) })
}

// fill copies what the results see, with zeros or less outside.
func (p *part) fill(from, row, column, rows, columns value) {
	outside := p.outside
	if outside.none() {
		outside = p.zeros(vectorType)
	}
	zero, one, wide := p.index(0), p.index(1), p.index(lanes)
	// Positions in the operand are counted from the first element of the border.
	top, left := p.mul(row, p.index(p.Strides[0])), p.mul(column, p.index(p.Strides[1]))
	height := p.plus(p.mul(p.sub(rows, one), p.index(p.Strides[0])), p.extent(0))
	width := p.plus(p.mul(p.sub(columns, one), p.index(p.Strides[1])), p.extent(1))
	begin := p.most(p.left, left)
	end := p.least(p.add(p.left, p.width), p.add(left, width))
	end = p.most(begin, end)
	length := p.sub(end, begin)
	rest := p.def(indexType, "arith.remui %s, %s : index", length.name, wide.name)
	whole := p.sub(length, rest)
	mask := p.def(typ{i1, lanes}, "vector.create_mask %s : vector<%dxi1>", rest.name, lanes)
	source, target := p.sub(begin, p.left), p.sub(begin, left)
	p.loop(zero, height, one, nil, func(i value, _ []value) []value {
		p.loop(zero, width, wide, nil, func(j value, _ []value) []value {
			p.store(outside, p.copy, i, j)
			return nil
		})
		at := p.add(top, i)
		inside := p.and(p.less(p.top, p.plus(at, 1)), p.less(at, p.add(p.top, p.height)))
		p.body.open("scf.if %s {", inside.name)
		in := p.sub(at, p.top)
		p.loop(zero, whole, wide, nil, func(j value, _ []value) []value {
			p.store(p.load(p.x, lanes, from, in, p.add(source, j)), p.copy, i, p.add(target, j))
			return nil
		})
		p.body.open("scf.if %s {", p.less(zero, rest).name)
		// Beyond the operand is what the memory has there already.
		last := p.loadMasked(mask, p.x, from, in, p.add(source, whole))
		if !p.outside.none() {
			last = p.choose(mask, last, outside)
		}
		p.store(last, p.copy, i, p.add(target, whole))
		p.body.close()
		p.body.close()
		return nil
	})
}

// results passes the vectors of a row of results to put; the last has a mask.
func (p *part) results(i, columns value, put func(v, j, mask value)) {
	row := p.mul(i, p.index(p.Strides[0]))
	sum := func(j value) value {
		var s value
		first := p.mul(j, p.index(p.Strides[1]))
		for r := range p.Kernel[0] {
			at := p.offset(row, int(r*p.Dilation[0]))
			pairs := map[int64][2]value{} // neighbours by their first column, loaded once
			for c := range p.Kernel[1] {
				s = p.fold(p.seen(pairs, at, first, c*p.Dilation[1]), r*p.Kernel[1]+c, s)
			}
		}
		return s
	}
	rest := p.def(indexType, "arith.remui %s, %s : index", columns.name, p.index(lanes).name)
	whole := p.sub(columns, rest)
	p.loop(p.index(0), whole, p.index(lanes), nil, func(j value, _ []value) []value {
		put(sum(j), j, value{})
		return nil
	})
	p.body.open("scf.if %s {", p.less(p.index(0), rest).name)
	put(sum(whole), whole, p.def(typ{i1, lanes}, "vector.create_mask %s : vector<%dxi1>", rest.name, lanes))
	p.body.close()
}

// seen returns what a tap sees: 16 elements from first+tap on, each stride apart.
func (p *part) seen(pairs map[int64][2]value, row, first value, tap int64) value {
	if p.Strides[1] == 1 {
		return p.load(p.copy, lanes, row, p.offset(first, int(tap)))
	}
	from := tap &^ 1
	pair, ok := pairs[from]
	if !ok {
		at := p.offset(first, int(from))
		pair = [2]value{p.load(p.copy, lanes, row, at), p.load(p.copy, lanes, row, p.offset(at, lanes))}
		pairs[from] = pair
	}
	every := make([]int, lanes)
	for i := range every {
		every[i] = 2*i + int(tap&1)
	}
	return p.shuffle(pair[0], pair[1], every...)
}

// most is the maximum of two indices, and less compares them.
func (b *builder) most(x, y value) value {
	return b.def(x.typ, "arith.maxui %s, %s : %s", x.name, y.name, x.typ)
}

func (b *builder) less(x, y value) value {
	return b.def(typ{elem: i1}, "arith.cmpi ult, %s, %s : %s", x.name, y.name, x.typ)
}
