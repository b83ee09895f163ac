package quant

func unpackIQ3XXS(dst []float32, src []byte) error {
	grid := iq3xxsGrid()
	for ; len(dst) >= 256; dst, src = dst[256:], src[98:] {
		b, y := (*[98]byte)(src), (*[256]float32)(dst)
		d := half(b[0], b[1])
		for i := range 8 {
			signs := u32(b[66+4*i : 70+4*i])
			scale := d * (0.5 + float32(signs>>28)) * 0.5
			for k := range 4 {
				at := 2 + 8*i + 2*k
				signed4((*[8]float32)(y[32*i+8*k:]), scale, &grid[b[at]], &grid[b[at+1]], evenSigns(signs>>(7*k)))
			}
		}
	}
	return nil
}

func unpackIQ3S(dst []float32, src []byte) error {
	grid := iq3sGrid()
	for ; len(dst) >= 256; dst, src = dst[256:], src[110:] {
		b, y := (*[110]byte)(src), (*[256]float32)(dst)
		d := half(b[0], b[1])
		for i := range 32 { // eight elements, so two indexes, each
			high := int(b[66+i/4]) >> (i % 4 * 2)
			first, second := int(b[2+2*i])|high&1<<8, int(b[3+2*i])|high>>1&1<<8
			scale := d * float32(int(b[106+i/8])>>(i/4%2*4)&15*2+1)
			signed4((*[8]float32)(y[8*i:]), scale, &grid[first], &grid[second], uint32(b[74+i]))
		}
	}
	return nil
}
