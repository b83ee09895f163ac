package call

import (
	"time"

	"github.com/skainet-dev/skainet-go/backend/cpu/gemm"
)

// core is what a core does at most, as measured here: per second. Others on the machine
// make it less, and the shares of it uncertain.
type core struct {
	FLOPs float64 `json:"flops_per_second"`
	Bytes float64 `json:"bytes_per_second"`
}

const (
	productText = "the best rate of the CPU backend's f32 product of 384 x 384 by 384 x 384"
	copyText    = "a copy of 64 MiB, read and written bytes"

	productSize = 384      // its operands fit the L2 cache
	copySize    = 64 << 20 // more than the caches of a core hold
	coreTime    = 300 * time.Millisecond
)

// measureCore measures each of both for some time, and takes the fastest.
func measureCore() (core, error) {
	n := productSize
	a, b, c := make([]float32, n*n), make([]float32, n*n), make([]float32, n*n)
	for i := range a {
		a[i], b[i] = float32(i%7), float32(i%5)
	}
	from, to := make([]byte, copySize), make([]byte, copySize)
	for i := 0; i < copySize; i += 1024 {
		from[i], to[i] = 1, 1 // so that each page is there
	}
	product, err := fastest(func() error {
		m := func(data []float32) gemm.Operand { return gemm.Operand{Data: data, Row: n, Col: 1} }
		return gemm.Multiply(gemm.Result{Data: c, Row: n}, m(a), m(b), gemm.Size{Batch: 1, M: n, N: n, K: n}, gemm.Serial)
	})
	if err != nil {
		return core{}, err
	}
	moved, err := fastest(func() error { copy(to, from); return nil })
	return core{FLOPs: 2 * float64(n*n*n) / product.Seconds(), Bytes: 2 * copySize / moved.Seconds()}, err
}

// fastest returns the duration of the fastest run.
func fastest(run func() error) (time.Duration, error) {
	var least time.Duration
	for end := time.Now().Add(coreTime); least == 0 || time.Now().Before(end); {
		begun := time.Now()
		if err := run(); err != nil {
			return 0, err
		}
		if d := max(time.Since(begun), 1); least == 0 || d < least {
			least = d
		}
	}
	return least, nil
}
