package quant

import "math"

// groupEps is the largest element below which a group counts as zeros.
const groupEps = 1e-15

// peak returns the element of the largest magnitude, the first of equals, and
// that magnitude.
func peak(x []float32) (value, magnitude float32) {
	for _, v := range x {
		if a := abs(v); a > magnitude {
			magnitude, value = a, v
		}
	}
	return value, magnitude
}

// clampTo limits l to -top..top-1, the range of a signed code.
func clampTo(l, top int32) int32 { return max(-top, min(top-1, l)) }

// fitSigned returns the best scale of a group of 16 elements as scale*(level-top),
// each weighing as its square, and writes the levels 0..2*top-1. It tries 19
// grids, which put the peak at -top-0.9 ... -top+0.9.
func fitSigned(x []float32, levels []uint8, top int32) float32 {
	at, magnitude := peak(x)
	if magnitude < groupEps {
		clear(levels)
		return 0
	}
	levels = levels[:len(x)]
	inv := float32(-top) / at
	sumXL, sumLL := sumSigned(x, inv, top)
	for i, v := range x {
		levels[i] = uint8(clampTo(nearest(float32(inv*v)), top) + top)
	}
	scale := ratio(sumXL, sumLL)
	best := float32(scale * sumXL)
	for k := -9; k <= 9; k++ {
		if k == 0 {
			continue
		}
		inv := -(float32(top) + float32(0.1*float32(k))) / at
		sumXL, sumLL := sumSigned(x, inv, top)
		if sumLL > 0 && float32(sumXL*sumXL) > float32(best*sumLL) {
			for i, v := range x {
				levels[i] = uint8(clampTo(nearest(float32(inv*v)), top) + top)
			}
			scale = ratio(sumXL, sumLL)
			best = float32(scale * sumXL)
		}
	}
	return scale
}

// sumSigned returns the sums of w*x*l and w*l*l for the codes l of a grid.
func sumSigned(x []float32, inv float32, top int32) (xl, ll float32) {
	for _, v := range x {
		l := float32(clampTo(nearest(float32(inv*v)), top))
		w := float32(v * v)
		xl += float32(float32(w*v) * l)
		ll += float32(float32(w*l) * l)
	}
	return xl, ll
}

// ratio returns the scale from the sums; ll is not negative. Where the squares of
// the elements overflow, NaN would count as no scale at all and the group would
// become zeros, so it is an infinity, which cannot be stored and is refused.
func ratio(xl, ll float32) float32 {
	if ll == 0 {
		return 0
	}
	if s := xl / ll; s == s {
		return s
	}
	return float32(math.Inf(1))
}

// fitStepwise is fitSigned for few levels: from the grid of the peak it moves one
// code at a time while that lowers the error, at most five times over the group.
func fitStepwise(x []float32, levels []uint8, top int32) float32 {
	at, magnitude := peak(x)
	if magnitude < groupEps {
		clear(levels)
		return 0
	}
	var store [16]int32
	code := store[:len(x)]
	inv := float32(-top) / at
	for i, v := range x {
		code[i] = clampTo(nearest(float32(inv*v)), top)
	}
	sumXL, sumLL := sumSigned(x, inv, top)
	for range 5 {
		changed := false
		for i, v := range x {
			w := float32(v * v)
			wx, l := float32(w*v), float32(code[i])
			xl := sumXL - float32(wx*l)
			if !(xl > 0) {
				continue
			}
			ll := sumLL - float32(float32(w*l)*l)
			next := clampTo(nearest(float32(v*ll)/xl), top)
			if next == code[i] {
				continue
			}
			l = float32(next)
			xl += float32(wx * l)
			ll += float32(float32(w*l) * l)
			if ll > 0 && float32(float32(xl*xl)*sumLL) > float32(float32(sumXL*sumXL)*ll) {
				code[i], sumXL, sumLL = next, xl, ll
				changed = true
			}
		}
		if !changed {
			break
		}
	}
	levels = levels[:len(x)]
	for i, l := range code {
		levels[i] = uint8(l + top)
	}
	return ratio(sumXL, sumLL)
}
