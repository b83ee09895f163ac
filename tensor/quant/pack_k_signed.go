package quant

func packQ3K(dst []byte, src []float32) error {
	for at := 0; len(src) >= 256; dst, src, at = dst[110:], src[256:], at+256 {
		if err := packQ3KBlock((*[110]byte)(dst), (*[256]float32)(src), at); err != nil {
			return err
		}
	}
	return nil
}

func packQ3KBlock(y *[110]byte, x *[256]float32, at int) error {
	var (
		levels [256]uint8
		scale  [16]float32
		code   [16]int8 // of the scales, -32..31
	)
	for j := range 16 {
		scale[j] = fitStepwise(x[16*j:16*j+16], levels[16*j:16*j+16], 4)
	}
	var unit float32
	clear(y[96:108])
	if largest, _ := peak(scale[:]); largest != 0 {
		inv := -32 / largest
		for j, s := range scale {
			// ggml narrows to 8 bits before it clamps.
			code[j] = int8(clampTo(int32(int8(nearest(float32(inv*s)))), 32))
			l := uint8(code[j] + 32)
			y[96+j%8] |= l & 15 << (j / 8 * 4)
			y[104+j%4] |= l >> 4 << (j / 4 * 2)
		}
		unit = 1 / inv
	}
	if err := putScale(y[108:], unit, at); err != nil {
		return err
	}
	d := half(y[108], y[109])
	for j := range 16 {
		requantSigned(x[16*j:16*j+16], levels[16*j:16*j+16], 4, float32(d*float32(code[j])))
	}
	// Bit k of byte i is the third bit of element 32*k+i.
	high := y[:32]
	clear(high)
	for i, l := range levels {
		high[i%32] |= l >> 2 << (i / 32)
		levels[i] = l & 3
	}
	put2Bits(y[32:96], &levels)
	return nil
}

// requantSigned is requantAffine for codes -top..top-1.
func requantSigned(x []float32, levels []uint8, top int32, d float32) {
	if d == 0 {
		return
	}
	levels = levels[:len(x)]
	for i, v := range x {
		levels[i] = uint8(clampTo(nearest(v/d), top) + top)
	}
}

func packQ6K(dst []byte, src []float32) error {
	for at := 0; len(src) >= 256; dst, src, at = dst[210:], src[256:], at+256 {
		if err := packQ6KBlock((*[210]byte)(dst), (*[256]float32)(src), at); err != nil {
			return err
		}
	}
	return nil
}

func packQ6KBlock(y *[210]byte, x *[256]float32, at int) error {
	var (
		levels [256]uint8
		scale  [16]float32
	)
	for j := range 16 {
		scale[j] = fitSigned(x[16*j:16*j+16], levels[16*j:16*j+16], 32)
	}
	largest, magnitude := peak(scale[:])
	if magnitude < groupEps {
		clear(y[:])
		return nil
	}
	inv := -128 / largest
	if err := putScale(y[208:], 1/inv, at); err != nil {
		return err
	}
	d := half(y[208], y[209])
	for j, s := range scale {
		code := int8(min(127, nearest(float32(inv*s))))
		y[192+j] = uint8(code)
		requantSigned(x[16*j:16*j+16], levels[16*j:16*j+16], 32, float32(d*float32(code)))
	}
	for h := range 2 {
		low, high, l := y[64*h:64*h+64], y[128+32*h:160+32*h], levels[128*h:128*h+128]
		for i := range high {
			low[i] = l[i]&15 | l[i+64]<<4
			low[i+32] = l[i+32]&15 | l[i+96]<<4
			high[i] = l[i]>>4 | l[i+32]>>4<<2 | l[i+64]>>4<<4 | l[i+96]>>4<<6
		}
	}
	return nil
}

// packQ1_0 stores the mean magnitude and the signs; -0 counts as positive.
func packQ1_0(dst []byte, src []float32) error {
	for at := 0; len(src) >= 128; dst, src, at = dst[18:], src[128:], at+128 {
		y, x := (*[18]byte)(dst), (*[128]float32)(src)
		var sum float32
		clear(y[:])
		for i, v := range x {
			sum += abs(v)
			if v >= 0 {
				y[2+i/8] |= 1 << (i % 8)
			}
		}
		if err := putScale(y[:], sum/128, at); err != nil {
			return err
		}
	}
	return nil
}
