package kernels

import "slices"

// fewColumns is the number of columns at the end of y that are no panel of their own: one of a
// single column takes as long as one of 16, which of the 49 columns of a plane of 7 x 7 is a
// quarter of the time.
const fewColumns = 4

// columnsAlone returns the column from which on those of a workgroup are computed one by one.
func (p *product) columnsAlone(first, last value) value {
	if p.line.name == "" {
		return last
	}
	rest := p.def(indexType, "arith.remui %s, %s : index", p.sub(last, first).name, p.index(lanes).name)
	few := p.def(typ{elem: i1}, "arith.cmpi ule, %s, %s : index", rest.name, p.index(fewColumns).name)
	return p.sub(last, p.def(indexType, "arith.select %s, %s, %s : index", few.name, rest.name, p.index(0).name))
}

// alone adds the products of rows of x with columns from first to last to y: the elements of a
// column are put in a line, from the panel if there is one, and multiplied by those of a row 16
// at a time.
func (p *product) alone(first, last, row, lastRow, start, length value) {
	zero, one := p.index(0), p.index(1)
	p.body.open("scf.if %s {", p.less(first, last).name)
	if p.copies() {
		p.narrow(first)
		p.fill(first, start, length)
	}
	height := p.index(int64(p.form.height))
	rest := p.def(indexType, "arith.remui %s, %s : index", p.sub(lastRow, row).name, height.name)
	lastTile := p.sub(lastRow, rest)
	p.loop(first, last, one, nil, func(n value, _ []value) []value {
		column := p.sub(n, first)
		p.loop(zero, length, one, nil, func(k value, _ []value) []value {
			if p.copies() {
				p.store(p.load(p.panel, 0, k, column), p.line, k)
			} else {
				p.store(p.load(p.direct, 0, with(p.yAt, p.add(start, k), n)...), p.line, k)
			}
			return nil
		})
		rows := func(from, to value, count int) {
			p.loop(from, to, p.index(int64(count)), nil, func(m value, _ []value) []value {
				p.rowsAlone(m, n, start, length, count)
				return nil
			})
		}
		rows(row, lastTile, p.form.height)
		rows(lastTile, lastRow, 1)
		return nil
	})
	p.body.close()
}

// rowsAlone is alone for so many rows from m on and a column.
func (p *product) rowsAlone(m, n, start, length value, count int) {
	rest := p.def(indexType, "arith.remui %s, %s : index", length.name, p.index(lanes).name)
	whole := p.sub(length, rest)
	steps := func(from, to value, by int) []value {
		sums := slices.Repeat([]value{p.zeros(typ{f32, by})}, count)
		return p.loop(from, to, p.index(int64(by)), sums, func(k value, sums []value) []value {
			w := p.load(p.line, by, k)
			for i := range sums {
				sums[i] = p.fma(p.load(p.x, by, with(p.xAt, p.offset(m, i), p.add(start, k))...), w, sums[i])
			}
			return sums
		})
	}
	sums, more := steps(p.index(0), whole, lanes), steps(whole, length, 1)
	for i := range sums {
		sums[i] = p.add(p.splat(p.sum(sums[i]), 1), more[i])
	}
	put := func(more bool) {
		for i, v := range sums {
			at := with(p.yAt, p.offset(m, i), n)
			if more {
				v = p.add(v, p.load(p.y, 1, at...))
			}
			p.store(p.ended(v, p.offset(m, i), value{}, at), p.y, at...)
		}
	}
	p.either(p.first, func() { put(false) }, func() { put(true) })
}
