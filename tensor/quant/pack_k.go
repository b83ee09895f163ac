package quant

// Grids of the affine K encodings, of levels 0..3, 0..15 and 0..31.
var (
	gridQ2 = affineGrid{top: 3, first: -0.5, step: 0.1, last: 15, mad: true}
	gridQ4 = affineGrid{top: 15, first: -1, step: 0.1, last: 20}
	gridQ5 = affineGrid{top: 31, first: -0.5, step: 0.1, last: 15}
)

func packQ2K(dst []byte, src []float32) error {
	for at := 0; len(src) >= 256; dst, src, at = dst[84:], src[256:], at+256 {
		if err := packQ2KBlock((*[84]byte)(dst), (*[256]float32)(src), at); err != nil {
			return err
		}
	}
	return nil
}

func packQ2KBlock(y *[84]byte, x *[256]float32, at int) error {
	var (
		levels           [256]uint8
		weight           [16]float32
		scale, offset    [16]float32
		maxScale, maxOff float32
	)
	for j := range 16 {
		group := x[16*j : 16*j+16]
		for i, v := range group {
			weight[i] = abs(v)
		}
		scale[j], offset[j] = gridQ2.fit(group, weight[:], levels[16*j:16*j+16])
		maxScale, maxOff = upper(maxScale, scale[j]), upper(maxOff, offset[j])
	}
	// Byte j holds the group's scale in bits 0..3 and its offset in bits 4..7.
	clear(y[:16])
	if maxScale > 0 {
		inv := 15 / maxScale
		for j, s := range scale {
			y[j] = uint8(nearest(float32(inv * s)))
		}
	}
	if maxOff > 0 {
		inv := 15 / maxOff
		for j, m := range offset {
			y[j] |= uint8(nearest(float32(inv*m)) << 4)
		}
	}
	d, dMin, err := putScales(y[80:], maxScale/15, maxOff/15, at)
	if err != nil {
		return err
	}
	for j := range 16 {
		requantAffine(x[16*j:16*j+16], levels[16*j:16*j+16], 3, float32(d*float32(y[j]&15)), float32(dMin*float32(y[j]>>4)))
	}
	put2Bits(y[16:80], &levels)
	return nil
}

// upper returns b where that is greater than a. Unlike max it passes over NaN.
func upper(a, b float32) float32 {
	if b > a {
		return b
	}
	return a
}

// putScales stores the scale and the offset of a block and returns what a reader
// will see.
func putScales(b []byte, scale, offset float32, at int) (d, m float32, err error) {
	if err := putScale(b, scale, at); err != nil {
		return 0, 0, err
	}
	if err := putScale(b[2:], offset, at); err != nil {
		return 0, 0, err
	}
	return half(b[0], b[1]), half(b[2], b[3]), nil
}

// requantAffine rounds the elements again, now to the grid that was stored.
// A group whose stored scale is 0 keeps its levels.
func requantAffine(x []float32, levels []uint8, top int32, d, m float32) {
	if d == 0 {
		return
	}
	levels = levels[:len(x)]
	for i, v := range x {
		levels[i] = uint8(max(0, min(top, nearest((v+m)/d))))
	}
}

// put2Bits stores 256 levels of two bits: byte i of each half takes the elements
// i, i+32, i+64 and i+96 of the half, from the low bits up.
func put2Bits(to []byte, levels *[256]uint8) {
	for h := range 2 {
		q, l := to[32*h:32*h+32], levels[128*h:128*h+128]
		for i := range q {
			q[i] = l[i] | l[i+32]<<2 | l[i+64]<<4 | l[i+96]<<6
		}
	}
}

func packQ4K(dst []byte, src []float32) error {
	var levels [256]uint8
	for at := 0; len(src) >= 256; dst, src, at = dst[144:], src[256:], at+256 {
		if err := packAffine32((*[16]byte)(dst), (*[256]float32)(src), &gridQ4, &levels, at); err != nil {
			return err
		}
		for j := range 4 {
			q, l := dst[16+32*j:48+32*j], levels[64*j:64*j+64]
			for i := range q {
				q[i] = l[i] | l[i+32]<<4
			}
		}
	}
	return nil
}

func packQ5K(dst []byte, src []float32) error {
	var levels [256]uint8
	for at := 0; len(src) >= 256; dst, src, at = dst[176:], src[256:], at+256 {
		if err := packAffine32((*[16]byte)(dst), (*[256]float32)(src), &gridQ5, &levels, at); err != nil {
			return err
		}
		high := dst[16:48]
		clear(high)
		for j := range 4 {
			q, l := dst[48+32*j:80+32*j], levels[64*j:64*j+64]
			for i := range q {
				q[i] = l[i]&15 | l[i+32]<<4
				high[i] |= (l[i]>>4 | l[i+32]>>4<<1) << (2 * j)
			}
		}
	}
	return nil
}

// packAffine32 writes the first 16 bytes of Q4_K and Q5_K, which are alike, and
// gives the levels of the elements.
func packAffine32(y *[16]byte, x *[256]float32, grid *affineGrid, levels *[256]uint8, at int) error {
	var (
		weight           [32]float32
		scale, offset    [8]float32
		maxScale, maxOff float32
	)
	for j := range 8 {
		group := x[32*j : 32*j+32]
		var sum float32
		for _, v := range group {
			sum += float32(v * v)
		}
		rms := sqrt32(sum / 32)
		for i, v := range group {
			weight[i] = rms + abs(v)
		}
		scale[j], offset[j] = grid.fit(group, weight[:], levels[32*j:32*j+32])
		maxScale, maxOff = upper(maxScale, scale[j]), upper(maxOff, offset[j])
	}
	var invScale, invOff float32
	if maxScale > 0 {
		invScale = 63 / maxScale
	}
	if maxOff > 0 {
		invOff = 63 / maxOff
	}
	var s, m [8]uint8
	for j := range 8 {
		s[j] = min(63, uint8(nearest(float32(invScale*scale[j]))))
		m[j] = min(63, uint8(nearest(float32(invOff*offset[j]))))
	}
	d, dMin, err := putScales(y[:], maxScale/63, maxOff/63, at)
	if err != nil {
		return err
	}
	for j := range 4 {
		y[4+j] = s[j] | s[j+4]>>4<<6
		y[8+j] = m[j] | m[j+4]>>4<<6
		y[12+j] = s[j+4]&15 | m[j+4]<<4
	}
	for j := range 8 {
		requantAffine(x[32*j:32*j+32], levels[32*j:32*j+32], grid.top, float32(d*float32(s[j])), float32(dMin*float32(m[j])))
	}
	return nil
}
