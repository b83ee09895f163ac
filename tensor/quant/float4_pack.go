package quant

import "math"

func packMXFP4(dst []byte, src []float32) error {
	var q [32]byte
	for ; len(src) >= 32; dst, src = dst[17:], src[32:] {
		x := (*[32]float32)(src)
		e := exponent4(largest(x[:]))
		dst[0] = e
		var values [16]float32
		for k, c := range codes4 {
			values[k] = halfPower(e) * c
		}
		for j, v := range x {
			q[j] = closest(&values, v)
		}
		putCodes4(dst[1:17], &q)
	}
	return nil
}

// exponent4 returns the exponent byte of a block with this largest magnitude:
// the codes reach to 6, below 2^3. As in ggml the logarithm is rounded to
// float32 before its floor is taken, so a magnitude just below a power of two
// may get the exponent of that power.
func exponent4(peak float32) byte {
	if peak == 0 {
		return 0
	}
	return byte(max(math.Floor(float64(float32(math.Log2(float64(peak)))))-2+127, 0))
}

// closest returns the index of the value nearest to v, the first of equals.
func closest(values *[16]float32, v float32) byte {
	best, least := 0, abs(values[0]-v)
	for k := 1; k < 16; k++ {
		if e := abs(values[k] - v); e < least {
			best, least = k, e
		}
	}
	return byte(best)
}
