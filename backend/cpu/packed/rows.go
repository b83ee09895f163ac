package packed

import "github.com/skainet-dev/skainet-go/tensor/quant"

// rowKernel computes y [rows] of rows of blocks at w, one after the other, times x:
// the bits that gemm.Dot gives for each row unpacked.
type rowKernel func(rows, blocks int, w *byte, x, y *float32)

// fused are the kernels of this processor, for encodings of which it has one.
var fused = rowKernels()

// fusedRows multiplies rows first to before last by x; false where there is no kernel.
func (m *Matrix) fusedRows(kernels map[quant.Encoding]rowKernel, y, x []float32, first, last int) bool {
	kernel := kernels[m.encoding]
	if kernel == nil || first == last {
		return false
	}
	data := m.data[first*m.bytesOfARow : last*m.bytesOfARow]
	y = y[first:last]
	_ = x[m.cols-1]
	kernel(len(y), m.cols/int(m.block.Elements), &data[0], &x[0], &y[0])
	return true
}
