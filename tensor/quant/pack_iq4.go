package quant

import "encoding/binary"

// midIQ4 are the midpoints between neighbours in steps4; an element on a
// midpoint takes the upper of the two. The last is a sentinel.
var midIQ4 = func() (m [16]float32) {
	for i := range 15 {
		m[i] = (steps4[i] + steps4[i+1]) / 2
	}
	m[15] = steps4[15]
	return m
}()

// startIQ4 returns for the integer below x+128 the number of midpoints at or below
// x-1; midpoints lie further apart than 2, so one comparison is left to do.
var startIQ4 = func() (s [242]uint8) {
	for k := range s {
		for _, m := range midIQ4[:15] {
			if float32(k)-129 >= m {
				s[k]++
			}
		}
	}
	return s
}()

// nearestIQ4 returns the index of the step next to x. NaN, which comes only of
// elements near 1e-38, gives the last index, as in ggml.
func nearestIQ4(x float32) uint8 {
	if x <= -127 {
		return 0
	}
	if !(x < 113) {
		return 15
	}
	i := startIQ4[int32(float32(x)+128)]
	if x >= midIQ4[i&15] {
		i++
	}
	return i
}

// fitIQ4 returns the best scale of 32 elements in multiples of steps4, each
// weighing as its square. It tries the grid of the peak and 15 more around it.
func fitIQ4(x []float32) float32 {
	at, magnitude := peak(x)
	if magnitude < groupEps {
		return 0
	}
	sumXQ, sumQQ := sumIQ4(x, 1/(-at/steps4[0]))
	scale := ratio(sumXQ, sumQQ)
	best := float32(scale * sumXQ)
	for k := -7; k <= 7; k++ {
		sumXQ, sumQQ := sumIQ4(x, (float32(k)+steps4[0])/at)
		if sumQQ > 0 && float32(sumXQ*sumXQ) > float32(best*sumQQ) {
			scale = ratio(sumXQ, sumQQ)
			best = float32(scale * sumXQ)
		}
	}
	return scale
}

// sumIQ4 returns the sums of w*q*x and w*q*q for the steps q of a grid.
func sumIQ4(x []float32, inv float32) (xq, qq float32) {
	for _, v := range x {
		q := steps4[nearestIQ4(float32(inv*v))&15]
		wq := float32(float32(v*v) * q)
		xq += float32(wq * v)
		qq += float32(wq * q)
	}
	return xq, qq
}

// putIQ4 stores 32 elements: byte i takes the indices of elements i and i+16.
func putIQ4(to []byte, x []float32, inv float32) {
	to, x = to[:16], x[:32]
	for i := range to {
		to[i] = nearestIQ4(float32(inv*x[i])) | nearestIQ4(float32(inv*x[i+16]))<<4
	}
}

func packIQ4NL(dst []byte, src []float32) error {
	for at := 0; len(src) >= 32; dst, src, at = dst[18:], src[32:], at+32 {
		scale := fitIQ4(src[:32])
		if err := putScale(dst, scale, at); err != nil {
			return err
		}
		var inv float32
		if scale != 0 {
			inv = 1 / scale
		}
		putIQ4(dst[2:18], src[:32], inv)
	}
	return nil
}

func packIQ4XS(dst []byte, src []float32) error {
	for at := 0; len(src) >= 256; dst, src, at = dst[136:], src[256:], at+256 {
		if err := packIQ4XSBlock((*[136]byte)(dst), (*[256]float32)(src), at); err != nil {
			return err
		}
	}
	return nil
}

func packIQ4XSBlock(y *[136]byte, x *[256]float32, at int) error {
	var scale [8]float32
	for j := range scale {
		scale[j] = fitIQ4(x[32*j : 32*j+32])
	}
	largest, _ := peak(scale[:])
	d := -largest / 32
	var inv float32
	if d != 0 {
		inv = 1 / d
	}
	var high uint16
	clear(y[4:8])
	for j, s := range scale {
		code := clampTo(nearest(float32(inv*s)), 32)
		// The indices answer for d before it is rounded to binary16, as in ggml.
		var inv float32
		if unit := float32(d * float32(code)); unit != 0 {
			inv = 1 / unit
		}
		putIQ4(y[8+16*j:24+16*j], x[32*j:32*j+32], inv)
		l := uint8(code + 32)
		y[4+j/2] |= l & 15 << (j % 2 * 4)
		high |= uint16(l>>4) << (2 * j)
	}
	binary.LittleEndian.PutUint16(y[2:], high)
	return putScale(y[:], d, at)
}
