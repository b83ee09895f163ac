package packed

import (
	"math"
	"sync"

	"github.com/skainet-dev/skainet-go/backend/cpu/gemm"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// CodeInt8 is the code of a matrix without integer products.
const CodeInt8 errs.Code = "PACKED_INT8" // smallest input: Q4_1

// group is how many elements of a vector are rounded together, and summed before scales
// are applied.
const group = 32

// coder decodes an encoding: element i is codes[i] times scales[i/16]
// minus mins[i/32].
type coder struct {
	hasMins bool
	// read writes the codes of some blocks, two scales for each group of them, and
	// a minimum if the encoding has minima.
	read func(blocks int, src *byte, codes *int8, scales, mins *float32)
}

// Int8 returns the matrix whose products are computed in integers, for Q4_0, Q5_0,
// Q8_0, Q4_K and Q6_K: vectors are rounded to eight bits, each 32 elements with a
// scale of their own, the largest magnitude among them divided by 127, like Q8_0 with
// a scale in f32.
//
// An element of such a product differs from that of Multiply by at most
//
//	sum over groups g of max|x[g]| / 254 * sum|w[g]|
//
// for a row w and a vector x, besides the rounding of sums in float32. A group with an
// infinity or NaN makes every result that depends on it NaN. Results are the same bits
// for any number of workers, and on all processors.
func (m *Matrix) Int8() (*Matrix, error) {
	c, ok := coders[m.encoding]
	if !ok {
		return nil, errs.New(CodeInt8, "%s has no products in integers", m.encoding).Hint("use Q4_0, Q5_0, Q8_0, Q4_K or Q6_K")
	}
	other := *m
	other.coder = c
	return &other, nil
}

// rounded is a vector rounded to eight bits. Its length is that of the codes.
type rounded struct {
	codes  []int8
	scales []float32 // of a group
	sums   []float32 // of each group: the sum of its codes, times the scale
}

func newRounded(cols int) rounded {
	return rounded{make([]int8, cols), make([]float32, cols/group), make([]float32, cols/group)}
}

// round rounds x, whose elements are at a stride of step.
func (r rounded) round(x []float32, step int) {
	for g := range r.scales {
		codes := r.codes[g*group:][:group]
		var most float32
		for i := range codes {
			v := x[(g*group+i)*step]
			most = max(most, math.Float32frombits(math.Float32bits(v)&^(1<<31))) // NaN stays
		}
		scale := most / 127
		if scale-scale != 0 {
			scale = float32(math.NaN())
		}
		var sum int32
		if clear(codes); scale > 0 {
			factor := 127 / float64(most)
			for i := range codes {
				q := int8(math.RoundToEven(float64(x[(g*group+i)*step]) * factor))
				codes[i] = q
				sum += int32(q)
			}
		}
		r.scales[g], r.sums[g] = scale, scale*float32(sum)
	}
}

// tile is how many rows of a matrix are unpacked at once: with a vector, they stay
// in the L1 cache.
const tile = 4

// unpacked is a row as a coder returns it.
type unpacked struct {
	codes        []int8
	scales, mins []float32
}

var tiles = sync.Pool{New: func() any { return new([tile]unpacked) }}

// multiplyInt8 is Multiply with rounded vectors.
func (m *Matrix) multiplyInt8(c gemm.Result, a gemm.Operand, n int, run gemm.Runner) error {
	if err := m.fit(c, a, n); err != nil {
		return err
	}
	if n == 0 || m.rows == 0 {
		return nil
	}
	vectors := make([]rounded, n)
	run(n, func(i int) {
		vectors[i] = newRounded(m.cols)
		vectors[i].round(a.Data[min(i*a.Row, len(a.Data)):], a.Col)
	})
	each := max(1, vectorWork/max(m.cols, 1)/tile) * tile
	run((m.rows+each-1)/each, func(task int) {
		rows := tiles.Get().(*[tile]unpacked)
		defer tiles.Put(rows)
		for j := task * each; j < min((task+1)*each, m.rows); j += tile {
			some := rows[:min(tile, m.rows-j)]
			for i := range some {
				some[i].read(m, j+i)
			}
			for v, x := range vectors {
				for i := range some {
					c.Data[v*c.Row+j+i] = some[i].times(x)
				}
			}
		}
	})
	return nil
}

// fit makes the checks of gemm.Multiply.
func (m *Matrix) fit(c gemm.Result, a gemm.Operand, n int) error {
	within := func(data, count, step, inner, innerStep int) bool {
		if count == 0 || inner == 0 {
			return true
		}
		if data == 0 || count > 1 && step > (data-1)/(count-1) || inner > 1 && innerStep > (data-1)/(inner-1) {
			return false
		}
		return (count-1)*step+(inner-1)*innerStep < data // no overflow: both are below data
	}
	if min(n, c.Row, a.Row, a.Col) < 0 || n > 1 && c.Row < m.rows ||
		!within(len(c.Data), n, c.Row, m.rows, 1) || !within(len(a.Data), n, a.Row, m.cols, a.Col) {
		return errs.New(CodeShape, "%d vectors every %d with elements every %d of %d, results every %d of %d, for a matrix [%d, %d]",
			n, a.Row, a.Col, len(a.Data), c.Row, len(c.Data), m.rows, m.cols)
	}
	return nil
}

// read unpacks row j.
func (u *unpacked) read(m *Matrix, j int) {
	groups := m.cols / group
	if cap(u.codes) < m.cols {
		*u = unpacked{make([]int8, m.cols), make([]float32, 2*groups), make([]float32, groups)}
	}
	u.codes, u.scales, u.mins = u.codes[:m.cols], u.scales[:2*groups], u.mins[:groups]
	if m.cols == 0 {
		return
	}
	src := m.data[j*m.bytesOfARow:][:m.bytesOfARow]
	m.coder.read(m.cols/int(m.block.Elements), &src[0], &u.codes[0], &u.scales[0], &u.mins[0])
	if !m.coder.hasMins {
		u.mins = u.mins[:0]
	}
}

// times returns the product of a row and a vector: that of the codes, minus that of
// the minima, which is summed in four parts.
func (u *unpacked) times(x rounded) (y float32) {
	if len(x.scales) == 0 {
		return 0
	}
	dotCodes(len(x.scales), &u.codes[0], &u.scales[0], &x.codes[0], &x.scales[0], &y)
	if len(u.mins) == 0 {
		return y
	}
	var s0, s1, s2, s3 float32
	mins, sums := u.mins, x.sums[:len(u.mins)]
	for len(mins) >= 4 && len(sums) >= 4 { // 256 elements are two times four groups
		s0 += float32(mins[0] * sums[0])
		s1 += float32(mins[1] * sums[1])
		s2 += float32(mins[2] * sums[2])
		s3 += float32(mins[3] * sums[3])
		mins, sums = mins[4:], sums[4:]
	}
	return y - ((s0 + s2) + (s1 + s3))
}

// coders are the best for this processor.
var coders, dotCodes = int8Kernels()[0].coders, int8Kernels()[0].dot

// kernels of one kind.
type kernels struct {
	name   string
	coders map[quant.Encoding]coder
	dot    func(groups int, codes *int8, scales *float32, x *int8, xScales, y *float32)
}
