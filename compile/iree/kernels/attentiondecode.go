package kernels

const (
	// decodeParts is the number of workgroups among which the rows are split, over all groups.
	decodeParts = 8
	// The minimum number of rows of a part; scores are kept for as many rows at a time.
	decodeRows = 32
	// Sums held in registers at once: 8 of the 16 of AVX2, and enough for the
	// latency of a multiply-add of AVX-512.
	decodeSums = 4
)

// Parts is the number of partial results of AttentionOne. If there is more than one,
// they are [Parts, Heads, Depth + 16]: undivided sums, the maximum score and the sum of
// weights. Parts without rows are not written.
func (a Attention) Parts() int64 { return max(1, decodeParts/a.Groups) }

// Text returns the executable, and that of AttentionCombine if it is needed, in
// this form. Operands are q, keys, values, start and the window, the result
// [Heads, Depth] or that of the parts.
func (a AttentionOne) Text(f Form) string {
	text := executable(f, a.Symbol(), a.Groups*a.Parts(), 5, []string{"window"}, func(b *builder, bound, sizes []value, group value) {
		d := &decode{attention: attention{Attention: a.Attention, builder: b, window: sizes[0]}}
		d.bind(b.index(1), b.subspan(bound[0], f32, a.Heads, a.Depth), bound)
		d.sums = d.memory(bound[4])
		d.part, d.group = b.over(group, b.index(a.Groups), false), b.rest(group, b.index(a.Groups))
		d.weights = b.scratch(f32, a.shared(), decodeRows)
		d.write()
	})
	if a.Parts() > 1 {
		text += AttentionCombine(a).Text(f)
	}
	return text
}

// Result returns the sizes of the result of AttentionOne.
func (a Attention) Result() []int64 {
	if a.Parts() > 1 {
		return []int64{a.Parts(), a.Heads, a.Depth + lanes}
	}
	return []int64{a.Heads, a.Depth}
}

// memory is the result with a dimension of parts, even if there is only one.
func (a *attention) memory(binding value) memory {
	sizes := a.Result()
	return a.subspan(binding, f32, a.Parts(), a.Heads, sizes[len(sizes)-1])
}

type decode struct {
	attention
	sums        memory
	weights     memory // for the heads, of one block of rows
	part, group value
	head        value // the first head of the group
}

// parts returns the rows that the token attends to and the number of rows in a part.
func (a *attention) parts() (first, end, size value) {
	first, end = a.sees(a.index(0))
	least := a.index(decodeRows)
	size = a.over(a.over(a.sub(end, first), a.index(a.Parts()), true), least, true)
	return first, end, a.mul(size, least)
}

func (d *decode) write() {
	first, end, size := d.parts()
	first = d.smallest(d.add(first, d.mul(d.part, size)), end)
	end = d.smallest(d.add(first, size), end)
	d.head = d.mul(d.group, d.index(d.shared()))
	zero, vector := d.index(0), d.index(lanes)
	heads := int(d.shared())
	d.loop(zero, d.index(d.Depth), vector, nil, func(at value, _ []value) []value {
		for h := range heads {
			d.store(d.zeros(vectorType), d.sums, d.part, d.offset(d.head, h), at)
		}
		return nil
	})
	scalar := typ{elem: f32}
	initial := make([]value, 0, 2*heads)
	for range heads {
		initial = append(initial, d.number(scalar, hidden), d.zeros(scalar))
	}
	stats := d.loop(first, end, d.index(decodeRows), initial, func(row value, stats []value) []value {
		count := d.smallest(d.sub(end, row), d.index(decodeRows))
		d.products(row, count)
		factors := make([]value, heads)
		for h := range heads {
			factors[h], stats[2*h], stats[2*h+1] = d.exponentials(d.index(int64(h)), count, stats[2*h], stats[2*h+1])
		}
		d.average(row, count, factors)
		return stats
	})
	for h := range heads {
		head := d.offset(d.head, h)
		if d.Parts() > 1 {
			d.store(stats[2*h], d.sums, d.part, head, d.index(d.Depth))
			d.store(stats[2*h+1], d.sums, d.part, head, d.index(d.Depth+1))
			continue
		}
		whole := d.splat(stats[2*h+1], lanes)
		d.loop(zero, d.index(d.Depth), vector, nil, func(at value, _ []value) []value {
			d.store(d.div(d.load(d.sums, lanes, zero, head, at), whole), d.sums, zero, head, at)
			return nil
		})
	}
}

// some calls body for heads of the group, a few at a time.
func (d *decode) some(body func(heads []int)) {
	for h := 0; h < int(d.shared()); h += decodeSums {
		body(span(h, min(h+decodeSums, int(d.shared()))))
	}
}

// products stores the products of queries and count keys, starting at row, in weights.
func (d *decode) products(row, count value) {
	zero := d.index(0)
	last := d.plus(d.add(row, count), -1)
	d.some(func(heads []int) {
		several := max(1, decodeSums/len(heads)) // rows at once
		d.loop(zero, count, d.index(int64(several)), nil, func(i value, _ []value) []value {
			rows := make([]value, several)
			for r := range rows {
				rows[r] = d.smallest(d.offset(d.add(row, i), r), last)
			}
			initial := make([]value, several*len(heads))
			for k := range initial {
				initial[k] = d.zeros(vectorType)
			}
			sums := d.loop(zero, d.index(d.Depth), d.index(lanes), initial, func(at value, sums []value) []value {
				q := make([]value, len(heads))
				for k, h := range heads {
					q[k] = d.load(d.q, lanes, d.offset(d.head, h), at)
				}
				for r := range rows {
					key := d.row(d.keys, rows[r], d.group, at)
					for k := range heads {
						sums[r*len(heads)+k] = d.fma(key, q[k], sums[r*len(heads)+k])
					}
				}
				return sums
			})
			for r := range rows {
				for k, h := range heads {
					d.store(d.sum(sums[r*len(heads)+k]), d.weights, d.index(int64(h)), d.offset(i, r))
				}
			}
			return nil
		})
	})
}

// exponentials turns the count products of a head into weights, and updates the maximum
// score and the sum of weights. Earlier sums must be multiplied by the factor.
func (d *decode) exponentials(head, count, top, sum value) (factor, newTop, newSum value) {
	var scores, there []value
	greatest := d.number(vectorType, hidden)
	for at := 0; at < decodeRows; at += lanes {
		mask := d.reaches(d.plus(count, int64(-at)))
		v := d.scores(d.load(d.weights, lanes, head, d.index(int64(at))))
		v = d.choose(mask, v, d.number(vectorType, hidden))
		scores, there, greatest = append(scores, v), append(there, mask), d.upper(greatest, v)
	}
	newTop = d.upper(top, d.top(greatest))
	factor = d.exp(d.sub(top, newTop))
	total := d.zeros(vectorType)
	for i, v := range scores {
		v = d.choose(there[i], d.exp(d.sub(v, d.splat(newTop, lanes))), d.zeros(vectorType))
		d.store(v, d.weights, head, d.index(int64(i*lanes)))
		total = d.add(total, v)
	}
	return factor, newTop, d.add(d.mul(sum, factor), d.sum(total))
}

// average multiplies the sums by the factors and adds count weighted values.
func (d *decode) average(row, count value, factors []value) {
	zero := d.index(0)
	d.some(func(heads []int) {
		vectors := max(1, decodeSums/len(heads)) // vectors of the values at once
		for int(d.Depth)%(vectors*lanes) != 0 {
			vectors--
		}
		d.loop(zero, d.index(d.Depth), d.index(int64(vectors*lanes)), nil, func(at value, _ []value) []value {
			var places, sums []value
			for v := range vectors {
				places = append(places, d.offset(at, v*lanes))
			}
			for _, h := range heads {
				for v := range vectors {
					old := d.load(d.sums, lanes, d.part, d.offset(d.head, h), places[v])
					sums = append(sums, d.mul(old, d.splat(factors[h], lanes)))
				}
			}
			sums = d.loop(zero, count, d.index(1), sums, func(i value, sums []value) []value {
				values := make([]value, vectors)
				for v := range vectors {
					values[v] = d.row(d.values, d.add(row, i), d.group, places[v])
				}
				for k, h := range heads {
					w := d.splat(d.load(d.weights, 0, d.index(int64(h)), i), lanes)
					for v := range vectors {
						sums[k*vectors+v] = d.fma(values[v], w, sums[k*vectors+v])
					}
				}
				return sums
			})
			for k, h := range heads {
				for v := range vectors {
					d.store(sums[k*vectors+v], d.sums, d.part, d.offset(d.head, h), places[v])
				}
			}
			return nil
		})
	})
}

// Text returns the executable in this form: operands are the result of
// AttentionOne, start and the window, the result is [Heads, Depth].
func (a AttentionCombine) Text(f Form) string {
	return executable(f, a.Symbol(), a.Heads, 3, []string{"window"}, func(b *builder, bound, sizes []value, head value) {
		c := &attention{Attention: a.Attention, builder: b, window: sizes[0]}
		sums := c.memory(bound[0])
		c.start = c.place(bound[1], b.index(1))
		y := b.subspan(bound[2], f32, a.Heads, a.Depth)
		first, end, size := c.parts()
		parts := b.over(b.sub(end, first), size, true)
		factors := b.scratch(f32, a.Parts())
		scalar, zero, one := typ{elem: f32}, b.index(0), b.index(1)
		greatest := func(part value) value { return b.load(sums, 0, part, head, b.index(a.Depth)) }
		top := b.loop(zero, parts, one, []value{b.number(scalar, hidden)}, func(i value, top []value) []value {
			return []value{b.upper(top[0], greatest(i))}
		})[0]
		whole := b.loop(zero, parts, one, []value{b.zeros(scalar)}, func(i value, whole []value) []value {
			f := b.exp(b.sub(greatest(i), top))
			b.store(f, factors, i)
			return []value{b.add(whole[0], b.mul(f, b.load(sums, 0, i, head, b.index(a.Depth+1))))}
		})[0]
		b.loop(zero, b.index(a.Depth), b.index(lanes), nil, func(at value, _ []value) []value {
			total := b.loop(zero, parts, one, []value{b.zeros(vectorType)}, func(i value, total []value) []value {
				return []value{b.fma(b.load(sums, lanes, i, head, at), b.splat(b.load(factors, 0, i), lanes), total[0])}
			})[0]
			b.store(b.div(total, b.splat(whole, lanes)), y, head, at)
			return nil
		})
	})
}
