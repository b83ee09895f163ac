package quant

import "math"

// The K encodings do not round to a grid that is fixed by the largest element.
// Their packers try a few grids around that one and keep the grid with the least
// weighted error. What they try, and in which order sums are taken, decides the
// bits of the result; it is that of ggml without an importance matrix, which
// libgguf shares. Every product that is added to something is converted to
// float32 first: without that, Go may fuse the two on machines such as arm64,
// and the same weights would pack to other bytes there.

// nearest rounds to the nearest integer, ties to even, by adding 3*2^22, which
// leaves the integer in the low bits of the sum. Beyond ±2^22 it is what these
// bits happen to be, as in ggml, so that not even such elements pack otherwise.
func nearest(f float32) int32 {
	return int32(math.Float32bits(float32(f)+0xc00000)&0x7fffff) - 0x400000
}

func sqrt32(f float32) float32 { return float32(math.Sqrt(float64(f))) }

// affineGrid says which grids of an affine code x = scale*level - offset to try.
type affineGrid struct {
	top   int32   // the highest level; the lowest is 0
	first float32 // the grids put first, first+step, ... levels more than top
	step  float32 // between the smallest element and the largest
	last  int     // number of the last grid, counted from 0
	mad   bool    // the error is the absolute one, not its square
}

// fit returns the best scale and offset of at most 32 elements x, of weights w,
// and writes their levels. The offset is never below 0, so 0 can be represented.
func (g *affineGrid) fit(x, w []float32, levels []uint8) (scale, offset float32) {
	w, levels = w[:len(x)], levels[:len(x)]
	lo, hi := x[0], x[0]
	sumW, sumX := w[0], float32(w[0]*x[0])
	for i := 1; i < len(x); i++ {
		if x[i] < lo {
			lo = x[i]
		}
		if x[i] > hi {
			hi = x[i]
		}
		sumW += w[i]
		sumX += float32(w[i] * x[i])
	}
	if lo > 0 {
		lo = 0
	}
	if hi == lo {
		clear(levels)
		return 0, -lo
	}
	var store [32]float32
	trial := store[:len(x)]
	top := float32(g.top)
	inv := top / (hi - lo)
	scale = 1 / inv
	for i, v := range x {
		trial[i] = g.level(float32(inv * (v - lo)))
	}
	best := g.err(x, w, trial, scale, lo)
	keepLevels(levels, trial)

	for k := 0; k <= g.last; k++ {
		inv := (g.first + float32(g.step*float32(k)) + top) / (hi - lo)
		var sumL, sumLL, sumXL float32
		for i, v := range x {
			l := g.level(float32(inv * (v - lo)))
			trial[i] = l
			wl := float32(w[i] * l)
			sumL += wl
			sumLL += float32(wl * l)
			sumXL += float32(wl * v)
		}
		det := float32(sumW*sumLL) - float32(sumL*sumL)
		if !(det > 0) {
			continue
		}
		// The least squares of w*(s*l + m - x)^2, with m held at 0 where it would be above.
		s := (float32(sumW*sumXL) - float32(sumX*sumL)) / det
		m := (float32(sumLL*sumX) - float32(sumL*sumXL)) / det
		if m > 0 {
			s, m = sumXL/sumLL, 0
		}
		if e := g.err(x, w, trial, s, m); e < best {
			// The later grids start from the m of the best one so far, not from the
			// smallest element.
			best, scale, lo = e, s, m
			keepLevels(levels, trial)
		}
	}
	return scale, -lo
}

// level rounds to a level of the grid.
func (g *affineGrid) level(f float32) float32 { return float32(max(0, min(g.top, nearest(f)))) }

// err is the weighted error of x as s*levels + m.
func (g *affineGrid) err(x, w, levels []float32, s, m float32) (sum float32) {
	w, levels = w[:len(x)], levels[:len(x)]
	if g.mad {
		for i, v := range x {
			sum += float32(w[i] * abs(float32(s*levels[i])+m-v))
		}
		return sum
	}
	for i, v := range x {
		d := float32(s*levels[i]) + m - v
		sum += float32(w[i] * float32(d*d))
	}
	return sum
}

func keepLevels(to []uint8, from []float32) {
	to = to[:len(from)]
	for i, l := range from {
		to[i] = uint8(int32(l))
	}
}
