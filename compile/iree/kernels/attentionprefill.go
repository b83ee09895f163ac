package kernels

import "strings"

const (
	// The maximum number of rows of q in a workgroup: several tokens and the heads of a
	// group. They share the work of widening keys and values.
	blockQueries = 48
	// Rows of q that are computed together, whose sums stay in registers.
	queryRows = 6
	// The number of keys in a block.
	blockKeys = 64
)

// Text returns the executable in this form. Operands are q [T, Heads,
// Depth], keys, values, start, T and the window; the result has the shape of q.
func (a AttentionMany) Text(f Form) string {
	name, w := a.Symbol(), &writer{indent: f.Indent}
	w.open("stream.executable private @%s {", name)
	w.open("stream.executable.export public @%s workgroups(%%t: index, %%window: index) -> (index, index, index) {", name)
	w.line("%%one = arith.constant 1 : index")
	w.line("%%tokens = arith.constant %d : index", a.blockTokens())
	w.line("%%groups = arith.constant %d : index", a.Groups)
	w.line("%%blocks = arith.ceildivui %%t, %%tokens : index")
	w.line("stream.return %%groups, %%blocks, %%one : index, index, index")
	w.close()
	w.open("builtin.module {")
	w.open("func.func @%s(%%b0: !stream.binding, %%b1: !stream.binding, %%b2: !stream.binding, %%b3: !stream.binding, %%t: index, %%window: index, %%b4: !stream.binding) {", name)
	p := &prefill{attention: attention{Attention: a.Attention, builder: newBuilder(f.at(w.indent)), window: value{"%window", indexType}}}
	var bound []value
	for _, n := range strings.Fields("%b0 %b1 %b2 %b3 %b4") {
		bound = append(bound, value{n, typ{elem: "!stream.binding"}})
	}
	t := value{"%t", indexType}
	p.bind(t, p.view(bound[0], f32, []value{t}, -1, a.Heads, a.Depth), bound)
	p.y = p.view(bound[4], f32, []value{t}, -1, a.Heads, a.Depth)
	p.write()
	w.b.WriteString(p.String())
	w.line("return")
	w.close()
	w.close()
	w.close()
	return w.b.String()
}

// blockTokens is the number of tokens of a workgroup.
func (a Attention) blockTokens() int64 { return max(1, blockQueries/a.shared()) }

// prefill is the body: rows of q are ordered by the block's tokens, with the heads of
// the group next to each other.
type prefill struct {
	attention
	y       memory
	panel   memory // [Depth, 16]: 16 keys side by side, or 16 elements of each value
	weights memory // [blockQueries, blockKeys]
	stats   memory // [blockQueries, 3]: greatest score, sum of weights, factor
	group   value
	head    value // the first of the group
	token   value // the first of the block
}

func (p *prefill) write() {
	p.panel = p.scratch(f32, max(p.Depth, blockKeys), lanes)
	p.weights = p.scratch(f32, blockQueries, blockKeys)
	p.stats = p.scratch(f32, blockQueries, 3)
	zero, one, heads := p.index(0), p.index(1), p.index(p.shared())
	p.group = p.workgroup("id", 0)
	p.head = p.mul(p.group, heads)
	// The last tokens attend to the most rows, so they come first.
	block := p.sub(p.plus(p.workgroup("count", 1), -1), p.workgroup("id", 1))
	p.token = p.mul(block, p.index(p.blockTokens()))
	lastToken := p.smallest(p.plus(p.token, p.blockTokens()), p.tokens)
	queries := p.mul(p.sub(lastToken, p.token), heads)
	p.loop(zero, queries, one, nil, func(i value, _ []value) []value {
		p.store(p.number(typ{elem: f32}, hidden), p.stats, i, zero)
		p.store(p.zeros(typ{elem: f32}), p.stats, i, one)
		return nil
	})
	first, _ := p.sees(p.token)
	_, end := p.sees(p.plus(lastToken, -1))
	p.loop(first, end, p.index(blockKeys), nil, func(row value, _ []value) []value {
		count := p.smallest(p.sub(end, row), p.index(blockKeys))
		p.products(queries, row, count)
		p.loop(zero, queries, one, nil, func(i value, _ []value) []value {
			p.exponentials(i, row)
			return nil
		})
		p.average(queries, row, count, p.compare("eq", row, first))
		return nil
	})
	p.loop(zero, queries, one, nil, func(i value, _ []value) []value {
		sum := p.load(p.stats, 0, i, one)
		none := p.compare("oeq", sum, p.zeros(sum.typ))
		whole := p.splat(p.choose(none, p.number(sum.typ, 1), sum), lanes)
		at := p.query(i)
		p.loop(zero, p.index(p.Depth), p.index(lanes), nil, func(d value, _ []value) []value {
			v := p.div(p.load(p.y, lanes, at[0], at[1], d), whole)
			p.store(p.choose(p.splat(none, lanes), p.zeros(vectorType), v), p.y, at[0], at[1], d)
			return nil
		})
		return nil
	})
}

// query returns the token and the head of a row of q.
func (p *prefill) query(i value) [2]value {
	heads := p.index(p.shared())
	return [2]value{p.add(p.token, p.over(i, heads, false)), p.add(p.head, p.rest(i, heads))}
}

// tiles calls body for the rows of q, queryRows at a time. The last tile is filled with
// copies of the last row, which compute the same again: body must read everything
// before it writes. This is faster than a remainder loop, and half the text.
func (p *prefill) tiles(queries value, body func(rows []value)) {
	last := p.plus(queries, -1)
	p.loop(p.index(0), queries, p.index(queryRows), nil, func(i value, _ []value) []value {
		rows := make([]value, queryRows)
		for k := range rows {
			rows[k] = p.smallest(p.offset(i, k), last)
		}
		body(rows)
		return nil
	})
}

// products stores the products of the queries and count keys, starting at row, in
// weights: 16 keys at a time, side by side.
func (p *prefill) products(queries, row, count value) {
	zero := p.index(0)
	last := p.plus(p.add(row, count), -1)
	p.loop(zero, count, p.index(lanes), nil, func(key value, _ []value) []value {
		p.transpose(p.add(row, key), last)
		p.tiles(queries, func(rows []value) {
			at := make([][2]value, len(rows))
			sums := make([]value, len(rows))
			for i := range rows {
				at[i], sums[i] = p.query(rows[i]), p.zeros(vectorType)
			}
			sums = p.loop(zero, p.index(p.Depth), p.index(tileUnroll), sums, func(d value, sums []value) []value {
				for u := range tileUnroll {
					e := p.offset(d, u)
					k := p.load(p.panel, lanes, e, zero)
					for i := range rows {
						sums[i] = p.fma(k, p.splat(p.load(p.q, 0, at[i][0], at[i][1], e), lanes), sums[i])
					}
				}
				return sums
			})
			for i := range rows {
				p.store(p.scores(sums[i]), p.weights, rows[i], key)
			}
		})
		return nil
	})
}

// transpose writes 16 keys, starting at row, into the panel, four by four elements at a
// time; keys after last repeat the last one.
func (p *prefill) transpose(row, last value) {
	zero, four := p.index(0), p.index(4)
	e := element(p.Cache.MLIR())
	p.loop(zero, p.index(p.Depth), four, nil, func(d value, _ []value) []value {
		p.loop(zero, p.index(lanes), four, nil, func(i value, _ []value) []value {
			var r [4]value
			for j := range r {
				r[j] = p.load(p.keys, 4, p.smallest(p.offset(p.add(row, i), j), last), p.group, d)
				if e != f32 {
					r[j] = p.signed(r[j], f32)
				}
			}
			v := p.transposed(r)
			for j := range r {
				p.store(p.part(v, 4*j, 4), p.panel, p.offset(d, j), i)
			}
			return nil
		})
		return nil
	})
}

// exponentials turns the scores of a row of q into weights, and stores the maximum
// score, the sum of weights and the factor for earlier sums.
func (p *prefill) exponentials(i, row value) {
	zero, one, two := p.index(0), p.index(1), p.index(2)
	low, end := p.sees(p.query(i)[0])
	low, end = p.sub(low, row), p.sub(end, row)
	var scores, there []value
	greatest := p.number(vectorType, hidden)
	for at := 0; at < blockKeys; at += lanes {
		mask := p.reaches(p.plus(end, int64(-at)))
		mask = p.choose(p.reaches(p.plus(low, int64(-at))), p.constant(mask.typ, "false"), mask)
		v := p.choose(mask, p.load(p.weights, lanes, i, p.index(int64(at))), p.number(vectorType, hidden))
		scores, there, greatest = append(scores, v), append(there, mask), p.upper(greatest, v)
	}
	old, sum := p.load(p.stats, 0, i, zero), p.load(p.stats, 0, i, one)
	top := p.upper(old, p.top(greatest))
	factor := p.exp(p.sub(old, top))
	total := p.zeros(vectorType)
	for k, v := range scores {
		v = p.choose(there[k], p.exp(p.sub(v, p.splat(top, lanes))), p.zeros(vectorType))
		p.store(v, p.weights, i, p.index(int64(k*lanes)))
		total = p.add(total, v)
	}
	p.store(top, p.stats, i, zero)
	p.store(p.add(p.mul(sum, factor), p.sum(total)), p.stats, i, one)
	p.store(factor, p.stats, i, two)
}

// average multiplies y by the factors, or starts from zero the first time, and adds
// count weighted values: 16 elements of each at a time.
func (p *prefill) average(queries, row, count, first value) {
	zero, one, two := p.index(0), p.index(1), p.index(2)
	p.loop(zero, p.index(p.Depth), p.index(lanes), nil, func(d value, _ []value) []value {
		p.loop(zero, count, one, nil, func(i value, _ []value) []value {
			p.store(p.row(p.values, p.add(row, i), p.group, d), p.panel, i, zero)
			return nil
		})
		p.tiles(queries, func(rows []value) {
			at := make([][2]value, len(rows))
			sums := make([]value, len(rows))
			for i := range rows {
				at[i] = p.query(rows[i])
				old := p.mul(p.load(p.y, lanes, at[i][0], at[i][1], d), p.splat(p.load(p.stats, 0, rows[i], two), lanes))
				sums[i] = p.def(vectorType, "arith.select %s, %s, %s : %s", first.name, p.zeros(vectorType).name, old.name, vectorType)
			}
			sums = p.loop(zero, count, one, sums, func(k value, sums []value) []value {
				v := p.load(p.panel, lanes, k, zero)
				for i := range rows {
					sums[i] = p.fma(v, p.splat(p.load(p.weights, 0, rows[i], k), lanes), sums[i])
				}
				return sums
			})
			for i := range rows {
				p.store(sums[i], p.y, at[i][0], at[i][1], d)
			}
		})
		return nil
	})
}
