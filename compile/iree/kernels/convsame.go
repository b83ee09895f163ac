package kernels

// same fills panels for a Conv with Same: its operand has no border of zeros.
//
// A phase of it has as many rows and columns as y. What a tap sees at neighbouring positions
// are neighbours in memory then, across the end of a row too, but those that lie outside,
// such as the element left of the first column, count as 0. Which these are is the same for
// all channels, and is found once for each panel.
type same struct {
	*product
	conv          Conv
	x             memory // all elements in a line
	bits          memory // [taps, columns]: all of them set for an element that counts
	begin         value  // the first element of the first channel
	channel       value  // elements of a channel
	total         value  // elements of x
	width, height value  // of a phase
	offsets       []value
	lowest        value // no offset is less
	span          value // what the taps of a vector see is within so many elements
}

// shift returns how many rows or columns of a phase a tap is away, and which phase it sees.
func (c Conv) shift(dim int, tap int64) (distance, phase int64) {
	at, stride := tap*c.Dilation[dim], c.Strides[dim]
	if c.Same {
		at -= c.Low[dim]
	}
	phase = (at%stride + stride) % stride
	return (at - phase) / stride, phase
}

// bounds finds where the taps of a panel are.
func (s *same) bounds(phase value) {
	c := s.conv
	top, _ := c.shift(0, 0)
	left, _ := c.shift(1, 0)
	bottom, _ := c.shift(0, c.Kernel[0]-1)
	right, _ := c.shift(1, c.Kernel[1]-1)
	s.lowest = s.plus(s.mul(s.width, s.index(top)), left)
	phases := s.mul(phase, s.index(c.Strides[0]*c.Strides[1]-1))
	s.span = s.add(phases, s.plus(s.mul(s.width, s.index(bottom-top)), right-left))
}

// mark writes which elements count: the taps of the panel's first positions.
func (s *same) mark(n value) {
	g := grid{builder: s.builder, width: s.width, height: s.height}
	for v := range s.vectors {
		rows, columns := g.of(n, v)
		var across []value
		for j := range s.conv.Kernel[1] {
			distance, _ := s.conv.shift(1, j)
			across = append(across, g.inColumn(columns, distance))
		}
		for i := range s.conv.Kernel[0] {
			distance, _ := s.conv.shift(0, i)
			whole := g.inRow(rows, distance)
			for j, c := range across {
				tap := s.index(i*s.conv.Kernel[1] + int64(j))
				s.store(s.signed(s.and(whole, c), i32), s.bits, tap, s.index(int64(v*lanes)))
			}
		}
	}
}

// fill copies the channels from first on, so many.
func (s *same) fill(n, first, count value) {
	s.mark(n)
	columns := int64(s.vectors * lanes)
	size := s.index(s.conv.Taps())
	room := s.plus(s.span, columns)
	s.loop(s.index(0), count, s.index(1), nil, func(i value, _ []value) []value {
		at := s.add(s.add(s.begin, s.mul(s.add(first, i), s.channel)), n)
		to := s.mul(i, size)
		// Less than 0 is more than all as an unsigned number.
		lowest := s.add(at, s.lowest)
		within := s.and(s.less(lowest, s.total), s.def(typ{elem: i1}, "arith.cmpi ule, %s, %s : index", s.add(lowest, room).name, s.total.name))
		s.either(within, func() { s.whole(at, to) }, func() { s.single(at, to, columns) })
		return nil
	})
}

// whole copies vectors, all of which lie within x.
func (s *same) whole(at, to value) {
	for t, offset := range s.offsets {
		for v := range s.vectors {
			column := s.index(int64(v * lanes))
			x := s.load(s.x, lanes, s.offset(s.add(at, offset), v*lanes))
			keep := s.load(s.bits, lanes, s.index(int64(t)), column)
			s.store(s.pattern(s.and(s.pattern(x, i32), keep), f32), s.panel, s.offset(to, t), column)
		}
	}
}

// single copies one element at a time, of those within x: at the ends of the first and of the
// last channel.
func (s *same) single(at, to value, columns int64) {
	for t, offset := range s.offsets {
		from, row := s.add(at, offset), s.offset(to, t)
		s.loop(s.index(0), s.index(columns), s.index(1), nil, func(i value, _ []value) []value {
			s.store(s.zeros(typ{elem: f32}), s.panel, row, i)
			counts := s.nonzero(s.load(s.bits, 0, s.index(int64(t)), i))
			s.body.open("scf.if %s {", counts.name)
			s.store(s.load(s.x, 0, s.add(from, i)), s.panel, row, i)
			s.body.close()
			return nil
		})
	}
}
