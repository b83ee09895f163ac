package causal

import (
	"math"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn"
)

// Yarn scales frequencies by how often they turn within the positions that a model was
// trained for (Peng et al. 2023): those that turn often stay, those that turn less than
// once are scaled as linearly, and others are between. The zero value does not.
type Yarn struct {
	Original           int64 // positions that the model was trained for before
	BetaFast, BetaSlow float64
	Extrapolation      float64 // share of the frequencies that stay
}

// smallestRamp is the width in pairs of what is between, at least.
const smallestRamp = 0.001

// radians returns what pairs of a head turn from one position to the next.
func (y Yarn) radians(base, factor float64, size int64) []float64 {
	n := float64(size)
	pair := func(turns float64) float64 { // the pair that turns so often
		return n * math.Log(float64(y.Original)/(turns*2*math.Pi)) / (2 * math.Log(base))
	}
	low, high := math.Max(0, math.Floor(pair(y.BetaFast))), math.Min(n-1, math.Ceil(pair(y.BetaSlow)))
	list := make([]float64, size/2)
	for i := range list {
		own := math.Pow(base, -2*float64(i)/n)
		at := (float64(i) - low) / math.Max(smallestRamp, high-low)
		stay := (1 - math.Min(1, math.Max(0, at))) * y.Extrapolation
		list[i] = own/factor*(1-stay) + own*stay
	}
	return list
}

func (a Attention) frequencies(f *lang.Func, size int64) nn.Frequencies {
	if a.NoRotary { // no pair turns
		return nn.FrequenciesOf(f, make([]float64, size/2))
	}
	if a.Yarn.Original == 0 {
		return nn.NewFrequencies(f, a.RopeBase, a.RopeScale, size)
	}
	return nn.FrequenciesOf(f, a.Yarn.radians(a.RopeBase, a.RopeScale, size))
}

// ropeFactor returns the divisor of positions.
func (h *Header) ropeFactor() float64 {
	return h.NumberOr("rope.scaling.factor", h.NumberOr("rope.scale_linear", 1)) // an older key of the same meaning
}

// RopeScale returns the divisor of positions that scales the context linearly.
func (h *Header) RopeScale() float64 {
	h.Refuse("rope.scaling.type", "none", "linear")
	if h.Text("rope.scaling.type") == "none" {
		return 1
	}
	return h.ropeFactor()
}

// Rope reads the rotary positions of layers that attend to everything, whose base is the
// file's or base, in any kind of scaling: none, linear, yarn, and longrope, which divides
// the frequencies by one of two tables as the context is longer than the original.
func (h *Header) Rope(c *Config, base float64) {
	h.Refuse("rope.scaling.type", "none", "linear", "yarn", "longrope")
	kind, factor := h.Text("rope.scaling.type"), 1.0
	if kind != "none" {
		factor = h.ropeFactor()
	}
	a := Attention{RopeBase: h.NumberOr("rope.freq_base", base), RopeScale: factor}
	original := h.SizeOr("rope.scaling.original_context_length", c.MaxPositions)
	if kind == "yarn" {
		a.Yarn = Yarn{
			Original: original, Extrapolation: h.NumberOr("rope.scaling.yarn_ext_factor", 1),
			BetaFast: h.NumberOr("rope.scaling.yarn_beta_fast", 32), BetaSlow: h.NumberOr("rope.scaling.yarn_beta_slow", 1),
		}
		a.Magnitude = magnitude(factor, 1)
		if log := h.NumberOr("rope.scaling.yarn_log_multiplier", 0); log != 0 {
			a.Magnitude /= magnitude(factor, log)
		}
	}
	if m := h.NumberOr("rope.scaling.attn_factor", 1); m != 1 {
		a.Magnitude = m * max(a.Magnitude, 1)
	}
	c.Global = a
	h.factors(c, original)
}

// magnitude is what yarn multiplies queries and keys by.
func magnitude(factor, m float64) float64 {
	if factor <= 1 {
		return 1
	}
	return 0.1*m*math.Log(factor) + 1
}

// factors looks for tables that divide the frequencies.
func (h *Header) factors(c *Config, original int64) {
	const long, short = "rope_factors_long.weight", "rope_factors_short.weight"
	switch {
	case h.HasTensor("rope_freqs.weight"):
		c.RopeFreqFactors = true
	case h.HasTensor(long) || h.HasTensor(short):
		c.RopeFreqFactors, c.RopeFactorsKey, h.spare = true, short, []string{long}
		if c.Context > original {
			c.RopeFactorsKey, h.spare = long, []string{short}
		}
	}
}

// HasTensor reports whether the file has a tensor.
func (h *Header) HasTensor(name string) bool {
	_, err := h.index.Lookup(name)
	return err == nil
}
