package cpu

import (
	"slices"

	"github.com/skainet-dev/skainet-go/backend/cpu/gemm"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/tensor"
)

var contractionKernels = map[id.ID]kernel{id.DotGeneral: func(f *frame, n *dag.Node, in []array) ([]array, error) {
	if id, ok := parameterOf(n.Inputs[1]); ok && f.x.stored[id] != nil {
		return []array{linear(n, in[0], f.x.stored[id], n.Outputs[0].Type)}, nil
	}
	return []array{dotGeneral(n, in, n.Outputs[0].Type)}, nil
}}

// dotGeneral brings both operands to [batch, rows, contracted], as views of f32
// where strides allow it, and multiplies rows by rows.
func dotGeneral(n *dag.Node, in []array, out tensor.Type) array {
	a := sideOf(in[0], n.Attrs.Ints("lhs_batching"), n.Attrs.Ints("lhs_contracting"))
	b := sideOf(in[1], n.Attrs.Ints("rhs_batching"), n.Attrs.Ints("rhs_contracting"))
	if x, ok := in[0].data.(vec[float32]); ok && !plainProducts {
		y := fresh[float32](a.batch.size * a.rows.size * b.rows.size)
		right := b.view(in[1].data.(vec[float32]))
		right.Row, right.Col = right.Col, right.Row
		multiply(y, a.view(x), right,
			gemm.Size{Batch: a.batch.size, M: a.rows.size, N: b.rows.size, K: a.depth.size})
		return roundToDType(array{out, y})
	}
	return roundToDType(array{out, permuted(in[0], a.order()).gemm(
		permuted(in[1], b.order()), a.batch.size, a.rows.size, b.rows.size, a.depth.size)})
}

// plainProducts lets tests use the kernels without blocks and views.
var plainProducts bool

// side is an operand of a contraction: its dimensions in three groups.
type side struct {
	x                  array
	batch, rows, depth group
}

// group is a group of dimensions, which form one dimension if stride is not 0.
type group struct {
	dims         []int
	size, stride int
}

func sideOf(x array, batching, contracting []int64) side {
	sizes := sizesOf(x.typ)
	steps := strides(sizes)
	join := func(dims []int64) group {
		g := group{size: 1, stride: 1}
		next := -1 // the stride with which the next dimension outwards joins
		for _, d := range slices.Backward(dims) {
			g.dims = append(g.dims, int(d))
			g.size *= sizes[d]
			switch {
			case sizes[d] == 1:
				continue
			case next < 0:
				g.stride = steps[d]
			case next != steps[d]:
				g.stride = 0
			}
			next = steps[d] * sizes[d]
		}
		slices.Reverse(g.dims)
		return g
	}
	var rows []int64
	for d := range sizes {
		if !slices.Contains(batching, int64(d)) && !slices.Contains(contracting, int64(d)) {
			rows = append(rows, int64(d))
		}
	}
	return side{x, join(batching), join(rows), join(contracting)}
}

func (s side) order() []int { return slices.Concat(s.batch.dims, s.rows.dims, s.depth.dims) }

// view returns s as [batch, rows, depth], copied if a group does not form
// one dimension.
func (s side) view(x vec[float32]) gemm.Operand {
	if s.batch.stride == 0 || s.rows.stride == 0 || s.depth.stride == 0 {
		return gemm.Operand{
			Data:  permuted(s.x, s.order()).(vec[float32]),
			Batch: s.rows.size * s.depth.size, Row: s.depth.size, Col: 1,
		}
	}
	return gemm.Operand{Data: x, Batch: s.batch.stride, Row: s.rows.stride, Col: s.depth.stride}
}

// multiply computes z [batch, m, n] with the processors that Go may use.
func multiply(z vec[float32], a, b gemm.Operand, s gemm.Size) {
	if err := gemm.Multiply(gemm.Result{Data: z, Batch: s.M * s.N, Row: s.N}, a, b, s, parallel); err != nil {
		panic(err) // the shape rule has checked this
	}
}

// Rows and columns of the result per task: a few rows of b stay in
// the L1 cache while the block's rows of a come from L2.
const (
	blockRows = 64
	blockCols = 256
)

// gemm multiplies a [batch, m, k] by b [batch, n, k] into [batch, m, n]. Each sum
// runs in one order, whatever the blocks are.
func (x vec[T]) gemm(b storage, batch, m, n, k int) storage {
	if batch*m*n == 0 || k == 0 {
		return made[T](batch * m * n)
	}
	y, z := b.(vec[T]), fresh[T](batch*m*n)
	if f, ok := any(x).(vec[float32]); ok && !plainProducts {
		multiply(any(z).(vec[float32]), gemm.Operand{Data: f, Batch: m * k, Row: k, Col: 1},
			gemm.Operand{Data: any(y).(vec[float32]), Batch: n * k, Row: 1, Col: k}, gemm.Size{Batch: batch, M: m, N: n, K: k})
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
