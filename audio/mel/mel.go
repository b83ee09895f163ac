// Package mel computes Whisper's log-mel spectrogram.
//
// A window of at most 30 s of 16 kHz audio becomes [bins, 3000] numbers: silence
// is appended up to 30 s, 25 ms frames every 10 ms are taken with the signal
// mirrored at both ends (the first frame's middle is sample 0; the frame around the
// window's end is left out), then come a periodic Hann window, the power spectrum
// over 400 points, Slaney-style mel filters, log10 with a floor of 1e-10, a clamp
// to 8 below the window's maximum, and (x + 4) / 4. The filters are computed here
// (M. Slaney, "Auditory Toolbox", 1998: linear to 1 kHz, logarithmic above, each
// of area one). The FFT is gonum's.
//
// # Errors
//
// MEL_BINS (a number of bins other than 80 and 128), MEL_TOO_LONG (over
// WindowSamples), MEL_NOT_FINITE (a NaN or an infinity in the input).
//
// # Determinism
//
// Sums are in float64 in a fixed order: the same input gives the same bytes on one
// architecture (Go may fuse multiply and add on arm64).
package mel

import (
	"math"

	"gonum.org/v1/gonum/dsp/fourier"

	"github.com/skainet-dev/skainet-go/errs"
)

// The numbers that all Whisper models share.
const (
	SampleRate    = 16000               // Hz
	WindowSamples = 30 * SampleRate     // samples in one window
	Frames        = WindowSamples / hop // frames in one window: 3000

	hop = 160 // samples between frames: 10 ms
)

const (
	fftSize  = 400             // samples in a frame: 25 ms
	freqs    = fftSize/2 + 1   // points of the power spectrum, 40 Hz apart
	pad      = fftSize / 2     // mirrored samples at each end
	floor    = 1e-10           // least power before the logarithm
	dynamic  = 8               // decades kept below the maximum
	maxPower = math.MaxFloat32 // keeps float32 results finite
)

// The closed list of error codes.
const (
	CodeBins      errs.Code = "MEL_BINS"       // smallest input: Config{}
	CodeTooLong   errs.Code = "MEL_TOO_LONG"   // smallest input: 480001 samples
	CodeNotFinite errs.Code = "MEL_NOT_FINITE" // smallest input: one NaN
)

// Config selects the spectrogram that a model takes.
type Config struct {
	Mels int // bins: 80, or 128 from large-v3 on
}

// Extractor holds the tables for one Config. It may be used by several
// goroutines at once.
type Extractor struct {
	mels    int
	window  [fftSize]float64
	filters []filter
}

// New returns an Extractor with its tables computed.
func New(c Config) (*Extractor, error) {
	if c.Mels != 80 && c.Mels != 128 {
		return nil, errs.New(CodeBins, "%d mel bins; Whisper models take 80 or 128", c.Mels).
			Hint("take the number from the model's first convolution")
	}
	e := &Extractor{mels: c.Mels, filters: slaney(c.Mels)}
	for i := range e.window {
		e.window[i] = 0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/fftSize)
	}
	return e, nil
}

// LogMel returns the spectrogram [Mels, Frames], row-major, of window: mono samples
// at SampleRate, at most WindowSamples of them, full scale -1 to 1.
func (e *Extractor) LogMel(window []float32) ([]float32, error) {
	if len(window) > WindowSamples {
		return nil, errs.New(CodeTooLong, "%d samples; a window has at most %d", len(window), WindowSamples).
			Hint("cut the clip with audio/chunk")
	}
	for i, v := range window {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return nil, errs.New(CodeNotFinite, "sample %d is %v", i, v)
		}
	}
	out := make([]float32, e.mels*Frames)
	peak := e.logPower(mirrored(window), out)
	least := peak - dynamic
	for i, v := range out {
		out[i] = (max(v, least) + 4) / 4
	}
	return out, nil
}

// mirrored returns the window, filled with silence to WindowSamples, with pad
// samples mirrored at each end (the end sample itself is not repeated).
func mirrored(window []float32) []float32 {
	x := make([]float32, pad+WindowSamples+pad)
	copy(x[pad:], window)
	for i := 1; i <= pad; i++ {
		x[pad-i] = x[pad+i]
		x[pad+WindowSamples-1+i] = x[pad+WindowSamples-1-i]
	}
	return x
}

// logPower fills out [mels, Frames] with the log10 of the mel powers of x, the
// padded signal, and returns the largest.
func (e *Extractor) logPower(x []float32, out []float32) (peak float32) {
	var frame [fftSize]float64
	var power [freqs]float64
	fft := fourier.NewFFT(fftSize) // has scratch space of its own, so one per call
	coeff := make([]complex128, freqs)
	peak = float32(math.Inf(-1))
	for f := range Frames {
		sound := false // silence needs no transform, and most windows end with silence
		for i, v := range x[f*hop : f*hop+fftSize] {
			frame[i] = float64(v) * e.window[i]
			sound = sound || v != 0
		}
		if sound {
			coeff = fft.Coefficients(coeff, frame[:])
			for i, c := range coeff {
				power[i] = real(c)*real(c) + imag(c)*imag(c)
			}
		} else {
			power = [freqs]float64{}
		}
		for m := range e.filters {
			v := float32(math.Log10(min(max(e.filters[m].apply(&power), floor), maxPower)))
			out[m*Frames+f] = v
			peak = max(peak, v)
		}
	}
	return peak
}
