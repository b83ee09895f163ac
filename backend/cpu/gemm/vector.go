package gemm

// vectorWork is the number of elements of a matrix that a task reads.
const vectorWork = 1 << 16

// strided returns n elements at a stride, copied unless they are contiguous.
func strided(x []float32, n, stride int) []float32 {
	if stride == 1 || n == 1 {
		return x[:n]
	}
	y := make([]float32, n)
	for i := range y {
		y[i] = x[i*stride]
	}
	return y
}

// vector computes y [n] from x [k] and a matrix whose element for y[j] and x[p] is
// at j*across + p*along; one of the strides is 1.
func (v *kernels) vector(y, x, matrix []float32, across, along int, run Runner) {
	n, k := len(y), len(x)
	if along == 1 {
		rows := max(8, vectorWork/k&^7)
		run((n+rows-1)/rows, func(task int) {
			j, last := task*rows, min((task+1)*rows, n)
			for ; v.dot8 != nil && j+8 <= last; j += 8 {
				part, out := matrix[j*across:], y[j:][:8]
				_ = part[7*across+k-1]
				v.dot8(k, &part[0], across, &x[0], &out[0])
			}
			for ; j+4 <= last; j += 4 {
				part, out := matrix[j*across:], y[j:][:4]
				_ = part[3*across+k-1]
				v.dot4(k, &part[0], across, &x[0], &out[0])
			}
			for ; j < last; j++ {
				v.dot1(k, &matrix[j*across:][:k][0], &x[0], &y[j])
			}
		})
		return
	}
	cols := max(64, min(2048, vectorWork/k&^15))
	if n >= 1024 {
		cols = max(cols, 512) // whole cache lines and long runs of memory
	}
	run((n+cols-1)/cols, func(task int) {
		j := task * cols
		out := y[j:min(j+cols, n)]
		clear(out)
		p := 0
		for ; p+4 <= k; p += 4 {
			part := matrix[p*along+j:]
			_ = part[3*along+len(out)-1]
			v.axpy4(len(out), &x[p:][:4][0], &part[0], along, &out[0])
		}
		for ; p < k; p++ {
			v.axpy1(len(out), &x[p], &matrix[p*along+j:][:len(out)][0], &out[0])
		}
	})
}
