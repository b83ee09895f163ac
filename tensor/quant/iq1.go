package quant

// shift1 is what the IQ1 types add to or take from every point of the grid.
const shift1 = 0.125

func unpackIQ1S(dst []float32, src []byte) error {
	grid := iq1Grid()
	for ; len(dst) >= 256; dst, src = dst[256:], src[50:] {
		b, y := (*[50]byte)(src), (*[256]float32)(dst)
		d := half(b[0], b[1])
		for i := range 8 {
			h := int(b[34+2*i]) | int(b[35+2*i])<<8
			scale, shift := d*float32(h>>12&7*2+1), float32(shift1)
			if h>>15 != 0 {
				shift = -shift1
			}
			for k := range 4 {
				index := int(b[2+4*i+k]) | h>>(3*k)&7<<8
				shifted((*[8]float32)(y[32*i+8*k:]), scale, shift, &grid[index])
			}
		}
	}
	return nil
}

func unpackIQ1M(dst []float32, src []byte) error {
	grid := iq1Grid()
	for ; len(dst) >= 256; dst, src = dst[256:], src[56:] {
		b, y := (*[56]byte)(src), (*[256]float32)(dst)
		d := half(b[49]>>4|b[51]&0xf0, b[53]>>4|b[55]&0xf0)
		for i := range 32 { // eight elements each
			scales := int(b[48+i/8*2]) | int(b[49+i/8*2])<<8
			scale, shift := d*float32(scales>>(i/2%4*3)&7*2+1), float32(shift1)
			h := int(b[32+i/2]) >> (i % 2 * 4)
			if h&8 != 0 {
				shift = -shift1
			}
			shifted((*[8]float32)(y[8*i:]), scale, shift, &grid[int(b[i])|h&7<<8])
		}
	}
	return nil
}

func shifted(y *[8]float32, scale, shift float32, g *[8]int8) {
	for j := range y {
		y[j] = scale * (float32(g[j]) + shift)
	}
}
