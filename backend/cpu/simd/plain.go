package simd

import "math"

// The kernels in Go, for processors without assembly kernels: operation for operation, so
// that the bits are the same. Row lengths are multiples of eight.

// expOf is what the kernels compute; x is clamped to -110 and 110, whose exponentials are
// out of the range of float32.
func expOf(x float64) float64 {
	x = min(max(x, -110), 110) // NaN stays
	t := math.FMA(core[0], x, core[1])
	r := math.FMA(-(t - core[1]), core[2], x)
	p := core[3]
	for _, c := range core[4:] {
		p = math.FMA(p, r, c)
	}
	return math.Float64frombits(math.Float64bits(math.FMA(p, r, 1)) + math.Float64bits(t)<<52)
}

// total adds the eight parts of a sum.
func total(s *[width]float64) float64 {
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}

func exps(y, x []float32, c float64) float64 {
	if wide {
		return expRow(len(x), &x[0], &y[0], c)
	}
	var parts [width]float64
	for i, v := range x {
		e := expOf(float64(v) - c)
		y[i] = float32(e)
		parts[i%width] += e
	}
	return total(&parts)
}

func logistics(y, x []float32) {
	if wide {
		logisticRow(len(x), &x[0], &y[0])
		return
	}
	for i, v := range x {
		y[i] = float32(1 / (expOf(0-float64(v)) + 1))
	}
}

func greatest(x []float32) float32 {
	if wide {
		return maxRow(len(x), &x[0])
	}
	top := x[0]
	for _, v := range x[1:] {
		if !(top > v) {
			top = v
		}
	}
	return top
}

func scale(y []float32, f float64) {
	if wide {
		scaleRow(len(y), &y[0], f)
		return
	}
	for i, v := range y {
		y[i] = float32(float64(v) * f)
	}
}

func sum(x []float32) float64 {
	if wide {
		return sumRow(len(x), &x[0])
	}
	var parts [width]float64
	for i, v := range x {
		parts[i%width] += float64(v)
	}
	return total(&parts)
}

func squares(x []float32, mean float64) float64 {
	if wide {
		return squaresRow(len(x), &x[0], mean)
	}
	var parts [width]float64
	for i, v := range x {
		d := float64(v) - mean
		parts[i%width] = math.FMA(d, d, parts[i%width])
	}
	return total(&parts)
}

func norms(y, x, g, b []float32, mean, scale float64) {
	if wide {
		normRow(len(x), &x[0], &g[0], &b[0], &y[0], mean, scale)
		return
	}
	for i, v := range x {
		y[i] = float32(math.FMA((float64(v)-mean)*scale, float64(g[i]), float64(b[i])))
	}
}
