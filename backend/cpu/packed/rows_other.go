//go:build !amd64

package packed

import "github.com/skainet-dev/skainet-go/tensor/quant"

func rowKernels() map[quant.Encoding]rowKernel { return nil }
