// Package chunk cuts long audio into windows that a model can take, between
// words where it can.
//
// Each window but the last is cut at the quietest 0.2 s of its last 6 s: the
// stretch with the least energy, in its middle. Among equals the latest wins, so
// windows are as long as possible.
//
// # Errors
//
// SEGMENT_RATE (a rate under MinRate).
//
// # Determinism
//
// Energies are summed in float64 in a fixed order; the cuts depend only on the
// samples and the rate. NaN and infinite samples count as silence.
package chunk

import (
	"math"

	"github.com/skainet-dev/skainet-go/errs"
)

// Lengths in seconds, and the least rate in Hz.
const (
	MaxSeconds   = 30.0 // a window is never longer
	tailSeconds  = 6.0  // the cut lies in this last part of a window
	quietSeconds = 0.2  // length of the stretch whose energy is compared
	stepSeconds  = 0.01 // stretches start this far apart

	MinRate = 100
)

// CodeRate is the only error code; smallest input: a rate of 0.
const CodeRate errs.Code = "SEGMENT_RATE"

// Range is the half-open range of samples [Start, End).
type Range struct{ Start, End int }

// Windows returns ranges that follow each other without gap or overlap from 0 to
// len(samples), none longer than MaxSeconds. No samples give no windows.
func Windows(samples []float32, rate int) ([]Range, error) {
	if rate < MinRate {
		return nil, errs.New(CodeRate, "a sample rate of %d Hz; at least %d is supported", rate, MinRate)
	}
	longest := int(MaxSeconds * float64(rate))
	var out []Range
	for start := 0; start < len(samples); {
		end := len(samples)
		if end-start > longest {
			limit := start + longest
			tail := limit - int(tailSeconds*float64(rate))
			end = tail + quietest(samples[tail:limit], rate)
		}
		out = append(out, Range{start, end})
		start = end
	}
	return out, nil
}

// quietest returns the middle of the quietest stretch of x, which holds at least one.
func quietest(x []float32, rate int) int {
	width := int(quietSeconds * float64(rate))
	step := max(1, int(stepSeconds*float64(rate)))
	best, least := 0, math.Inf(1)
	for at := 0; at+width <= len(x); at += step {
		if e := energy(x[at : at+width]); e <= least {
			best, least = at, e
		}
	}
	return best + width/2
}

func energy(x []float32) float64 {
	sum := 0.0
	for _, v := range x {
		if e := float64(v) * float64(v); e <= math.MaxFloat32*math.MaxFloat32 {
			sum += e
		}
	}
	return sum
}
