package simd

import "testing"

// TestWithoutKernels runs the tests of rows with the loops in Go.
func TestWithoutKernels(t *testing.T) {
	defer func(was bool) { wide = was }(wide)
	wide = false
	t.Run("exp and logistic", TestExpAndLogistic)
	t.Run("softmax", TestSoftmax)
	t.Run("sum and norm", TestSumAndNorm)
	t.Run("functions", TestFunctions)
	t.Run("functions of rows", TestFunctionsOfRows)
	t.Run("the same bits", TestProcessorsGiveTheSameBits)
}
