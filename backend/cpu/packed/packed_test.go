package packed

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu/gemm"
	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func concurrent(tasks int, f func(int)) {
	var group sync.WaitGroup
	for i := range tasks {
		group.Go(func() { f(i) })
	}
	group.Wait()
}

// splitmix is the generator of products.py.
type splitmix uint64

func (s *splitmix) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// halves are the offsets of the high bytes of a block's f16 scales.
var halves = map[quant.Encoding][]int{
	"Q4_0": {1}, "Q4_1": {1, 3}, "Q5_0": {1}, "Q5_1": {1, 3}, "Q8_0": {1}, "Q2_K": {81, 83}, "Q3_K": {109}, "Q4_K": {1, 3},
	"Q5_K": {1, 3}, "Q6_K": {209}, "IQ4_NL": {1}, "IQ4_XS": {1},
}

// blocks returns a matrix of finite elements.
func blocks(t testing.TB, e quant.Encoding, rows, cols int) []byte {
	b, ok := e.Block()
	require.True(t, ok)
	n := rows * cols / int(b.Elements) * int(b.Bytes)
	seed, data := splitmix(2), make([]byte, (n+7)/8*8)
	for i := 0; i < n; i += 8 {
		binary.LittleEndian.PutUint64(data[i:], seed.next())
	}
	for at := 0; at < n; at += int(b.Bytes) {
		for _, offset := range halves[e] {
			data[at+offset] &= 0xbf
		}
	}
	return data[:n]
}

// TestProductsOfOthers compares with libgguf and NumPy. The bound is Higham's for a
// sum of n products in any order: n unit roundoffs of the sum of absolute values.
func TestProductsOfOthers(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "products.json"))
	require.NoError(t, err)
	var want struct {
		Rows, Cols, Vectors int
		Products            map[quant.Encoding]struct{ Product, Size [][]float64 }
	}
	require.NoError(t, json.Unmarshal(text, &want))
	require.Len(t, want.Products, len(halves))
	seed, x := splitmix(1), make([]float32, want.Vectors*want.Cols)
	for i := range x {
		x[i] = float32(float64(seed.next()>>40)/(1<<23) - 1)
	}
	for e, w := range want.Products {
		m, err := New(e, want.Rows, want.Cols, blocks(t, e, want.Rows, want.Cols))
		require.NoError(t, err)
		together, one := make([]float32, want.Vectors*want.Rows), make([]float32, want.Rows)
		require.NoError(t, m.Multiply(gemm.Result{Data: together, Row: want.Rows}, gemm.Operand{Data: x, Row: want.Cols, Col: 1}, want.Vectors, gemm.Serial))
		for v := range want.Vectors {
			require.NoError(t, m.Multiply(gemm.Result{Data: one}, gemm.Operand{Data: x[v*want.Cols:], Col: 1}, 1, gemm.Serial))
			for i, y := range w.Product[v] {
				bound := float64(want.Cols+1) * 0x1p-24 * w.Size[v][i]
				require.InDelta(t, y, one[i], bound, "%s, element %d of vector %d alone", e, i, v)
				require.InDelta(t, y, together[v*want.Rows+i], bound, "%s, element %d of vector %d", e, i, v)
			}
		}
	}
}

// TestBitsOfTheMatrixUnpacked checks what the package promises, for sizes with several
// tiles and blocks of k that begin within a block, and for any number of workers.
func TestBitsOfTheMatrixUnpacked(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for e := range halves {
		for _, s := range []struct{ n, rows, cols int }{{1, 7, 256}, {1, 70, 2048}, {2, 1, 256}, {13, 70, 1280}, {3, 0, 256}, {0, 3, 256}, {2, 3, 0}, {1, 3, 0}} {
			data := blocks(t, e, s.rows, s.cols)
			m, err := New(e, s.rows, s.cols, data)
			require.NoError(t, err)
			rows, cols := m.Size()
			require.Equal(t, []int{s.rows, s.cols}, []int{rows, cols})
			w := make([]float32, s.rows*s.cols)
			require.NoError(t, quant.Unpack(e, w, data))
			for _, step := range []int{1, 2} { // of the vectors' elements
				a := gemm.Operand{Data: make([]float32, s.n*s.cols*step), Row: s.cols * step, Col: step}
				for i := range a.Data {
					a.Data[i] = float32(r.NormFloat64())
				}
				want := gemm.Result{Data: make([]float32, s.n*s.rows), Row: s.rows}
				require.NoError(t, gemm.Multiply(want, a, gemm.Operand{Data: w, Row: 1, Col: s.cols}, gemm.Size{Batch: 1, M: s.n, N: s.rows, K: s.cols}, gemm.Serial))
				for name, run := range map[string]gemm.Runner{"serial": gemm.Serial, "concurrent": concurrent} {
					got := gemm.Result{Data: make([]float32, s.n*s.rows), Row: s.rows}
					for i := range got.Data {
						got.Data[i] = float32(math.NaN())
					}
					require.NoError(t, m.Multiply(got, a, s.n, run))
					if s.rows == 1 && s.n > 1 {
						continue // package gemm turns that into a product with a vector
					}
					require.Equal(t, want.Data, got.Data, "%s %s %+v", e, name, s)
				}
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	good := make([]byte, 3*18)
	for name, c := range map[string]struct {
		encoding   quant.Encoding
		rows, cols int
		code       errs.Code
	}{
		"no blocks":           {quant.Dense, 3, 32, quant.CodeDense},
		"opaque":              {quant.Opaque("x"), 3, 32, quant.CodeOpaque},
		"unknown":             {"Q9", 3, 32, quant.CodeUnknown},
		"fields apart":        {"Q4_0/planar", 3, 32, CodeShape},
		"half a block":        {"Q4_0", 3, 16, quant.CodeBadLength},
		"too few bytes":       {"Q4_0", 4, 32, CodeShape},
		"too many bytes":      {"Q4_0", 2, 32, CodeShape},
		"a negative size":     {"Q4_0", -1, 32, CodeShape},
		"more than there are": {"Q4_0", math.MaxInt / 9, 32, CodeShape},
	} {
		_, err := New(c.encoding, c.rows, c.cols, good)
		require.Equal(t, c.code, errs.CodeOf(err), "%s: %v", name, err)
	}
	m, err := New("Q4_0", 3, 32, good)
	require.NoError(t, err)
	x := make([]float32, 64)
	for name, err := range map[string]error{
		"a short result":   m.Multiply(gemm.Result{Data: x[:2]}, gemm.Operand{Data: x, Col: 1}, 1, gemm.Serial),
		"a short vector":   m.Multiply(gemm.Result{Data: x[:3]}, gemm.Operand{Data: x[:31], Col: 1}, 1, gemm.Serial),
		"no vector":        m.Multiply(gemm.Result{Data: x[:3]}, gemm.Operand{}, 1, gemm.Serial),
		"a negative step":  m.Multiply(gemm.Result{Data: x[:3]}, gemm.Operand{Data: x, Col: -1}, 1, gemm.Serial),
		"too large a step": m.Multiply(gemm.Result{Data: x[:3]}, gemm.Operand{Data: x, Col: 3}, 1, gemm.Serial),
		"short vectors":    m.Multiply(gemm.Result{Data: x[:6], Row: 3}, gemm.Operand{Data: x[:63], Row: 32, Col: 1}, 2, gemm.Serial),
		"a negative count": m.Multiply(gemm.Result{Data: x[:6], Row: 3}, gemm.Operand{Data: x, Row: 32, Col: 1}, -2, gemm.Serial),
	} {
		require.Equal(t, CodeShape, errs.CodeOf(err), "%s: %v", name, err)
	}
}

// BenchmarkMultiply multiplies a matrix [4096, 4096] by one vector and by several.
func BenchmarkMultiply(b *testing.B) {
	const size = 4096
	for _, n := range []int{1, 32} {
		x, y := make([]float32, n*size), make([]float32, n*size)
		for _, e := range []quant.Encoding{"Q4_K", "Q6_K", "Q8_0", "Q5_0", "Q4_0", "Q4_1"} {
			m, err := New(e, size, size, blocks(b, e, size, size))
			require.NoError(b, err)
			b.Run(fmt.Sprintf("%s/%d", e, n), func(b *testing.B) {
				begun := harness.CPU()
				defer func() { b.ReportMetric(1e3*(harness.CPU()-begun)/float64(b.N), "cpu-ms/op") }()
				for b.Loop() {
					require.NoError(b, m.Multiply(gemm.Result{Data: y, Row: size}, gemm.Operand{Data: x, Row: size, Col: 1}, n, gemm.Serial))
				}
			})
		}
		w := make([]float32, size*size)
		b.Run(fmt.Sprintf("f32/%d", n), func(b *testing.B) {
			begun := harness.CPU()
			defer func() { b.ReportMetric(1e3*(harness.CPU()-begun)/float64(b.N), "cpu-ms/op") }()
			for b.Loop() {
				require.NoError(b, gemm.Multiply(gemm.Result{Data: y, Row: size}, gemm.Operand{Data: x, Row: size, Col: 1},
					gemm.Operand{Data: w, Row: 1, Col: size}, gemm.Size{Batch: 1, M: n, N: size, K: size}, gemm.Serial))
			}
		})
	}
}
