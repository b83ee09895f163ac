package mel

import "math"

// Slaney's mel scale: 200/3 Hz per mel up to 1000 Hz, then 27 mels for a factor 6.4.
const (
	linearHz  = 200.0 / 3
	breakHz   = 1000.0
	breakMel  = breakHz / linearHz
	logFactor = 6.4
	logMels   = 27
)

// filter is one triangle over the power spectrum: weights for the points from
// first on, all others being 0.
type filter struct {
	first   int
	weights []float64
}

// apply returns the filter's weighted sum of power.
func (f *filter) apply(power *[freqs]float64) float64 {
	p := power[f.first : f.first+len(f.weights)]
	sum := 0.0
	for i, w := range f.weights {
		sum += w * p[i]
	}
	return sum
}

// slaney makes n triangles whose corners lie evenly on the mel scale from 0 Hz to
// the Nyquist rate, each scaled to area one.
func slaney(n int) []filter {
	top := toMel(SampleRate / 2)
	corner := func(i int) float64 { return toHz(top * float64(i) / float64(n+1)) }
	filters := make([]filter, n)
	for m := range filters {
		lo, mid, hi := corner(m), corner(m+1), corner(m+2)
		f := filter{first: -1}
		for i := range freqs {
			hz := float64(i) * SampleRate / fftSize
			w := min((hz-lo)/(mid-lo), (hi-hz)/(hi-mid)) * 2 / (hi - lo)
			if w <= 0 {
				continue
			}
			if f.first < 0 {
				f.first = i
			}
			f.weights = append(f.weights, w)
		}
		f.first = max(f.first, 0) // a triangle between two points has no weights
		filters[m] = f
	}
	return filters
}

func toMel(hz float64) float64 {
	if hz < breakHz {
		return hz / linearHz
	}
	return breakMel + logMels*math.Log(hz/breakHz)/math.Log(logFactor)
}

func toHz(mel float64) float64 {
	if mel < breakMel {
		return mel * linearHz
	}
	return breakHz * math.Exp((mel-breakMel)*math.Log(logFactor)/logMels)
}
