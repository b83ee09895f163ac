package quant

// packSigned is Q4_0 and Q5_0: the element of the largest magnitude becomes the
// code 0, which is -top, so the codes reach from it to just below its negative.
// code writes the codes 0..2*top-1 of a block after its scale.
func packSigned(dst []byte, src []float32, size int, top float32, code func(b []byte, q *[32]byte)) error {
	var q [32]byte
	for at := 0; len(src) >= 32; dst, src, at = dst[size:], src[32:], at+32 {
		x := (*[32]float32)(src)
		peak := 0
		for j, v := range x {
			if abs(v) > abs(x[peak]) {
				peak = j
			}
		}
		d := x[peak] / -top
		if err := putScale(dst, d, at); err != nil {
			return err
		}
		inverse := inverse(d)
		for j, v := range x {
			q[j] = byte(min(float32(v*inverse)+(top+0.5), 2*top-1))
		}
		code(dst[2:size], &q)
	}
	return nil
}

// packAffine is Q4_1 and Q5_1: the codes 0..top reach from the smallest element
// to the largest.
func packAffine(dst []byte, src []float32, size int, top float32, code func(b []byte, q *[32]byte)) error {
	var q [32]byte
	for at := 0; len(src) >= 32; dst, src, at = dst[size:], src[32:], at+32 {
		x := (*[32]float32)(src)
		low, high := x[0], x[0]
		for _, v := range x {
			if v < low {
				low = v
			}
			if v > high {
				high = v
			}
		}
		d := (high - low) / top
		if err := putScale(dst, d, at); err != nil {
			return err
		}
		if err := putScale(dst[2:], low, at); err != nil {
			return err
		}
		inverse := inverse(d)
		for j, v := range x {
			q[j] = byte(min(float32((v-low)*inverse)+0.5, top))
		}
		code(dst[4:size], &q)
	}
	return nil
}

func packQ4_0(dst []byte, src []float32) error { return packSigned(dst, src, 18, 8, putCodes4) }
func packQ4_1(dst []byte, src []float32) error { return packAffine(dst, src, 20, 15, putCodes4) }
func packQ5_0(dst []byte, src []float32) error { return packSigned(dst, src, 22, 16, putCodes5) }
func packQ5_1(dst []byte, src []float32) error { return packAffine(dst, src, 24, 31, putCodes5) }

func packQ8_0(dst []byte, src []float32) error {
	for at := 0; len(src) >= 32; dst, src, at = dst[34:], src[32:], at+32 {
		b, x := (*[34]byte)(dst), (*[32]float32)(src)
		d := largest(x[:]) / 127
		if err := putScale(b[:], d, at); err != nil {
			return err
		}
		inverse := inverse(d)
		for j, v := range x {
			b[2+j] = byte(int8(awayFromZero(v * inverse)))
		}
	}
	return nil
}

// putCodes4 writes codes of four bits in the order of Q4_0.
func putCodes4(b []byte, q *[32]byte) {
	b = b[:16]
	for j := range b {
		b[j] = q[j]&15 | q[j+16]<<4
	}
}

// putCodes5 writes codes of five bits: their highest bits, then the others.
func putCodes5(b []byte, q *[32]byte) {
	var high uint32
	for j, c := range q {
		high |= uint32(c>>4) << j
	}
	b[0], b[1], b[2], b[3] = byte(high), byte(high>>8), byte(high>>16), byte(high>>24)
	putCodes4(b[4:], q)
}
