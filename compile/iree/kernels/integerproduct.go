package kernels

import (
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// IntegerProduct is y[M, N] = x[M, K] W[K, N] with x of 16 bits, W of 8 or 16 and sums of
// 32, modulo 2^32: exact for what quantised models multiply, bytes less a zero point. K is
// even.
//
// It is MatMul with two neighbours of K as one element of 32 bits: a vector of 16 columns
// holds 32 products, and processors with an instruction that adds the products of
// neighbours (x86's pmaddwd) take half as many as with f32; one that also adds them to the
// sum (VNNI's vpdpwssd) takes a quarter, but only with wide tiles: on a Xeon (Sapphire Rapids)
// the products of a BERT of 12 x 384 over 64 tokens took 18.1 ms with narrow tiles, 17.5 with
// wide ones, and 10.3 with wide ones and VNNI, which left narrow ones at 18.5. The products of
// two bytes at once that AVX2 also has (pmaddubsw) saturate, and are not used.
type IntegerProduct struct {
	Weight dtype.DType // I8, U8 or I16
	// Rows says that W is stored as [N, K], of I8, and K a multiple of 8: four rows of four pairs
	// at a time are transposed into the panel.
	Rows bool
}

var integerWeights = map[dtype.DType]element{dtype.I8: i8, dtype.U8: i8, dtype.I16: i16}

// Supported reports whether there is a kernel for the weight's type.
func (m IntegerProduct) Supported() bool {
	return integerWeights[m.Weight] != "" && (!m.Rows || m.Weight == dtype.I8)
}

// Symbol returns the kernel's name.
func (m IntegerProduct) Symbol() string {
	name := "integer_product_" + m.Weight.String()
	if m.Rows {
		name += "_rows"
	}
	return name
}

// Text returns the executable in this form. The operands are W, x, and the sizes; k counts
// pairs.
func (m IntegerProduct) Text(f Form) string {
	form := f.tile()
	return sized(f, m.Symbol(), []string{"m", "n", "k"}, []dealt{{of: "n", by: form.columns()}, form.rowParts(false)}, func(b *builder, w, x, y value, sizes []value) {
		p := product{builder: b, form: form, tail: true, ragged: true, pairs: true, m: sizes[0], n: sizes[1], k: sizes[2]}
		p.source = panelSource{elements: 1, slice: form.elements}
		size := b.mul(p.k, b.index(2))
		p.x = b.view(x, i16, []value{p.m, size}, -1, -1)
		p.y = b.view(y, i32, []value{p.m, p.n}, -1, -1)
		p.panel = b.scratch(i16, form.elements, int64(form.vectors*2*lanes))
		if m.Rows {
			p.source.elements = 4
			in := b.view(w, i8, []value{p.n, size}, -1, -1)
			p.fill = func(n, start, length value) {
				p.fillRows(n, length, func(row, k value) value {
					return b.bits(b.signed(b.load(in, 8, row, b.mul(b.add(start, k), b.index(2))), i16), i32)
				})
			}
			p.loops()
			return
		}
		in := b.view(w, integerWeights[m.Weight], []value{size, p.n}, -1, -1)
		p.fill = func(n, start, length value) {
			p.columnsOf(in, func(load func(at ...value) value) {
				b.loop(b.index(0), length, b.index(1), nil, func(i value, _ []value) []value {
					first := b.mul(b.add(start, i), b.index(2))
					for v := range p.vectors {
						var r [2]value
						for j := range r {
							r[j] = load(b.offset(first, j), b.offset(n, v*lanes))
							if m.Weight != dtype.I16 {
								r[j] = b.convert(r[j], i16, m.Weight == dtype.I8)
							}
						}
						b.store(b.interleaved(r[0], r[1]), p.panel, i, b.index(int64(v*2*lanes)))
					}
					return nil
				})
			})
		}
		p.loops()
	})
}

// pairSums multiplies vectors of i16 and adds the products of neighbours. They are loaded as
// i16: the compiler takes a sign extension of the bits of i32 as one by zeros (IREE 3.13.0).
func (b *builder) pairSums(x, y value) value {
	products := b.mul(b.signed(x, i32), b.signed(y, i32))
	half := func(first int) value {
		at := make([]int, products.typ.lanes/2)
		for i := range at {
			at[i] = 2*i + first
		}
		return b.shuffle(products, products, at...)
	}
	return b.add(half(0), half(1))
}

// interleaved alternates the lanes of two vectors.
func (b *builder) interleaved(x, y value) value {
	var at []int
	for i := range x.typ.lanes {
		at = append(at, i, x.typ.lanes+i)
	}
	return b.shuffle(x, y, at...)
}
