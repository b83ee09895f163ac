package kernels

import (
	"fmt"
	"math"
	"slices"
)

// AttentionWhole is y[z, m, d] = the sum over t of w[z, m, t] v[z, t, d], where w are the
// softmax over t of Scale times the sum over d of q[z, m, d] k[z, d, t], plus, if Masked,
// mask[z/heads, t]: the attention of an encoder, every query to every key. All are f32.
//
// The scores of some queries are kept for one block of keys at a time, as in AttentionMany, so
// that the matrix of all is never in memory. A row whose scores are all -inf is NaN, as its
// softmax is.
//
// On a Xeon (Sapphire Rapids, AVX-512) 12 heads of 128 x 128 x 32 take 0.3 ms, where two
// products, the scale, the mask and the softmax took 0.54 in kernels of their own.
type AttentionWhole struct {
	Depth  int64
	Scale  float64
	Masked bool
}

const (
	// The number of keys in a block: the scores of 8 queries take 4 kB.
	wholeKeys = 128
	// Queries of a workgroup.
	wholeQueries = 64
)

// Supported reports whether there is a kernel for the depth.
func (a AttentionWhole) Supported() bool {
	return a.Depth > 0 && a.Depth <= maxDepth && a.Depth%lanes == 0 && !math.IsNaN(a.Scale) && !math.IsInf(a.Scale, 0)
}

// Symbol returns the kernel's name.
func (a AttentionWhole) Symbol() string {
	name := fmt.Sprintf("attend_all_%d_%08x", a.Depth, math.Float32bits(float32(a.Scale)))
	if a.Masked {
		name += "_masked"
	}
	return name
}

// Text returns the executable in this form. The operands are q, k, v, a mask, and the sizes;
// heads is how many z share a row of the mask.
func (a AttentionWhole) Text(f Form) string {
	operands := 3
	if a.Masked {
		operands = 4
	}
	grid := []dealt{{of: "m", by: wholeQueries}, {of: "z", by: 1}}
	return sizedOf(f, a.Symbol(), operands, []string{"z", "m", "t", "heads"}, grid, func(b *builder, in []value, y value, sizes []value) {
		z, m, t, heads := sizes[0], sizes[1], sizes[2], sizes[3]
		w := whole{
			builder: b, AttentionWhole: a, rows: f.tile().height, keys: t, at: b.workgroup("id", 1),
			q: b.view(in[0], f32, []value{z, m}, -1, -1, a.Depth),
			k: b.view(in[1], f32, []value{z, t}, -1, a.Depth, -1),
			v: b.view(in[2], f32, []value{z, t}, -1, -1, a.Depth),
			y: b.view(y, f32, []value{z, m}, -1, -1, a.Depth),
		}
		if a.Masked {
			w.mask = b.view(in[3], f32, []value{b.over(z, heads, false), t}, -1, -1)
			w.example = b.over(w.at, heads, false)
		}
		if w.beside = 1; f.Wide && a.Depth%(2*lanes) == 0 {
			w.beside = 2
		}
		w.weights = b.scratch(f32, int64(w.rows), wholeKeys)
		w.sums = b.scratch(f32, int64(w.rows), a.Depth)
		w.stats = b.scratch(f32, int64(w.rows), 3)
		first := b.mul(b.workgroup("id", 0), b.index(wholeQueries))
		end := b.least(b.plus(first, wholeQueries), m)
		last := b.plus(end, -1)
		b.loop(first, end, b.index(int64(w.rows)), nil, func(row value, _ []value) []value {
			w.queries = nil
			for i := range w.rows { // the last tile computes its last row several times
				w.queries = append(w.queries, b.least(b.offset(row, i), last))
			}
			w.tile()
			return nil
		})
	})
}

// whole writes the work on some queries.
type whole struct {
	*builder
	AttentionWhole
	rows             int
	beside           int // vectors that share what is read of a query or a weight
	queries          []value
	keys             value // their number
	at, example      value // z, and the row of the mask
	q, k, v, y, mask memory
	weights          memory // [rows, wholeKeys]: scores, then weights
	sums             memory // [rows, Depth]: of weighted values
	stats            memory // [rows, 3]: greatest score, sum of weights, factor of earlier sums
}

func (w *whole) tile() {
	zero, one, rows := w.index(0), w.index(1), w.index(int64(w.rows))
	w.loop(zero, rows, one, nil, func(i value, _ []value) []value {
		w.store(w.least32(), w.stats, i, zero)
		w.store(w.zeros(typ{elem: f32}), w.stats, i, one)
		w.loop(zero, w.index(w.Depth), w.index(lanes), nil, func(d value, _ []value) []value {
			w.store(w.zeros(vectorType), w.sums, i, d)
			return nil
		})
		return nil
	})
	w.loop(zero, w.keys, w.index(wholeKeys), nil, func(key value, _ []value) []value {
		count := w.least(w.sub(w.keys, key), w.index(wholeKeys))
		full, pairs := w.sub(count, w.rest(count, w.index(lanes))), zero
		if w.beside > 1 {
			step := w.index(int64(w.beside * lanes))
			pairs = w.sub(count, w.rest(count, step))
			w.loop(zero, pairs, step, nil, func(to value, _ []value) []value {
				w.scores(w.add(key, to), to, w.beside, value{})
				return nil
			})
		}
		w.loop(pairs, full, w.index(lanes), nil, func(to value, _ []value) []value {
			w.scores(w.add(key, to), to, 1, value{})
			return nil
		})
		w.loop(full, count, w.index(lanes), nil, func(to value, _ []value) []value {
			w.scores(w.add(key, to), to, 1, w.reaches(w.sub(count, to)))
			return nil
		})
		w.loop(zero, rows, one, nil, func(i value, _ []value) []value {
			w.exponentials(i, count)
			return nil
		})
		w.average(key, count)
		return nil
	})
	for i, m := range w.queries {
		total := w.splat(w.load(w.stats, 0, w.index(int64(i)), one), lanes)
		w.loop(zero, w.index(w.Depth), w.index(lanes), nil, func(d value, _ []value) []value {
			w.store(w.div(w.load(w.sums, lanes, w.index(int64(i)), d), total), w.y, w.at, m, d)
			return nil
		})
	}
}

// least32 is -inf.
func (w *whole) least32() value { return w.constant(typ{elem: f32}, "0xFF800000") }

// scores stores those of so many vectors of keys, or of the lanes of a mask, and -inf beyond.
func (w *whole) scores(key, to value, vectors int, mask value) {
	load := func(from memory, at ...value) value {
		if mask.none() {
			return w.load(from, lanes, at...)
		}
		return w.loadMasked(mask, from, at...)
	}
	sums := slices.Repeat([]value{w.zeros(vectorType)}, w.rows*vectors)
	sums = w.loop(w.index(0), w.index(w.Depth), w.index(tileUnroll), sums, func(d value, sums []value) []value {
		next := slices.Clone(sums)
		for u := range tileUnroll {
			e := w.offset(d, u)
			k := make([]value, vectors)
			for v := range k {
				k[v] = load(w.k, w.at, e, w.offset(key, v*lanes))
			}
			for i, m := range w.queries {
				q := w.splat(w.load(w.q, 0, w.at, m, e), lanes)
				for v := range k {
					s := &next[i*vectors+v]
					*s = w.fma(k[v], q, *s)
				}
			}
		}
		return next
	})
	scale := w.number(vectorType, w.Scale)
	for v := range vectors {
		var more value
		if w.Masked {
			more = load(w.mask, w.example, w.offset(key, v*lanes))
		}
		for i := range w.rows {
			s := w.mul(sums[i*vectors+v], scale)
			if w.Masked {
				s = w.add(s, more)
			}
			if !mask.none() {
				s = w.choose(mask, s, w.splat(w.least32(), lanes))
			}
			w.store(s, w.weights, w.index(int64(i)), w.offset(to, v*lanes))
		}
	}
}

// exponentials turns the scores of a row into weights.
func (w *whole) exponentials(i, count value) {
	zero, one, two := w.index(0), w.index(1), w.index(2)
	old, sum := w.load(w.stats, 0, i, zero), w.load(w.stats, 0, i, one)
	tops := w.loop(zero, count, w.index(lanes), []value{w.splat(old, lanes)}, func(at value, top []value) []value {
		return []value{w.upper(top[0], w.load(w.weights, lanes, i, at))}
	})
	top := w.top(tops[0])
	// Where all scores so far are -inf their weights are 0, and not exp(-inf + inf).
	none := w.compare("oeq", top, w.least32())
	base := w.choose(none, w.zeros(top.typ), top)
	totals := w.loop(zero, count, w.index(lanes), []value{w.zeros(vectorType)}, func(at value, total []value) []value {
		v := w.exp(w.sub(w.load(w.weights, lanes, i, at), w.splat(base, lanes)))
		w.store(v, w.weights, i, at)
		return []value{w.add(total[0], v)}
	})
	factor := w.exp(w.sub(old, base))
	w.store(top, w.stats, i, zero)
	w.store(w.add(w.mul(sum, factor), w.sum(totals[0])), w.stats, i, one)
	w.store(factor, w.stats, i, two)
}

// average multiplies the sums by their factors and adds count weighted values.
func (w *whole) average(key, count value) {
	zero, one, two := w.index(0), w.index(1), w.index(2)
	w.loop(zero, w.index(w.Depth), w.index(int64(w.beside*lanes)), nil, func(d value, _ []value) []value {
		var sums []value
		for i := range w.rows {
			row := w.index(int64(i))
			factor := w.splat(w.load(w.stats, 0, row, two), lanes)
			for v := range w.beside {
				sums = append(sums, w.mul(w.load(w.sums, lanes, row, w.offset(d, v*lanes)), factor))
			}
		}
		sums = w.loop(zero, count, one, sums, func(t value, sums []value) []value {
			next, values := slices.Clone(sums), make([]value, w.beside)
			for v := range values {
				values[v] = w.load(w.v, lanes, w.at, w.add(key, t), w.offset(d, v*lanes))
			}
			for i := range w.rows {
				weight := w.splat(w.load(w.weights, 0, w.index(int64(i)), t), lanes)
				for v := range values {
					s := &next[i*w.beside+v]
					*s = w.fma(values[v], weight, *s)
				}
			}
			return next
		})
		for i, s := range sums {
			w.store(s, w.sums, w.index(int64(i/w.beside)), w.offset(d, i%w.beside*lanes))
		}
		return nil
	})
}
