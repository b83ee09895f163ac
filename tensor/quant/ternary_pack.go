package quant

// trits3 returns the codes 0, 1 and 2 of 256 elements as multiples of their
// largest magnitude, and stores that.
func trits3(q *[256]byte, scale []byte, x *[256]float32, at int) error {
	d := largest(x[:])
	if err := putScale(scale, d, at); err != nil {
		return err
	}
	inverse := inverse(d)
	for j, v := range x {
		q[j] = byte(awayFromZero(v*inverse) + 1)
	}
	return nil
}

func packTQ1_0(dst []byte, src []float32) error {
	var q [256]byte
	for at := 0; len(src) >= 256; dst, src, at = dst[54:], src[256:], at+256 {
		b := (*[54]byte)(dst)
		if err := trits3(&q, b[52:], (*[256]float32)(src), at); err != nil {
			return err
		}
		for j := range 32 {
			b[j] = fraction3(q[j], q[32+j], q[64+j], q[96+j], q[128+j])
		}
		for j := range 16 {
			b[32+j] = fraction3(q[160+j], q[176+j], q[192+j], q[208+j], q[224+j])
		}
		for j := range 4 {
			b[48+j] = fraction3(q[240+j], q[244+j], q[248+j], q[252+j], 0)
		}
	}
	return nil
}

// fraction3 returns five trits as a fraction of 243, in units of 1/256, rounded
// up so that the digits come out again.
func fraction3(t0, t1, t2, t3, t4 byte) byte {
	n := int(t0)*81 + int(t1)*27 + int(t2)*9 + int(t3)*3 + int(t4)
	return byte((n*256 + 242) / 243)
}

func packTQ2_0(dst []byte, src []float32) error {
	var q [256]byte
	for at := 0; len(src) >= 256; dst, src, at = dst[66:], src[256:], at+256 {
		b := (*[66]byte)(dst)
		if err := trits3(&q, b[64:], (*[256]float32)(src), at); err != nil {
			return err
		}
		for i := range 2 {
			half := (*[128]byte)(q[128*i:])
			for j := range 32 {
				b[32*i+j] = half[j] | half[32+j]<<2 | half[64+j]<<4 | half[96+j]<<6
			}
		}
	}
	return nil
}
