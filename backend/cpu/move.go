package cpu

import "github.com/skainet-dev/skainet-go/tensor/dtype"

// move copies a box of elements between two row-major tensors: element i of the
// box goes from srcAt + i*src to dstAt + i*dst. All operations that only move
// elements are one or more of these; a stride of 0 in src repeats an element.
type move struct {
	sizes        []int
	dst, src     []int // strides in elements
	dstAt, srcAt int
}

// strides returns the row-major strides.
func strides(sizes []int) []int {
	s := make([]int, len(sizes))
	n := 1
	for i := len(sizes) - 1; i >= 0; i-- {
		s[i] = n
		n *= sizes[i]
	}
	return s
}

// compact drops dimensions of size 1 and merges adjacent dimensions that are contiguous on
// both sides, so that the loops run over long dimensions.
func (m move) compact() move {
	c := move{dstAt: m.dstAt, srcAt: m.srcAt}
	for i, n := range m.sizes {
		if n == 1 {
			continue
		}
		if k := len(c.sizes) - 1; k >= 0 && c.dst[k] == n*m.dst[i] && c.src[k] == n*m.src[i] {
			c.sizes[k] *= n
			c.dst[k], c.src[k] = m.dst[i], m.src[i]
			continue
		}
		c.sizes, c.dst, c.src = append(c.sizes, n), append(c.dst, m.dst[i]), append(c.src, m.src[i])
	}
	return c
}

func (x vec[T]) move(m move, src storage) {
	from := src.(vec[T])
	total := 1
	for _, n := range m.sizes {
		total *= n
	}
	if total == 0 {
		return
	}
	m = m.compact()
	if len(m.sizes) == 0 {
		x[m.dstAt] = from[m.srcAt]
		return
	}
	inner := total / m.sizes[0]
	chunksOf(m.sizes[0], grain/inner, func(lo, hi int) {
		sizes := append([]int{hi - lo}, m.sizes[1:]...)
		walk(x, from, sizes, m.dst, m.src, m.dstAt+lo*m.dst[0], m.srcAt+lo*m.src[0])
	})
}

func walk[T number](to, from []T, sizes, dst, src []int, d, s int) {
	n := sizes[0]
	if len(sizes) > 1 {
		for i := range n {
			walk(to, from, sizes[1:], dst[1:], src[1:], d+i*dst[0], s+i*src[0])
		}
		return
	}
	if dst[0] == 1 && src[0] == 1 {
		copy(to[d:d+n], from[s:s+n])
		return
	}
	for i := range n {
		to[d+i*dst[0]] = from[s+i*src[0]]
	}
}

// permuted returns x with dimensions reordered: result dimension i is dimension
// order[i] of x. No copy is made if the order of elements does not change.
func permuted(x array, order []int) storage {
	sizes := sizesOf(x.typ)
	from := strides(sizes)
	out, src := make([]int, len(order)), make([]int, len(order))
	last, sorted := -1, true
	for i, o := range order {
		out[i], src[i] = sizes[o], from[o]
		if sizes[o] != 1 {
			sorted = sorted && o > last
			last = o
		}
	}
	if sorted {
		return x.data
	}
	y := x.data.fresh(x.data.len())
	y.move(move{sizes: out, dst: strides(out), src: src}, x.data)
	return y
}

// fill sets every element to v.
func (x vec[T]) fill(v float64, d dtype.DType) {
	x.set(saturate[T](v, d))
}

// fillFrom sets every element to the one element of src.
func (x vec[T]) fillFrom(src storage) {
	x.set(src.(vec[T])[0])
}

func (x vec[T]) set(e T) {
	chunks(len(x), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			x[i] = e
		}
	})
}
