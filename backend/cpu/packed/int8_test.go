package packed

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu/gemm"
	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

var integers = []quant.Encoding{"Q4_0", "Q5_0", "Q8_0", "Q4_K", "Q6_K"}

// with selects k as the kernels for a test.
func with(t testing.TB, k kernels) {
	oldCoders, oldDot := coders, dotCodes
	coders, dotCodes = k.coders, k.dot
	t.Cleanup(func() { coders, dotCodes = oldCoders, oldDot })
}

func matrixInt8(t testing.TB, e quant.Encoding, rows, cols int) (*Matrix, []byte) {
	data := blocks(t, e, rows, cols)
	m, err := New(e, rows, cols, data)
	require.NoError(t, err)
	m, err = m.Int8()
	require.NoError(t, err)
	return m, data
}

// Codes, scales and minima give the elements that package quant unpacks, bit for
// bit; that package was compared with ggml.
func TestCodesMakeTheElements(t *testing.T) {
	const cols = 512
	for _, k := range int8Kernels() {
		with(t, k)
		for _, e := range integers {
			m, data := matrixInt8(t, e, 40, cols)
			want := make([]float32, cols)
			var u unpacked
			for j := range 40 {
				require.NoError(t, quant.Unpack(e, want, data[j*m.bytesOfARow:][:m.bytesOfARow]))
				u.read(m, j)
				require.Equal(t, e == "Q4_K", len(u.mins) > 0)
				for i, w := range want {
					got := float32(u.codes[i]) * u.scales[i/16]
					if len(u.mins) > 0 {
						got = float32(float32(u.codes[i])*u.scales[i/16]) - u.mins[i/group]
					}
					if got != w {
						t.Fatalf("%s %s: element %d of row %d is %v, want %v", k.name, e, i, j, got, w)
					}
				}
			}
		}
	}
}

// Sums are those of unbounded integers, also for codes of the largest magnitude, where
// sums in 16 bits are closest to overflow. Scales of 1 and few groups make the rest
// exact in float32.
func TestSumsAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, k := range int8Kernels() {
		for groups := 1; groups < 6; groups++ {
			for round := range 50 {
				w, x := make([]int8, groups*group), make([]int8, groups*group)
				ws, xs := make([]float32, 2*groups), make([]float32, groups)
				var want int64
				for i := range w {
					w[i], x[i] = int8(r.IntN(256)-128), int8(r.IntN(255)-127)
					if round < 4 {
						w[i], x[i] = []int8{-128, 127}[round%2], []int8{-127, 127}[round/2]
					}
					ws[i/16], xs[i/group] = 1, 1
					want += int64(w[i]) * int64(x[i])
				}
				var y float32
				k.dot(groups, &w[0], &ws[0], &x[0], &xs[0], &y)
				require.Equal(t, float64(want), float64(y), "%s, %d groups", k.name, groups)
			}
		}
	}
}

// The product is that of the unpacked matrix and the rounded vector, which is rounded
// here by the definition and multiplied in float64: the only difference is the rounding
// of sums in float32.
func TestInt8IsTheProductOfTheRoundedVector(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, k := range int8Kernels() {
		with(t, k)
		for _, e := range integers {
			for _, s := range []struct{ n, rows, cols, step int }{{1, 1, 256, 1}, {1, 70, 1280, 1}, {3, 37, 512, 2}, {5, 3, 2304, 1}} {
				m, data := matrixInt8(t, e, s.rows, s.cols)
				w := make([]float32, s.rows*s.cols)
				require.NoError(t, quant.Unpack(e, w, data))
				a := gemm.Operand{Data: make([]float32, s.n*s.cols*s.step), Row: s.cols * s.step, Col: s.step}
				for i := range a.Data {
					a.Data[i] = float32(r.NormFloat64() * math.Exp(r.NormFloat64()))
				}
				clear(a.Data[:40]) // a group of zeros
				c := gemm.Result{Data: make([]float32, s.n*s.rows), Row: s.rows}
				require.NoError(t, m.Multiply(c, a, s.n, gemm.Serial))
				for v := range s.n {
					x := make([]float64, s.cols)
					near := make([]float64, s.cols) // the maximum rounding error of an element
					for g := 0; g < s.cols; g += group {
						var most float64
						for i := range group {
							x[g+i] = float64(a.Data[v*a.Row+(g+i)*s.step])
							most = max(most, math.Abs(x[g+i]))
						}
						for i := range group {
							near[g+i] = most / 254
							if most > 0 {
								x[g+i] = math.RoundToEven(x[g+i]*127/most) * float64(float32(most)/127)
							}
						}
					}
					for j := range s.rows {
						var want, exact, size, bound float64
						for i, q := range x {
							weight := float64(w[j*s.cols+i])
							want += weight * q
							size += math.Abs(weight * q)
							exact += weight * float64(a.Data[v*a.Row+i*s.step])
							bound += math.Abs(weight) * near[i]
						}
						got := float64(c.Data[v*s.rows+j])
						// A sum has cols/64 steps in each of its parts, and a product
						// rounds three times; minima and codes on their own are
						// larger than the elements, by a factor of at most 16.
						rounding := 16 * float64(s.cols/64+8) * 0x1p-24 * size
						require.InDelta(t, want, got, rounding, "%s %s %+v, element %d of vector %d", k.name, e, s, j, v)
						require.InDelta(t, exact, got, bound+rounding, "%s %s %+v, element %d of vector %d", k.name, e, s, j, v)
					}
				}
			}
		}
	}
}

// The bound holds for products computed by libgguf and NumPy.
func TestInt8NearProductsOfOthers(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "products.json"))
	require.NoError(t, err)
	var want struct {
		Rows, Cols, Vectors int
		Products            map[quant.Encoding]struct{ Product [][]float64 }
	}
	require.NoError(t, json.Unmarshal(text, &want))
	seed, x := splitmix(1), make([]float32, want.Vectors*want.Cols)
	for i := range x {
		x[i] = float32(float64(seed.next()>>40)/(1<<23) - 1)
	}
	for _, e := range integers {
		m, data := matrixInt8(t, e, want.Rows, want.Cols)
		w := make([]float32, want.Rows*want.Cols)
		require.NoError(t, quant.Unpack(e, w, data))
		y := make([]float32, want.Vectors*want.Rows)
		require.NoError(t, m.Multiply(gemm.Result{Data: y, Row: want.Rows}, gemm.Operand{Data: x, Row: want.Cols, Col: 1}, want.Vectors, gemm.Serial))
		for v := range want.Vectors {
			for j, p := range want.Products[e].Product[v] {
				var bound float64
				for _, weight := range w[j*want.Cols:][:want.Cols] {
					bound += math.Abs(float64(weight)) / 254 // |x| is at most 1
				}
				require.InDelta(t, p, y[v*want.Rows+j], bound*1.001, "%s, element %d of vector %d", e, j, v)
			}
		}
	}
}

// All kernels, numbers of workers and numbers of vectors return the same bits.
func TestInt8Bits(t *testing.T) {
	const n, rows, cols = 3, 61, 2816
	r := rand.New(rand.NewPCG(7, 8))
	a := gemm.Operand{Data: make([]float32, n*cols), Row: cols, Col: 1}
	for i := range a.Data {
		a.Data[i] = float32(r.NormFloat64())
	}
	for _, e := range integers {
		var want []float32
		for _, k := range int8Kernels() {
			with(t, k)
			m, _ := matrixInt8(t, e, rows, cols)
			for name, run := range map[string]gemm.Runner{"serial": gemm.Serial, "concurrent": concurrent} {
				c := gemm.Result{Data: make([]float32, n*rows), Row: rows}
				require.NoError(t, m.Multiply(c, a, n, run))
				if want == nil {
					want = c.Data
				}
				require.Equal(t, want, c.Data, "%s %s %s", e, k.name, name)
			}
			for v := range n {
				one := make([]float32, rows)
				require.NoError(t, m.Multiply(gemm.Result{Data: one}, gemm.Operand{Data: a.Data[v*cols:], Col: 1}, 1, gemm.Serial))
				require.Equal(t, want[v*rows:][:rows], one, "%s %s, vector %d alone", e, k.name, v)
			}
		}
	}
}

func TestInt8Specials(t *testing.T) {
	m, _ := matrixInt8(t, "Q8_0", 4, 64)
	for name, bad := range map[string]float64{"NaN": math.NaN(), "infinity": math.Inf(-1)} {
		x, y := make([]float32, 64), make([]float32, 4)
		x[40], x[3] = float32(bad), 1
		require.NoError(t, m.Multiply(gemm.Result{Data: y}, gemm.Operand{Data: x, Col: 1}, 1, gemm.Serial))
		for _, v := range y {
			require.True(t, math.IsNaN(float64(v)), name)
		}
	}
	// The smallest numbers: rounded like others, or to zero.
	x, y := make([]float32, 64), make([]float32, 4)
	x[1], x[2], x[33] = math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 0x1p-130
	require.NoError(t, m.Multiply(gemm.Result{Data: y}, gemm.Operand{Data: x, Col: 1}, 1, gemm.Serial))
	for _, v := range y {
		require.InDelta(t, 0, v, 0x1p-118)
	}
	for _, s := range []struct{ n, rows, cols int }{{0, 3, 64}, {2, 0, 64}, {2, 3, 0}} {
		m, _ := matrixInt8(t, "Q8_0", s.rows, s.cols)
		c := gemm.Result{Data: []float32{1, 1, 1, 1, 1, 1}[:s.n*s.rows], Row: s.rows}
		require.NoError(t, m.Multiply(c, gemm.Operand{Data: make([]float32, s.n*s.cols), Row: s.cols, Col: 1}, s.n, gemm.Serial))
		for _, v := range c.Data {
			require.Zero(t, v)
		}
	}
}

func TestInt8Refusals(t *testing.T) {
	m, err := New("Q4_1", 1, 32, make([]byte, 20))
	require.NoError(t, err)
	_, err = m.Int8()
	require.Equal(t, CodeInt8, errs.CodeOf(err), "%v", err)
	m, _ = matrixInt8(t, "Q4_0", 3, 32)
	x := make([]float32, 64)
	for name, err := range map[string]error{
		"a short result":   m.Multiply(gemm.Result{Data: x[:2]}, gemm.Operand{Data: x, Col: 1}, 1, gemm.Serial),
		"a short vector":   m.Multiply(gemm.Result{Data: x[:3]}, gemm.Operand{Data: x[:31], Col: 1}, 1, gemm.Serial),
		"no vector":        m.Multiply(gemm.Result{Data: x[:3]}, gemm.Operand{}, 1, gemm.Serial),
		"a negative step":  m.Multiply(gemm.Result{Data: x[:3]}, gemm.Operand{Data: x, Col: -1}, 1, gemm.Serial),
		"too large a step": m.Multiply(gemm.Result{Data: x[:3]}, gemm.Operand{Data: x, Col: 3}, 1, gemm.Serial),
		"a huge step":      m.Multiply(gemm.Result{Data: x[:6], Row: 3}, gemm.Operand{Data: x, Row: math.MaxInt, Col: 1}, 2, gemm.Serial),
		"short vectors":    m.Multiply(gemm.Result{Data: x[:6], Row: 3}, gemm.Operand{Data: x[:63], Row: 32, Col: 1}, 2, gemm.Serial),
		"rows that meet":   m.Multiply(gemm.Result{Data: x[:6], Row: 2}, gemm.Operand{Data: x, Row: 32, Col: 1}, 2, gemm.Serial),
		"a negative count": m.Multiply(gemm.Result{Data: x[:6], Row: 3}, gemm.Operand{Data: x, Row: 32, Col: 1}, -2, gemm.Serial),
	} {
		require.Equal(t, CodeShape, errs.CodeOf(err), "%s: %v", name, err)
	}
}

// BenchmarkInt8 is BenchmarkMultiply with integer products.
func BenchmarkInt8(b *testing.B) {
	const size = 4096
	for _, n := range []int{1, 32} {
		x, y := make([]float32, n*size), make([]float32, n*size)
		for i := range x {
			x[i] = float32(i%13) - 6
		}
		for _, e := range integers {
			m, _ := matrixInt8(b, e, size, size)
			for _, k := range int8Kernels() {
				b.Run(fmt.Sprintf("%s/%d/%s", e, n, k.name), func(b *testing.B) {
					with(b, k)
					m, err := m.Int8()
					require.NoError(b, err)
					begun := harness.CPU()
					defer func() { b.ReportMetric(1e3*(harness.CPU()-begun)/float64(b.N), "cpu-ms/op") }()
					for b.Loop() {
						require.NoError(b, m.Multiply(gemm.Result{Data: y, Row: size}, gemm.Operand{Data: x, Row: size, Col: 1}, n, gemm.Serial))
					}
				})
			}
		}
	}
}
