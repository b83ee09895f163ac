package gemm

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// use selects v as the kernels for a test.
func use(t testing.TB, v *kernels) {
	old := chosen
	chosen = v
	t.Cleanup(func() { chosen = old })
}

func concurrent(tasks int, f func(int)) {
	var group sync.WaitGroup
	for i := range tasks {
		group.Go(func() { f(i) })
	}
	group.Wait()
}

func random(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

// operand makes a random batch whose rows or columns are contiguous, with gaps.
func operand(r *rand.Rand, batch, rows, cols int) Operand {
	o := Operand{Row: cols + r.IntN(3), Col: 1}
	each := rows * o.Row
	if r.IntN(2) == 0 {
		o.Row, o.Col = 1, rows+r.IntN(3)
		each = cols * o.Col
	} else if r.IntN(8) == 0 {
		o.Row, o.Col = 2*cols+1, 2
		each = rows * o.Row
	}
	o.Batch = each + r.IntN(5)
	n := 0
	if min(batch, rows, cols) > 0 {
		n = (batch-1)*o.Batch + (rows-1)*o.Row + (cols-1)*o.Col + 1
	}
	o.Data = random(r, n)
	return o
}

func (o Operand) dense(b, rows, cols int) (x, abs blas64.General) {
	x = blas64.General{Rows: rows, Cols: cols, Stride: max(cols, 1), Data: make([]float64, rows*cols)}
	abs = blas64.General{Rows: rows, Cols: cols, Stride: max(cols, 1), Data: make([]float64, rows*cols)}
	for i := range x.Data {
		x.Data[i] = float64(o.Data[b*o.Batch+i/cols*o.Row+i%cols*o.Col])
		abs.Data[i] = math.Abs(x.Data[i])
	}
	return x, abs
}

// requireProduct compares with gonum's product in float64. The bound is Higham's
// for a sum of k products in any order: k unit roundoffs of the sum of absolute
// values, to first order.
func requireProduct(t *testing.T, c Result, a, b Operand, s Size) {
	t.Helper()
	for i := range s.Batch {
		if min(s.M, s.N) == 0 {
			return
		}
		want, size := make([]float64, s.M*s.N), make([]float64, s.M*s.N)
		if s.K > 0 {
			x, xAbs := a.dense(i, s.M, s.K)
			y, yAbs := b.dense(i, s.K, s.N)
			blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, x, y, 0, blas64.General{Rows: s.M, Cols: s.N, Stride: s.N, Data: want})
			blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, xAbs, yAbs, 0, blas64.General{Rows: s.M, Cols: s.N, Stride: s.N, Data: size})
		}
		for j, w := range want {
			got := float64(c.Data[i*c.Batch+j/s.N*c.Row+j%s.N])
			bound := float64(s.K+1) * 0x1p-24 * size[j]
			if !(math.Abs(got-w) <= bound) {
				t.Fatalf("%+v: element %d of matrix %d is %v, want %v", s, j, i, got, w)
			}
		}
	}
}

func sizes(r *rand.Rand) []Size {
	all := []Size{
		{1, 0, 3, 2}, {1, 3, 0, 2}, {2, 3, 4, 0}, {0, 3, 4, 5}, {1, 1, 1, 1}, {1, 1, 1, 0}, {3, 1, 7, 5}, {2, 7, 1, 9},
		{1, 12, 32, 256}, {1, 13, 33, 257}, {1, 961, 5, 3}, {1, 5, 700, 300}, {1, 1, 1500, 70}, {1, 1500, 1, 70},
		{1, 970, 70, 520}, {400, 3, 5, 7}, {2, 200, 200, 130}, {1, 1, 3, 70000}, {1, 2, 3, 5000},
	}
	for range 120 {
		some := func(n int) int {
			if r.IntN(6) == 0 {
				return 1
			}
			return r.IntN(n)
		}
		all = append(all, Size{1 + r.IntN(3), some(70), some(90), some(300)})
	}
	return all
}

// TestMultiplyAgainstGonum runs every set of kernels that this processor supports over
// sizes of 0, 1, odd numbers and more than one block, both layouts of operands, and
// gaps, which must stay unchanged.
func TestMultiplyAgainstGonum(t *testing.T) {
	for _, v := range available() {
		t.Run(v.name, func(t *testing.T) {
			use(t, v)
			r := rand.New(rand.NewPCG(1, 2))
			for _, s := range sizes(r) {
				a, b := operand(r, s.Batch, s.M, s.K), operand(r, s.Batch, s.K, s.N)
				c := Result{Row: s.N + r.IntN(3)}
				c.Batch = s.M*c.Row + r.IntN(3)
				c.Data = make([]float32, s.Batch*c.Batch+1)
				for i := range c.Data {
					c.Data[i] = float32(math.NaN())
				}
				require.NoError(t, Multiply(c, a, b, s, Serial))
				requireProduct(t, c, a, b, s)
				for i, e := range c.Data {
					at := i % max(c.Batch, 1)
					inside := i/max(c.Batch, 1) < s.Batch && at < s.M*c.Row && at%max(c.Row, 1) < s.N
					if inside == (e != e) {
						t.Fatalf("%+v: element %d is %v", s, i, e)
					}
				}
				again := Result{make([]float32, len(c.Data)), c.Batch, c.Row}
				for i := range again.Data {
					again.Data[i] = float32(math.NaN())
				}
				require.NoError(t, Multiply(again, a, b, s, concurrent))
				requireBits(t, c.Data, again.Data, fmt.Sprintf("%+v at once", s))
			}
		})
	}
}

func requireBits(t *testing.T, want, got []float32, what string) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		if math.Float32bits(want[i]) != math.Float32bits(got[i]) {
			t.Fatalf("%s: element %d is %x, want %x", what, i, math.Float32bits(got[i]), math.Float32bits(want[i]))
		}
	}
}

// TestVectorsOfAnyWidthGiveTheSameBits checks what the package promises for the kernels
// of one processor.
func TestVectorsOfAnyWidthGiveTheSameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, s := range sizes(r) {
		a, b := operand(r, s.Batch, s.M, s.K), operand(r, s.Batch, s.K, s.N)
		var first []float32
		for _, v := range available() {
			if v.name == "go" {
				continue
			}
			use(t, v)
			c := Result{make([]float32, s.Batch*s.M*s.N), s.M * s.N, s.N}
			require.NoError(t, Multiply(c, a, b, s, Serial))
			if first == nil {
				first = c.Data
			}
			requireBits(t, first, c.Data, v.name)
		}
	}
}

// TestProcessorsGiveTheSameBits guards the order of operations: this sum was computed
// with AVX2, and arm64 must return the same.
func TestProcessorsGiveTheSameBits(t *testing.T) {
	for _, v := range available() {
		if v.name == "go" {
			continue
		}
		use(t, v)
		sum := sha256.New()
		r := rand.New(rand.NewPCG(9, 10))
		for _, s := range []Size{{1, 50, 70, 500}, {1, 1, 70, 500}, {1, 70, 1, 501}, {2, 3, 5, 7}} {
			for _, turned := range []bool{false, true} {
				a, b := Operand{make([]float32, s.Batch*s.M*s.K), s.M * s.K, s.K, 1}, Operand{make([]float32, s.Batch*s.K*s.N), s.K * s.N, s.N, 1}
				if turned {
					b.Row, b.Col = 1, s.K
				}
				for _, x := range [][]float32{a.Data, b.Data} {
					for i := range x {
						x[i] = r.Float32() - 0.5
					}
				}
				c := Result{make([]float32, s.Batch*s.M*s.N), s.M * s.N, s.N}
				require.NoError(t, Multiply(c, a, b, s, Serial))
				require.NoError(t, binary.Write(sum, binary.LittleEndian, c.Data))
			}
		}
		require.Equal(t, "cdf661f1e27423be75de07a8e3a117b9333ad3cfb10136b12cdf4a3b1fce8725", hex.EncodeToString(sum.Sum(nil)), v.name)
	}
}

// TestInfinitiesStayInTheirRows: the padding of panels must not reach a result,
// and non-finite elements must.
func TestInfinitiesStayInTheirRows(t *testing.T) {
	for _, v := range available() {
		use(t, v)
		for _, s := range []Size{{1, 7, 9, 5}, {1, 1, 9, 5}, {1, 7, 1, 5}} {
			a := Operand{Data: make([]float32, s.M*s.K), Row: s.K, Col: 1}
			b := Operand{Data: make([]float32, s.K*s.N), Row: s.N, Col: 1}
			a.Data[(s.M-1)*s.K+2] = float32(math.Inf(1))
			for i := range b.Data {
				b.Data[i] = 1
			}
			c := Result{make([]float32, s.M*s.N), 0, s.N}
			require.NoError(t, Multiply(c, a, b, s, Serial))
			for i, e := range c.Data {
				require.Equal(t, i/s.N == s.M-1, math.IsInf(float64(e), 1), "%s %+v: element %d is %v", v.name, s, i, e)
			}
		}
	}
}

// TestPackedOperandIsTheSameProduct passes b through a function.
func TestPackedOperandIsTheSameProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, v := range available() {
		use(t, v)
		for _, s := range []Size{{1, 64, 100, 576}, {1, 2, 1, 3}, {1, 1000, 40, 9}, {1, 0, 4, 4}, {1, 4, 4, 0}} {
			a, b := operand(r, 1, s.M, s.K), operand(r, 1, s.K, s.N)
			c := Result{random(r, s.M*s.N), 0, s.N}
			require.NoError(t, MultiplyPacked(c, a, func(dst []float32, width, k, depth, j, cols int) {
				require.Len(t, dst, width*depth)
				for p := range depth {
					for q := range cols {
						dst[p*width+q] = b.Data[(k+p)*b.Row+(j+q)*b.Col]
					}
				}
			}, s, concurrent))
			requireProduct(t, c, a, b, s)
		}
	}
}

// TestShiftedOperandIsTheSameProduct passes b as rows of one slice, some of which
// overlap, and the same rows as a matrix.
func TestShiftedOperandIsTheSameProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, v := range available() {
		use(t, v)
		for _, s := range []Size{{1, 64, 100, 576}, {1, 2, 1, 3}, {1, 97, 64, 9}, {1, 1, 33, 40}, {1, 5, 32, 385}, {1, 0, 4, 4}, {1, 4, 4, 0}} {
			a := operand(r, 1, s.M, s.K)
			b := Shifted{random(r, s.N+s.K*3), make([]int, s.K)}
			dense := Operand{make([]float32, s.K*s.N), 0, s.N, 1}
			for k := range b.At {
				b.At[k] = r.IntN(len(b.Data) - s.N + 1)
				copy(dense.Data[k*s.N:][:s.N], b.Data[b.At[k]:])
			}
			c, want := Result{random(r, s.M*s.N), 0, s.N}, Result{random(r, s.M*s.N), 0, s.N}
			require.NoError(t, MultiplyShifted(c, a, b, s, concurrent))
			requireProduct(t, c, a, dense, s)
			if s.M > 1 && s.N > 1 { // products with a vector sum in another order
				require.NoError(t, Multiply(want, a, dense, s, Serial))
				requireBits(t, want.Data, c.Data, fmt.Sprintf("%s %+v", v.name, s))
			}
		}
	}
}

func TestShapesThatDoNotFit(t *testing.T) {
	x := make([]float32, 12)
	good := Operand{x, 0, 4, 1}
	for name, f := range map[string]func() error{
		"a negative size": func() error {
			return Multiply(Result{x, 0, 3}, good, Operand{x, 0, 3, 1}, Size{1, -1, 3, 4}, Serial)
		},
		"a negative stride": func() error {
			return Multiply(Result{x, 0, 3}, good, Operand{x, 0, -3, 1}, Size{1, 3, 3, 4}, Serial)
		},
		"a short result": func() error {
			return Multiply(Result{x[:8], 0, 3}, good, Operand{x, 0, 3, 1}, Size{1, 3, 3, 4}, Serial)
		},
		"a short left operand": func() error {
			return Multiply(Result{x, 0, 3}, Operand{x[:11], 0, 4, 1}, Operand{x, 0, 3, 1}, Size{1, 3, 3, 4}, Serial)
		},
		"a short right operand": func() error {
			return Multiply(Result{x, 0, 3}, good, Operand{x[:11], 0, 3, 1}, Size{1, 3, 3, 4}, Serial)
		},
		"no right operand":     func() error { return Multiply(Result{x, 0, 3}, good, Operand{}, Size{1, 3, 3, 4}, Serial) },
		"rows that overlap":    func() error { return Multiply(Result{x, 0, 2}, good, Operand{x, 0, 3, 1}, Size{1, 3, 3, 4}, Serial) },
		"matrices on matrices": func() error { return Multiply(Result{x, 0, 3}, good, Operand{x, 0, 3, 1}, Size{2, 2, 3, 4}, Serial) },
		"an overflow": func() error {
			return Multiply(Result{x, 0, 3}, Operand{x, math.MaxInt, math.MaxInt, math.MaxInt}, Operand{x, 0, 3, 1}, Size{3, 3, 3, 4}, Serial)
		},
		"a packed batch": func() error { return MultiplyPacked(Result{x, 0, 3}, good, nil, Size{2, 3, 3, 4}, Serial) },
		"a packed operand's size": func() error {
			return MultiplyPacked(Result{x[:2], 0, 3}, good, nil, Size{1, 3, 3, 4}, Serial)
		},
		"a shifted batch": func() error {
			return MultiplyShifted(Result{x, 0, 3}, good, Shifted{}, Size{2, 3, 3, 4}, Serial)
		},
		"a shifted operand's size": func() error {
			return MultiplyShifted(Result{x[:2], 0, 3}, good, Shifted{x, []int{0, 1, 2, 3}}, Size{1, 3, 3, 4}, Serial)
		},
		"one row too few": func() error {
			return MultiplyShifted(Result{x, 0, 3}, good, Shifted{x, []int{0, 1, 2}}, Size{1, 3, 3, 4}, Serial)
		},
		"a row after the end": func() error {
			return MultiplyShifted(Result{x, 0, 3}, good, Shifted{x, []int{0, 1, 2, 10}}, Size{1, 3, 3, 4}, Serial)
		},
		"a row before the beginning": func() error {
			return MultiplyShifted(Result{x, 0, 3}, good, Shifted{x, []int{0, -1, 2, 3}}, Size{1, 3, 3, 4}, Serial)
		},
	} {
		require.Equal(t, CodeShape, errs.CodeOf(f()), name)
	}
}
