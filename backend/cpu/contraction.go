package cpu

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

var contractionKernels = map[string]kernel{"dot_general": one(dotGeneral)}

// dotGeneral brings both operands to [batch, rows, contracted] and multiplies
// rows by rows.
func dotGeneral(n *dag.Node, in []array, out tensor.Type) array {
	side := func(x array, batching, contracting []int64) (data storage, batch, rows, k int) {
		batch, rows, k = 1, 1, 1
		var order []int
		for _, d := range batching {
			order = append(order, int(d))
			batch *= int(x.typ.Shape[d].Size)
		}
		for d := range x.typ.Shape {
			if !slices.Contains(batching, int64(d)) && !slices.Contains(contracting, int64(d)) {
				order = append(order, d)
				rows *= int(x.typ.Shape[d].Size)
			}
		}
		for _, d := range contracting {
			order = append(order, int(d))
			k *= int(x.typ.Shape[d].Size)
		}
		return permuted(x, order), batch, rows, k
	}
	a, batch, m, k := side(in[0], n.Attrs.Ints("lhs_batching"), n.Attrs.Ints("lhs_contracting"))
	b, _, cols, _ := side(in[1], n.Attrs.Ints("rhs_batching"), n.Attrs.Ints("rhs_contracting"))
	return settle(array{out, a.gemm(b, batch, m, cols, k)})
}

// Rows and columns of the result that one task computes: a few rows of b stay in
// the first cache while the block's rows of a come from the second.
const (
	blockRows = 64
	blockCols = 256
)

// gemm multiplies a [batch, m, k] by b [batch, n, k] into [batch, m, n]. Each sum
// runs over k in order, whatever the blocks are.
func (x vec[T]) gemm(b storage, batch, m, n, k int) storage {
	y, z := b.(vec[T]), make(vec[T], batch*m*n)
	if len(z) == 0 || k == 0 {
		return z
	}
	down, across := (m+blockRows-1)/blockRows, (n+blockCols-1)/blockCols
	parallel(batch*down*across, func(task int) {
		i := task / (down * across)
		r, c := task/across%down*blockRows, task%across*blockCols
		block(z[i*m*n:(i+1)*m*n], x[i*m*k:(i+1)*m*k], y[i*n*k:(i+1)*n*k], n, k,
			r, min(r+blockRows, m), c, min(c+blockCols, n))
	})
	return z
}

// block computes result rows [r0, r1) and columns [c0, c1).
func block[T number](z, a, b []T, n, k, r0, r1, c0, c1 int) {
	c := c0
	for ; c+4 <= c1; c += 4 {
		b0, b1, b2, b3 := b[c*k:][:k], b[(c+1)*k:][:k], b[(c+2)*k:][:k], b[(c+3)*k:][:k]
		r := r0
		for ; r+2 <= r1; r += 2 {
			dot2x4(z[r*n+c:][:4], z[(r+1)*n+c:][:4], a[r*k:][:k], a[(r+1)*k:][:k], b0, b1, b2, b3)
		}
		if r < r1 {
			dot1x4(z[r*n+c:][:4], a[r*k:][:k], b0, b1, b2, b3)
		}
	}
	for ; c < c1; c++ {
		col := b[c*k:][:k]
		for r := r0; r < r1; r++ {
			var sum T
			row := a[r*k:][:k]
			for i, v := range col {
				sum += row[i] * v
			}
			z[r*n+c] = sum
		}
	}
}

// dot2x4 keeps eight sums, which with their six operands fit the registers.
func dot2x4[T number](z0, z1, a0, a1, b0, b1, b2, b3 []T) {
	a1, b0, b1, b2, b3 = a1[:len(a0)], b0[:len(a0)], b1[:len(a0)], b2[:len(a0)], b3[:len(a0)]
	var s00, s01, s02, s03, s10, s11, s12, s13 T
	for i, x := range a0 {
		y := a1[i]
		v0, v1 := b0[i], b1[i]
		s00 += x * v0
		s01 += x * v1
		s10 += y * v0
		s11 += y * v1
		v2, v3 := b2[i], b3[i]
		s02 += x * v2
		s03 += x * v3
		s12 += y * v2
		s13 += y * v3
	}
	z0[0], z0[1], z0[2], z0[3] = s00, s01, s02, s03
	z1[0], z1[1], z1[2], z1[3] = s10, s11, s12, s13
}

func dot1x4[T number](z, a, b0, b1, b2, b3 []T) {
	b0, b1, b2, b3 = b0[:len(a)], b1[:len(a)], b2[:len(a)], b3[:len(a)]
	var s0, s1, s2, s3 T
	for i, x := range a {
		s0 += x * b0[i]
		s1 += x * b1[i]
		s2 += x * b2[i]
		s3 += x * b3[i]
	}
	z[0], z[1], z[2], z[3] = s0, s1, s2, s3
}
