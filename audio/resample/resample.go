// Package resample changes the sample rate of mono audio without aliasing.
//
// The method is band-limited interpolation: each output sample is a dot product
// of the input with a sinc, cut to zeroCrossings on each side by a Kaiser window
// and stretched to the lower of the two rates (J. O. Smith, "Digital Audio
// Resampling"; Kaiser's formulas as in Oppenheim and Schafer, section 7.5). The
// filter is symmetric around the output's instant, so the result has no delay.
// The filter is our own because no Go library on the module proxy gets
// this right: tphakala/go-audio-resampler v1.0.0 was measured to pass a 10 kHz tone at
// 48 kHz into 16 kHz at full strength and shifts its output by up to 26 samples; beep
// interpolates with polynomials and has no low-pass.
//
// With zeroCrossings 64 and beta 9: flat to 0.001 dB up to 0.9 of the lower
// Nyquist rate, aliases and images under -80 dB.
//
// # Errors
//
// RESAMPLE_RATE (a rate outside MinRate to MaxRate),
// RESAMPLE_TOO_LONG (the result would exceed MaxSamples).
//
// # Determinism
//
// The sums are in float64 in input order; the same input gives the same bytes on
// one architecture (Go may fuse multiply and add on arm64).
package resample

import (
	"math"

	"github.com/skainet-dev/skainet-go/errs"
)

// Limits of To.
const (
	MinRate    = 1000      // Hz; below, a small file would make hours of audio
	MaxRate    = 1_000_000 // Hz
	MaxSamples = 1 << 30   // length of the result
)

// The closed list of error codes.
const (
	CodeRate    errs.Code = "RESAMPLE_RATE"     // smallest input: a rate of 0
	CodeTooLong errs.Code = "RESAMPLE_TOO_LONG" // smallest input: 1073742 samples from 1 kHz to 1 MHz
)

const (
	zeroCrossings = 64
	beta          = 9.0   // Kaiser: about -90 dB beside the main lobe
	cutoff        = 0.955 // middle of the slope, as a share of the lower Nyquist rate
	resolution    = 2048  // table steps per zero crossing; linear between them is good to -130 dB
	maxPhases     = 1024  // up to this many distinct phases are computed once
)

// To returns samples at the rate to, of length ceil(len(samples)*to/from). Sample
// i of the result is the input at time i/to; before and after the input there is silence. With
// equal rates it returns a copy.
func To(samples []float32, from, to int) ([]float32, error) {
	for _, r := range []int{from, to} {
		if r < MinRate || r > MaxRate {
			return nil, errs.New(CodeRate, "a sample rate of %d Hz; %d to %d are supported", r, MinRate, MaxRate)
		}
	}
	if from == to {
		return append([]float32(nil), samples...), nil
	}
	d := gcd(from, to)
	up, down := to/d, from/d
	if len(samples) > MaxSamples/up*down {
		return nil, errs.New(CodeTooLong, "%d samples from %d to %d Hz make more than %d", len(samples), from, to, MaxSamples).
			Hint("split the clip")
	}
	k := newKernel(up, down)
	out := make([]float32, (len(samples)*up+down-1)/down)
	row := k.row
	if up <= maxPhases {
		table := make([][]float64, up)
		for p := range table {
			table[p] = append([]float64(nil), k.row(p)...)
		}
		row = func(phase int) []float64 { return table[phase] }
	}
	for i := range out {
		at := i * down
		out[i] = float32(dot(row(at%up), samples, at/up-k.half+1))
	}
	return out, nil
}

// dot sums taps[j]*x[first+j] over the part of the taps that lies in x.
func dot(taps []float64, x []float32, first int) float64 {
	if first < 0 {
		taps, first = taps[min(-first, len(taps)):], 0
	}
	x = x[min(first, len(x)):]
	n := min(len(taps), len(x))
	taps, x = taps[:n], x[:n]
	sum := 0.0
	for j, t := range taps {
		sum += t * float64(x[j])
	}
	return sum
}

// kernel holds the filter taps of each phase.
type kernel struct {
	half    int       // input samples on each side of an output's instant
	up      int       // phases between two input samples
	stretch float64   // zero crossings per input sample
	table   []float64 // one side of the filter, resolution steps a zero crossing
	buf     []float64
}

func newKernel(up, down int) *kernel {
	k := &kernel{up: up, stretch: cutoff * min(1, float64(up)/float64(down))}
	k.half = int(math.Ceil(zeroCrossings / k.stretch))
	k.buf = make([]float64, 2*k.half)
	// Two more entries, both 0: the last step's right end, and the clamp.
	k.table = make([]float64, zeroCrossings*resolution+2)
	for i := range zeroCrossings * resolution {
		x := float64(i) / resolution
		k.table[i] = sinc(x) * kaiser(x/zeroCrossings) * k.stretch
	}
	return k
}

// row returns the 2*half taps for an output that lies phase/up after an input
// sample; tap j belongs to the input sample j-half+1 places from it. The taps are
// scaled to a sum of 1, so that a constant stays that constant at each phase.
func (k *kernel) row(phase int) []float64 {
	frac := float64(phase) / float64(k.up)
	sum := 0.0
	for j := range k.buf {
		x := math.Abs(float64(j-k.half+1)-frac) * k.stretch * resolution
		x = min(x, zeroCrossings*resolution)
		i := int(x)
		k.buf[j] = k.table[i] + (x-float64(i))*(k.table[i+1]-k.table[i])
		sum += k.buf[j]
	}
	for j := range k.buf {
		k.buf[j] /= sum
	}
	return k.buf
}

func sinc(x float64) float64 {
	if x == 0 {
		return 1
	}
	return math.Sin(math.Pi*x) / (math.Pi * x)
}

// kaiser is the window at x from its middle (0) to its edge (1).
func kaiser(x float64) float64 { return bessel0(beta*math.Sqrt(1-x*x)) / bessel0(beta) }

// bessel0 is the modified Bessel function of the first kind and order 0, by its
// power series; 40 terms are exact in float64 for arguments up to 12.
func bessel0(x float64) float64 {
	sum, term := 1.0, 1.0
	for n := 1.0; n <= 40; n++ {
		term *= (x / (2 * n)) * (x / (2 * n))
		sum += term
	}
	return sum
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
