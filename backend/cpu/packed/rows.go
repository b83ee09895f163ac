package packed

import "github.com/skainet-dev/skainet-go/tensor/quant"

// rowKernel computes y [rows], the products of consecutive rows of blocks at w with x: bit
// for bit what gemm.Dot returns for each unpacked row.
type rowKernel func(rows, blocks int, w *byte, x, y *float32)

// fused holds the kernels of this processor, by encoding.
var fused = rowKernels()

// fusedRows multiplies rows [first, last) by x; it returns false if there is no kernel.
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
