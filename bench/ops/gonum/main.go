// Command gonum is gonum's side of the benchmark of operations: see
// bench/ops/contestant.
package main

import (
	"fmt"
	"os"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	"github.com/skainet-dev/skainet-go/bench/ops/contestant"
	"github.com/skainet-dev/skainet-go/errs"
)

func main() {
	ready := contestant.Ready{Version: "gonum blas32", Do: []string{contestant.MatMul, contestant.GEMV}}
	if err := contestant.Serve(os.Stdin, os.Stdout, ready, prepare); err != nil {
		fmt.Fprintln(os.Stderr, "gonum:", err)
		os.Exit(1)
	}
}

func prepare(do string) (contestant.Run, error) {
	square := func(operand, n int) blas32.General {
		return blas32.General{Rows: n, Cols: n, Stride: n, Data: contestant.Numbers(operand, n*n)}
	}
	switch do {
	case contestant.MatMul:
		x, w := square(1, 1024), square(2, 1024)
		y := blas32.General{Rows: 1024, Cols: 1024, Stride: 1024, Data: make([]float32, 1024*1024)}
		return func() (contestant.Result, error) {
			blas32.Gemm(blas.NoTrans, blas.NoTrans, 1, x, w, 0, y)
			return contestant.InMemory(y.Data), nil
		}, nil
	case contestant.GEMV:
		w := square(2, 4096)
		x, y := blas32.Vector{N: 4096, Inc: 1, Data: contestant.Numbers(1, 4096)}, blas32.Vector{N: 4096, Inc: 1, Data: make([]float32, 4096)}
		return func() (contestant.Result, error) {
			blas32.Gemv(blas.NoTrans, 1, w, x, 0, y)
			return contestant.InMemory(y.Data), nil
		}, nil
	}
	return nil, errs.New(contestant.CodeProtocol, "asked to %q", do)
}
