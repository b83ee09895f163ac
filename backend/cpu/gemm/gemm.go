// Package gemm multiplies matrices of float32: blocks of both operands are packed
// into panels, which tiles of the result are computed from (Goto and van de Geijn,
// Anatomy of High-Performance Matrix Multiplication, 2008). Products with a vector
// read the matrix once, as it lies in memory.
//
// Operands are views with any strides: packing transposes. Memory for packing is at
// most blockRows*blockDepth elements for a and blockDepth times the columns of a tile
// for each task, whatever the sizes.
//
// # Errors
//
// GEMM_SHAPE for a negative size or stride, or a view that reaches beyond its
// data. A Runner's panics pass through.
//
// # Determinism
//
// Results are the same bits for any number of workers: an element of a product of
// matrices is one chain of multiply-adds in the order of k; with a vector, the sum
// of a dot product is in parts whose number is fixed. amd64 processors with AVX2
// and FMA and all arm64 processors return the same bits, because the chain is the same
// for all widths of vectors and sizes of tiles. Others run the kernels in Go, which
// round each product where Go does: their results differ in the last places. So do
// those of a product with one row from the same row in a product with several.
package gemm

import (
	"math/bits"

	"github.com/skainet-dev/skainet-go/errs"
)

// CodeShape is the code of this package.
const CodeShape errs.Code = "GEMM_SHAPE" // sizes, strides and data are inconsistent

// Operand is a batch of matrices [batch, rows, cols]: element (b, i, j) is
// Data[b*Batch + i*Row + j*Col]. Strides of 0 repeat.
type Operand struct {
	Data            []float32
	Batch, Row, Col int
}

// Result is a batch of matrices whose rows are contiguous: element (b, i, j) is
// Data[b*Batch + i*Row + j]. Its rows must not overlap.
type Result struct {
	Data       []float32
	Batch, Row int
}

// Runner runs f(0), ..., f(tasks-1) in any order, possibly concurrently, and returns when all
// are done.
type Runner func(tasks int, f func(task int))

// Serial is the Runner without concurrency.
func Serial(tasks int, f func(task int)) {
	for i := range tasks {
		f(i)
	}
}

// Size of a product: c [Batch, M, N] = a [Batch, M, K] b [Batch, K, N].
type Size struct{ Batch, M, N, K int }

// Multiply computes c = a b, overwriting c; with K = 0 the result is zeros.
// c must not share memory with a or b.
func Multiply(c Result, a, b Operand, s Size, run Runner) error {
	if err := check(c, a, s); err != nil {
		return err
	}
	if min(b.Batch, b.Row, b.Col) < 0 || !reaches(len(b.Data), s.Batch, b.Batch, s.K, b.Row, s.N, b.Col) {
		return errs.New(CodeShape, "the right operand of %+v reaches beyond its %d elements", s, len(b.Data))
	}
	chosen.multiply(c, a, b, s, run)
	return nil
}

// Pack fills dst [depth, width], row p of which begins with the elements of row
// k+p and columns [j, j+cols) of b, cols <= width; the rest of a row may be anything.
type Pack func(dst []float32, width, k, depth, j, cols int)

// MultiplyPacked is like Multiply with a b that is one matrix and never stored as a
// whole: pack is called for its parts, some of them several times, from several
// goroutines. A convolution passes the windows of its input this way.
func MultiplyPacked(c Result, a Operand, pack Pack, s Size, run Runner) error {
	if s.Batch != 1 {
		return errs.New(CodeShape, "a batch of %d, but packed operands have 1", s.Batch)
	}
	if err := check(c, a, s); err != nil {
		return err
	}
	if s.M == 0 || s.N == 0 {
		return nil
	}
	chosen.product(c.Data, c.Row, a, right{pack: pack}, s, run)
	return nil
}

// Shifted is a right operand [K, N] whose rows may overlap: element (k, j) is
// Data[At[k]+j].
type Shifted struct {
	Data []float32
	At   []int
}

// MultiplyShifted is like Multiply with a Shifted, which is read in place. A convolution
// without strides has such rows in its input.
func MultiplyShifted(c Result, a Operand, b Shifted, s Size, run Runner) error {
	if s.Batch != 1 {
		return errs.New(CodeShape, "a batch of %d, but shifted operands have 1", s.Batch)
	}
	if err := check(c, a, s); err != nil {
		return err
	}
	if s.M == 0 || s.N == 0 {
		return nil
	}
	if len(b.At) != s.K {
		return errs.New(CodeShape, "%d rows are given, want %d", len(b.At), s.K)
	}
	for k, at := range b.At {
		if at < 0 || at > len(b.Data)-s.N {
			return errs.New(CodeShape, "row %d of the right operand, %d elements from index %d, reaches beyond its %d elements", k, s.N, at, len(b.Data))
		}
	}
	chosen.product(c.Data, c.Row, a, right{b.pack, b}, s, run)
	return nil
}

func (b Shifted) pack(dst []float32, width, k, depth, j, cols int) {
	for p, at := range b.At[k:][:depth] {
		copy(dst[p*width:][:cols], b.Data[at+j:])
	}
}

// Dot returns the dot product of two vectors of one length, summed in the order of
// Multiply for a matrix and a vector.
func Dot(a, x []float32) (sum float32) {
	if x = x[:len(a)]; len(a) > 0 {
		chosen.dot1(len(a), &a[0], &x[0], &sum)
	}
	return sum
}

// Turn writes n vectors of depth elements, which begin every stride elements of src, as
// the first columns of dst [depth, width]: the work of a Pack whose columns are
// contiguous.
func Turn(dst []float32, width int, src []float32, n, depth, stride int) {
	chosen.pack(dst, width, src, n, depth, stride, 1)
}

func check(c Result, a Operand, s Size) error {
	if min(s.Batch, s.M, s.N, s.K, c.Batch, c.Row, a.Batch, a.Row, a.Col) < 0 {
		return errs.New(CodeShape, "a negative size or stride: %+v", s)
	}
	if !reaches(len(c.Data), s.Batch, c.Batch, s.M, c.Row, s.N, 1) {
		return errs.New(CodeShape, "the result of %+v reaches beyond its %d elements", s, len(c.Data))
	}
	if s.M > 1 && s.N > c.Row || s.Batch > 1 && (s.M-1)*c.Row+s.N > c.Batch {
		return errs.New(CodeShape, "rows of the result of %+v overlap", s)
	}
	if !reaches(len(a.Data), s.Batch, a.Batch, s.M, a.Row, s.K, a.Col) {
		return errs.New(CodeShape, "the left operand of %+v reaches beyond its %d elements", s, len(a.Data))
	}
	return nil
}

// reaches reports whether three dimensions with their strides stay within n.
func reaches(n int, dims ...int) bool {
	var last uint64
	for i := 0; i < len(dims); i += 2 {
		if dims[i] == 0 {
			return true
		}
		high, low := bits.Mul64(uint64(dims[i]-1), uint64(dims[i+1]))
		var carry uint64
		if last, carry = bits.Add64(last, low, 0); high != 0 || carry != 0 {
			return false
		}
	}
	return last < uint64(n)
}
