package simd

import "golang.org/x/sys/cpu"

//go:noescape
func expRow(n int, x, y *float32, c float64) float64

//go:noescape
func logisticRow(n int, x, y *float32)

//go:noescape
func maxRow(n int, x *float32) float32

//go:noescape
func scaleRow(n int, y *float32, f float64)

//go:noescape
func sumRow(n int, x *float32) float64

//go:noescape
func squaresRow(n int, x *float32, mean float64) float64

//go:noescape
func normRow(n int, x, gamma, beta, y *float32, mean, scale float64)

//go:noescape
func tanhRow(n int, x, y *float32, table *float64)

//go:noescape
func erfRow(n int, x, y *float32, table *float64)

//go:noescape
func geluRow(n int, x, y *float32, table *float64)

//go:noescape
func siluRow(n int, x, y *float32, table *float64)

// wide reports whether this processor can run the kernels.
var wide = cpu.X86.HasAVX2 && cpu.X86.HasFMA
