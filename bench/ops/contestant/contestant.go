// Package contestant is the measured side of the benchmark of operations: a program that
// runs an operation repeatedly and reports how long it took.
// Contestants in other languages and modules use the same protocol.
//
// # Protocol
//
// Lines of JSON. The contestant writes a Ready, then for each Request that it reads
// an Answer. It ends with its input. A fault goes to the standard error, with an
// exit status that is not 0.
//
// # Errors
//
// SUBJECT_PROTOCOL where a line cannot be read or written.
//
// # Determinism
//
// None: figures are measured; operands are the same everywhere.
package contestant

import (
	"io"
	"math"
	"time"

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/errs"
)

// CodeProtocol is the code of a broken line between benchmark and contestant.
const CodeProtocol errs.Code = "SUBJECT_PROTOCOL"

// Ready reports that a contestant runs.
type Ready struct {
	Version string   `json:"version"` // what is measured
	Do      []string `json:"do"`      // operations that it has
}

// The operations, all of float32.
const (
	MatMul    = "matmul"     // x [1024, 1024] w [1024, 1024]
	GEMV      = "gemv"       // w [4096, 4096] x [4096]
	Conv      = "conv2d"     // x [1, 64, 56, 56], w [64, 64, 3, 3], padding 1
	LayerNorm = "layer_norm" // x [512, 768], g and b [768], epsilon 1e-5
	Softmax   = "softmax"    // x [512, 1024], along the last dimension
)

// Request asks for one operation, for as long as Least seconds.
type Request struct {
	Do    string  `json:"do"`
	Least float64 `json:"least"`
}

// Answer holds the fastest run, the minimum CPU time of a run over all threads,
// and the sum of absolute values of the result, which does not depend on its layout.
type Answer struct {
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu"`
	Sum     float64 `json:"sum"`
}

// Numbers makes the n elements of operand x (1), w (2), g (3) or b (4).
func Numbers(operand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32((i*(operand*8+3)+operand)%2039)/1019.5 - 1
	}
	return x
}

// Sum of absolute values.
func Sum(x []float32) (sum float64) {
	for _, v := range x {
		sum += math.Abs(float64(v))
	}
	return sum
}

// Run is an operation that is ready to be measured.
type Run func() (Result, error)

// Result returns the elements, which is not measured.
type Result func() ([]float32, error)

// InMemory is a Result that is already in memory.
func InMemory(x []float32) Result { return func() ([]float32, error) { return x, nil } }

// Measure runs an operation once to warm up, and then until the time is over.
func Measure(run Run, least float64) (Answer, error) {
	result, err := run()
	if err != nil {
		return Answer{}, err
	}
	elements, err := result()
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Seconds: math.Inf(1), CPU: math.Inf(1), Sum: Sum(elements)}
	for begun := time.Now(); time.Since(begun).Seconds() < least || math.IsInf(a.Seconds, 1); {
		spent, start := harness.CPU(), time.Now()
		if _, err := run(); err != nil {
			return Answer{}, err
		}
		a.Seconds = min(a.Seconds, time.Since(start).Seconds())
		a.CPU = min(a.CPU, harness.CPU()-spent)
	}
	return a, nil
}

// Serve is the main loop of a contestant in Go; prepare is asked once for each
// operation.
func Serve(in io.Reader, out io.Writer, ready Ready, prepare func(do string) (Run, error)) error {
	runs := map[string]Run{}
	return harness.Serve(in, out, CodeProtocol, ready, func(q Request) (Answer, error) {
		run, ok := runs[q.Do]
		if !ok {
			var err error
			if run, err = prepare(q.Do); err != nil {
				return Answer{}, err
			}
			runs[q.Do] = run
		}
		return Measure(run, q.Least)
	})
}
