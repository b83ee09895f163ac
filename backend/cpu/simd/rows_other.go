//go:build !amd64 && !arm64

package simd

// wide is false, a constant, so that no kernel is called.
const wide = false

func expRow(n int, x, y *float32, c float64) float64                 { return 0 }
func logisticRow(n int, x, y *float32)                               {}
func maxRow(n int, x *float32) float32                               { return 0 }
func scaleRow(n int, y *float32, f float64)                          {}
func sumRow(n int, x *float32) float64                               { return 0 }
func squaresRow(n int, x *float32, mean float64) float64             { return 0 }
func normRow(n int, x, gamma, beta, y *float32, mean, scale float64) {}
func tanhRow(n int, x, y *float32, table *float64)                   {}
func erfRow(n int, x, y *float32, table *float64)                    {}
func geluRow(n int, x, y *float32, table *float64)                   {}
func siluRow(n int, x, y *float32, table *float64)                   {}
