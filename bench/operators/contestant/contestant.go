// Package contestant is the measured side of the benchmark of single operators. Contestants in other
// languages use the same protocol.
//
// # Protocol
//
// Lines of JSON. Once loaded and called once, the contestant writes a Ready. For each Turn that it reads it
// calls the operator for as long as that says, at least once, and writes an Answer. It ends with its input.
//
// # Errors
//
// SUBJECT_PROTOCOL where a line cannot be read or written.
//
// # Determinism
//
// Figures are measured, so none.
package contestant

import (
	"io"
	"time"

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/errs"
)

// CodeProtocol is the code of a broken line between benchmark and contestant.
const CodeProtocol errs.Code = "SUBJECT_PROTOCOL"

// Ready is what a contestant says once.
type Ready struct {
	Version string  `json:"version"` // what is measured
	Load    float64 `json:"load"`    // seconds to load what is compiled
	// Error is the greatest difference of its result from the one in f64, relative to the greatest
	// magnitude of that; 0 where there is none to compare with.
	Error float64 `json:"error"`
}

// Turn asks for calls.
type Turn struct {
	Seconds float64 `json:"seconds"` // at least
}

// Answer is what the calls of a turn took.
type Answer struct {
	Least  float64 `json:"least"` // seconds of a call
	Median float64 `json:"median"`
	CPU    float64 `json:"cpu"` // of a call, in the mean
}

// Serve is the main loop of a contestant in Go.
func Serve(in io.Reader, out io.Writer, ready Ready, call func() error) error {
	return harness.Serve(in, out, CodeProtocol, ready, func(t Turn) (Answer, error) {
		var walls []float64
		cpu, end := harness.CPU(), time.Now().Add(time.Duration(t.Seconds*float64(time.Second)))
		for len(walls) == 0 || time.Now().Before(end) {
			start := time.Now()
			if err := call(); err != nil {
				return Answer{}, err
			}
			walls = append(walls, time.Since(start).Seconds())
		}
		s := harness.Summarize(walls)
		return Answer{Least: s.Min, Median: s.Median, CPU: (harness.CPU() - cpu) / float64(len(walls))}, nil
	})
}
