package kernels

// grid finds the rows and columns of positions that are counted in a line.
type grid struct {
	*builder
	width, height value
}

// narrow is an index in each lane.
func (g grid) narrow(x value) value {
	return g.splat(g.def(typ{elem: i32}, "arith.index_cast %s : index to i32", x.name), lanes)
}

// of returns the rows and columns of 16 positions: those from position on, after the vectors
// before.
func (g grid) of(position value, before int) (rows, columns value) {
	row := g.narrow(g.over(position, g.width, false))
	column := g.narrow(g.def(indexType, "arith.remui %s, %s : index", position.name, g.width.name))
	every := make([]int64, lanes)
	for i := range every {
		every[i] = int64(before*lanes + i)
	}
	// Columns are counted on from the first row. The division is exact enough for the rows that
	// they reach, since with the half the quotient is nowhere near a whole number.
	at, width := g.add(column, g.row(i32, every...)), g.narrow(g.width)
	float := func(x value) value {
		return g.def(vectorType, "arith.sitofp %s : %s to %s", x.name, x.typ, vectorType)
	}
	down := g.def(vectorType, "arith.divf %s, %s : %s", g.add(float(at), g.number(vectorType, 0.5)).name, float(width).name, vectorType)
	further := g.def(at.typ, "arith.fptosi %s : %s to %s", down.name, vectorType, at.typ)
	return g.add(row, further), g.sub(at, g.mul(further, width))
}

// inRow and inColumn report which lanes, so many rows or columns further, are in the grid.
func (g grid) inRow(rows value, distance int64) value { return g.inside(rows, distance, g.height) }
func (g grid) inColumn(columns value, distance int64) value {
	return g.inside(columns, distance, g.width)
}

func (g grid) inside(x value, distance int64, size value) value {
	return g.def(typ{i1, lanes}, "arith.cmpi ult, %s, %s : %s", g.plus(x, distance).name, g.narrow(size).name, x.typ)
}
