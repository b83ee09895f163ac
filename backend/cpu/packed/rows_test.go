package packed

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu/gemm"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// A kernel returns, bit for bit, the dot product with each unpacked row, for even and
// odd numbers of rows and one or more blocks.
func TestRowKernelsGiveTheBitsOfRowsUnpacked(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	tested := 0
	for e := range fused {
		b, _ := e.Block()
		for _, rows := range []int{1, 2, 7} {
			for _, blocksOfARow := range []int{1, 2, 5} {
				cols := blocksOfARow * int(b.Elements)
				m, err := New(e, rows, cols, blocks(t, e, rows, cols))
				require.NoError(t, err)
				x := make([]float32, cols)
				for i := range x {
					x[i] = r.Float32()*2 - 1
				}
				y := make([]float32, rows+2)
				y[rows], y[rows+1] = 7, 7
				require.True(t, m.fusedRows(fused, y, x, 0, rows))
				row := make([]float32, cols)
				for i := range rows {
					require.NoError(t, quant.Unpack(e, row, m.data[i*m.bytesOfARow:(i+1)*m.bytesOfARow]))
					require.Equal(t, gemm.Dot(row, x), y[i], "%s, row %d of %d, %d columns", e, i, rows, cols)
				}
				require.Equal(t, []float32{7, 7}, y[rows:])
				tested++
			}
		}
	}
	t.Logf("%d products", tested) // none if the processor lacks the instructions
	m, err := New("Q2_K", 1, 256, blocks(t, "Q2_K", 1, 256))
	require.NoError(t, err)
	require.False(t, m.fusedRows(fused, make([]float32, 1), make([]float32, 256), 0, 1), "an encoding without a kernel")
}

// BenchmarkVector multiplies one vector by matrices of a decoder.
func BenchmarkVector(b *testing.B) {
	for _, s := range []struct {
		e          quant.Encoding
		rows, cols int
	}{{"Q8_0", 262144, 640}, {"Q5_0", 2048, 640}, {"Q4_K", 640, 2048}, {"Q6_K", 640, 2048}, {"Q4_1", 576, 1536}, {"Q4_0", 2048, 640}} {
		for _, kernels := range []map[quant.Encoding]rowKernel{nil, rowKernels()} {
			b.Run(fmt.Sprintf("%s_%dx%d_%d", s.e, s.rows, s.cols, len(kernels)), func(b *testing.B) {
				defer func() { fused = rowKernels() }()
				fused = kernels
				m, err := New(s.e, s.rows, s.cols, blocks(b, s.e, s.rows, s.cols))
				require.NoError(b, err)
				x, y := make([]float32, s.cols), make([]float32, s.rows)
				b.SetBytes(int64(len(m.data)))
				for b.Loop() {
					one := func(tasks int, f func(int)) {
						for i := range tasks {
							f(i)
						}
					}
					require.NoError(b, m.Multiply(gemm.Result{Data: y, Row: s.rows}, gemm.Operand{Data: x, Row: s.cols, Col: 1}, 1, one))
				}
			})
		}
	}
}
