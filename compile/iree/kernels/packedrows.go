package kernels

// packedRows writes the body of a PackedMatVec.
type packedRows struct {
	*builder
	reader                 reader
	elements, blocks, runs int64
	w, x                   memory
	sums                   memory // sums of the runs of x, for shifts
	scales                 memory // of a row
}

// products returns the products of rows with x: several rows if a block is one
// run, else one.
func (p *packedRows) products(rows []value) []value {
	if p.runs == 1 {
		return p.single(rows)
	}
	return []value{p.multiple(rows[0])}
}

// prepare computes what depends only on x.
func (p *packedRows) prepare(k int64) {
	run := int64(p.reader.run)
	if p.runs > 1 {
		p.scales = p.scratch(f32, k/run)
	}
	if p.reader.shifted {
		p.sums = p.scratch(f32, k/run)
		p.loop(p.index(0), p.index(k/run), p.index(1), nil, func(r value, _ []value) []value {
			at := p.mul(r, p.index(run))
			sum := p.load(p.x, lanes, at)
			if run > lanes {
				sum = p.add(sum, p.load(p.x, lanes, p.plus(at, lanes)))
			}
			p.store(p.sum(sum), p.sums, r)
			return nil
		})
	}
}

// single handles blocks of one run.
func (p *packedRows) single(rows []value) []value {
	initial := make([]value, len(rows), 2*len(rows))
	for i := range rows {
		initial[i] = p.zeros(vectorType)
	}
	if p.reader.shifted {
		for range rows {
			initial = append(initial, p.zeros(typ{elem: f32}))
		}
	}
	sums := p.loop(p.index(0), p.index(p.blocks), p.index(1), initial, func(k value, sums []value) []value {
		start := p.mul(k, p.index(p.elements))
		x := []value{p.load(p.x, lanes, start), p.load(p.x, lanes, p.plus(start, lanes))}
		next := make([]value, len(sums))
		for i, n := range rows {
			from := func(offset int64, count int) value { return p.load(p.w, count, n, k, p.index(offset)) }
			scale, shift := p.reader.scales(p.builder, from)
			p.reader.codes(p.builder, from, func(_ int, codes []value) {
				product := p.fma(codes[1], x[1], p.mul(codes[0], x[0]))
				next[i] = p.fma(product, p.splat(scale, lanes), sums[i])
			})
			if p.reader.shifted {
				i += len(rows)
				next[i] = p.add(p.mul(shift, p.load(p.sums, 0, k)), sums[i])
			}
		}
		return next
	})
	out := make([]value, len(rows))
	for i := range rows {
		out[i] = p.sum(sums[i])
		if p.reader.shifted {
			out[i] = p.add(out[i], sums[len(rows)+i])
		}
	}
	return out
}

// multiple handles blocks of several runs. Scales are computed for the whole row
// first: a load from memory broadcasts a scalar to all lanes at no cost.
func (p *packedRows) multiple(n value) value {
	zero, one, blocks := p.index(0), p.index(1), p.index(p.blocks)
	runs := int(p.runs)
	source := func(k value) source {
		return func(offset int64, count int) value { return p.load(p.w, count, n, k, p.index(offset)) }
	}
	var initial []value
	if p.reader.shifted {
		initial = []value{p.zeros(typ{f32, runs})}
	}
	shifted := p.loop(zero, blocks, one, initial, func(k value, sums []value) []value {
		at := p.mul(k, p.index(p.runs))
		scales, shifts := p.reader.scales(p.builder, source(k))
		p.store(scales, p.scales, at)
		if !p.reader.shifted {
			return nil
		}
		return []value{p.fma(shifts, p.load(p.sums, runs, at), sums[0])}
	})
	// Two chains, since a block is long.
	sums := p.loop(zero, blocks, one, []value{p.zeros(vectorType), p.zeros(vectorType)}, func(k value, sums []value) []value {
		next := append([]value{}, sums...)
		p.block(k, source(k), next)
		return next
	})
	out := p.sum(p.add(sums[0], sums[1]))
	if p.reader.shifted {
		out = p.add(out, p.sum(shifted[0]))
	}
	return out
}

// block adds the products of a block to the sums.
func (p *packedRows) block(k value, from source, sums []value) {
	start, at := p.mul(k, p.index(p.elements)), p.mul(k, p.index(p.runs))
	p.reader.codes(p.builder, from, func(run int, codes []value) {
		var product value
		for i, c := range codes {
			product = p.fma(c, p.load(p.x, lanes, p.offset(start, run*p.reader.run+i*lanes)), product)
		}
		scale := p.splat(p.load(p.scales, 0, p.offset(at, run)), lanes)
		sums[run%2] = p.fma(product, scale, sums[run%2])
	})
}
